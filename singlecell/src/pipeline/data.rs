//! What the steps work on.

use crate::Error;
use crate::data::{AnnData, Csr, Dense, Frame, Uns};
use std::collections::BTreeMap;
use warpcell_ops::DeviceCsr;
use warpcell_runtime::{Buffer, Device};

/// An annotated matrix whose arrays are on a device. Annotations of cells and genes are on the host.
pub struct DeviceData {
    /// The device.
    pub device: Device,
    /// Cells x genes.
    pub x: DeviceCsr<f32>,
    /// A row for each cell.
    pub obs: Frame,
    /// A row for each gene.
    pub var: Frame,
    /// Arrays with a row for each cell.
    pub obsm: BTreeMap<String, DeviceArray>,
    /// Arrays with a row for each gene.
    pub varm: BTreeMap<String, Dense>,
    /// Neighbours of cells.
    pub obsp: BTreeMap<String, DeviceGraph>,
    /// Anything else.
    pub uns: BTreeMap<String, Uns>,
}

/// A dense array on the device, row by row.
pub struct DeviceArray {
    /// The values.
    pub data: Buffer<f32>,
    /// The number of columns.
    pub n_cols: usize,
}

/// The nearest neighbours of each cell on the device, row by row, the cell itself first.
pub struct DeviceGraph {
    /// The neighbours.
    pub indices: Buffer<u32>,
    /// Their distances.
    pub distances: Buffer<f32>,
    /// The number of neighbours of each cell, itself included.
    pub n_neighbors: usize,
}

impl DeviceData {
    /// Uploads the matrix. Arrays of `obsm`, `varm` and `obsp` that the file had are left behind: they belong to cells and
    /// genes as they were before filtering.
    ///
    /// # Errors
    /// The matrix is empty or holds what is no count; what the device reports.
    pub fn upload(device: &Device, data: AnnData) -> Result<DeviceData, Error> {
        check_counts(&data)?;
        let AnnData { x, obs, var, uns, .. } = data;
        let x = DeviceCsr::upload(device, &x.indptr, &x.indices, &x.data, x.n_cols)?;
        let (obsm, varm, obsp) = Default::default();
        Ok(DeviceData { device: device.clone(), x, obs, var, obsm, varm, obsp, uns })
    }

    /// The number of cells.
    pub fn n_obs(&self) -> usize {
        self.x.n_rows()
    }

    /// The number of genes.
    pub fn n_vars(&self) -> usize {
        self.x.n_cols
    }

    /// Downloads everything.
    ///
    /// # Errors
    /// What the device reports.
    pub fn download(&self) -> Result<AnnData, Error> {
        let x = Csr {
            indptr: self.x.indptr.download()?,
            indices: self.x.indices.download()?,
            data: self.x.data.download()?,
            n_cols: self.x.n_cols,
        };
        let mut obsm = BTreeMap::new();
        for (name, array) in &self.obsm {
            obsm.insert(name.clone(), Dense { data: array.data.download()?, n_cols: array.n_cols });
        }
        let mut obsp = BTreeMap::new();
        for (name, graph) in &self.obsp {
            obsp.insert(name.clone(), graph.download()?);
        }
        Ok(AnnData {
            x,
            obs: self.obs.clone(),
            var: self.var.clone(),
            obsm,
            varm: self.varm.clone(),
            obsp,
            uns: self.uns.clone(),
        })
    }
}

impl DeviceGraph {
    /// As a matrix of distances, as scanpy stores it: without the cell itself, columns ascending. A distance of 0 (of a
    /// cell with the same values) stays stored.
    fn download(&self) -> Result<Csr, Error> {
        let (indices, distances) = (self.indices.download()?, self.distances.download()?);
        let n_cells = indices.len() / self.n_neighbors;
        let mut csr = Csr { n_cols: n_cells, ..Csr::default() };
        for row in 0..n_cells {
            let range = row * self.n_neighbors..(row + 1) * self.n_neighbors;
            let mut entries: Vec<(u32, f32)> =
                indices[range.clone()].iter().copied().zip(distances[range].iter().copied()).collect();
            entries.retain(|(cell, _)| *cell as usize != row);
            entries.sort_by_key(|(cell, _)| *cell);
            csr.indices.extend(entries.iter().map(|(cell, _)| *cell));
            csr.data.extend(entries.iter().map(|(_, distance)| *distance));
            csr.indptr.push(csr.data.len() as u64);
        }
        Ok(csr)
    }
}

/// The pipeline starts from counts.
fn check_counts(data: &AnnData) -> Result<(), Error> {
    let fail = |problem: String| Err(Error::Step { step: "upload", problem });
    if data.n_obs() == 0 || data.n_vars() == 0 {
        return fail(format!(
            "the matrix has {} cells and {} genes; there is nothing to do",
            data.n_obs(),
            data.n_vars()
        ));
    }
    if let Some((row, column, value)) = data.x.first_non_count() {
        let (cell, gene) = (&data.obs.index[row], &data.var.index[column]);
        return fail(format!(
            "X holds {value} for cell `{cell}` and gene `{gene}`, which is no count; give raw counts (with anndata: `adata.X = adata.layers[\"counts\"]`)"
        ));
    }
    if !data.x.is_whole() {
        tracing::warn!("X holds values that are not whole; the pipeline expects raw counts, not normalised ones");
    }
    Ok(())
}

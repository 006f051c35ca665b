//! The `.h5` files of Cell Ranger: one matrix in `matrix` since version 3, before that one in a group for each genome.
//!
//! A matrix is stored by barcode (CSC of features x barcodes), which is CSR of cells x genes.

use super::tables::Features;
use crate::Error;
use crate::data::{AnnData, Csr, Frame};
use crate::io::hdf5::{Indices, Node, with_root};
use std::path::Path;

/// The group of the matrix since Cell Ranger 3.
const MATRIX: &str = "matrix";

/// Whether these are the groups of such a file.
pub(in crate::io) fn is_h5(root: &Node<'_>) -> bool {
    // An .h5ad and a loom file have groups with such arrays too.
    !root.has("obs") && !root.has("row_attrs") && (root.has(MATRIX) || !genomes(root).is_empty())
}

/// Reads a `.h5` file of Cell Ranger. The genes' symbols are the names of `var`, made unique as scanpy does; `gene_ids` and
/// `feature_types` are columns.
///
/// # Errors
/// The file can't be opened, a part of it is missing or damaged, or it holds matrices of several genomes.
pub fn read_h5(path: &Path) -> Result<AnnData, Error> {
    with_root(path, read_root)
}

pub(in crate::io) fn read_root(root: &Node<'_>) -> Result<AnnData, Error> {
    if root.has(MATRIX) {
        let matrix = root.child(MATRIX)?;
        let features = matrix.child("features")?;
        let types = if features.has("feature_type") { features.child("feature_type")?.strings()? } else { Vec::new() };
        return read(&matrix, features.child("id")?.strings()?, features.child("name")?.strings()?, types);
    }
    match &genomes(root)[..] {
        [genome] => {
            let matrix = root.child(genome)?;
            read(&matrix, matrix.child("genes")?.strings()?, matrix.child("gene_names")?.strings()?, Vec::new())
        }
        [] => Err(root.error("this is no .h5 of Cell Ranger: there is no group with a matrix")),
        several => Err(root.error(format!(
            "the file holds matrices of several genomes ({}); write one of them, with scanpy: `scanpy.read_10x_h5(path, genome=\"{}\").write_h5ad(...)`",
            several.join(", "),
            several[0]
        ))),
    }
}

/// The groups that hold a matrix of Cell Ranger 2.
fn genomes(root: &Node<'_>) -> Vec<String> {
    let holds_matrix = |name: &String| {
        root.child(name).is_ok_and(|group| ["data", "indices", "indptr", "shape"].iter().all(|part| group.has(part)))
    };
    root.children().into_iter().filter(holds_matrix).collect()
}

fn read(matrix: &Node<'_>, ids: Vec<String>, symbols: Vec<String>, types: Vec<String>) -> Result<AnnData, Error> {
    if ids.len() != symbols.len() {
        let problem =
            format!("has {} identifiers but {} names of features; the file is damaged", ids.len(), symbols.len());
        return Err(matrix.error(problem));
    }
    let var = Features { ids, symbols, types }.into_frame(&matrix.place());
    let obs = Frame::new(matrix.child("barcodes")?.strings()?);
    let shape = [obs.len(), var.len()];
    if matrix.child("shape")?.i64s()? != [shape[1] as i64, shape[0] as i64] {
        let problem = format!(
            "has a shape that differs from its {} features and {} barcodes; the file is damaged",
            shape[1], shape[0]
        );
        return Err(matrix.error(problem));
    }
    let position = |pointer: i64| {
        u64::try_from(pointer).map_err(|_| matrix.error(format!("indptr holds {pointer}; the file is damaged")))
    };
    let indptr = matrix.child("indptr")?.i64s()?.into_iter().map(position).collect::<Result<Vec<u64>, Error>>()?;
    let values = matrix.child("data")?.f32s()?.0;
    let csr = match matrix.child("indices")?.indices()? {
        Indices::Narrow(indices) => Csr::from_parts(indptr, &indices, values, shape),
        Indices::Wide(indices) => Csr::from_parts(indptr, &indices, values, shape),
    };
    let (x, _) = csr.map_err(|error| matrix.matrix_error(error))?;
    Ok(AnnData { x, obs, var, ..AnnData::default() })
}

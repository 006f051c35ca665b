//! Principal components of a sparse matrix, as scanpy's `pca` with an exact solver.

use super::basis::CovarianceBasis;
use super::{LanczosOptions, basis_columns, component_signs, gram, lanczos};
use crate::stats::{Value, gene_moments};
use crate::{DeviceCsr, Error};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![loadings_of::kernel(), mean_scores::kernel(), scores_of::kernel()]
}

/// Principal components.
pub struct Pca {
    /// Cells x components, row by row: what scanpy calls `X_pca`.
    pub scores: Buffer<f32>,
    /// Genes x components, row by row: what scanpy calls `PCs`. The largest entry of each component is positive.
    pub loadings: Vec<f64>,
    /// The variance of each component.
    pub variance: Vec<f64>,
    /// Its share of the variance of all genes.
    pub variance_ratio: Vec<f64>,
}

/// The first `components` principal components of the rows, centred but not scaled. The matrix stays sparse: centring is a
/// term of rank one on the Gram matrix.
///
/// # Errors
/// Fewer than two rows, or more components than `min(rows, columns) - 1`; the iteration does not converge; what the device
/// reports.
pub fn pca(matrix: &DeviceCsr<f32>, components: usize) -> Result<Pca, Error> {
    let (device, n_rows, n_cols) = (matrix.device(), matrix.n_rows(), matrix.n_cols);
    let most = n_rows.min(n_cols).saturating_sub(1);
    if components == 0 || components > most {
        let problem =
            format!("{components} components of {n_rows} cells x {n_cols} genes were asked for; ask for 1 to {most}");
        return Err(Error::Argument { operation: "pca", problem });
    }
    let moments = gene_moments(device, &[matrix], Value::Plain)?;
    let total: f64 = moments.variance.download()?.iter().sum();
    let products = gram(device, &[matrix], n_cols)?;
    let columns = basis_columns(n_cols, components);
    let mut basis = CovarianceBasis {
        gram: &products,
        mean: &moments.mean,
        n_rows,
        columns: device.zeros(columns * n_cols)?,
        scratch: device.zeros(columns * n_cols)?,
    };
    let options = LanczosOptions { components, ..LanczosOptions::default() };
    let pairs = lanczos(&mut basis, &options)
        .map_err(|error| Error::Argument { operation: "pca", problem: error.to_string() })?;
    let variance: Vec<f64> = pairs.values.iter().map(|value| value.max(0.0)).collect();
    let (scores, loadings) = project(matrix, &moments.mean, &basis.columns, components)?;
    let variance_ratio = variance.iter().map(|value| if total > 0.0 { value / total } else { 0.0 }).collect();
    Ok(Pca { scores, loadings, variance, variance_ratio })
}

/// Scores and loadings from the eigenvectors, with the signs that make the largest loadings positive.
fn project(
    matrix: &DeviceCsr<f32>,
    mean: &DSlice<f64>,
    columns: &DSlice<f64>,
    components: usize,
) -> Result<(Buffer<f32>, Vec<f64>), Error> {
    let (device, n_cols) = (matrix.device(), matrix.n_cols);
    let mut loadings = device.zeros(n_cols * components)?;
    let plain = device.upload(&vec![1.0; components])?;
    loadings_of(columns, &plain, &mut loadings).threads(n_cols * components).launch()?;
    let signs = device.upload(&component_signs(&loadings.download()?, components))?;
    loadings_of(columns, &signs, &mut loadings).threads(n_cols * components).launch()?;
    let mut offsets = device.zeros(components)?;
    mean_scores(mean, &loadings, &mut offsets).threads(components).launch()?;
    let mut scores = device.zeros(matrix.n_rows() * components)?;
    scores_of(&matrix.indptr, &matrix.indices, &matrix.data, &loadings, &offsets, &mut scores)
        .threads(matrix.n_rows() * components)
        .launch()?;
    let host = loadings.download()?;
    Ok((scores, host))
}

/// The basis column by column as loadings row by row.
#[gpu_kernel]
fn loadings_of(columns: &[f64], signs: &[f64], loadings: &mut [f64]) {
    let i = global_id();
    if i < loadings.len() {
        let components = signs.len();
        let n = loadings.len() / components;
        loadings[i] = columns[i % components * n + i / components] * signs[i % components];
    }
}

/// What the means alone would score.
#[gpu_kernel]
fn mean_scores(mean: &[f64], loadings: &[f64], offsets: &mut [f64]) {
    let component = global_id();
    if component < offsets.len() {
        let mut sum = 0.0;
        for gene in 0..mean.len() {
            sum += mean[gene] * loadings[gene * offsets.len() + component];
        }
        offsets[component] = sum;
    }
}

/// A thread for each cell and component, over the entries of the row in order.
#[gpu_kernel]
fn scores_of(indptr: &[u64], indices: &[u32], data: &[f32], loadings: &[f64], offsets: &[f64], scores: &mut [f32]) {
    let i = global_id();
    if i < scores.len() {
        let components = offsets.len();
        let row = i / components;
        let component = i % components;
        let mut sum = 0.0;
        for k in indptr[row] as usize..indptr[row + 1] as usize {
            sum += data[k] as f64 * loadings[indices[k] as usize * components + component];
        }
        scores[i] = (sum - offsets[component]) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csr::tests::example;

    /// Scores and loadings give the centred matrix back, if all components are there.
    #[test]
    fn all_components_together_are_the_matrix() {
        let device = Device::cpu();
        let host = example(60, 12);
        let found = pca(&host.upload(&device), 11).unwrap();
        let scores = found.scores.download().unwrap();
        let mut dense = vec![0f64; 60 * 12];
        for (row, entries) in host.rows.iter().enumerate() {
            entries.iter().for_each(|(column, value)| dense[row * 12 + *column as usize] = f64::from(*value));
        }
        let means: Vec<f64> = (0..12).map(|g| (0..60).map(|row| dense[row * 12 + g]).sum::<f64>() / 60.0).collect();
        // The component that is left out is the smallest, so the rest is small but not nothing.
        let mut rest = 0.0;
        let mut size = 0.0;
        for row in 0..60 {
            for gene in 0..12 {
                let value: f64 = (0..11).map(|c| f64::from(scores[row * 11 + c]) * found.loadings[gene * 11 + c]).sum();
                rest += (dense[row * 12 + gene] - means[gene] - value).powi(2);
                size += (dense[row * 12 + gene] - means[gene]).powi(2);
            }
        }
        let explained: f64 = found.variance_ratio.iter().sum();
        assert!((rest / size - (1.0 - explained)).abs() < 1e-6, "{} {}", rest / size, explained);
        assert!(found.variance.is_sorted_by(|a, b| a >= b));
    }

    #[test]
    fn too_many_components_are_an_error() {
        let matrix = example(5, 12).upload(&Device::cpu());
        let error = pca(&matrix, 5).err().unwrap().to_string();
        assert!(error.contains("5 components of 5 cells x 12 genes were asked for; ask for 1 to 4"), "{error}");
    }

    #[test]
    fn kernels_run_in_phases() {
        let futures: Vec<_> =
            super::super::kernels().into_iter().filter(|kernel| !kernel.runs_in_phases()).map(|kernel| kernel.name()).collect();
        assert!(futures.is_empty(), "{futures:?}");
    }
}

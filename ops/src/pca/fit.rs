//! Principal components of a sparse matrix, as scanpy's `pca` with an exact solver.

use super::basis::CovarianceBasis;
use super::project::Loadings;
use super::{LanczosError, LanczosOptions, basis_columns, gram, lanczos};
use crate::stats::{Value, gene_moments};
use crate::{DeviceCsr, Error};
use warpcell_runtime::prelude::*;

/// Principal components.
pub struct Pca {
    /// Cells x components, row by row: what scanpy calls `X_pca`.
    pub scores: Buffer<f32>,
    /// Genes x components, row by row: what scanpy calls `PCs`. The largest entry of each component is positive.
    pub loadings: Vec<f64>,
    /// The variance of each component.
    pub variance: Vec<f64>,
    /// Its share of the variance of all genes; 0 if no gene varies.
    pub variance_ratio: Vec<f64>,
}

/// The first `components` principal components of the rows, centred but not scaled. The matrix stays sparse: centring is a
/// term of rank one on the Gram matrix.
///
/// # Errors
/// Fewer than two rows or columns; more components than `min(rows, columns) - 1`, or than 108 of more than 128 columns;
/// values that are not finite; the iteration does not converge; what the device reports.
pub fn pca(matrix: &DeviceCsr<f32>, components: usize) -> Result<Pca, Error> {
    check(matrix.n_rows(), matrix.n_cols, components)?;
    let (device, n_cols) = (matrix.device(), matrix.n_cols);
    let moments = gene_moments(device, &[matrix], Value::Plain)?;
    let total: f64 = moments.variance.download()?.iter().sum();
    let products = gram(device, &[matrix], n_cols)?;
    let columns = basis_columns(n_cols, components);
    let mut basis = CovarianceBasis::new(&products, &moments.mean, matrix.n_rows(), columns)?;
    let options = LanczosOptions { components, ..LanczosOptions::default() };
    let pairs = lanczos(&mut basis, &options).map_err(|error| match error {
        LanczosError::Basis(error) => error,
        other => Error::Argument { operation: "pca", problem: other.to_string() },
    })?;
    let loadings = Loadings::new(&basis, components)?;
    let scores = loadings.scores(matrix, &moments.mean, components)?;
    let variance: Vec<f64> = pairs.values.iter().map(|value| value.max(0.0)).collect();
    let variance_ratio = variance.iter().map(|value| if total > 0.0 { value / total } else { 0.0 }).collect();
    Ok(Pca { scores, loadings: loadings.host, variance, variance_ratio })
}

/// Whether there can be as many components.
fn check(n_rows: usize, n_cols: usize, components: usize) -> Result<(), Error> {
    let most = n_rows.min(n_cols).saturating_sub(1);
    let problem = if most == 0 {
        format!("{n_rows} cells x {n_cols} genes have no components; keep at least 2 cells and choose at least 2 genes")
    } else if components == 0 || components > most {
        format!("{components} components of {n_rows} cells x {n_cols} genes were asked for; ask for 1 to {most}")
    } else {
        return Ok(());
    };
    Err(Error::Argument { operation: "pca", problem })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csr::tests::{Host, example};

    /// The means, and rows of the centred matrix.
    fn centred(host: &Host) -> Vec<Vec<f64>> {
        let mut rows = vec![vec![0f64; host.n_cols]; host.rows.len()];
        for (row, entries) in rows.iter_mut().zip(&host.rows) {
            entries.iter().for_each(|(column, value)| row[*column as usize] = f64::from(*value));
        }
        for column in 0..host.n_cols {
            let mean = rows.iter().map(|row| row[column]).sum::<f64>() / rows.len() as f64;
            rows.iter_mut().for_each(|row| row[column] -= mean);
        }
        rows
    }

    /// What is left after the components are taken away is the variance that they don't explain.
    #[test]
    fn components_explain_the_variance_they_claim() {
        for (n_rows, n_cols, components) in [(60, 12, 11), (33, 70, 20), (300, 31, 5), (2, 9, 1)] {
            let host = example(n_rows, n_cols);
            let found = pca(&host.upload(&Device::cpu()), components).unwrap();
            let scores = found.scores.download().unwrap();
            let (mut rest, mut size) = (0.0, 0.0);
            for (row, values) in centred(&host).iter().enumerate() {
                for (gene, value) in values.iter().enumerate() {
                    let loadings = &found.loadings[gene * components..(gene + 1) * components];
                    let scores = &scores[row * components..(row + 1) * components];
                    let known: f64 = scores.iter().zip(loadings).map(|(s, l)| f64::from(*s) * l).sum();
                    rest += (value - known).powi(2);
                    size += value.powi(2);
                }
            }
            let explained: f64 = found.variance_ratio.iter().sum();
            assert!((rest / size - (1.0 - explained)).abs() < 1e-6, "{n_rows} x {n_cols}: {} {explained}", rest / size);
            assert!(found.variance.is_sorted_by(|a, b| a >= b));
        }
    }

    #[test]
    fn genes_without_variance_have_no_loadings() {
        let mut host = example(50, 20);
        for row in &mut host.rows {
            row.retain(|(column, _)| *column != 3 && *column != 7);
            row.push((7, 2.5));
            row.sort_by_key(|entry| entry.0);
        }
        let found = pca(&host.upload(&Device::cpu()), 10).unwrap();
        for gene in [3, 7] {
            assert!(found.loadings[gene * 10..(gene + 1) * 10].iter().all(|loading| loading.abs() < 1e-12));
        }
    }

    #[test]
    fn a_matrix_without_variance_scores_nothing() {
        let host = Host { rows: vec![vec![(0, 1.0), (2, 3.0)]; 5], n_cols: 3 };
        let found = pca(&host.upload(&Device::cpu()), 2).unwrap();
        assert!(found.variance.iter().chain(&found.variance_ratio).all(|value| value.abs() < 1e-12));
        assert!(found.scores.download().unwrap().iter().all(|score| score.abs() < 1e-5));
    }

    #[test]
    fn what_can_not_be_is_an_error() {
        let message = |rows, columns, components| {
            pca(&example(rows, columns).upload(&Device::cpu()), components).err().unwrap().to_string()
        };
        assert!(message(5, 12, 5).contains("5 components of 5 cells x 12 genes were asked for; ask for 1 to 4"));
        assert!(message(5, 12, 0).contains("0 components"));
        assert!(message(1, 12, 1).contains("1 cells x 12 genes have no components; keep at least 2 cells"));
        assert!(message(0, 12, 1).contains("0 cells"));
        let mut host = example(20, 6);
        host.rows[3] = vec![(1, f32::NAN)];
        let error = pca(&host.upload(&Device::cpu()), 2).err().unwrap().to_string();
        assert!(error.contains("check the data for NaN"), "{error}");
    }
}

//! Measures of each gene, over all cells.

use crate::stats::{GeneSums, Value, gene_sums};
use crate::{DeviceCsr, Error};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![measures::kernel()]
}

/// Measures of each gene.
pub struct GeneQc {
    /// In how many cells the gene has a value other than 0 (`n_cells_by_counts`).
    pub n_cells: Buffer<u64>,
    /// The sum of its values (`total_counts`).
    pub total: Buffer<f64>,
    /// Their mean over all cells (`mean_counts`).
    pub mean: Buffer<f64>,
    /// The percentage of cells without it (`pct_dropout_by_counts`).
    pub pct_dropout: Buffer<f64>,
    /// `ln(1 + mean)` (`log1p_mean_counts`).
    pub log1p_mean: Buffer<f64>,
    /// `ln(1 + total)` (`log1p_total_counts`).
    pub log1p_total: Buffer<f64>,
}

/// Measures of the genes of a matrix. Of no cells at all, means and percentages are NaN.
///
/// # Errors
/// What the device reports.
pub fn gene_qc<T: Real>(matrix: &DeviceCsr<T>) -> Result<GeneQc, Error> {
    gene_qc_of(gene_sums(matrix.device(), &[matrix], Value::Plain)?, matrix.n_rows())
}

/// Measures from sums over `n_rows` cells, such as those of a matrix that comes in row chunks.
///
/// # Errors
/// What the device reports.
pub fn gene_qc_of(sums: GeneSums, n_rows: usize) -> Result<GeneQc, Error> {
    let (device, n) = (sums.sum.device(), sums.sum.len());
    let (mut mean, mut pct_dropout) = (device.zeros(n)?, device.zeros(n)?);
    let (mut log1p_mean, mut log1p_total) = (device.zeros(n)?, device.zeros(n)?);
    let rows = n_rows as f64;
    measures(&sums.count, &sums.sum, rows, &mut mean, &mut pct_dropout, &mut log1p_mean, &mut log1p_total)
        .threads(n)
        .launch()?;
    Ok(GeneQc { n_cells: sums.count, total: sums.sum, mean, pct_dropout, log1p_mean, log1p_total })
}

#[gpu_kernel]
fn measures(
    count: &[u64],
    total: &[f64],
    n_rows: f64,
    mean: &mut [f64],
    pct_dropout: &mut [f64],
    log1p_mean: &mut [f64],
    log1p_total: &mut [f64],
) {
    let i = global_id();
    if i < total.len() {
        mean[i] = total[i] / n_rows;
        pct_dropout[i] = 100.0 * (1.0 - count[i] as f64 / n_rows);
        log1p_mean[i] = (total[i] / n_rows).ln_1p();
        log1p_total[i] = total[i].ln_1p();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csr::tests::example;

    #[test]
    fn measures_are_those_of_plain_rust() {
        let device = Device::cpu();
        for rows in [1, 33, 4100] {
            let host = example(rows, 20);
            let found = gene_qc(&host.upload(&device)).unwrap();
            let (n_cells, total) = (found.n_cells.download().unwrap(), found.total.download().unwrap());
            let (mean, dropout) = (found.mean.download().unwrap(), found.pct_dropout.download().unwrap());
            let logarithms = found.log1p_mean.download().unwrap();
            let log1p_total = found.log1p_total.download().unwrap();
            for gene in 0..20 {
                let entries = host.rows.iter().flatten().filter(|entry| entry.0 as usize == gene);
                let values: Vec<f64> = entries.map(|entry| f64::from(entry.1)).collect();
                let (sum, n) = (values.iter().sum::<f64>(), rows as f64);
                assert_eq!((n_cells[gene], total[gene], mean[gene]), (values.len() as u64, sum, sum / n));
                assert_eq!(dropout[gene], 100.0 * (1.0 - values.len() as f64 / n));
                assert!((logarithms[gene] - (sum / n).ln_1p()).abs() <= 1e-15 * (sum / n).ln_1p());
                assert!((log1p_total[gene] - sum.ln_1p()).abs() <= 1e-15 * sum.ln_1p());
            }
        }
    }

    #[test]
    fn without_cells_means_are_not_a_number() {
        let found = gene_qc(&example(0, 3).upload(&Device::cpu())).unwrap();
        assert_eq!(found.n_cells.download().unwrap(), [0; 3]);
        assert!(found.mean.download().unwrap().iter().all(|mean| mean.is_nan()));
    }
}

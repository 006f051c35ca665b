//! Sums of rows: a warp a row.

use crate::{DeviceCsr, Error};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        row_sums::kernel::<f32>(),
        row_sums::kernel::<f64>(),
        row_subset_sums::kernel::<f32>(),
        row_subset_sums::kernel::<f64>(),
    ]
}

/// Measures of each cell.
pub struct CellQc {
    /// How many genes have a value other than 0 (`n_genes_by_counts`).
    pub n_genes: Buffer<u32>,
    /// The sum of the values (`total_counts`).
    pub total: Buffer<f64>,
}

/// The number of genes and the sum of each row.
///
/// # Errors
/// What the device reports.
pub fn cell_qc<T: Real>(matrix: &DeviceCsr<T>) -> Result<CellQc, Error> {
    let (device, n) = (matrix.device(), matrix.n_rows());
    let (mut n_genes, mut total) = (device.zeros(n)?, device.zeros(n)?);
    row_sums(&matrix.indptr, &matrix.data, &mut n_genes, &mut total).threads(n * 32).launch()?;
    Ok(CellQc { n_genes, total })
}

/// The sum of each row over the columns for which `genes` is 1 (`total_counts_mt` and the like).
///
/// # Errors
/// Not one flag for each column; what the device reports.
pub fn subset_total<T: Real>(matrix: &DeviceCsr<T>, genes: &DSlice<u8>) -> Result<Buffer<f64>, Error> {
    if genes.len() != matrix.n_cols {
        let problem = format!("{} flags for {} genes; give one for each gene", genes.len(), matrix.n_cols);
        return Err(Error::Argument { operation: "subset_total", problem });
    }
    let n = matrix.n_rows();
    let mut total = matrix.device().zeros(n)?;
    row_subset_sums(&matrix.indptr, &matrix.indices, &matrix.data, genes, &mut total).threads(n * 32).launch()?;
    Ok(total)
}

#[gpu_kernel]
fn row_sums<T: Real>(indptr: &[u64], data: &[T], n_genes: &mut [u32], total: &mut [f64]) {
    let row = global_warp_id();
    if row < total.len() {
        let end = indptr[row + 1] as usize;
        let mut k = indptr[row] as usize + lane_id();
        let mut count = 0u32;
        let mut sum = 0.0f64;
        while k < end {
            let value = data[k].to_f64();
            count += (value != 0.0) as u32;
            sum += value;
            k += 32;
        }
        let mut distance = 16u32;
        while distance > 0 {
            count += shfl_xor_sync(FULL_MASK, count, distance);
            sum += shfl_xor_sync(FULL_MASK, sum, distance);
            distance /= 2;
        }
        if lane_id() == 0 {
            n_genes[row] = count;
            total[row] = sum;
        }
    }
}

#[gpu_kernel]
fn row_subset_sums<T: Real>(indptr: &[u64], indices: &[u32], data: &[T], genes: &[u8], total: &mut [f64]) {
    let row = global_warp_id();
    if row < total.len() {
        let end = indptr[row + 1] as usize;
        let mut k = indptr[row] as usize + lane_id();
        let mut sum = 0.0f64;
        while k < end {
            if genes[indices[k] as usize] == 1 {
                sum += data[k].to_f64();
            }
            k += 32;
        }
        let mut distance = 16u32;
        while distance > 0 {
            sum += shfl_xor_sync(FULL_MASK, sum, distance);
            distance /= 2;
        }
        if lane_id() == 0 {
            total[row] = sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csr::tests::example;

    #[test]
    fn counts_and_sums_are_those_of_plain_rust() {
        let device = Device::cpu();
        for rows in [0, 1, 31, 33, 257, 4099] {
            let host = example(rows, 60);
            let matrix = host.upload(&device);
            let found = cell_qc(&matrix).unwrap();
            let (counts, totals) = (found.n_genes.download().unwrap(), found.total.download().unwrap());
            let thirds: Vec<u8> = (0..60).map(|gene| (gene % 3 == 0) as u8).collect();
            let subset = subset_total(&matrix, &device.upload(&thirds).unwrap()).unwrap().download().unwrap();
            for row in 0..rows {
                let entries = host.row(row);
                assert_eq!(counts[row] as usize, entries.len());
                assert_eq!(totals[row], entries.iter().map(|entry| f64::from(entry.1)).sum::<f64>());
                let third = entries.iter().filter(|entry| entry.0 % 3 == 0).map(|entry| f64::from(entry.1));
                assert_eq!(subset[row], third.sum::<f64>());
            }
        }
    }

    #[test]
    fn zeros_that_are_stored_do_not_count_and_special_values_stay_in_their_row() {
        let device = Device::cpu();
        let data = [0.0, 2.0, -0.0, f64::NAN, f64::INFINITY, 1.0];
        let matrix = DeviceCsr::upload(&device, &[0, 3, 4, 5, 6], &[0, 1, 2, 1, 0, 2], &data, 3).unwrap();
        let found = cell_qc(&matrix).unwrap();
        assert_eq!(found.n_genes.download().unwrap(), [1, 1, 1, 1]);
        let totals = found.total.download().unwrap();
        assert_eq!([totals[0], totals[2], totals[3]], [2.0, f64::INFINITY, 1.0]);
        assert!(totals[1].is_nan());
    }

    #[test]
    fn a_flag_for_each_gene_is_needed() {
        let device = Device::cpu();
        let matrix = example(3, 10).upload(&device);
        let error = subset_total(&matrix, &device.upload(&[1u8; 9]).unwrap()).err().unwrap().to_string();
        assert!(error.contains("9 flags for 10 genes"), "{error}");
    }
}

//! Quality measures of cells, in scanpy's terms (`calculate_qc_metrics`): a warp a row.

use crate::{DeviceCsr, Error};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

/// Every kernel of this module.
pub fn kernels() -> Vec<KernelInfo> {
    vec![cell_sums::kernel(), cell_top::kernel()]
}

/// Measures of each cell.
pub struct CellQc {
    /// How many genes have a value other than 0.
    pub n_genes: Buffer<u32>,
    /// The sum of the values.
    pub total: Buffer<f64>,
}

/// The number of genes and the sum of each row. Sums of counts are exact.
///
/// # Errors
/// What the device reports.
pub fn cell_qc(matrix: &DeviceCsr<f32>) -> Result<CellQc, Error> {
    let (device, n) = (matrix.device(), matrix.n_rows());
    let every = device.upload(&vec![1u8; matrix.n_cols])?;
    let (mut n_genes, mut total) = (device.zeros(n)?, device.zeros(n)?);
    cell_sums(&matrix.indptr, &matrix.indices, &matrix.data, &every, &mut n_genes, &mut total).threads(n * 32).launch()?;
    Ok(CellQc { n_genes, total })
}

/// The sum of each row over the columns for which `genes` is 1.
///
/// # Errors
/// What the device reports.
pub fn subset_total(matrix: &DeviceCsr<f32>, genes: &DSlice<u8>) -> Result<Buffer<f64>, Error> {
    let (device, n) = (matrix.device(), matrix.n_rows());
    let (mut n_genes, mut total) = (device.zeros(n)?, device.zeros(n)?);
    cell_sums(&matrix.indptr, &matrix.indices, &matrix.data, genes, &mut n_genes, &mut total).threads(n * 32).launch()?;
    Ok(total)
}

#[gpu_kernel]
fn cell_sums(indptr: &[u64], indices: &[u32], data: &[f32], genes: &[u8], n_genes: &mut [u32], total: &mut [f64]) {
    let row = global_warp_id();
    if row < total.len() {
        let end = indptr[row + 1] as usize;
        let mut k = indptr[row] as usize + lane_id();
        let mut count = 0u32;
        let mut sum = 0.0;
        while k < end {
            if genes[indices[k] as usize] == 1 && data[k] != 0.0 {
                count += 1;
                sum += data[k] as f64;
            }
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

/// The sum of the `n` largest values of each row; all of them if there are fewer. Values must not be negative.
///
/// # Errors
/// `n` is 0 or larger than the number of columns; what the device reports.
pub fn top_totals(matrix: &DeviceCsr<f32>, n: usize) -> Result<Buffer<f64>, Error> {
    if n == 0 || n > matrix.n_cols {
        let problem = format!("the {n} largest of {} genes were asked for; ask for 1 to {0}", matrix.n_cols);
        return Err(Error::Argument { operation: "top_totals", problem });
    }
    let mut total = matrix.device().zeros(matrix.n_rows())?;
    let count = n.min(u32::MAX as usize) as u32;
    cell_top(&matrix.indptr, &matrix.data, count, &mut total).threads(matrix.n_rows() * 32).launch()?;
    Ok(total)
}

/// Finds the `n`-th largest value bit by bit (the bits of floats that are not negative are in their order), then adds what
/// is larger and the rest as often as needed; equal values are equal, so the sum is well defined.
#[gpu_kernel]
fn cell_top(indptr: &[u64], data: &[f32], n: u32, total: &mut [f64]) {
    let row = global_warp_id();
    if row < total.len() {
        let start = indptr[row] as usize + lane_id();
        let end = indptr[row + 1] as usize;
        let mut threshold = 0u32;
        for bit in (0..31u32).rev() {
            let candidate = threshold | 1 << bit;
            let mut count = 0u32;
            let mut k = start;
            while k < end {
                count += (data[k].to_bits() >= candidate) as u32;
                k += 32;
            }
            count += shfl_xor_sync(FULL_MASK, count, 16);
            count += shfl_xor_sync(FULL_MASK, count, 8);
            count += shfl_xor_sync(FULL_MASK, count, 4);
            count += shfl_xor_sync(FULL_MASK, count, 2);
            count += shfl_xor_sync(FULL_MASK, count, 1);
            if count >= n {
                threshold = candidate;
            }
        }
        let mut larger = 0u32;
        let mut sum = 0.0;
        let mut k = start;
        while k < end {
            if data[k].to_bits() > threshold {
                larger += 1;
                sum += data[k] as f64;
            }
            k += 32;
        }
        let mut distance = 16u32;
        while distance > 0 {
            larger += shfl_xor_sync(FULL_MASK, larger, distance);
            sum += shfl_xor_sync(FULL_MASK, sum, distance);
            distance /= 2;
        }
        if lane_id() == 0 {
            total[row] = sum + (n - larger) as f64 * f32::from_bits(threshold) as f64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csr::tests::example;

    #[test]
    fn measures_are_those_of_plain_rust_and_phases_are_used() {
        assert!(kernels().iter().all(KernelInfo::runs_in_phases));
        let device = Device::cpu();
        for rows in [0, 1, 31, 33, 257] {
            let host = example(rows, 60);
            let matrix = host.upload(&device);
            let found = cell_qc(&matrix).unwrap();
            let (counts, totals) = (found.n_genes.download().unwrap(), found.total.download().unwrap());
            let genes: Vec<u8> = (0..60).map(|gene| (gene % 3 == 0) as u8).collect();
            let subset = subset_total(&matrix, &device.upload(&genes).unwrap()).unwrap().download().unwrap();
            let top = top_totals(&matrix, 5).unwrap().download().unwrap();
            for row in 0..rows {
                let entries = host.row(row);
                assert_eq!(counts[row] as usize, entries.len());
                assert_eq!(totals[row], entries.iter().map(|entry| f64::from(entry.1)).sum::<f64>());
                let third = entries.iter().filter(|entry| entry.0 % 3 == 0).map(|entry| f64::from(entry.1));
                assert_eq!(subset[row], third.sum::<f64>());
                let mut values: Vec<f32> = entries.iter().map(|entry| entry.1).collect();
                values.sort_by(|a, b| b.total_cmp(a));
                assert_eq!(top[row], values.iter().take(5).map(|value| f64::from(*value)).sum::<f64>());
            }
        }
    }

    #[test]
    fn more_genes_than_there_are_is_an_error() {
        let matrix = example(3, 10).upload(&Device::cpu());
        let error = top_totals(&matrix, 11).err().unwrap().to_string();
        assert!(error.contains("11 largest of 10 genes"), "{error}");
    }
}

//! Statistics of genes, folded over fixed leaves of 4,096 rows: a matrix gives the same bits in one piece and in any row
//! chunks, at any block size, on every backend.
//!
//! A block folds the rows of one leaf in order, with a barrier between rows (the columns of a row are distinct, so its
//! threads never meet). The leaves of a gene are then folded by a fixed tree.

use crate::{DeviceCsr, Error};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

/// Every kernel of this module.
pub fn kernels() -> Vec<KernelInfo> {
    vec![leaf_sums::kernel(), leaf_squares::kernel(), fold_leaves::kernel(), fold_counts::kernel(), finish_variance::kernel(), divide::kernel()]
}

/// The rows of a leaf.
const LEAF: usize = 4096;
const BLOCK: usize = 128;

/// Which value of an entry is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// The entry itself.
    Plain,
    /// `exp_m1` of it: what it was before `ln_1p`.
    ExpM1,
}

/// Sums of the genes.
pub struct GeneSums {
    /// In how many rows the gene has a value other than 0.
    pub count: Buffer<u64>,
    /// The sum of its values.
    pub sum: Buffer<f64>,
}

/// Means and variances of the genes.
pub struct GeneMoments {
    /// Means over all rows.
    pub mean: Buffer<f64>,
    /// Variances, with `n - 1` in the denominator; NaN of a single row.
    pub variance: Buffer<f64>,
}

/// The leaves of a matrix whose row chunks come in ascending order.
struct Leaves {
    n_leaves: usize,
    n_cols: usize,
    sums: Buffer<f64>,
    counts: Buffer<u32>,
}

impl Leaves {
    fn new(device: &Device, n_rows: usize, n_cols: usize) -> Result<Leaves, Error> {
        let n_leaves = n_rows.div_ceil(LEAF);
        Ok(Leaves { n_leaves, n_cols, sums: device.zeros(n_leaves * n_cols)?, counts: device.zeros(n_leaves * n_cols)? })
    }

    /// The number of leaves that a chunk touches.
    fn touched(first_row: usize, n_rows: usize) -> usize {
        (first_row + n_rows).div_ceil(LEAF) - first_row / LEAF
    }

    fn fold(&self) -> Result<Buffer<f64>, Error> {
        let mut out = self.sums.device().zeros(self.n_cols)?;
        fold_leaves(&self.sums, self.n_leaves, &mut out).threads(self.n_cols).launch()?;
        Ok(out)
    }

    fn fold_counts(&self) -> Result<Buffer<u64>, Error> {
        let mut out = self.sums.device().zeros(self.n_cols)?;
        fold_counts(&self.counts, self.n_leaves, &mut out).threads(self.n_cols).launch()?;
        Ok(out)
    }
}

/// Counts and sums of the genes of a matrix that comes in row chunks, in ascending order.
///
/// # Errors
/// What the device reports.
pub fn gene_sums(device: &Device, chunks: &[&DeviceCsr<f32>], value: Value) -> Result<GeneSums, Error> {
    let (n_rows, n_cols) = shape(chunks);
    let mut leaves = Leaves::new(device, n_rows, n_cols)?;
    for (chunk, first_row) in with_first_rows(chunks) {
        let (indptr, indices, data) = (&chunk.indptr, &chunk.indices, &chunk.data);
        leaf_sums(indptr, indices, data, first_row, n_cols, value == Value::ExpM1, &mut leaves.sums, &mut leaves.counts)
            .grid(Leaves::touched(first_row, chunk.n_rows()))
            .block(BLOCK)
            .launch()?;
    }
    Ok(GeneSums { count: leaves.fold_counts()?, sum: leaves.fold()? })
}

/// Means and variances of the genes of a matrix that comes in row chunks, in ascending order: first the means, then the
/// squares of what the values differ from them.
///
/// # Errors
/// What the device reports.
pub fn gene_moments(device: &Device, chunks: &[&DeviceCsr<f32>], value: Value) -> Result<GeneMoments, Error> {
    let (n_rows, n_cols) = shape(chunks);
    let sums = gene_sums(device, chunks, value)?;
    let mut mean = device.zeros(n_cols)?;
    divide(&sums.sum, n_rows as f64, &mut mean).threads(n_cols).launch()?;
    let mut leaves = Leaves::new(device, n_rows, n_cols)?;
    for (chunk, first_row) in with_first_rows(chunks) {
        let (indptr, indices, data) = (&chunk.indptr, &chunk.indices, &chunk.data);
        leaf_squares(indptr, indices, data, first_row, value == Value::ExpM1, &mean, &mut leaves.sums)
            .grid(Leaves::touched(first_row, chunk.n_rows()))
            .block(BLOCK)
            .launch()?;
    }
    let squares = leaves.fold()?;
    let mut variance = device.zeros(n_cols)?;
    finish_variance(&squares, &sums.count, &mean, n_rows as u64, &mut variance).threads(n_cols).launch()?;
    Ok(GeneMoments { mean, variance })
}

fn shape(chunks: &[&DeviceCsr<f32>]) -> (usize, usize) {
    (chunks.iter().map(|chunk| chunk.n_rows()).sum(), chunks.first().map_or(0, |chunk| chunk.n_cols))
}

/// Each chunk with the number of its first row in the whole matrix; empty ones are left out.
fn with_first_rows<'c>(chunks: &[&'c DeviceCsr<f32>]) -> Vec<(&'c DeviceCsr<f32>, usize)> {
    let mut first_row = 0;
    let mut out = Vec::new();
    for chunk in chunks {
        if chunk.n_rows() > 0 {
            out.push((*chunk, first_row));
        }
        first_row += chunk.n_rows();
    }
    out
}

#[gpu_fn]
fn value_of(entry: f32, exp_m1: bool) -> f64 {
    let value = entry as f64;
    if exp_m1 { value.exp_m1() } else { value }
}

/// Adds the rows of a chunk to their leaves; what a leaf holds from the chunk before goes on.
#[gpu_kernel]
fn leaf_sums(
    indptr: &[u64],
    indices: &[u32],
    data: &[f32],
    first_row: usize,
    n_cols: usize,
    exp_m1: bool,
    sums: &mut [f64],
    counts: &mut [u32],
) {
    let leaf = first_row / LEAF + block_rank();
    let start = (leaf * LEAF).max(first_row) - first_row;
    let end = ((leaf + 1) * LEAF).min(first_row + indptr.len() - 1) - first_row;
    for row in start..end {
        let stop = indptr[row + 1] as usize;
        let mut k = indptr[row] as usize + thread_rank();
        while k < stop {
            let at = leaf * n_cols + indices[k] as usize;
            let value = value_of(data[k], exp_m1);
            sums[at] += value;
            counts[at] += (value != 0.0) as u32;
            k += block_size();
        }
        sync_threads();
    }
}

/// Adds the squares of the differences from the means, for the entries that are stored.
#[gpu_kernel]
fn leaf_squares(
    indptr: &[u64],
    indices: &[u32],
    data: &[f32],
    first_row: usize,
    exp_m1: bool,
    mean: &[f64],
    squares: &mut [f64],
) {
    let leaf = first_row / LEAF + block_rank();
    let start = (leaf * LEAF).max(first_row) - first_row;
    let end = ((leaf + 1) * LEAF).min(first_row + indptr.len() - 1) - first_row;
    for row in start..end {
        let stop = indptr[row + 1] as usize;
        let mut k = indptr[row] as usize + thread_rank();
        while k < stop {
            let column = indices[k] as usize;
            let value = value_of(data[k], exp_m1);
            if value != 0.0 {
                let difference = value - mean[column];
                squares[leaf * mean.len() + column] += difference * difference;
            }
            k += block_size();
        }
        sync_threads();
    }
}

/// The leaves of each gene, by a tree that depends on their number only: neighbours first, then neighbours of those.
#[gpu_kernel]
fn fold_leaves(leaves: &[f64], n_leaves: usize, out: &mut [f64]) {
    let column = global_id();
    if column < out.len() {
        // A partial sum for each level; 2^40 leaves can't be.
        let mut partial = [0.0f64; 40];
        for leaf in 0..n_leaves {
            let mut sum = leaves[leaf * out.len() + column];
            let mut number = leaf;
            let mut level = 0usize;
            while number % 2 == 1 {
                sum = partial[level] + sum;
                number /= 2;
                level += 1;
            }
            partial[level] = sum;
        }
        let mut sum = 0.0;
        let mut rest = n_leaves;
        let mut level = 0usize;
        while rest > 0 {
            if rest % 2 == 1 {
                sum = partial[level] + sum;
            }
            rest /= 2;
            level += 1;
        }
        out[column] = sum;
    }
}

#[gpu_kernel]
fn fold_counts(leaves: &[u32], n_leaves: usize, out: &mut [u64]) {
    let column = global_id();
    if column < out.len() {
        let mut sum = 0u64;
        for leaf in 0..n_leaves {
            sum += leaves[leaf * out.len() + column] as u64;
        }
        out[column] = sum;
    }
}

#[gpu_kernel]
fn divide(values: &[f64], divisor: f64, out: &mut [f64]) {
    let i = global_id();
    if i < out.len() {
        out[i] = values[i] / divisor;
    }
}

/// Adds the zeros, which are not stored, and divides by `n - 1`.
#[gpu_kernel]
fn finish_variance(squares: &[f64], count: &[u64], mean: &[f64], n_rows: u64, variance: &mut [f64]) {
    let i = global_id();
    if i < variance.len() {
        let zeros = (n_rows - count[i]) as f64;
        variance[i] = (squares[i] + zeros * mean[i] * mean[i]) / (n_rows as f64 - 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csr::tests::example;

    fn bits(values: &DSlice<f64>) -> Vec<u64> {
        values.download().unwrap().into_iter().map(f64::to_bits).collect()
    }

    #[test]
    fn moments_are_near_those_of_plain_rust() {
        assert!(kernels().iter().all(KernelInfo::runs_in_phases));
        let device = Device::cpu();
        for rows in [2, 33, 257, 5000] {
            let host = example(rows, 20);
            let found = gene_moments(&device, &[&host.upload(&device)], Value::Plain).unwrap();
            let (means, variances) = (found.mean.download().unwrap(), found.variance.download().unwrap());
            for gene in 0..20 {
                let values: Vec<f64> = (0..rows)
                    .map(|row| host.row(row).iter().find(|entry| entry.0 == gene).map_or(0.0, |entry| f64::from(entry.1)))
                    .collect();
                let mean = values.iter().sum::<f64>() / rows as f64;
                let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (rows as f64 - 1.0);
                assert!((means[gene as usize] - mean).abs() <= 1e-12 * mean.abs());
                assert!((variances[gene as usize] - variance).abs() <= 1e-12 * variance.abs(), "{rows} {gene}");
            }
        }
    }

    #[test]
    fn the_same_matrix_in_any_row_chunks_gives_the_same_bits() {
        let device = Device::cpu();
        let rows = 9_001;
        let host = example(rows, 30);
        let whole = host.upload(&device);
        let expected = gene_moments(&device, &[&whole], Value::Plain).unwrap();
        for size in [1000, 4096, 5000, 4097, 9000] {
            let pieces: Vec<_> =
                (0..rows).step_by(size).map(|first| host.rows(first..(first + size).min(rows)).upload(&device)).collect();
            let pieces: Vec<&DeviceCsr<f32>> = pieces.iter().collect();
            let found = gene_moments(&device, &pieces, Value::Plain).unwrap();
            assert_eq!(bits(&found.mean), bits(&expected.mean), "chunks of {size}");
            assert_eq!(bits(&found.variance), bits(&expected.variance), "chunks of {size}");
        }
    }
}

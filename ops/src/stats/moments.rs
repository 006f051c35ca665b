//! Means and variances of genes, in two passes: first the means, then the squares of what the values differ from them.

use super::leaves::{BLOCK, LEAF, Leaves, shape, with_first_rows};
use super::sums::{GeneSums, gene_sums};
use super::value::{Value, value_of};
use crate::{DeviceCsr, Error};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![divide::kernel(), leaf_squares::kernel::<f32>(), leaf_squares::kernel::<f64>(), finish_variance::kernel()]
}

/// Means and variances of the genes.
pub struct GeneMoments {
    /// Means over all rows.
    pub mean: Buffer<f64>,
    /// Variances, with `n - 1` in the denominator; NaN of a single row.
    pub variance: Buffer<f64>,
}

/// Means and variances of the genes of a matrix that comes in row chunks, in ascending order.
///
/// # Errors
/// Chunks of different widths, or not a factor for each row; what the device reports.
pub fn gene_moments<T: Real>(
    device: &Device,
    chunks: &[&DeviceCsr<T>],
    value: Value<'_>,
) -> Result<GeneMoments, Error> {
    let sums = gene_sums(device, chunks, value)?;
    let mut squares = VarianceAccumulator::new(sums, shape(chunks).0, value)?;
    for (chunk, first_row) in with_first_rows(chunks) {
        squares.add(chunk, first_row)?;
    }
    squares.finish()
}

/// The second pass over the chunks, after [`SumAccumulator`](super::SumAccumulator); where the chunks are cut changes no
/// bit.
pub struct VarianceAccumulator<'a> {
    leaves: Leaves,
    count: Buffer<u64>,
    mean: Buffer<f64>,
    n_rows: usize,
    value: Value<'a>,
    factors: Buffer<f64>,
}

impl<'a> VarianceAccumulator<'a> {
    /// From the sums of the same values over the same `n_rows` rows.
    ///
    /// # Errors
    /// Not a factor for each row; what the device reports.
    pub fn new(sums: GeneSums, n_rows: usize, value: Value<'a>) -> Result<Self, Error> {
        let (device, n_genes) = (sums.sum.device(), sums.sum.len());
        let leaves = Leaves::new("gene_moments", device, n_rows, n_genes)?;
        leaves.check_factors(&value)?;
        let mut mean = device.zeros(n_genes)?;
        divide(&sums.sum, n_rows as f64, &mut mean).threads(n_genes).launch()?;
        let factors = device.zeros(0)?;
        Ok(VarianceAccumulator { leaves, count: sums.count, mean, n_rows, value, factors })
    }

    /// Adds the rows of a chunk; the number of its first row in the whole matrix is `first_row`.
    ///
    /// # Errors
    /// It isn't the chunk that comes next, or has another number of columns; what the device reports.
    pub fn add<T: Real>(&mut self, chunk: &DeviceCsr<T>, first_row: usize) -> Result<(), Error> {
        let touched = self.leaves.take(chunk, first_row)?;
        let factors = self.value.factors().unwrap_or(&self.factors);
        let (exponent, mean, squares) = (self.value.exponent(), &self.mean, &mut self.leaves.sums);
        leaf_squares(&chunk.indptr, &chunk.indices, &chunk.data, first_row, factors, exponent, mean, squares)
            .grid(touched.len())
            .block(BLOCK)
            .launch()?;
        Ok(())
    }

    /// The moments over all rows.
    ///
    /// # Errors
    /// Rows are missing; what the device reports.
    pub fn finish(self) -> Result<GeneMoments, Error> {
        let squares = self.leaves.fold()?;
        let mut variance = squares.device().zeros(squares.len())?;
        finish_variance(&squares, &self.count, &self.mean, self.n_rows as u64, &mut variance)
            .threads(squares.len())
            .launch()?;
        Ok(GeneMoments { mean: self.mean, variance })
    }
}

#[gpu_kernel]
fn divide(values: &[f64], divisor: f64, out: &mut [f64]) {
    let i = global_id();
    if i < out.len() {
        out[i] = values[i] / divisor;
    }
}

/// Adds the squares of the differences from the means, for the values that are not 0.
#[gpu_kernel]
fn leaf_squares<T: Real>(
    indptr: &[u64],
    indices: &[u32],
    data: &[T],
    first_row: usize,
    factors: &[f64],
    exponent: f64,
    mean: &[f64],
    squares: &mut [f64],
) {
    let leaf = first_row / LEAF + block_rank();
    let start = (leaf * LEAF).max(first_row) - first_row;
    let end = ((leaf + 1) * LEAF).min(first_row + indptr.len() - 1) - first_row;
    for row in start..end {
        let factor = if factors.len() > 0 { factors[first_row + row] } else { 1.0 };
        let stop = indptr[row + 1] as usize;
        let mut k = indptr[row] as usize + thread_rank();
        while k < stop {
            let column = indices[k] as usize;
            let value = value_of(data[k].to_f64(), factor, exponent);
            if value != 0.0 {
                let difference = value - mean[column];
                squares[leaf * mean.len() + column] += difference * difference;
            }
            k += block_size();
        }
        sync_threads();
    }
}

/// Adds the zeros and divides by `n - 1`.
#[gpu_kernel]
fn finish_variance(squares: &[f64], count: &[u64], mean: &[f64], n_rows: u64, variance: &mut [f64]) {
    let i = global_id();
    if i < variance.len() {
        let zeros = (n_rows - count[i]) as f64;
        variance[i] = (squares[i] + zeros * mean[i] * mean[i]) / (n_rows as f64 - 1.0);
    }
}

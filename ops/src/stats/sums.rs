//! Counts and sums of genes.

use super::leaves::{BLOCK, LEAF, Leaves, shape, with_first_rows};
use super::value::{Value, value_of};
use crate::{DeviceCsr, Error};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![leaf_sums::kernel::<f32>(), leaf_sums::kernel::<f64>()]
}

/// Sums of the genes.
pub struct GeneSums {
    /// In how many rows the gene has a value other than 0.
    pub count: Buffer<u64>,
    /// The sum of its values.
    pub sum: Buffer<f64>,
}

/// Counts and sums of the genes of a matrix that comes in row chunks, in ascending order.
///
/// # Errors
/// Chunks of different widths, or not a factor for each row; what the device reports.
pub fn gene_sums<T: Real>(device: &Device, chunks: &[&DeviceCsr<T>], value: Value<'_>) -> Result<GeneSums, Error> {
    let (n_rows, n_cols) = shape(chunks);
    let mut sums = SumAccumulator::new(device, n_rows, n_cols, value)?;
    for (chunk, first_row) in with_first_rows(chunks) {
        sums.add(chunk, first_row)?;
    }
    sums.finish()
}

/// Adds up counts and sums of genes chunk by chunk; where the chunks are cut changes no bit.
pub struct SumAccumulator<'a> {
    leaves: Leaves,
    counts: Buffer<u32>,
    value: Value<'a>,
    factors: Buffer<f64>,
}

impl<'a> SumAccumulator<'a> {
    /// For a matrix of `n_rows` rows in all and `n_genes` columns.
    ///
    /// # Errors
    /// Not a factor for each row; what the device reports.
    pub fn new(device: &Device, n_rows: usize, n_genes: usize, value: Value<'a>) -> Result<Self, Error> {
        let leaves = Leaves::new("gene_sums", device, n_rows, n_genes)?;
        leaves.check_factors(&value)?;
        let counts = device.zeros(leaves.sums.len())?;
        Ok(SumAccumulator { leaves, counts, value, factors: device.zeros(0)? })
    }

    /// Adds the rows of a chunk; the number of its first row in the whole matrix is `first_row`.
    ///
    /// # Errors
    /// It isn't the chunk that comes next, or has another number of columns; what the device reports.
    pub fn add<T: Real>(&mut self, chunk: &DeviceCsr<T>, first_row: usize) -> Result<(), Error> {
        let touched = self.leaves.take(chunk, first_row)?;
        let factors = self.value.factors().unwrap_or(&self.factors);
        let (exponent, n_genes) = (self.value.exponent(), chunk.n_cols);
        let (sums, counts) = (&mut self.leaves.sums, &mut self.counts);
        leaf_sums(&chunk.indptr, &chunk.indices, &chunk.data, first_row, n_genes, factors, exponent, sums, counts)
            .grid(touched.len())
            .block(BLOCK)
            .launch()?;
        Ok(())
    }

    /// The sums over all rows.
    ///
    /// # Errors
    /// Rows are missing; what the device reports.
    pub fn finish(self) -> Result<GeneSums, Error> {
        Ok(GeneSums { sum: self.leaves.fold()?, count: self.leaves.fold_counts(&self.counts)? })
    }
}

/// Adds the rows of a chunk to their leaves; what a leaf holds from the chunk before goes on.
#[gpu_kernel]
pub(super) fn leaf_sums<T: Real>(
    indptr: &[u64],
    indices: &[u32],
    data: &[T],
    first_row: usize,
    n_genes: usize,
    factors: &[f64],
    exponent: f64,
    sums: &mut [f64],
    counts: &mut [u32],
) {
    let leaf = first_row / LEAF + block_rank();
    let start = (leaf * LEAF).max(first_row) - first_row;
    let end = ((leaf + 1) * LEAF).min(first_row + indptr.len() - 1) - first_row;
    for row in start..end {
        let factor = if factors.len() > 0 { factors[first_row + row] } else { 1.0 };
        let stop = indptr[row + 1] as usize;
        let mut k = indptr[row] as usize + thread_rank();
        while k < stop {
            let at = leaf * n_genes + indices[k] as usize;
            let value = value_of(data[k].to_f64(), factor, exponent);
            sums[at] += value;
            counts[at] += (value != 0.0) as u32;
            k += block_size();
        }
        sync_threads();
    }
}

//! Molecules: what is left of reads that have cell, gene and UMI in common.

use super::ReadTable;
use crate::primitives::{gather, run_offsets, run_offsets_of_pairs, run_sums};
use crate::{DeviceCsr, Error};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![entries::kernel(), row_starts::kernel()]
}

/// Molecules, by cell, gene and UMI; each has reads, and no two have all three in common.
pub struct Molecules {
    /// `cell * n_genes + gene`
    pub bag: Buffer<u64>,
    /// The UMIs.
    pub umi: Buffer<u64>,
    /// The number of reads.
    pub reads: Buffer<u64>,
    /// The number of cells.
    pub n_cells: usize,
    /// The number of genes.
    pub n_genes: usize,
}

/// The distinct (cell, gene, UMI) of a table, with the sums of their reads. Rows without reads don't count.
///
/// # Errors
/// [`Error::Argument`] for columns of different lengths, and for a cell or gene out of range, with its row; what the device
/// reports.
pub fn molecules(table: &ReadTable<'_>, n_cells: usize, n_genes: usize) -> Result<Molecules, Error> {
    let sorted = table.sorted(n_cells, n_genes)?;
    let bag = sorted.bag.slice(0..sorted.rows);
    let umi = sorted.umi.slice(0..sorted.rows);
    let reads = sorted.reads.slice(0..sorted.rows);
    let offsets = run_offsets_of_pairs(&bag, &umi)?;
    let starts = offsets.slice(0..offsets.len() - 1);
    Ok(Molecules {
        bag: gather(&*bag, &*starts)?,
        umi: gather(&*umi, &*starts)?,
        reads: run_sums(&*reads, &offsets)?,
        n_cells,
        n_genes,
    })
}

/// Counts the distinct UMIs of each cell and gene (the method `unique` of UMI-tools): [`molecules`], and then their
/// [`counts`](Molecules::counts).
///
/// # Errors
/// Those of [`molecules`].
pub fn count_unique(table: &ReadTable<'_>, n_cells: usize, n_genes: usize) -> Result<DeviceCsr<f32>, Error> {
    molecules(table, n_cells, n_genes)?.counts()
}

impl Molecules {
    /// The number of molecules of each cell and gene: a matrix of `n_cells` x `n_genes`. Numbers above 2^24 are rounded.
    ///
    /// # Errors
    /// What the device reports.
    pub fn counts(&self) -> Result<DeviceCsr<f32>, Error> {
        let device = self.bag.device();
        let offsets = run_offsets(&*self.bag)?;
        let bags = gather(&*self.bag, &*offsets.slice(0..offsets.len() - 1))?;
        let (mut indices, mut data) = (device.allocate::<u32>(bags.len())?, device.allocate::<f32>(bags.len())?);
        let n_genes = self.n_genes as u64;
        entries(&bags, &offsets, n_genes, &mut indices, &mut data).threads(bags.len()).launch()?;
        let mut indptr = device.allocate::<u64>(self.n_cells + 1)?;
        row_starts(&bags, n_genes, &mut indptr).threads(self.n_cells + 1).launch()?;
        Ok(DeviceCsr { indptr, indices, data, n_cols: self.n_genes })
    }
}

/// The gene and the number of molecules of each bag.
#[gpu_kernel]
fn entries(bags: &[u64], offsets: &[u64], n_genes: u64, indices: &mut [u32], data: &mut [f32]) {
    let i = global_id();
    if i < bags.len() {
        indices[i] = (bags[i] % n_genes) as u32;
        data[i] = (offsets[i + 1] - offsets[i]) as f32;
    }
}

/// The first bag of each cell or those after it, by binary search.
#[gpu_kernel]
fn row_starts(bags: &[u64], n_genes: u64, indptr: &mut [u64]) {
    let row = global_id();
    if row < indptr.len() {
        let first = row as u64 * n_genes;
        let mut low = 0usize;
        let mut high = bags.len();
        while low < high {
            let middle = low + (high - low) / 2;
            if bags[middle] < first {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        indptr[row] = low as u64;
    }
}

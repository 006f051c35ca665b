//! Reads as a table, checked and sorted.

use crate::Error;
use crate::primitives::{argsort, bits_in_use, gather, sort_pairs};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![check_rows::kernel(), number_bags::kernel(), join::kernel(), part::kernel()]
}

/// Reads, one a row, in any order.
pub struct ReadTable<'a> {
    /// The cells, below `n_cells`.
    pub cell: &'a DSlice<u32>,
    /// The genes, below `n_genes`.
    pub gene: &'a DSlice<u32>,
    /// The UMIs, two bits a base (see [`pack_umi`](super::pack_umi)), all of the same length.
    pub umi: &'a DSlice<u64>,
    /// How many reads each row stands for.
    pub reads: &'a DSlice<u32>,
}

/// The rows that have reads, by cell, gene and UMI. Rows without reads stand behind them.
pub(super) struct SortedReads {
    /// `cell * n_genes + gene`
    pub bag: Buffer<u64>,
    pub umi: Buffer<u64>,
    pub reads: Buffer<u32>,
    /// The number of rows that have reads.
    pub rows: usize,
}

impl ReadTable<'_> {
    /// Sorts the rows, by one key of 64 bits if cell, gene and UMI fit it, else by the UMI and then stably by the rest.
    pub(super) fn sorted(&self, n_cells: usize, n_genes: usize) -> Result<SortedReads, Error> {
        let rows = self.check(n_cells, n_genes)?;
        let device = self.cell.device();
        let all = self.cell.len();
        let mut bag = device.allocate::<u64>(all)?;
        // Checked: neither is above 2^32, nor both that at once.
        let behind = n_cells as u64 * n_genes as u64;
        number_bags(self.cell, self.gene, self.reads, n_genes as u64, behind, &mut bag).threads(all).launch()?;

        let umi_bits = u64::BITS - bits_in_use(self.umi)?.leading_zeros();
        let bag_bits = u64::BITS - behind.leading_zeros();
        if umi_bits + bag_bits < u64::BITS {
            let mut key = device.allocate::<u64>(all)?;
            join(&bag, self.umi, umi_bits, &mut key).threads(all).launch()?;
            let (key, reads) = sort_pairs(&*key, self.reads)?;
            let mut umi = device.allocate::<u64>(all)?;
            part(&key, umi_bits, &mut bag, &mut umi).threads(all).launch()?;
            return Ok(SortedReads { bag, umi, reads, rows });
        }
        let (umi, by_umi) = argsort(self.umi)?;
        let (bag, by_bag) = argsort(&*gather(&*bag, &*by_umi)?)?;
        let order = gather(&*by_umi, &*by_bag)?;
        Ok(SortedReads { bag, umi: gather(&*umi, &*by_bag)?, reads: gather(self.reads, &*order)?, rows })
    }

    /// The number of rows that have reads.
    fn check(&self, n_cells: usize, n_genes: usize) -> Result<usize, Error> {
        let fail = |problem: String| Err(Error::Argument { operation: "molecules", problem });
        let rows = self.cell.len();
        for (name, length) in [("gene", self.gene.len()), ("umi", self.umi.len()), ("reads", self.reads.len())] {
            if length != rows {
                return fail(format!("column `{name}` has {length} rows, but `cell` has {rows}; make them the same"));
            }
        }
        if n_cells > u32::MAX as usize || n_genes > u32::MAX as usize {
            return fail(format!("{n_cells} cells and {n_genes} genes; at most {} of each are possible", u32::MAX));
        }
        let mut outcome = self.cell.device().upload(&[u64::MAX, 0])?;
        check_rows(self.cell, self.gene, self.reads, n_cells, n_genes, &mut outcome).threads(rows).launch()?;
        let outcome = outcome.download()?;
        match outcome[0] {
            // There are no more rows without reads than rows.
            u64::MAX => Ok(rows - outcome[1] as usize),
            row => fail(self.bad_row(row as usize, n_cells, n_genes)?),
        }
    }

    fn bad_row(&self, row: usize, n_cells: usize, n_genes: usize) -> Result<String, Error> {
        let cell = self.cell.slice(row..row + 1).download()?[0];
        let gene = self.gene.slice(row..row + 1).download()?[0];
        Ok(format!(
            "row {row} names cell {cell} and gene {gene}, but there are {n_cells} cells and {n_genes} genes; number both from 0"
        ))
    }
}

/// The first row with a cell or gene that isn't there, and the number of rows without reads.
#[gpu_kernel]
fn check_rows(cell: &[u32], gene: &[u32], reads: &[u32], n_cells: usize, n_genes: usize, outcome: &mut [u64]) {
    let i = global_id();
    if i < cell.len() {
        if cell[i] as usize >= n_cells || gene[i] as usize >= n_genes {
            atomic_min(&mut outcome[0], i as u64);
        }
        if reads[i] == 0 {
            atomic_add(&mut outcome[1], 1);
        }
    }
}

/// Cell and gene in one number; rows without reads get the number behind all.
#[gpu_kernel]
fn number_bags(cell: &[u32], gene: &[u32], reads: &[u32], n_genes: u64, behind: u64, bag: &mut [u64]) {
    let i = global_id();
    if i < bag.len() {
        bag[i] = if reads[i] == 0 { behind } else { cell[i] as u64 * n_genes + gene[i] as u64 };
    }
}

#[gpu_kernel]
fn join(bag: &[u64], umi: &[u64], umi_bits: u32, key: &mut [u64]) {
    let i = global_id();
    if i < key.len() {
        key[i] = bag[i] << umi_bits | umi[i];
    }
}

#[gpu_kernel]
fn part(key: &[u64], umi_bits: u32, bag: &mut [u64], umi: &mut [u64]) {
    let i = global_id();
    if i < bag.len() {
        bag[i] = key[i] >> umi_bits;
        umi[i] = key[i] & ((1u64 << umi_bits) - 1);
    }
}

//! UMI deduplication: from reads to a matrix of molecules.

use crate::primitives::{exclusive_scan, gather, run_heads, scatter_indices, sort_by_key};
use crate::{DeviceCsr, Error};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

/// Every kernel of this module.
pub fn kernels() -> Vec<KernelInfo> {
    vec![check_rows::kernel(), pack::kernel(), heads_of_pairs::kernel(), counts_of_runs::kernel(), row_starts::kernel()]
}

/// Reads, one a row, in any order.
pub struct ReadTable<'a> {
    /// The cells, below `n_cells`.
    pub cell: &'a DSlice<u32>,
    /// The genes, below `n_genes`.
    pub gene: &'a DSlice<u32>,
    /// The UMIs, two bits a base (see [`pack_umi`]).
    pub umi: &'a DSlice<u64>,
    /// How many reads each row stands for.
    pub reads: &'a DSlice<u32>,
}

/// Packs a UMI of up to 32 bases, two bits each: A = 0, C = 1, G = 2, T = 3, the first base highest. Nothing for other
/// letters (such as N) and longer UMIs.
pub fn pack_umi(umi: &[u8]) -> Option<u64> {
    if umi.len() > 32 {
        return None;
    }
    umi.iter().try_fold(0, |packed, base| {
        let code = match base {
            b'A' => 0,
            b'C' => 1,
            b'G' => 2,
            b'T' => 3,
            _ => return None,
        };
        Some(packed << 2 | code)
    })
}

/// Counts the distinct UMIs of each cell and gene (the method `unique` of UMI-tools). Rows without reads don't count.
///
/// # Errors
/// Columns of different lengths; a cell or gene out of range; what the device reports.
pub fn count_unique(table: &ReadTable<'_>, n_cells: usize, n_genes: usize) -> Result<DeviceCsr<f32>, Error> {
    let rows = check(table, n_cells, n_genes)?;
    let device = table.cell.device();
    // Sorted by UMI, then stably by cell and gene.
    let (_, by_umi) = sort_by_key(table.umi)?;
    let mut pairs = device.allocate(rows)?;
    pack(table.cell, table.gene, table.reads, &by_umi, &mut pairs).threads(rows).launch()?;
    let (pairs, order) = sort_by_key(&pairs)?;
    let sorted_umis = gather(table.umi, &by_umi)?;
    let umis = gather(&sorted_umis, &order)?;
    let first_reads = run_heads(&pairs, &umis)?;
    let molecules = scatter_indices(&first_reads)?;
    // Each molecule's cell and gene; those without reads have the last number and come last.
    let mut heads = device.allocate(molecules.len())?;
    let mut kept = device.allocate(molecules.len())?;
    heads_of_pairs(&pairs, &molecules, &mut heads, &mut kept).threads(molecules.len()).launch()?;
    let entries = scatter_indices(&heads)?;
    let (mut indices, mut data) = (device.zeros(entries.len())?, device.zeros(entries.len())?);
    let mut cells = device.zeros(entries.len())?;
    let total = kept.len();
    counts_of_runs(&kept, &entries, total, &mut cells, &mut indices, &mut data).threads(entries.len()).launch()?;
    let mut lengths = device.zeros::<u64>(n_cells)?;
    row_starts(&cells, &mut lengths).threads(entries.len()).launch()?;
    Ok(DeviceCsr { indptr: exclusive_scan(&lengths)?, indices, data, n_cols: n_genes })
}

fn check(table: &ReadTable<'_>, n_cells: usize, n_genes: usize) -> Result<usize, Error> {
    let fail = |problem: String| Err(Error::Argument { operation: "count_unique", problem });
    let rows = table.cell.len();
    for (name, length) in [("gene", table.gene.len()), ("umi", table.umi.len()), ("reads", table.reads.len())] {
        if length != rows {
            return fail(format!("column `{name}` has {length} rows, but `cell` has {rows}"));
        }
    }
    if n_cells > u32::MAX as usize || n_genes >= u32::MAX as usize {
        return fail(format!("{n_cells} cells and {n_genes} genes; at most {} of each can be counted", u32::MAX - 1));
    }
    let mut first_bad = table.cell.device().upload(&[u64::MAX])?;
    check_rows(table.cell, table.gene, n_cells, n_genes, &mut first_bad).threads(rows).launch()?;
    match first_bad.download()?[0] {
        u64::MAX => Ok(rows),
        row => fail(format!(
            "row {row} names a cell or gene that is not below {n_cells} or {n_genes}; number them from 0"
        )),
    }
}

#[gpu_kernel]
fn check_rows(cell: &[u32], gene: &[u32], n_cells: usize, n_genes: usize, first_bad: &mut [u64]) {
    let i = global_id();
    if i < cell.len() && (cell[i] as usize >= n_cells || gene[i] as usize >= n_genes) {
        atomic_min(&mut first_bad[0], i as u64);
    }
}

/// Cell and gene in one key; the largest key for a row without reads.
#[gpu_kernel]
fn pack(cell: &[u32], gene: &[u32], reads: &[u32], order: &[u32], pairs: &mut [u64]) {
    let i = global_id();
    if i < pairs.len() {
        let row = order[i] as usize;
        pairs[i] = if reads[row] == 0 { u64::MAX } else { (cell[row] as u64) << 32 | gene[row] as u64 };
    }
}

/// The pair of each molecule, and 1 where the first molecule of a pair is.
#[gpu_kernel]
fn heads_of_pairs(pairs: &[u64], molecules: &[u64], heads: &mut [u64], kept: &mut [u64]) {
    let i = global_id();
    if i < heads.len() {
        let pair = pairs[molecules[i] as usize];
        let first = i == 0 || pairs[molecules[i - 1] as usize] != pair;
        heads[i] = (first && pair != u64::MAX) as u64;
        kept[i] = pair;
    }
}

/// Each entry's cell, gene and number of molecules: up to the next entry, or the first molecule without reads.
#[gpu_kernel]
fn counts_of_runs(pairs: &[u64], entries: &[u64], total: usize, cells: &mut [u32], genes: &mut [u32], counts: &mut [f32]) {
    let i = global_id();
    if i < counts.len() {
        let start = entries[i] as usize;
        let mut end = total;
        if i + 1 < entries.len() {
            end = entries[i + 1] as usize;
        } else {
            while end > start && pairs[end - 1] == u64::MAX {
                end -= 1;
            }
        }
        cells[i] = (pairs[start] >> 32) as u32;
        genes[i] = pairs[start] as u32;
        counts[i] = (end - start) as f32;
    }
}

#[gpu_kernel]
fn row_starts(cells: &[u32], lengths: &mut [u64]) {
    let i = global_id();
    if i < cells.len() {
        atomic_add(&mut lengths[cells[i] as usize], 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn umis_are_packed_two_bits_a_base() {
        assert_eq!(pack_umi(b"ACGT"), Some(0b00_01_10_11));
        assert_eq!(pack_umi(&[b'T'; 12]), Some(0xff_ffff));
        assert_eq!(pack_umi(b"ACGN"), None);
        assert_eq!(pack_umi(&[b'A'; 33]), None);
    }

    #[test]
    fn distinct_umis_are_counted_whatever_the_order() {
        let device = Device::cpu();
        for n in [0usize, 1, 31, 257, 20_000] {
            let mix = |i: usize, salt: u64| {
                let x = (i as u64 + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ salt;
                x.wrapping_mul(0xd1b5_4a32_d192_ed03) >> 40
            };
            let cell: Vec<u32> = (0..n).map(|i| (mix(i, 1) % 40) as u32).collect();
            let gene: Vec<u32> = (0..n).map(|i| (mix(i, 2) % 30) as u32).collect();
            let umi: Vec<u64> = (0..n).map(|i| mix(i, 3) % 9 + (mix(i, 4) % 2 << 50)).collect();
            let reads: Vec<u32> = (0..n).map(|i| (mix(i, 5) % 4) as u32).collect();
            let mut expected: BTreeMap<(u32, u32), BTreeSet<u64>> = BTreeMap::new();
            for i in (0..n).filter(|i| reads[*i] > 0) {
                expected.entry((cell[i], gene[i])).or_default().insert(umi[i]);
            }
            let (c, g) = (device.upload(&cell).unwrap(), device.upload(&gene).unwrap());
            let (u, r) = (device.upload(&umi).unwrap(), device.upload(&reads).unwrap());
            let table = ReadTable { cell: &c, gene: &g, umi: &u, reads: &r };
            let found = count_unique(&table, 41, 30).unwrap();
            let indptr = found.indptr.download().unwrap();
            let (indices, data) = (found.indices.download().unwrap(), found.data.download().unwrap());
            let mut pairs = Vec::new();
            for row in 0..41 {
                for k in indptr[row] as usize..indptr[row + 1] as usize {
                    pairs.push(((row as u32, indices[k]), data[k] as usize));
                }
            }
            let expected: Vec<_> = expected.into_iter().map(|(pair, umis)| (pair, umis.len())).collect();
            assert_eq!(pairs, expected, "{n} rows");
        }
    }

    #[test]
    fn a_row_out_of_range_is_named() {
        let device = Device::cpu();
        let (c, g) = (device.upload(&[0u32, 1, 5]).unwrap(), device.upload(&[0u32, 0, 0]).unwrap());
        let (u, r) = (device.upload(&[1u64, 2, 3]).unwrap(), device.upload(&[1u32, 1, 1]).unwrap());
        let table = ReadTable { cell: &c, gene: &g, umi: &u, reads: &r };
        assert!(count_unique(&table, 5, 1).err().unwrap().to_string().contains("row 2 names"));
    }
}

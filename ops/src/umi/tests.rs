//! Molecules and counts against plain Rust.

use super::*;
use crate::DeviceCsr;
use crate::primitives::testing::devices;
use proptest::prelude::*;
use std::collections::BTreeMap;
use warpcell_runtime::Device;

/// cell, gene, UMI, reads
type Row = (u32, u32, u64, u32);

/// Uploads `rows` and hands them on as a table.
fn with_table<R>(device: &Device, rows: &[Row], use_table: impl FnOnce(&ReadTable<'_>) -> R) -> R {
    let cell = device.upload(&rows.iter().map(|row| row.0).collect::<Vec<_>>()).unwrap();
    let gene = device.upload(&rows.iter().map(|row| row.1).collect::<Vec<_>>()).unwrap();
    let umi = device.upload(&rows.iter().map(|row| row.2).collect::<Vec<_>>()).unwrap();
    let reads = device.upload(&rows.iter().map(|row| row.3).collect::<Vec<_>>()).unwrap();
    use_table(&ReadTable { cell: &cell, gene: &gene, umi: &umi, reads: &reads })
}

/// cell, gene, count
fn triplets(counts: &DeviceCsr<f32>) -> Vec<(u32, u32, u64)> {
    let (indptr, indices) = (counts.indptr.download().unwrap(), counts.indices.download().unwrap());
    let data = counts.data.download().unwrap();
    let row = |cell: usize| (indptr[cell] as usize..indptr[cell + 1] as usize).map(move |k| (cell as u32, k));
    (0..counts.n_rows()).flat_map(row).map(|(cell, k)| (cell, indices[k], data[k] as u64)).collect()
}

fn check(rows: &[Row], n_cells: usize, n_genes: usize) -> Result<(), TestCaseError> {
    let mut expected: BTreeMap<(u32, u32, u64), u64> = BTreeMap::new();
    for (cell, gene, umi, reads) in rows.iter().filter(|row| row.3 > 0) {
        *expected.entry((*cell, *gene, *umi)).or_default() += u64::from(*reads);
    }
    let mut counts: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    expected.keys().for_each(|(cell, gene, _)| *counts.entry((*cell, *gene)).or_default() += 1);
    let counts: Vec<_> = counts.into_iter().map(|((cell, gene), count)| (cell, gene, count)).collect();
    for device in devices() {
        let found = with_table(&device, rows, |table| molecules(table, n_cells, n_genes)).unwrap();
        let bags = expected.keys().map(|key| u64::from(key.0) * n_genes as u64 + u64::from(key.1));
        prop_assert_eq!(found.bag.download().unwrap(), bags.collect::<Vec<_>>());
        prop_assert_eq!(found.umi.download().unwrap(), expected.keys().map(|key| key.2).collect::<Vec<_>>());
        prop_assert_eq!(found.reads.download().unwrap(), expected.values().copied().collect::<Vec<_>>());
        let matrix = found.counts().unwrap();
        prop_assert_eq!(matrix.n_rows(), n_cells);
        prop_assert_eq!(&triplets(&matrix), &counts);
    }
    Ok(())
}

#[test]
fn an_empty_table_gives_an_empty_matrix() {
    check(&[], 3, 5).unwrap();
    check(&[], 0, 0).unwrap();
    check(&[(0, 0, 7, 0)], 1, 1).unwrap();
}

#[test]
fn one_row_and_many_equal_rows_are_one_molecule() {
    check(&[(2, 4, 9, 3)], 3, 5).unwrap();
    check(&vec![(1, 1, u64::MAX, u32::MAX); 5000], 2, 2).unwrap();
}

#[test]
fn cells_and_genes_use_all_their_numbers() {
    let last = u32::MAX - 1;
    check_molecules_only(&[(last, last, u64::MAX, 1), (0, last, 0, 1), (last, 0, 0, 2), (last, last, 5, 1)]);
}

/// A matrix of 2^32 rows would be too large.
fn check_molecules_only(rows: &[Row]) {
    let size = u32::MAX as usize;
    let found = with_table(&Device::cpu(), rows, |table| molecules(table, size, size)).unwrap();
    let mut expected: Vec<_> =
        rows.iter().map(|row| (u64::from(row.0) * size as u64 + u64::from(row.1), row.2)).collect();
    expected.sort();
    let found: Vec<_> = found.bag.download().unwrap().into_iter().zip(found.umi.download().unwrap()).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_first_row_out_of_range_is_named() {
    let device = Device::cpu();
    let rows = [(0, 0, 1, 1), (1, 0, 2, 1), (5, 0, 3, 1), (0, 9, 3, 0)];
    let error = with_table(&device, &rows, |table| count_unique(table, 5, 1)).err().unwrap();
    assert!(error.to_string().contains("row 2 names cell 5 and gene 0"), "{error}");
    let error = with_table(&device, &rows[..1], |table| count_unique(table, 0, 1)).err().unwrap();
    assert!(error.to_string().contains("row 0 names"), "{error}");
}

#[test]
fn columns_must_have_the_same_length() {
    let device = Device::cpu();
    let (one, two, umi) =
        (device.zeros::<u32>(1).unwrap(), device.zeros::<u32>(2).unwrap(), device.zeros::<u64>(2).unwrap());
    let table = ReadTable { cell: &two, gene: &two, umi: &umi, reads: &one };
    assert!(molecules(&table, 1, 1).err().unwrap().to_string().contains("`reads` has 1 rows"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Short UMIs go into one key with the rest, long ones don't fit.
    #[test]
    fn molecules_are_those_of_plain_rust(
        rows in prop::collection::vec((0u32..20, 0u32..30, 0u64..6, 0u32..4), 0..5000),
        shift in prop::sample::select(vec![0u32, 20, 61]),
    ) {
        let rows: Vec<Row> = rows.into_iter().map(|row| (row.0, row.1, row.2 << shift, row.3)).collect();
        check(&rows, 21, 30)?;
    }
}

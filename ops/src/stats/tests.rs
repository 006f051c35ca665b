//! Sums and moments of genes against plain Rust, and against themselves in chunks.

use super::sums::leaf_sums;
use super::{GeneMoments, SumAccumulator, Value, gene_moments, gene_sums};
use crate::DeviceCsr;
use crate::csr::tests::{Host, example};
use proptest::prelude::*;
use warpcell_runtime::CpuOptions;
use warpcell_runtime::prelude::*;

fn bits(values: &DSlice<f64>) -> Vec<u64> {
    values.download().unwrap().into_iter().map(f64::to_bits).collect()
}

/// Mean and variance of the bits that `found` has.
fn moment_bits(found: &GeneMoments) -> (Vec<u64>, Vec<u64>) {
    (bits(&found.mean), bits(&found.variance))
}

/// The matrix cut before each of these rows.
fn in_chunks(device: &Device, host: &Host, cuts: &[usize], value: Value<'_>) -> GeneMoments {
    let ends = cuts.iter().copied().chain([host.rows.len()]);
    let mut first = 0;
    let chunks: Vec<DeviceCsr<f32>> = ends
        .map(|end| {
            let chunk = host.rows(first..end).upload(device);
            first = end;
            chunk
        })
        .collect();
    gene_moments(device, &chunks.iter().collect::<Vec<_>>(), value).unwrap()
}

/// Logarithms, so that sums round.
fn logarithms(n_rows: usize, n_cols: usize) -> Host {
    let mut host = example(n_rows, n_cols);
    host.rows.iter_mut().flatten().for_each(|entry| entry.1 = entry.1.ln_1p());
    host
}

/// What the moments of one gene are, summed plainly.
fn plain_moments(host: &Host, gene: u32, value: impl Fn(usize, f64) -> f64) -> (f64, f64) {
    let entry =
        |row: usize| host.rows[row].iter().find(|entry| entry.0 == gene).map_or(0.0, |entry| f64::from(entry.1));
    let values: Vec<f64> = (0..host.rows.len()).map(|row| value(row, entry(row))).collect();
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0))
}

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-11 * expected.abs()
}

#[test]
fn moments_are_near_those_of_plain_rust() {
    let device = Device::cpu();
    for rows in [2, 33, 257, 5000] {
        let host = logarithms(rows, 20);
        let factors: Vec<f64> = (0..rows).map(|row| (row % 7) as f64 / 3.0).collect();
        let on_device = device.upload(&factors).unwrap();
        type Transform<'a> = &'a dyn Fn(usize, f64) -> f64;
        let variants: [(Value<'_>, Transform<'_>); 4] = [
            (Value::Plain, &|_, x| x),
            (Value::ExpM1, &|_, x| x.exp_m1()),
            (Value::ExpM1Base(2.0), &|_, x| (x * 2f64.ln()).exp_m1()),
            (Value::Scaled(&on_device), &|row, x| x * factors[row]),
        ];
        for (number, (value, transform)) in variants.into_iter().enumerate() {
            let found = gene_moments(&device, &[&host.upload(&device)], value).unwrap();
            let (means, variances) = (found.mean.download().unwrap(), found.variance.download().unwrap());
            for gene in 0..20 {
                let (mean, variance) = plain_moments(&host, gene, transform);
                assert!(near(means[gene as usize], mean), "{number}: {rows} rows, gene {gene}");
                assert!(near(variances[gene as usize], variance), "{number}: {rows} rows, gene {gene}");
            }
        }
    }
}

#[test]
fn variances_far_from_zero_do_not_cancel() {
    let device = Device::cpu();
    let data: Vec<f64> = (0..1000).map(|row| 1e8 + f64::from(row % 2)).collect();
    let indptr: Vec<u64> = (0..=1000).collect();
    let matrix = DeviceCsr::upload(&device, &indptr, &[0; 1000], &data, 1).unwrap();
    let variance = gene_moments(&device, &[&matrix], Value::Plain).unwrap().variance.download().unwrap()[0];
    assert!(near(variance, 250.0 / 999.0), "{variance}");
}

#[test]
fn the_same_matrix_in_any_row_chunks_gives_the_same_bits() {
    let device = Device::cpu();
    let rows = 9_001;
    let host = logarithms(rows, 30);
    for value in [Value::Plain, Value::ExpM1] {
        let expected = moment_bits(&in_chunks(&device, &host, &[], value));
        for size in [1000, 4096, 5000, 4097, 9000] {
            let cuts: Vec<usize> = (size..rows).step_by(size).collect();
            assert_eq!(moment_bits(&in_chunks(&device, &host, &cuts, value)), expected, "chunks of {size}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn random_chunks_give_the_same_bits(mut cuts in prop::collection::vec(0usize..=8200, 0..6)) {
        let device = Device::cpu();
        let host = logarithms(8200, 5);
        cuts.sort_unstable();
        let expected = moment_bits(&in_chunks(&device, &host, &[], Value::Plain));
        prop_assert_eq!(moment_bits(&in_chunks(&device, &host, &cuts, Value::Plain)), expected);
    }
}

#[test]
fn block_size_and_backend_change_no_bit() {
    let host = logarithms(5000, 40);
    let futures = Device::cpu_with(CpuOptions { futures: true, ..CpuOptions::default() });
    let mut found = Vec::new();
    for (device, block) in [(Device::cpu(), 32), (Device::cpu(), 1024), (Device::cpu(), 96), (futures, 64)] {
        let matrix = host.upload(&device);
        let (mut sums, mut counts) = (device.zeros(2 * 40).unwrap(), device.zeros(2 * 40).unwrap());
        let factors = device.zeros(0).unwrap();
        leaf_sums(&matrix.indptr, &matrix.indices, &matrix.data, 0, 40, &factors, 0.0, &mut sums, &mut counts)
            .grid(2)
            .block(block)
            .launch()
            .unwrap();
        found.push((bits(&sums), counts.download().unwrap()));
    }
    assert!(found.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn special_values_stay_in_their_gene() {
    let device = Device::cpu();
    let rows = vec![vec![(0, f32::NAN), (1, f32::INFINITY), (2, 1.0)], vec![(1, 1.0)], vec![(2, 3.0)]];
    let matrix = Host { rows, n_cols: 4 }.upload(&device);
    let found = gene_moments(&device, &[&matrix], Value::Plain).unwrap();
    let (mean, variance) = (found.mean.download().unwrap(), found.variance.download().unwrap());
    assert!(mean[0].is_nan() && variance[0].is_nan() && variance[1].is_nan());
    assert_eq!((mean[1], mean[3], variance[3]), (f64::INFINITY, 0.0, 0.0));
    assert!(near(mean[2], 4.0 / 3.0) && near(variance[2], 7.0 / 3.0));
}

#[test]
fn few_rows_are_no_problem() {
    let device = Device::cpu();
    let none = gene_sums::<f32>(&device, &[&example(0, 3).upload(&device)], Value::Plain).unwrap();
    assert_eq!(none.sum.download().unwrap(), [0.0; 3]);
    assert!(gene_sums::<f32>(&device, &[], Value::Plain).unwrap().sum.is_empty());
    let one = gene_moments(&device, &[&example(1, 3).upload(&device)], Value::Plain).unwrap();
    assert!(one.variance.download().unwrap().iter().all(|variance| variance.is_nan()));
}

#[test]
fn chunks_out_of_order_are_refused() {
    let device = Device::cpu();
    let (chunk, wide) = (example(10, 3).upload(&device), example(10, 4).upload(&device));
    let refused = |result: Result<(), crate::Error>| result.err().unwrap().to_string();
    let mut sums = SumAccumulator::new(&device, 20, 3, Value::Plain).unwrap();
    sums.add(&chunk, 0).unwrap();
    assert!(refused(sums.add(&chunk, 0)).contains("rows 0 to 10 came where row 10 of 20 is next"));
    assert!(refused(sums.add(&chunk, 15)).contains("give the chunks in order"));
    assert!(refused(sums.add(&wide, 10)).contains("a chunk of 4 genes, where 3 are expected"));
    assert!(refused(sums.finish().map(|_| ())).contains("only 10 of 20 rows came"));
    let factors = device.zeros(19).unwrap();
    let short = SumAccumulator::new(&device, 20, 3, Value::Scaled(&factors));
    assert!(refused(short.map(|_| ())).contains("19 factors for 20 rows"));
}

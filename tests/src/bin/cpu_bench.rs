//! The CPU backend beside plain Rust with rayon, in one run: compare the ratios.
//!
//! `cargo run --release -p warpcell-tests --bin cpu_bench`

use anyhow::Result;
use rayon::prelude::*;
use std::time::Instant;
use warpcell_runtime::prelude::*;
use warpcell_tests::bench::{add, row_sums, thread_row_sums, tree_sums};

/// The best of several runs, in milliseconds: other work on the machine only adds.
fn best(mut work: impl FnMut() -> Result<()>) -> Result<f64> {
    let mut least = f64::INFINITY;
    for _ in 0..15 {
        let start = Instant::now();
        work()?;
        least = least.min(start.elapsed().as_secs_f64() * 1e3);
    }
    Ok(least)
}

fn main() -> Result<()> {
    let device = Device::cpu();
    println!("{}\n\n| kernel | warpcell, ms | plain rayon, ms | ratio |\n| --- | ---: | ---: | ---: |", device.name());
    vector_add(&device)?;
    rows(&device)?;
    tree(&device)
}

fn report(name: &str, ours: f64, plain: f64) {
    println!("| {name} | {ours:.3} | {plain:.3} | {:.2} |", ours / plain);
}

fn vector_add(device: &Device) -> Result<()> {
    for n in [1 << 20, 16 << 20] {
        let (x, y) = (vec![1.5f32; n], vec![2.5f32; n]);
        let (a, b, mut c) = (device.upload(&x)?, device.upload(&y)?, device.zeros::<f32>(n)?);
        let ours = best(|| Ok(add(&a, &b, &mut c).threads(n).launch()?))?;
        let mut z = vec![0f32; n];
        let plain = best(|| {
            let parts = z.par_chunks_mut(1 << 14).zip(x.par_chunks(1 << 14)).zip(y.par_chunks(1 << 14));
            parts.for_each(|((z, x), y)| z.iter_mut().zip(x).zip(y).for_each(|((z, x), y)| *z = x + y));
            Ok(())
        })?;
        assert_eq!(c.download()?, z);
        report(&format!("vector add, {n}"), ours, plain);
    }
    Ok(())
}

fn rows(device: &Device) -> Result<()> {
    let (n_rows, width) = (20_000usize, 800usize);
    let indptr: Vec<u64> = (0..=n_rows as u64).map(|row| row * width as u64).collect();
    let values: Vec<f32> = (0..n_rows * width).map(|i| (i % 7) as f32).collect();
    let (pointers, data) = (device.upload(&indptr)?, device.upload(&values)?);
    let mut sums = device.zeros::<f64>(n_rows)?;
    let ours = best(|| Ok(row_sums(&pointers, &data, &mut sums).threads(n_rows * 32).launch()?))?;
    let mut expected = vec![0f64; n_rows];
    let plain = best(|| {
        expected.par_iter_mut().with_min_len(64).enumerate().for_each(|(row, sum)| {
            *sum = values[indptr[row] as usize..indptr[row + 1] as usize].iter().map(|x| f64::from(*x)).sum();
        });
        Ok(())
    })?;
    assert_eq!(sums.download()?, expected);
    let by_thread = best(|| Ok(thread_row_sums(&pointers, &data, &mut sums).threads(n_rows).launch()?))?;
    assert_eq!(sums.download()?, expected);
    report("row sums, 20,000 rows of 800, a thread a row", by_thread, plain);
    report("row sums, 20,000 rows of 800, a warp a row", ours, plain);
    Ok(())
}

/// Nine barriers for each of 256 threads.
fn tree(device: &Device) -> Result<()> {
    let n = 8 << 20;
    let x = device.upload(&vec![3u64; n])?;
    let mut sums = device.zeros::<u64>(n / 256)?;
    let ours = best(|| Ok(tree_sums(&x, &mut sums).threads(n).block(256).launch()?))?;
    assert!(sums.download()?.iter().all(|sum| *sum == 768));
    let workers = rayon::current_num_threads().min(2) as f64;
    let each = ours * 1e6 / (n * 9) as f64 * workers;
    println!("\ntree reduction of 256 threads: {each:.2} ns a thread and barrier on each core");
    Ok(())
}

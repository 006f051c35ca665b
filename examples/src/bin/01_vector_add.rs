//! The first kernel: one thread an element.
//!
//! `cargo run -p warpcell-examples --bin 01_vector_add`

use warpcell_runtime::Error;
use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn vector_add(a: &[f32], b: &[f32], c: &mut [f32]) {
    let i = global_id();
    if i < c.len() {
        c[i] = a[i] + b[i];
    }
}

fn main() -> Result<(), Error> {
    let device = Device::auto()?;
    let n = 1_000_000;
    let a = device.upload(&(0..n).map(|i| i as f32).collect::<Vec<_>>())?;
    let b = device.upload(&vec![0.5; n])?;
    let mut c = device.zeros::<f32>(n)?;

    vector_add(&a, &b, &mut c).threads(n).launch()?;

    let sums = c.download()?;
    assert!(sums.iter().enumerate().all(|(i, sum)| *sum == i as f32 + 0.5));
    println!("{}: added {n} numbers; the last sum is {}", device.name(), sums[n - 1]);
    Ok(())
}

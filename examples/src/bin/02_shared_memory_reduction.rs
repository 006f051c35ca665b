//! Threads of a block work together: a tree in shared memory, with a barrier after each level.
//!
//! `cargo run -p warpcell-examples --bin 02_shared_memory_reduction`

use warpcell_runtime::Error;
use warpcell_runtime::prelude::*;

const BLOCK: usize = 256;

/// The sum of each block's elements.
#[gpu_kernel]
fn block_sums(x: &[u64], sums: &mut [u64]) {
    let mut tile = shared::<[u64; BLOCK]>();
    let t = thread_rank();
    let i = global_id();
    tile[t] = if i < x.len() { x[i] } else { 0 };
    sync_threads();
    let mut half = BLOCK / 2;
    while half > 0 {
        if t < half {
            tile[t] += tile[t + half];
        }
        sync_threads();
        half /= 2;
    }
    if t == 0 {
        sums[block_rank()] = tile[0];
    }
}

fn main() -> Result<(), Error> {
    let device = Device::auto()?;
    let n = 1_000_000u64;
    let mut x = device.upload(&(0..n).collect::<Vec<u64>>())?;
    while x.len() > 1 {
        let blocks = x.len().div_ceil(BLOCK);
        let mut sums = device.zeros::<u64>(blocks)?;
        block_sums(&x, &mut sums).grid(blocks).block(BLOCK).launch()?;
        x = sums;
    }
    let sum = x.download()?[0];
    assert_eq!(sum, n * (n - 1) / 2);
    println!("{}: 0 + 1 + … + {} = {sum}", device.name(), n - 1);
    Ok(())
}

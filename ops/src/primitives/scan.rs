//! Prefix sums.

use crate::Error;
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![scan_blocks::kernel(), add_offsets::kernel()]
}

const BLOCK: usize = 256;
/// Elements of a thread.
const ITEMS: usize = 4;

/// The sums before each element: `out[i]` is the sum of the first `i` elements, so there is one more than elements, and the
/// last is the sum of all. Sums wrap.
///
/// # Errors
/// What the device reports.
pub fn exclusive_scan(values: &DSlice<u64>) -> Result<Buffer<u64>, Error> {
    let device = values.device();
    let mut out = device.allocate::<u64>(values.len() + 1)?;
    let blocks = out.len().div_ceil(BLOCK * ITEMS);
    let mut sums = device.allocate::<u64>(blocks)?;
    scan_blocks(values, &mut out, &mut sums).grid(blocks).block(BLOCK).launch()?;
    if blocks > 1 {
        let offsets = exclusive_scan(&sums)?;
        add_offsets(&offsets, &mut out).threads(values.len() + 1).launch()?;
    }
    Ok(out)
}

/// Each block's own prefix sums, and its total.
#[gpu_kernel]
fn scan_blocks(values: &[u64], out: &mut [u64], sums: &mut [u64]) {
    let mut partial = shared::<[u64; BLOCK]>();
    let t = thread_rank();
    let first = global_id() * ITEMS;
    let mut own = 0u64;
    for k in first..first + ITEMS {
        if k < values.len() {
            own += values[k];
        }
    }
    partial[t] = own;
    sync_threads();
    let mut distance = 1usize;
    while distance < BLOCK {
        let below = if t >= distance { partial[t - distance] } else { 0 };
        sync_threads();
        partial[t] += below;
        sync_threads();
        distance *= 2;
    }
    let mut running = partial[t] - own;
    for k in first..first + ITEMS {
        if k < out.len() {
            out[k] = running;
        }
        if k < values.len() {
            running += values[k];
        }
    }
    if t == BLOCK - 1 {
        sums[block_rank()] = running;
    }
}

#[gpu_kernel]
fn add_offsets(offsets: &[u64], out: &mut [u64]) {
    let i = global_id();
    if i < out.len() {
        out[i] += offsets[i / (BLOCK * ITEMS)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_gives_the_sums_before_each_element() {
        let device = Device::cpu();
        for n in [0, 1, 31, 32, 33, 255, 257, 1023, 1024, 1025, 1_100_000] {
            let values: Vec<u64> = (0..n as u64).map(|i| i * 7919 % 1000).collect();
            let found = exclusive_scan(&device.upload(&values).unwrap()).unwrap().download().unwrap();
            let mut sum = 0;
            let mut expected = vec![0];
            expected.extend(values.iter().map(|value| {
                sum += value;
                sum
            }));
            assert_eq!(found, expected, "{n}");
        }
    }
}

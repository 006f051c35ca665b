//! Sums, and which bits are used.

use crate::Error;
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![leaf_sums::kernel(), or_all::kernel()]
}

/// The number of elements of a leaf: the same for every device and block size.
const LEAF: usize = 4096;
const BLOCK: usize = 256;

/// The sum, in a fixed order: leaves of 4,096 elements, each by 256 strided sums and a tree, then the leaves likewise.
///
/// # Errors
/// What the device reports.
pub fn sum_f64(values: &DSlice<f64>) -> Result<f64, Error> {
    let device = values.device();
    let mut leaves = values.len().div_ceil(LEAF).max(1);
    let mut sums = device.zeros::<f64>(leaves)?;
    leaf_sums(values, &mut sums).grid(leaves).block(BLOCK).launch()?;
    while leaves > 1 {
        leaves = leaves.div_ceil(LEAF);
        let mut next = device.zeros::<f64>(leaves)?;
        leaf_sums(&sums, &mut next).grid(leaves).block(BLOCK).launch()?;
        sums = next;
    }
    Ok(sums.download()?[0])
}

#[gpu_kernel]
fn leaf_sums(values: &[f64], sums: &mut [f64]) {
    let mut tile = shared::<[f64; BLOCK]>();
    let t = thread_rank();
    let end = ((block_rank() + 1) * LEAF).min(values.len());
    let mut sum = 0.0;
    let mut k = block_rank() * LEAF + t;
    while k < end {
        sum += values[k];
        k += BLOCK;
    }
    tile[t] = sum;
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

/// The bits that are set in any of the keys.
///
/// # Errors
/// What the device reports.
pub fn bits_in_use(keys: &DSlice<u64>) -> Result<u64, Error> {
    let mut bits = keys.device().zeros::<u64>(1)?;
    or_all(keys, &mut bits).grid(keys.len().div_ceil(BLOCK).clamp(1, 1024)).block(BLOCK).launch()?;
    Ok(bits.download()?[0])
}

#[gpu_kernel]
fn or_all(keys: &[u64], bits: &mut [u64]) {
    let mut own = 0u64;
    let mut i = global_id();
    while i < keys.len() {
        own |= keys[i];
        i += global_size();
    }
    if own != 0 {
        atomic_or(&mut bits[0], own);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_near_that_of_plain_rust_and_of_integers_exact() {
        let device = Device::cpu();
        for n in [0, 1, 33, 257, 4095, 4096, 4097, 100_003] {
            let whole: Vec<f64> = (0..n).map(|i| (i % 1000) as f64).collect();
            assert_eq!(sum_f64(&device.upload(&whole).unwrap()).unwrap(), whole.iter().sum::<f64>(), "{n}");
        }
        let one_nan = device.upload(&[1.0, f64::NAN, 2.0]).unwrap();
        assert!(sum_f64(&one_nan).unwrap().is_nan());
    }

    #[test]
    fn bits_are_those_of_all_keys() {
        let device = Device::cpu();
        let keys: Vec<u64> = (0..5000).map(|i| (i % 300) << 20).collect();
        let expected = keys.iter().fold(0, |bits, key| bits | key);
        assert_eq!(bits_in_use(&device.upload(&keys).unwrap()).unwrap(), expected);
        assert_eq!(bits_in_use(&device.upload::<u64>(&[]).unwrap()).unwrap(), 0);
    }
}

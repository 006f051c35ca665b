//! Prefix sums: the sums of tiles, their prefix sums, and then each tile's own from there.

use super::BLOCK;
use super::reduce::sum;
use crate::Error;
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        tile_sums_bool::kernel(),
        tile_sums_u32::kernel(),
        tile_sums_u64::kernel(),
        scan_tiles_bool::kernel::<EXCLUSIVE>(),
        scan_tiles_u32::kernel::<EXCLUSIVE>(),
        scan_tiles_u64::kernel::<EXCLUSIVE>(),
        scan_tiles_bool::kernel::<INCLUSIVE>(),
        scan_tiles_u32::kernel::<INCLUSIVE>(),
        scan_tiles_u64::kernel::<INCLUSIVE>(),
    ]
}

/// Neighbouring elements that a thread adds up.
const ITEMS: usize = 8;
/// Elements of a block.
pub(super) const TILE: usize = BLOCK * ITEMS;
/// Shared memory of a tile: one word more for each thread, so that threads don't meet in the same bank.
const PADDED: usize = BLOCK * (ITEMS + 1);

const EXCLUSIVE: usize = 0;
const INCLUSIVE: usize = 1;

/// The sums before each element: `out[i]` is the sum of the first `i` elements, so there is one more than elements, and the
/// last is the sum of all. Sums wrap.
///
/// # Errors
/// What the device reports.
pub fn exclusive_scan<T: Summand>(values: &DSlice<T>) -> Result<Buffer<u64>, Error> {
    scan::<T, EXCLUSIVE>(values, values.len() + 1)
}

/// The sums up to each element: `out[i]` is the sum of the first `i + 1` elements. Sums wrap.
///
/// # Errors
/// What the device reports.
pub fn inclusive_scan<T: Summand>(values: &DSlice<T>) -> Result<Buffer<u64>, Error> {
    scan::<T, INCLUSIVE>(values, values.len())
}

/// The sum of all elements as `u64`, wrapping; of `bool`s, how many are set.
///
/// # Errors
/// What the device reports.
pub fn total<T: Summand>(values: &DSlice<T>) -> Result<u64, Error> {
    let sums = tile_sums(values, values.len().div_ceil(TILE))?;
    sum(&sums)
}

fn scan<T: Summand, const KIND: usize>(values: &DSlice<T>, len: usize) -> Result<Buffer<u64>, Error> {
    let offsets = tile_offsets(values, len.div_ceil(TILE))?;
    let mut out = values.device().allocate::<u64>(len)?;
    T::scan_tiles::<KIND>(values, &offsets, &mut out)?;
    Ok(out)
}

/// The sum of all elements before each of `tiles` tiles, and at the end of them.
pub(super) fn tile_offsets<T: Summand>(values: &DSlice<T>, tiles: usize) -> Result<Buffer<u64>, Error> {
    if tiles <= 1 {
        return Ok(values.device().zeros::<u64>(1)?);
    }
    let sums = tile_sums(values, tiles)?;
    exclusive_scan(&sums)
}

fn tile_sums<T: Summand>(values: &DSlice<T>, tiles: usize) -> Result<Buffer<u64>, Error> {
    let mut sums = values.device().allocate::<u64>(tiles)?;
    T::tile_sums(values, &mut sums)?;
    Ok(sums)
}

/// What is added up as `u64`: `bool` (as 0 and 1), `u32` and `u64`.
pub trait Summand: GpuType {
    #[doc(hidden)]
    fn tile_sums(values: &DSlice<Self>, sums: &mut DSlice<u64>) -> Result<(), Error>;
    #[doc(hidden)]
    fn scan_tiles<const KIND: usize>(
        values: &DSlice<Self>,
        offsets: &DSlice<u64>,
        out: &mut DSlice<u64>,
    ) -> Result<(), Error>;
}

macro_rules! summands {
    ($($ty:ident: $tile_sums:ident, $scan_tiles:ident;)*) => {$(
        impl Summand for $ty {
            fn tile_sums(values: &DSlice<$ty>, sums: &mut DSlice<u64>) -> Result<(), Error> {
                let tiles = sums.len();
                Ok($tile_sums(values, sums).grid(tiles).block(BLOCK).launch()?)
            }
            fn scan_tiles<const KIND: usize>(
                values: &DSlice<$ty>,
                offsets: &DSlice<u64>,
                out: &mut DSlice<u64>,
            ) -> Result<(), Error> {
                let tiles = out.len().div_ceil(TILE);
                Ok($scan_tiles::<KIND>(values, offsets, out).grid(tiles).block(BLOCK).launch()?)
            }
        }

        #[gpu_kernel]
        fn $tile_sums(values: &[$ty], sums: &mut [u64]) {
            let mut partial = shared::<[u64; BLOCK]>();
            let t = thread_rank();
            let mut own = 0u64;
            for k in 0..ITEMS {
                let i = block_rank() * TILE + k * BLOCK + t;
                if i < values.len() {
                    own += values[i] as u64;
                }
            }
            partial[t] = own;
            sync_threads();
            let mut half = BLOCK / 2;
            while half > 0 {
                if t < half {
                    partial[t] += partial[t + half];
                }
                sync_threads();
                half /= 2;
            }
            if t == 0 {
                sums[block_rank()] = partial[0];
            }
        }

        /// Brings a tile into shared memory, where each thread sums neighbours and takes its start from the sums of the
        /// threads before it (Hillis and Steele's scan).
        #[gpu_kernel]
        fn $scan_tiles<const KIND: usize>(values: &[$ty], offsets: &[u64], out: &mut [u64]) {
            let mut tile = shared::<[u64; PADDED]>();
            let mut partial = shared::<[u64; BLOCK]>();
            let t = thread_rank();
            let first = block_rank() * TILE;
            for k in 0..ITEMS {
                let i = k * BLOCK + t;
                tile[i + i / ITEMS] = if first + i < values.len() { values[first + i] as u64 } else { 0 };
            }
            sync_threads();
            let mut own = 0u64;
            for k in 0..ITEMS {
                own += tile[t * (ITEMS + 1) + k];
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
            let mut before = offsets[block_rank()] + partial[t] - own;
            for k in 0..ITEMS {
                let value = tile[t * (ITEMS + 1) + k];
                tile[t * (ITEMS + 1) + k] = if KIND == INCLUSIVE { before + value } else { before };
                before += value;
            }
            sync_threads();
            for k in 0..ITEMS {
                let i = k * BLOCK + t;
                if first + i < out.len() {
                    out[first + i] = tile[i + i / ITEMS];
                }
            }
        }
    )*};
}
summands! {
    bool: tile_sums_bool, scan_tiles_bool;
    u32: tile_sums_u32, scan_tiles_u32;
    u64: tile_sums_u64, scan_tiles_u64;
}

#[cfg(test)]
mod tests {
    use super::super::testing::{LENGTHS, devices, keys, numbers};
    use super::*;
    use proptest::prelude::*;

    fn sums_before(values: impl Iterator<Item = u64>) -> Vec<u64> {
        let mut sums = vec![0u64];
        values.for_each(|value| sums.push(sums[sums.len() - 1].wrapping_add(value)));
        sums
    }

    #[test]
    fn every_length_gives_the_sums_before_each_element() {
        for device in devices() {
            for n in LENGTHS {
                let values: Vec<u32> = numbers(n, 32, 1).iter().map(|x| *x as u32).collect();
                let found = exclusive_scan(&device.upload(&values).unwrap()).unwrap().download().unwrap();
                assert_eq!(found, sums_before(values.iter().map(|x| u64::from(*x))), "{n}");
            }
        }
    }

    #[test]
    fn three_levels_of_tiles_work() {
        let device = Device::cpu();
        let values: Vec<bool> = numbers(TILE * TILE + 5, 1, 2).iter().map(|x| *x == 1).collect();
        let expected = sums_before(values.iter().map(|x| u64::from(*x)));
        let values = device.upload(&values).unwrap();
        assert_eq!(total(&values).unwrap(), expected[expected.len() - 1]);
        assert!(exclusive_scan(&values).unwrap().download().unwrap() == expected);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn sums_wrap_as_in_plain_rust(keys in keys()) {
            let expected = sums_before(keys.iter().copied());
            for device in devices() {
                let uploaded = device.upload(&keys).unwrap();
                prop_assert_eq!(&exclusive_scan(&uploaded).unwrap().download().unwrap(), &expected);
                prop_assert_eq!(inclusive_scan(&uploaded).unwrap().download().unwrap(), &expected[1..]);
                prop_assert_eq!(total(&uploaded).unwrap(), expected[keys.len()]);
            }
        }
    }
}

//! Stable radix sort, least significant digit first, of the bits that differ between keys.
//!
//! A pass over a digit of 8 bits counts each tile's digits, takes the prefix sums of all counts, digit by digit, and moves
//! each key to its place (see [`kernels`]).

mod kernels;

use super::scan::exclusive_scan;
use crate::Error;
pub use kernels::SortKey;
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    kernels::all()
}

/// Keys of a block, where keys are sorted alone.
const KEYS_TILE: usize = 4096;
/// Keys of a block, where each has a value: both fit the shared memory.
const PAIRS_TILE: usize = 2048;

/// The keys in ascending order.
///
/// # Errors
/// What the device reports.
pub fn sort_keys<K: SortKey>(keys: &DSlice<K>) -> Result<Buffer<K>, Error> {
    let no_values = keys.device().allocate::<u32>(0)?;
    Ok(sort::<K, u32, KEYS_TILE, 0>(keys, &no_values)?.0)
}

/// The keys in ascending order, and the value of each. Values of equal keys keep their order.
///
/// # Errors
/// [`Error::Argument`] if there are not as many values as keys; what the device reports.
pub fn sort_pairs<K: SortKey, V: GpuType>(
    keys: &DSlice<K>,
    values: &DSlice<V>,
) -> Result<(Buffer<K>, Buffer<V>), Error> {
    if keys.len() != values.len() {
        let problem = format!("{} keys and {} values; pass one value for each key", keys.len(), values.len());
        return Err(Error::Argument { operation: "sort_pairs", problem });
    }
    sort::<K, V, PAIRS_TILE, PAIRS_TILE>(keys, values)
}

/// The keys in ascending order, and where each came from. Equal keys keep their order.
///
/// # Errors
/// [`Error::Argument`] for more than 2^32 keys; what the device reports.
pub fn argsort<K: SortKey>(keys: &DSlice<K>) -> Result<(Buffer<K>, Buffer<u32>), Error> {
    if keys.len() > u32::MAX as usize {
        let problem = format!("{} keys, but at most {} can be sorted at once; split them", keys.len(), u32::MAX);
        return Err(Error::Argument { operation: "argsort", problem });
    }
    let mut origins = keys.device().allocate::<u32>(keys.len())?;
    kernels::count_up(&mut origins).threads(keys.len()).launch()?;
    sort_pairs(keys, &*origins)
}

/// Sorts tiles of `TILE` keys; `VALUES` is 0 if there are no values, else `TILE`.
fn sort<K: SortKey, V: GpuType, const TILE: usize, const VALUES: usize>(
    keys: &DSlice<K>,
    values: &DSlice<V>,
) -> Result<(Buffer<K>, Buffer<V>), Error> {
    let device = keys.device();
    let mut sorted: Option<(Buffer<K>, Buffer<V>)> = None;
    let mut spare = None;
    let mut left = K::differing_bits(keys)?;
    while left != 0 {
        let shift = left.trailing_zeros();
        left &= !(0xff << shift);
        let mut out = match spare.take() {
            Some(buffers) => buffers,
            None => (device.allocate::<K>(keys.len())?, device.allocate::<V>(values.len())?),
        };
        match &sorted {
            None => pass::<K, V, TILE, VALUES>(keys, values, shift, &mut out)?,
            Some((keys, values)) => pass::<K, V, TILE, VALUES>(keys, values, shift, &mut out)?,
        }
        spare = sorted.replace(out);
    }
    match sorted {
        Some(sorted) => Ok(sorted),
        None => Ok((copy(keys)?, copy(values)?)),
    }
}

/// Sorts by the digit at `shift`.
fn pass<K: SortKey, V: GpuType, const TILE: usize, const VALUES: usize>(
    keys: &DSlice<K>,
    values: &DSlice<V>,
    shift: u32,
    (out_keys, out_values): &mut (Buffer<K>, Buffer<V>),
) -> Result<(), Error> {
    let counts = K::count_digits::<TILE>(keys, shift)?;
    let places = exclusive_scan(&counts)?;
    K::scatter::<V, TILE, VALUES>(keys, values, shift, &places, out_keys, out_values)
}

fn copy<T: GpuType>(values: &DSlice<T>) -> Result<Buffer<T>, Error> {
    let mut out = values.device().allocate::<T>(values.len())?;
    out.copy_from_device(values)?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{LENGTHS, devices, keys, numbers};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_length_is_sorted() {
        for device in devices() {
            for n in LENGTHS {
                for bits in [1, 20, 64] {
                    let keys = numbers(n, bits, 1);
                    let mut expected = keys.clone();
                    expected.sort();
                    let found = sort_keys(&device.upload(&keys).unwrap()).unwrap().download().unwrap();
                    assert!(found == expected, "{n} keys of {bits} bits");
                }
            }
        }
    }

    #[test]
    fn a_pass_is_made_only_for_bits_that_differ() {
        let device = Device::cpu();
        let launches = |keys: &[u64]| {
            let keys = device.upload(keys).unwrap();
            let before = device.launches();
            sort_keys(&keys).unwrap();
            device.launches() - before
        };
        let base = 0xabcd_0123_4567_89ab;
        let none = launches(&[base; 4]);
        let one = launches(&[base, base ^ 1 << 13, base, base ^ 1 << 20]);
        let two = launches(&[base, base ^ 1 << 13, base, base ^ 1 << 21]);
        assert_eq!((none, two - none), (1, 2 * (one - none)));
    }

    #[test]
    fn as_many_values_as_keys_are_needed() {
        let device = Device::cpu();
        let (keys, values) = (device.zeros::<u64>(3).unwrap(), device.zeros::<u32>(2).unwrap());
        assert!(sort_pairs(&keys, &values).err().unwrap().to_string().contains("3 keys and 2 values"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn equal_keys_keep_their_order(keys in keys()) {
            let mut expected: Vec<(u64, u32)> = keys.iter().copied().zip(0..).collect();
            expected.sort();
            let (sorted, origins): (Vec<u64>, Vec<u32>) = expected.into_iter().unzip();
            for device in devices() {
                let found = argsort(&device.upload(&keys).unwrap()).unwrap();
                prop_assert_eq!(&found.0.download().unwrap(), &sorted);
                prop_assert_eq!(&found.1.download().unwrap(), &origins);
            }
        }

        #[test]
        fn narrow_keys_bring_wide_values(keys in keys()) {
            let narrow: Vec<u32> = keys.iter().map(|key| *key as u32).collect();
            let mut expected: Vec<(u32, u64)> = narrow.iter().copied().zip(keys.iter().copied()).collect();
            expected.sort_by_key(|(key, _)| *key);
            let device = Device::cpu();
            let (narrow, wide) = (device.upload(&narrow).unwrap(), device.upload(&keys).unwrap());
            let (sorted, values) = sort_pairs(&narrow, &wide).unwrap();
            let found: Vec<(u32, u64)> =
                sorted.download().unwrap().into_iter().zip(values.download().unwrap()).collect();
            prop_assert_eq!(found, expected);
            prop_assert_eq!(sort_keys(&narrow).unwrap().download().unwrap(), sorted.download().unwrap());
        }
    }
}

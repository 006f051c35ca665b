//! Sums, smallest and largest elements, and which bits are used.

use super::BLOCK;
use crate::Error;
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        fold_leaves::kernel::<f64, SUM>(),
        fold_leaves::kernel::<u64, SUM>(),
        fold_leaves::kernel::<i64, SUM>(),
        fold_leaves::kernel::<f64, MINIMUM>(),
        fold_leaves::kernel::<u64, MINIMUM>(),
        fold_leaves::kernel::<f64, MAXIMUM>(),
        fold_leaves::kernel::<u64, MAXIMUM>(),
        or_of_keys::kernel(),
    ]
}

/// The number of elements of a leaf of a sum: the same for every device and block size.
pub const LEAF: usize = 4096;

/// Strided sums of a leaf, which a tree adds up.
const LANES: usize = 256;

const SUM: usize = 0;
const MINIMUM: usize = 1;
const MAXIMUM: usize = 2;

/// The sum of all elements, 0 if there are none; integers wrap.
///
/// Floats are added in a fixed order: leaves of [`LEAF`] elements (see [`leaf_sums`]), then the leaves' sums likewise. So the
/// bits are the same on every device, and for elements that come in pieces of whole leaves.
///
/// # Errors
/// What the device reports.
pub fn sum<T: Num>(values: &DSlice<T>) -> Result<T, Error> {
    Ok(fold::<T, SUM>(values)?.unwrap_or(T::ZERO))
}

/// The smallest element; nothing if there are none. NaN is ignored, unless there is nothing else. Which of -0 and +0 comes
/// out is not promised, but is the same on every device.
///
/// # Errors
/// What the device reports.
pub fn minimum<T: Num>(values: &DSlice<T>) -> Result<Option<T>, Error> {
    fold::<T, MINIMUM>(values)
}

/// The largest element; see [`minimum`].
///
/// # Errors
/// What the device reports.
pub fn maximum<T: Num>(values: &DSlice<T>) -> Result<Option<T>, Error> {
    fold::<T, MAXIMUM>(values)
}

/// The sums of leaves of [`LEAF`] elements, each by 256 strided sums and a tree. The [`sum`] of these is that of the elements.
///
/// # Errors
/// What the device reports.
pub fn leaf_sums<T: Num>(values: &DSlice<T>) -> Result<Buffer<T>, Error> {
    fold_once::<T, SUM>(values)
}

fn fold<T: Num, const OPERATION: usize>(values: &DSlice<T>) -> Result<Option<T>, Error> {
    if values.is_empty() {
        return Ok(None);
    }
    let mut leaves = fold_once::<T, OPERATION>(values)?;
    while leaves.len() > 1 {
        leaves = fold_once::<T, OPERATION>(&leaves)?;
    }
    Ok(leaves.download()?.first().copied())
}

fn fold_once<T: Num, const OPERATION: usize>(values: &DSlice<T>) -> Result<Buffer<T>, Error> {
    let mut leaves = values.device().allocate::<T>(values.len().div_ceil(LEAF))?;
    let blocks = leaves.len();
    fold_leaves::<T, OPERATION>(values, &mut leaves).grid(blocks).block(BLOCK).launch()?;
    Ok(leaves)
}

#[gpu_fn]
fn combine<T: Num, const OPERATION: usize>(a: T, b: T) -> T {
    if OPERATION == SUM {
        return a + b;
    }
    let a_is_number = a >= T::ZERO || a < T::ZERO;
    let b_is_better = if OPERATION == MINIMUM { b < a } else { b > a };
    if b_is_better || !a_is_number { b } else { a }
}

/// A block a leaf. No element is made up where a leaf is not full, so a sum of -0 is -0.
#[gpu_kernel]
fn fold_leaves<T: Num, const OPERATION: usize>(values: &[T], leaves: &mut [T]) {
    let mut lanes = shared::<[T; LANES]>();
    let first = block_rank() * LEAF;
    let count = LEAF.min(values.len() - first);
    for lane in (thread_rank()..LANES.min(count)).step_by(block_size()) {
        let mut own = values[first + lane];
        for k in (lane + LANES..count).step_by(LANES) {
            own = combine::<T, OPERATION>(own, values[first + k]);
        }
        lanes[lane] = own;
    }
    sync_threads();
    let mut half = LANES / 2;
    while half > 0 {
        for lane in (thread_rank()..half).step_by(block_size()) {
            if lane + half < count {
                lanes[lane] = combine::<T, OPERATION>(lanes[lane], lanes[lane + half]);
            }
        }
        sync_threads();
        half /= 2;
    }
    if thread_rank() == 0 {
        leaves[block_rank()] = lanes[0];
    }
}

/// The bits that are set in any of the keys.
///
/// # Errors
/// What the device reports.
pub fn bits_in_use(keys: &DSlice<u64>) -> Result<u64, Error> {
    let mut bits = keys.device().zeros::<u64>(1)?;
    or_of_keys(keys, &mut bits).grid(keys.len().div_ceil(BLOCK).min(1024)).block(BLOCK).launch()?;
    Ok(bits.download()?[0])
}

#[gpu_kernel]
fn or_of_keys(keys: &[u64], bits: &mut [u64]) {
    let mut halves = shared::<[u32; 2]>();
    if thread_rank() < 2 {
        halves[thread_rank()] = 0;
    }
    sync_threads();
    let mut own = 0u64;
    let mut i = global_id();
    while i < keys.len() {
        own |= keys[i];
        i += global_size();
    }
    atomic_or(&mut halves[0], own as u32);
    atomic_or(&mut halves[1], (own >> 32) as u32);
    sync_threads();
    if thread_rank() == 0 {
        atomic_or(&mut bits[0], (halves[1] as u64) << 32 | halves[0] as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{LENGTHS, devices, keys, numbers};
    use super::*;
    use proptest::prelude::*;

    /// The order of additions that [`sum`] promises.
    fn reference(values: &[f64]) -> f64 {
        let leaf = |leaf: &[f64]| {
            let mut lanes: Vec<f64> = leaf.iter().take(LANES).copied().collect();
            leaf.iter().enumerate().skip(LANES).for_each(|(k, value)| lanes[k % LANES] += value);
            let mut half = LANES / 2;
            while half > 0 {
                (half..lanes.len()).for_each(|lane| lanes[lane - half] += lanes[lane]);
                lanes.truncate(half);
                half /= 2;
            }
            lanes[0]
        };
        let leaves: Vec<f64> = values.chunks(LEAF).map(leaf).collect();
        if leaves.len() > 1 { reference(&leaves) } else { leaves.first().copied().unwrap_or(0.0) }
    }

    fn folded_bits(value: f64) -> u64 {
        if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }
    }

    #[test]
    fn floats_are_added_in_the_promised_order() {
        for device in devices() {
            for n in LENGTHS {
                let values: Vec<f64> = numbers(n, 53, 1).iter().map(|x| *x as f64 / 1e9 - 4e6).collect();
                let found = sum(&device.upload(&values).unwrap()).unwrap();
                assert_eq!(found.to_bits(), reference(&values).to_bits(), "{n}");
            }
        }
    }

    #[test]
    fn special_floats_follow_ieee_754() {
        let device = Device::cpu();
        let of = |values: &[f64]| folded_bits(sum(&device.upload(values).unwrap()).unwrap());
        assert_eq!(of(&[]), 0.0f64.to_bits());
        assert_eq!(of(&[-0.0; 5000]), (-0.0f64).to_bits());
        assert_eq!(of(&[-0.0, 0.0]), 0.0f64.to_bits());
        assert_eq!(of(&[5e-324; 3]), 1.5e-323f64.to_bits());
        assert_eq!(of(&[f64::INFINITY, 1.0]), f64::INFINITY.to_bits());
        assert_eq!(of(&[f64::INFINITY, f64::NEG_INFINITY]), f64::NAN.to_bits());
        assert_eq!(of(&[1.0, f64::NAN, 2.0]), f64::NAN.to_bits());
    }

    #[test]
    fn the_block_size_does_not_matter() {
        let device = Device::cpu();
        let values: Vec<f64> = numbers(9_999, 53, 2).iter().map(|x| *x as f64).collect();
        let values = device.upload(&values).unwrap();
        let expected = leaf_sums(&values).unwrap().download().unwrap();
        for block in [1, 32, 100, 512, 1024] {
            let mut leaves = device.zeros::<f64>(3).unwrap();
            fold_leaves::<f64, SUM>(&values, &mut leaves).grid(3).block(block).launch().unwrap();
            assert_eq!(leaves.download().unwrap(), expected, "{block}");
        }
    }

    #[test]
    fn pieces_of_whole_leaves_give_the_sum_of_all() {
        let device = Device::cpu();
        let values: Vec<f64> = numbers(50_000, 53, 3).iter().map(|x| *x as f64).collect();
        let sums = |piece: &[f64]| leaf_sums(&device.upload(piece).unwrap()).unwrap().download().unwrap();
        let pieces: Vec<f64> = values.chunks(3 * LEAF).flat_map(sums).collect();
        let whole = sum(&device.upload(&values).unwrap()).unwrap();
        assert_eq!(sum(&device.upload(&pieces).unwrap()).unwrap().to_bits(), whole.to_bits());
    }

    #[test]
    fn nan_is_no_extreme() {
        let device = Device::cpu();
        let values = device.upload(&[f64::NAN, 3.0, f64::NAN, -f64::INFINITY, 7.0]).unwrap();
        assert_eq!(minimum(&values).unwrap(), Some(-f64::INFINITY));
        assert_eq!(maximum(&values).unwrap(), Some(7.0));
        assert!(maximum(&device.upload(&[f64::NAN; 300]).unwrap()).unwrap().unwrap().is_nan());
        assert_eq!(minimum(&device.upload::<f64>(&[]).unwrap()).unwrap(), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn integers_are_folded_as_in_plain_rust(keys in keys()) {
            for device in devices() {
                let uploaded = device.upload(&keys).unwrap();
                prop_assert_eq!(sum(&uploaded).unwrap(), keys.iter().fold(0u64, |sum, key| sum.wrapping_add(*key)));
                prop_assert_eq!(minimum(&uploaded).unwrap(), keys.iter().min().copied());
                prop_assert_eq!(maximum(&uploaded).unwrap(), keys.iter().max().copied());
                prop_assert_eq!(bits_in_use(&uploaded).unwrap(), keys.iter().fold(0, |bits, key| bits | key));
            }
        }
    }
}

//! Runs of equal keys.

use super::scan::{Summand, exclusive_scan};
use super::select::select_indices;
use crate::Error;
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        mark_heads::kernel::<u32>(),
        mark_heads::kernel::<u64>(),
        mark_heads_of_pairs::kernel(),
        lengths_of_runs::kernel(),
        sums_of_runs::kernel(),
    ]
}

/// Where each run of equal keys starts, and the number of keys at the end: run `r` is `offsets[r]..offsets[r + 1]`.
///
/// # Errors
/// What the device reports.
pub fn run_offsets<K: Num>(keys: &DSlice<K>) -> Result<Buffer<u64>, Error> {
    let mut heads = keys.device().allocate::<bool>(keys.len() + 1)?;
    mark_heads(keys, &mut heads).threads(keys.len() + 1).launch()?;
    select_indices(&heads)
}

/// [`run_offsets`] of the pairs `(major[i], minor[i])`.
///
/// # Errors
/// [`Error::Argument`] if there are not as many of both; what the device reports.
pub fn run_offsets_of_pairs(major: &DSlice<u64>, minor: &DSlice<u64>) -> Result<Buffer<u64>, Error> {
    if major.len() != minor.len() {
        let problem = format!("{} and {} keys; pass as many of both", major.len(), minor.len());
        return Err(Error::Argument { operation: "run_offsets_of_pairs", problem });
    }
    let mut heads = major.device().allocate::<bool>(major.len() + 1)?;
    mark_heads_of_pairs(major, minor, &mut heads).threads(major.len() + 1).launch()?;
    select_indices(&heads)
}

/// The number of keys of each run.
///
/// # Errors
/// What the device reports.
pub fn run_lengths(offsets: &DSlice<u64>) -> Result<Buffer<u64>, Error> {
    let runs = offsets.len().saturating_sub(1);
    let mut lengths = offsets.device().allocate::<u64>(runs)?;
    lengths_of_runs(offsets, &mut lengths).threads(runs).launch()?;
    Ok(lengths)
}

/// The sum of the values of each run `offsets[r]..offsets[r + 1]`, wrapping.
///
/// # Errors
/// An offset is larger than the number of values; what the device reports.
pub fn run_sums<T: Summand>(values: &DSlice<T>, offsets: &DSlice<u64>) -> Result<Buffer<u64>, Error> {
    let runs = offsets.len().saturating_sub(1);
    let mut sums = offsets.device().allocate::<u64>(runs)?;
    sums_of_runs(&*exclusive_scan(values)?, offsets, &mut sums).threads(runs).launch()?;
    Ok(sums)
}

/// The last flag, behind all keys, is set: it selects the number of keys.
#[gpu_kernel]
fn mark_heads<K: Num>(keys: &[K], heads: &mut [bool]) {
    let i = global_id();
    if i < heads.len() {
        heads[i] = i == 0 || i == keys.len() || keys[i] != keys[i - 1];
    }
}

#[gpu_kernel]
fn mark_heads_of_pairs(major: &[u64], minor: &[u64], heads: &mut [bool]) {
    let i = global_id();
    if i < heads.len() {
        heads[i] = i == 0 || i == major.len() || major[i] != major[i - 1] || minor[i] != minor[i - 1];
    }
}

#[gpu_kernel]
fn lengths_of_runs(offsets: &[u64], lengths: &mut [u64]) {
    let r = global_id();
    if r < lengths.len() {
        lengths[r] = offsets[r + 1] - offsets[r];
    }
}

/// Integers are added modulo 2^64, so the difference of two prefix sums is exact.
#[gpu_kernel]
fn sums_of_runs(prefix_sums: &[u64], offsets: &[u64], sums: &mut [u64]) {
    let r = global_id();
    if r < sums.len() {
        sums[r] = prefix_sums[offsets[r + 1] as usize] - prefix_sums[offsets[r] as usize];
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::devices;
    use super::*;
    use proptest::prelude::*;

    fn runs(keys: &[(u64, u64)]) -> Vec<u64> {
        let mut offsets = vec![0];
        offsets.extend((1..keys.len()).filter(|i| keys[*i] != keys[i - 1]).map(|i| i as u64));
        if !keys.is_empty() {
            offsets.push(keys.len() as u64);
        }
        offsets
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn runs_their_lengths_and_sums_are_those_of_plain_rust(
            keys in prop::collection::vec((0u64..3, 0u64..2), 0..6000),
            salt in 0..u64::MAX,
        ) {
            let (major, minor): (Vec<u64>, Vec<u64>) = keys.iter().copied().unzip();
            let values: Vec<u64> = keys.iter().map(|(a, b)| (a + 1).wrapping_mul(salt) ^ b).collect();
            let (pairs, majors) = (runs(&keys), runs(&major.iter().map(|key| (*key, 0)).collect::<Vec<_>>()));
            let lengths: Vec<u64> = pairs.windows(2).map(|ends| ends[1] - ends[0]).collect();
            let sum = |ends: &[u64]| {
                values[ends[0] as usize..ends[1] as usize].iter().fold(0u64, |sum, value| sum.wrapping_add(*value))
            };
            for device in devices() {
                let (major, minor) = (device.upload(&major).unwrap(), device.upload(&minor).unwrap());
                prop_assert_eq!(&run_offsets(&major).unwrap().download().unwrap(), &majors);
                let offsets = run_offsets_of_pairs(&major, &minor).unwrap();
                prop_assert_eq!(&offsets.download().unwrap(), &pairs);
                prop_assert_eq!(&run_lengths(&offsets).unwrap().download().unwrap(), &lengths);
                let sums = run_sums(&device.upload(&values).unwrap(), &offsets).unwrap().download().unwrap();
                prop_assert_eq!(sums, pairs.windows(2).map(sum).collect::<Vec<_>>());
            }
        }
    }
}

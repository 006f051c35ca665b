//! Elements by index, and those that a flag selects.

use super::BLOCK;
use super::scan::{TILE, tile_offsets};
use crate::Error;
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        gather_u32::kernel::<u32>(),
        gather_u32::kernel::<u64>(),
        gather_u64::kernel::<u32>(),
        gather_u64::kernel::<u64>(),
        place_selected::kernel(),
    ]
}

/// Neighbouring flags of a thread.
const ITEMS: usize = TILE / BLOCK;

/// `values[positions[i]]` for each `i`.
///
/// # Errors
/// A position is out of bounds; what the device reports.
pub fn gather<T: GpuType, P: Position>(values: &DSlice<T>, positions: &DSlice<P>) -> Result<Buffer<T>, Error> {
    let mut out = values.device().allocate::<T>(positions.len())?;
    P::gather(values, positions, &mut out)?;
    Ok(out)
}

/// The indices at which `flags` is set, ascending.
///
/// # Errors
/// What the device reports.
pub fn select_indices(flags: &DSlice<bool>) -> Result<Buffer<u64>, Error> {
    let tiles = flags.len().div_ceil(TILE);
    let offsets = tile_offsets(flags, tiles.max(2))?;
    let selected = offsets.slice(offsets.len() - 1..offsets.len()).download()?[0];
    // As many as there are flags at most, so it fits.
    let mut out = flags.device().allocate::<u64>(selected as usize)?;
    place_selected(flags, &offsets, &mut out).grid(tiles).block(BLOCK).launch()?;
    Ok(out)
}

/// The values at which `flags` is set, in their order.
///
/// # Errors
/// [`Error::Argument`] if there are not as many flags as values; what the device reports.
pub fn select<T: GpuType>(values: &DSlice<T>, flags: &DSlice<bool>) -> Result<Buffer<T>, Error> {
    if values.len() != flags.len() {
        let problem = format!("{} flags for {} values; pass one for each", flags.len(), values.len());
        return Err(Error::Argument { operation: "select", problem });
    }
    gather(values, &*select_indices(flags)?)
}

/// What a position is given as: `u32` or `u64`.
pub trait Position: GpuType {
    #[doc(hidden)]
    fn gather<T: GpuType>(values: &DSlice<T>, positions: &DSlice<Self>, out: &mut DSlice<T>) -> Result<(), Error>;
}

macro_rules! positions {
    ($($ty:ident: $gather:ident;)*) => {$(
        impl Position for $ty {
            fn gather<T: GpuType>(values: &DSlice<T>, positions: &DSlice<$ty>, out: &mut DSlice<T>) -> Result<(), Error> {
                Ok($gather(values, positions, out).threads(positions.len()).launch()?)
            }
        }

        #[gpu_kernel]
        fn $gather<T: GpuType>(values: &[T], positions: &[$ty], out: &mut [T]) {
            let i = global_id();
            if i < out.len() {
                out[i] = values[positions[i] as usize];
            }
        }
    )*};
}
positions! {
    u32: gather_u32;
    u64: gather_u64;
}

/// A block a tile; each thread counts neighbouring flags and takes its start from the counts of the threads before it.
#[gpu_kernel]
fn place_selected(flags: &[bool], offsets: &[u64], out: &mut [u64]) {
    let mut counts = shared::<[u32; BLOCK]>();
    let t = thread_rank();
    let first = block_rank() * TILE + t * ITEMS;
    let mut own = 0u32;
    for i in first..first + ITEMS {
        own += (i < flags.len() && flags[i]) as u32;
    }
    counts[t] = own;
    sync_threads();
    let mut distance = 1usize;
    while distance < BLOCK {
        let below = if t >= distance { counts[t - distance] } else { 0 };
        sync_threads();
        counts[t] += below;
        sync_threads();
        distance *= 2;
    }
    let mut place = offsets[block_rank()] as usize + (counts[t] - own) as usize;
    for i in first..first + ITEMS {
        if i < flags.len() && flags[i] {
            out[place] = i as u64;
            place += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{LENGTHS, devices, keys, numbers};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_length_gives_the_indices_of_set_flags() {
        for device in devices() {
            for n in LENGTHS {
                for every in [1, 2, 900] {
                    let flags: Vec<bool> = numbers(n, 40, 1).iter().map(|x| x % every == 0).collect();
                    let expected: Vec<u64> = (0..n).filter(|i| flags[*i]).map(|i| i as u64).collect();
                    let found = select_indices(&device.upload(&flags).unwrap()).unwrap().download().unwrap();
                    assert_eq!(found, expected, "{n} flags");
                }
            }
        }
    }

    #[test]
    fn as_many_flags_as_values_are_needed() {
        let device = Device::cpu();
        let (values, flags) = (device.zeros::<u32>(3).unwrap(), device.zeros::<bool>(2).unwrap());
        assert!(select(&values, &flags).err().unwrap().to_string().contains("2 flags for 3 values"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn selected_values_keep_their_order(keys in keys()) {
            let flags: Vec<bool> = keys.iter().map(|key| key.count_ones() % 3 == 0).collect();
            let expected: Vec<u64> = keys.iter().zip(&flags).filter(|(_, flag)| **flag).map(|(key, _)| *key).collect();
            for device in devices() {
                let (values, flags) = (device.upload(&keys).unwrap(), device.upload(&flags).unwrap());
                prop_assert_eq!(&select(&values, &flags).unwrap().download().unwrap(), &expected);
            }
        }
    }
}

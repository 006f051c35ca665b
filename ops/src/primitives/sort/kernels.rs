//! The kernels of a pass, for keys of 32 and 64 bits.

use super::super::BLOCK;
use super::{KEYS_TILE, PAIRS_TILE};
use crate::Error;
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn all() -> Vec<KernelInfo> {
    vec![
        count_up::kernel(),
        differing_bits_u32::kernel(),
        differing_bits_u64::kernel(),
        count_digits_u32::kernel::<KEYS_TILE>(),
        count_digits_u32::kernel::<PAIRS_TILE>(),
        count_digits_u64::kernel::<KEYS_TILE>(),
        count_digits_u64::kernel::<PAIRS_TILE>(),
        scatter_u32::kernel::<u32, KEYS_TILE, 0>(),
        scatter_u32::kernel::<u32, PAIRS_TILE, PAIRS_TILE>(),
        scatter_u32::kernel::<u64, PAIRS_TILE, PAIRS_TILE>(),
        scatter_u64::kernel::<u32, KEYS_TILE, 0>(),
        scatter_u64::kernel::<u32, PAIRS_TILE, PAIRS_TILE>(),
        scatter_u64::kernel::<u64, PAIRS_TILE, PAIRS_TILE>(),
    ]
}

const WARPS: usize = BLOCK / 32;
/// The values of a digit: as many as threads in a block, so that each thread looks after one.
const DIGITS: usize = BLOCK;

/// A key that can be sorted by: `u32` and `u64`.
pub trait SortKey: Num {
    /// The bits in which some key differs from the first.
    #[doc(hidden)]
    fn differing_bits(keys: &DSlice<Self>) -> Result<u64, Error>;
    /// How many keys of each tile have each digit, digit by digit.
    #[doc(hidden)]
    fn count_digits<const TILE: usize>(keys: &DSlice<Self>, shift: u32) -> Result<Buffer<u32>, Error>;
    /// Moves the keys and their values to their places.
    #[doc(hidden)]
    fn scatter<V: GpuType, const TILE: usize, const VALUES: usize>(
        keys: &DSlice<Self>,
        values: &DSlice<V>,
        shift: u32,
        places: &DSlice<u64>,
        out_keys: &mut DSlice<Self>,
        out_values: &mut DSlice<V>,
    ) -> Result<(), Error>;
}

/// 0, 1, 2, …
#[gpu_kernel]
pub(super) fn count_up(out: &mut [u32]) {
    let i = global_id();
    if i < out.len() {
        out[i] = i as u32;
    }
}

macro_rules! sort_keys {
    ($($ty:ident: $differing_bits:ident, $count_digits:ident, $scatter:ident;)*) => {$(
        impl SortKey for $ty {
            fn differing_bits(keys: &DSlice<$ty>) -> Result<u64, Error> {
                let mut bits = keys.device().zeros::<u32>(2)?;
                let blocks = keys.len().div_ceil(BLOCK).min(1024);
                $differing_bits(keys, &mut bits).grid(blocks).block(BLOCK).launch()?;
                let bits = bits.download()?;
                Ok(u64::from(bits[1]) << 32 | u64::from(bits[0]))
            }

            fn count_digits<const TILE: usize>(keys: &DSlice<$ty>, shift: u32) -> Result<Buffer<u32>, Error> {
                let tiles = keys.len().div_ceil(TILE);
                let mut counts = keys.device().allocate::<u32>(tiles * DIGITS)?;
                $count_digits::<TILE>(keys, shift, &mut counts).grid(tiles).block(BLOCK).launch()?;
                Ok(counts)
            }

            fn scatter<V: GpuType, const TILE: usize, const VALUES: usize>(
                keys: &DSlice<$ty>,
                values: &DSlice<V>,
                shift: u32,
                places: &DSlice<u64>,
                out_keys: &mut DSlice<$ty>,
                out_values: &mut DSlice<V>,
            ) -> Result<(), Error> {
                let tiles = keys.len().div_ceil(TILE);
                let launch = $scatter::<V, TILE, VALUES>(keys, values, shift, places, out_keys, out_values);
                Ok(launch.grid(tiles).block(BLOCK).launch()?)
            }
        }

        /// The low and the high half of the bits.
        #[gpu_kernel]
        fn $differing_bits(keys: &[$ty], bits: &mut [u32]) {
            let mut halves = shared::<[u32; 2]>();
            let t = thread_rank();
            if t < 2 {
                halves[t] = 0;
            }
            sync_threads();
            let mut own = 0u64;
            let mut i = global_id();
            while i < keys.len() {
                own |= (keys[i] ^ keys[0]) as u64;
                i += global_size();
            }
            atomic_or(&mut halves[0], own as u32);
            atomic_or(&mut halves[1], (own >> 32) as u32);
            sync_threads();
            if t < 2 {
                atomic_or(&mut bits[t], halves[t]);
            }
        }

        #[gpu_kernel]
        fn $count_digits<const TILE: usize>(keys: &[$ty], shift: u32, counts: &mut [u32]) {
            let mut local = shared::<[u32; DIGITS]>();
            let t = thread_rank();
            local[t] = 0;
            sync_threads();
            for round in 0..TILE / BLOCK {
                let i = block_rank() * TILE + round * BLOCK + t;
                if i < keys.len() {
                    atomic_add(&mut local[(keys[i] >> shift) as usize % DIGITS], 1);
                }
            }
            sync_threads();
            counts[t * grid_size() + block_rank()] = local[t];
        }

        /// Sorts a tile in shared memory and then writes it out in runs of equal digits.
        ///
        /// A warp has neighbouring keys and takes 32 at a time. Lanes of equal digits find each other in a word of bits, so
        /// that a key's rank is the number of its digit's keys in the warps and rounds before, and in the lanes below.
        #[gpu_kernel]
        fn $scatter<V: GpuType, const TILE: usize, const VALUES: usize>(
            keys: &[$ty],
            values: &[V],
            shift: u32,
            places: &[u64],
            out_keys: &mut [$ty],
            out_values: &mut [V],
        ) {
            let mut tile = shared::<[$ty; TILE]>();
            let mut value_tile = shared::<[V; VALUES]>();
            let mut next = shared::<[[u32; DIGITS]; WARPS]>();
            let mut lanes = shared::<[[u32; DIGITS]; WARPS]>();
            let t = thread_rank();
            let first = block_rank() * TILE;
            let count = TILE.min(keys.len() - first);
            let own = warp_id() * (TILE / WARPS) + lane_id();
            for warp in 0..WARPS {
                next[warp][t] = 0;
                lanes[warp][t] = 0;
            }
            sync_threads();
            for round in 0..TILE / BLOCK {
                let k = own + round * 32;
                if k < count {
                    atomic_add(&mut next[warp_id()][(keys[first + k] >> shift) as usize % DIGITS], 1);
                }
            }
            sync_threads();

            // Where each warp's keys of each digit start: thread t looks after digit t.
            let mut total = 0u32;
            for warp in 0..WARPS {
                total += next[warp][t];
            }
            tile[t] = total as $ty;
            sync_threads();
            let mut distance = 1usize;
            while distance < DIGITS {
                let below = if t >= distance { tile[t - distance] } else { 0 };
                sync_threads();
                tile[t] += below;
                sync_threads();
                distance *= 2;
            }
            let mut start = tile[t] as u32 - total;
            for warp in 0..WARPS {
                let keys_of_warp = next[warp][t];
                next[warp][t] = start;
                start += keys_of_warp;
            }
            sync_threads();

            for round in 0..TILE / BLOCK {
                let k = own + round * 32;
                let here = k < count;
                let key = if here { keys[first + k] } else { 0 };
                let digit = (key >> shift) as usize % DIGITS;
                if here {
                    atomic_or(&mut lanes[warp_id()][digit], 1 << lane_id() as u32);
                }
                sync_warp();
                let peers = lanes[warp_id()][digit];
                let below = peers & ((1u32 << lane_id() as u32) - 1);
                let place = (next[warp_id()][digit] + below.count_ones()) as usize;
                sync_warp();
                if here {
                    tile[place] = key;
                    if VALUES > 0 {
                        value_tile[place] = values[first + k];
                    }
                    if below == 0 {
                        next[warp_id()][digit] += peers.count_ones();
                        lanes[warp_id()][digit] = 0;
                    }
                }
                sync_warp();
            }
            sync_threads();

            // What is next for the last warp is where the digit ends in the tile, and the digit above starts.
            for round in 0..TILE / BLOCK {
                let k = round * BLOCK + t;
                if k < count {
                    let digit = (tile[k] >> shift) as usize % DIGITS;
                    let start = if digit > 0 { next[WARPS - 1][digit - 1] as usize } else { 0 };
                    let place = places[digit * grid_size() + block_rank()] as usize + (k - start);
                    out_keys[place] = tile[k];
                    if VALUES > 0 {
                        out_values[place] = value_tile[k];
                    }
                }
            }
        }
    )*};
}
sort_keys! {
    u32: differing_bits_u32, count_digits_u32, scatter_u32;
    u64: differing_bits_u64, count_digits_u64, scatter_u64;
}

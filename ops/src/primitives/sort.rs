//! Stable radix sort, least significant digit first: a histogram for each block and digit, a scan, and a stable scatter.

use crate::Error;
use crate::primitives::{bits_in_use, exclusive_scan};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![digit_counts::kernel(), scatter::kernel(), numbers::kernel()]
}

const BLOCK: usize = 256;
const WARPS: usize = BLOCK / 32;
/// Keys of a thread.
const ITEMS: usize = 4;
/// Keys of a block.
const TILE: usize = BLOCK * ITEMS;
const DIGITS: usize = 256;

/// The keys in ascending order.
///
/// # Errors
/// More than 2^32 keys; what the device reports.
pub fn sort_keys(keys: &DSlice<u64>) -> Result<Buffer<u64>, Error> {
    Ok(sort_by_key(keys)?.0)
}

/// The keys in ascending order, and where each came from. Equal keys keep their order. Only the bits in use are sorted by.
///
/// # Errors
/// More than 2^32 keys; what the device reports.
pub fn sort_by_key(keys: &DSlice<u64>) -> Result<(Buffer<u64>, Buffer<u32>), Error> {
    let (device, n) = (keys.device(), keys.len());
    if n > u32::MAX as usize {
        let problem = format!("{n} keys, but at most {} can be sorted at once; split them", u32::MAX);
        return Err(Error::Argument { operation: "sort", problem });
    }
    let (mut from, mut from_origin) = (device.allocate::<u64>(n)?, device.allocate::<u32>(n)?);
    from.copy_from_device(keys)?;
    numbers(&mut from_origin).threads(n).launch()?;
    let (mut to, mut to_origin) = (device.allocate::<u64>(n)?, device.allocate::<u32>(n)?);
    let blocks = n.div_ceil(TILE);
    let used = bits_in_use(keys)?;
    for shift in (0..64u32).step_by(8).filter(|shift| used >> shift & 0xff != 0) {
        let mut counts = device.allocate::<u64>(blocks * DIGITS)?;
        digit_counts(&from, shift, &mut counts).grid(blocks).block(BLOCK).launch()?;
        let places = exclusive_scan(&counts)?;
        scatter(&from, &from_origin, shift, &places, &mut to, &mut to_origin).grid(blocks).block(BLOCK).launch()?;
        std::mem::swap(&mut from, &mut to);
        std::mem::swap(&mut from_origin, &mut to_origin);
    }
    Ok((from, from_origin))
}

#[gpu_kernel]
fn numbers(out: &mut [u32]) {
    let i = global_id();
    if i < out.len() {
        out[i] = i as u32;
    }
}

/// How many keys of each block have each digit, digit by digit.
#[gpu_kernel]
fn digit_counts(keys: &[u64], shift: u32, counts: &mut [u64]) {
    let mut local = shared::<[u32; DIGITS]>();
    let t = thread_rank();
    local[t] = 0;
    sync_threads();
    for k in (0..ITEMS).rev() {
        let i = block_rank() * TILE + k * BLOCK + t;
        if i < keys.len() {
            atomic_add(&mut local[(keys[i] >> shift) as usize % DIGITS], 1);
        }
    }
    sync_threads();
    counts[t * grid_size() + block_rank()] = local[t] as u64;
}

/// Moves each key to its place. A warp has 128 neighbouring keys and takes 32 at a time; the rank among equal digits is the
/// number in the warps and rounds before, and in the lanes below.
#[gpu_kernel]
fn scatter(keys: &[u64], origins: &[u32], shift: u32, places: &[u64], out: &mut [u64], out_origins: &mut [u32]) {
    let mut counts = shared::<[[u32; DIGITS]; WARPS]>();
    let t = thread_rank();
    let warp = t / 32;
    let lane = t % 32;
    for w in 0..WARPS {
        counts[w][t] = 0;
    }
    sync_threads();
    let mut rank = [0u32; ITEMS];
    for round in 0..ITEMS {
        let i = block_rank() * TILE + warp * 32 * ITEMS + round * 32 + lane;
        let valid = i < keys.len();
        let digit = if valid { (keys[i] >> shift) as usize % DIGITS } else { 0 };
        let mut same = ballot_sync(FULL_MASK, valid);
        let mut bit = 0u32;
        while bit < 8 {
            let set = digit >> bit & 1 == 1;
            let with = ballot_sync(FULL_MASK, set);
            same &= if set { with } else { !with };
            bit += 1;
        }
        let below = same & ((1u32 << lane) - 1);
        if valid {
            rank[round] = counts[warp][digit] + below.count_ones();
        }
        sync_warp();
        if valid && below == 0 {
            counts[warp][digit] += same.count_ones();
        }
        sync_warp();
    }
    sync_threads();
    let mut before = 0u32;
    for w in 0..WARPS {
        let own = counts[w][t];
        counts[w][t] = before;
        before += own;
    }
    sync_threads();
    for round in 0..ITEMS {
        let i = block_rank() * TILE + warp * 32 * ITEMS + round * 32 + lane;
        if i < keys.len() {
            let digit = (keys[i] >> shift) as usize % DIGITS;
            let place = places[digit * grid_size() + block_rank()] as usize + (counts[warp][digit] + rank[round]) as usize;
            out[place] = keys[i];
            out_origins[place] = origins[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_in_order_and_equal_ones_keep_theirs() {
        assert!(scatter::kernel().runs_in_phases());
        let device = Device::cpu();
        for n in [0, 1, 31, 33, 255, 1023, 1025, 100_003usize] {
            for bits in [3, 20, 64] {
                let key = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17) >> (64 - bits);
                let keys: Vec<u64> = (0..n as u64).map(key).collect();
                let (sorted, origins) = sort_by_key(&device.upload(&keys).unwrap()).unwrap();
                let mut expected: Vec<(u64, u32)> = keys.iter().copied().zip(0..).collect();
                expected.sort();
                let found: Vec<(u64, u32)> =
                    sorted.download().unwrap().into_iter().zip(origins.download().unwrap()).collect();
                assert!(found == expected, "{n} keys of {bits} bits");
            }
        }
    }
}

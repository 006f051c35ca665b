//! Warp operations: 32 lanes, also on the CPU.

use crate::data::{f64s, u64s};
use crate::{Case, Output, assert_same};
use warpcell_runtime::prelude::*;
use warpcell_runtime::{Device, Error};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case { name: "shuffles", kernel: shuffles::kernel, run: run_shuffles },
        Case { name: "shuffles of narrow types", kernel: shuffle_types::kernel, run: run_shuffle_types },
        Case { name: "votes", kernel: votes::kernel, run: run_votes },
        Case { name: "warp scan", kernel: scan::kernel, run: run_scan },
        Case { name: "warp a row", kernel: rows::kernel, run: run_rows },
        Case { name: "warp and block", kernel: both::kernel, run: run_both },
        Case { name: "for loop around warp operations", kernel: rounds::kernel, run: run_rounds },
    ]
}

/// F02: by index, up, down, xor.
#[gpu_kernel]
fn shuffles(out: &mut [u32]) {
    let i = global_id();
    let lane = lane_id() as u32;
    let a = shfl_sync(FULL_MASK, lane, 4);
    let b = shfl_down_sync(FULL_MASK, lane, 4);
    let c = shfl_up_sync(FULL_MASK, lane, 4);
    let d = shfl_xor_sync(FULL_MASK, lane, 16);
    if i < out.len() {
        out[i] = a + b * 100 + c * 10_000 + d * 1_000_000;
    }
}

fn run_shuffles(device: &Device, n: usize) -> Result<Output, Error> {
    let mut out = device.zeros(n)?;
    shuffles(&mut out).threads(n).launch()?;
    let out = out.download()?;
    let at = |i: usize| {
        let lane = i as u32 % 32;
        let down = if lane < 28 { lane + 4 } else { lane };
        let up = if lane < 4 { lane } else { lane - 4 };
        4 + down * 100 + up * 10_000 + (lane ^ 16) * 1_000_000
    };
    assert_same("lanes", &out, &(0..n).map(at).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

/// F04: all 64 bits, and narrow types.
#[gpu_kernel]
fn shuffle_types(x: &[u64], out: &mut [u64]) {
    let i = global_id();
    let value = if i < x.len() { x[i] } else { 0 };
    let long = shfl_xor_sync(FULL_MASK, value, 1);
    let double = shfl_xor_sync(FULL_MASK, value as f64, 1);
    let byte = shfl_xor_sync(FULL_MASK, value as i8, 1);
    let flag = shfl_xor_sync(FULL_MASK, value % 2 == 0, 1);
    let single = shfl_xor_sync(FULL_MASK, value as f32, 1);
    if i < out.len() {
        out[i] = long ^ double.to_bits() ^ byte as u64 ^ flag as u64 ^ single.to_bits() as u64;
    }
}

fn run_shuffle_types(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 60);
    let mut out = device.zeros(n)?;
    shuffle_types(&*device.upload(&x)?, &mut out).threads(n).launch()?;
    let out = out.download()?;
    let at = |i: usize| {
        let other = x.get(i ^ 1).copied().unwrap_or(0);
        let floats = (other as f64).to_bits() ^ u64::from((other as f32).to_bits());
        other ^ floats ^ other as i8 as u64 ^ (other % 2 == 0) as u64
    };
    assert_same("values", &out, &(0..n).map(at).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

/// F05
#[gpu_kernel]
fn votes(x: &[u64], out: &mut [u64]) {
    let i = global_id();
    let even = i < x.len() && x[i] % 2 == 0;
    let ballot = ballot_sync(FULL_MASK, even);
    let all = all_sync(FULL_MASK, even || i >= x.len());
    let any = any_sync(FULL_MASK, even);
    if i < out.len() {
        out[i] = ballot as u64 + ((all as u64) << 32) + ((any as u64) << 33);
    }
}

fn run_votes(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 61);
    let mut out = device.zeros(n)?;
    votes(&*device.upload(&x)?, &mut out).threads(n).launch()?;
    let out = out.download()?;
    let mut expected = Vec::new();
    for warp in x.chunks(32) {
        let ballot = warp.iter().enumerate().fold(0u64, |bits, (lane, x)| bits | ((x % 2 == 0) as u64) << lane);
        let all = warp.iter().all(|x| x % 2 == 0) as u64;
        expected.resize(expected.len() + warp.len(), ballot + (all << 32) + (((ballot != 0) as u64) << 33));
    }
    assert_same("votes", &out, &expected);
    Ok(Output::new().with(&out))
}

/// F07: an inclusive scan, in a uniform loop around the shuffle.
#[gpu_kernel]
fn scan(x: &[u64], out: &mut [u64]) {
    let i = global_id();
    let mut sum = if i < x.len() { x[i] } else { 0 };
    let mut delta = 1u32;
    while delta < 32 {
        let below = shfl_up_sync(FULL_MASK, sum, delta);
        if lane_id() >= delta as usize {
            sum += below;
        }
        delta *= 2;
    }
    if i < out.len() {
        out[i] = sum;
    }
}

fn run_scan(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 62);
    let mut out = device.zeros(n)?;
    scan(&*device.upload(&x)?, &mut out).threads(n).launch()?;
    let out = out.download()?;
    let mut expected = Vec::new();
    for warp in x.chunks(32) {
        let mut sum = 0u64;
        expected.extend(warp.iter().map(|x| {
            sum = sum.wrapping_add(*x);
            sum
        }));
    }
    assert_same("scan", &out, &expected);
    assert!(scan::kernel().runs_in_phases());
    Ok(Output::new().with(&out))
}

/// A warp for each row of 50 floats; the tree of additions is that of the shuffles.
#[gpu_kernel]
fn rows(x: &[f64], sums: &mut [f64]) {
    let row = global_warp_id();
    // The same in all threads of the block, between two that are the same in a warp only.
    let count = sums.len();
    if row < count {
        let mut k = lane_id();
        let mut sum = 0.0;
        while k < 50 {
            sum += x[row * 50 + k];
            k += 32;
        }
        sum += shfl_xor_sync(FULL_MASK, sum, 16);
        sum += shfl_xor_sync(FULL_MASK, sum, 8);
        sum += shfl_xor_sync(FULL_MASK, sum, 4);
        sum += shfl_xor_sync(FULL_MASK, sum, 2);
        sum += shfl_xor_sync(FULL_MASK, sum, 1);
        if lane_id() == 0 {
            sums[row] = sum;
        }
    }
}

fn run_rows(device: &Device, n: usize) -> Result<Output, Error> {
    let rows_count = n.div_ceil(50);
    let x = f64s(rows_count * 50, 63);
    let mut sums = device.zeros(rows_count)?;
    rows(&*device.upload(&x)?, &mut sums).threads(rows_count * 32).launch()?;
    let sums = sums.download()?;
    let sum = |row: &[f64]| {
        let mut lanes: Vec<f64> =
            (0..32).map(|lane| 0.0 + row[lane] + row.get(lane + 32).copied().unwrap_or(-0.0)).collect();
        for distance in [16, 8, 4, 2, 1] {
            lanes = (0..32).map(|lane| lanes[lane] + lanes[lane ^ distance]).collect();
        }
        lanes[0]
    };
    assert_same("sums", &sums, &x.chunks(50).map(sum).collect::<Vec<_>>());
    assert!(rows::kernel().runs_in_phases());
    Ok(Output::new().with(&sums))
}

/// Warp sums into shared memory, then the first warp sums those; with an early return and a warp barrier.
#[gpu_kernel]
fn both(x: &[u64], sums: &mut [u64]) {
    let mut partial = shared::<[u64; 8]>();
    let i = global_id();
    let mut sum = if i < x.len() { x[i] } else { 0 };
    let mut distance = 16u32;
    while distance > 0 {
        sum += shfl_xor_sync(FULL_MASK, sum, distance);
        distance /= 2;
    }
    if lane_id() == 0 {
        partial[warp_id()] = sum;
    }
    sync_threads();
    if warp_id() > 0 {
        return;
    }
    let mut total = if lane_id() < 8 { partial[lane_id()] } else { 0 };
    sync_warp();
    total += shfl_down_sync(FULL_MASK, total, 4);
    total += shfl_down_sync(FULL_MASK, total, 2);
    total += shfl_down_sync(FULL_MASK, total, 1);
    if lane_id() == 0 {
        sums[block_rank()] = total;
    }
}

fn run_both(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 64);
    let mut sums = device.zeros(n.div_ceil(256))?;
    both(&*device.upload(&x)?, &mut sums).threads(n).block(256).launch()?;
    let sums = sums.download()?;
    let total = |part: &[u64]| part.iter().fold(0u64, |sum, x| sum.wrapping_add(*x));
    assert_same("sums", &sums, &x.chunks(256).map(total).collect::<Vec<_>>());
    Ok(Output::new().with(&sums))
}

/// Values that live from round to round and past the barrier: the variable of the loop, an array, a mask.
#[gpu_kernel]
fn rounds(x: &[u64], out: &mut [u64]) {
    let mut tile = shared::<[u64; 64]>();
    let i = global_id();
    let lane = thread_rank() % 32;
    let mut seen = [0u64; 4];
    for round in 0..4usize {
        let value = if i < x.len() { x[i] >> round } else { 0 };
        let mut odd = ballot_sync(FULL_MASK, value % 2 == 1);
        for turn in 0..3u32 {
            let other = shfl_xor_sync(FULL_MASK, odd, 1 << turn);
            odd = (odd ^ other >> turn) + round as u32;
        }
        sync_warp();
        seen[round] = odd as u64 * (lane as u64 + 1);
    }
    tile[thread_rank()] = seen[3];
    sync_threads();
    if i < out.len() {
        out[i] = seen[0] + seen[1] * 3 + seen[2] * 5 + tile[63 - thread_rank()] * 7;
    }
}

fn run_rounds(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 65);
    let mut out = device.zeros(n)?;
    rounds(&*device.upload(&x)?, &mut out).threads(n).block(64).launch()?;
    let out = out.download()?;
    let mut seen = vec![[0u64; 4]; n.div_ceil(64) * 64];
    for round in 0..4 {
        for warp in 0..seen.len() / 32 {
            let value = |lane: usize| x.get(warp * 32 + lane).map_or(0, |x| x >> round);
            let ballot = (0..32).fold(0u32, |bits, lane| bits | (value(lane) as u32 % 2) << lane);
            let mut odd = [ballot; 32];
            for turn in 0..3 {
                let old = odd;
                (0..32).for_each(|l| odd[l] = (old[l] ^ old[l ^ (1 << turn)] >> turn).wrapping_add(round as u32));
            }
            (0..32).for_each(|lane| seen[warp * 32 + lane][round] = u64::from(odd[lane]) * (lane as u64 + 1));
        }
    }
    let at = |i: usize| {
        let last = seen[i / 64 * 64 + 63 - i % 64][3];
        seen[i][0].wrapping_add(seen[i][1] * 3).wrapping_add(seen[i][2] * 5).wrapping_add(last * 7)
    };
    assert_same("rounds", &out, &(0..n).map(at).collect::<Vec<_>>());
    assert!(rounds::kernel().runs_in_phases());
    Ok(Output::new().with(&out))
}

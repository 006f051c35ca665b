//! Device functions in which threads wait for each other.

use crate::data::u64s;
use crate::{Case, Output, assert_same};
use warpcell_runtime::prelude::*;
use warpcell_runtime::{Device, Error};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case { name: "warp operations in a function", kernel: warps::kernel, run: run_warps },
        Case { name: "barriers in a function", kernel: blocks::kernel, run: run_blocks },
    ]
}

#[gpu_fn]
fn warp_sum(x: u32) -> u32 {
    let mut sum = x;
    let mut distance = 16u32;
    while distance > 0 {
        sum = sum.wrapping_add(shfl_xor_sync(FULL_MASK, sum, distance));
        distance /= 2;
    }
    sum
}

/// The sum over the block, by way of `scratch`, which has a place for each warp.
#[gpu_fn]
fn block_sum(x: u32, scratch: &mut [u32]) -> u32 {
    let sum = warp_sum(x);
    if lane_id() == 0 {
        scratch[warp_id()] = sum;
    }
    sync_threads();
    let mut total = 0u32;
    for warp in 0..block_size() / 32 {
        total = total.wrapping_add(scratch[warp]);
    }
    sync_threads();
    total
}

fn numbers(n: usize) -> Vec<u32> {
    u64s(n, 100).into_iter().map(|x| x as u32).collect()
}

/// The sum of each group of `size`, for each of its members.
fn group_sums(x: &[u32], size: usize) -> Vec<u32> {
    let sum = |group: &[u32]| group.iter().fold(0u32, |sum, &x| sum.wrapping_add(x));
    x.chunks(size).flat_map(|group| vec![sum(group); group.len()]).collect()
}

#[gpu_kernel]
fn warps(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    let total = warp_sum(if i < x.len() { x[i] } else { 0 });
    if i < out.len() {
        out[i] = total;
    }
}

fn run_warps(device: &Device, n: usize) -> Result<Output, Error> {
    let x = numbers(n);
    let mut out = device.zeros::<u32>(n)?;
    warps(&*device.upload(&x)?, &mut out).threads(n).launch()?;
    let out = out.download()?;
    assert_same("warps", &out, &group_sums(&x, 32));
    Ok(Output::new().with(&out))
}

#[gpu_kernel]
fn blocks(x: &[u32], out: &mut [u32]) {
    let mut scratch = shared::<[u32; 32]>();
    let i = global_id();
    let total = block_sum(if i < x.len() { x[i] } else { 0 }, &mut scratch[..]);
    // Once more: the first sum must have been read by all.
    let ones = block_sum(1, &mut scratch[..]);
    if i < out.len() {
        out[i] = total ^ ones;
    }
}

fn run_blocks(device: &Device, n: usize) -> Result<Output, Error> {
    let x = numbers(n);
    let mut out = device.zeros::<u32>(n)?;
    blocks(&*device.upload(&x)?, &mut out).block(128).threads(n).launch()?;
    let out = out.download()?;
    assert_same("blocks", &out, &group_sums(&x, 128).iter().map(|sum| sum ^ 128).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

//! What differential fuzzing has found: kernels made smaller, with the right values.

use crate::data::u64s;
use crate::{Case, Output, assert_same};
use warpcell_runtime::prelude::*;
use warpcell_runtime::{Device, Error};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            name: "assignments in arguments of warp operations",
            kernel: assigned_in_argument::kernel,
            run: run_assigned_in_argument,
        },
        Case { name: "locals of inner blocks in phases", kernel: inner_locals::kernel, run: run_inner_locals },
        Case { name: "arrays indexed by their own elements", kernel: own_index::kernel, run: run_own_index },
    ]
}

/// The phases of the CPU form lost what an argument assigns.
#[gpu_kernel]
fn assigned_in_argument(x: &[u64], out: &mut [u64]) {
    let i = global_id();
    let mut sum = if i < x.len() { x[i] } else { 0 };
    let other = shfl_xor_sync(
        FULL_MASK,
        {
            sum += 3;
            sum * 2
        },
        1,
    );
    let odd = any_sync(FULL_MASK, {
        sum ^= other;
        sum % 8 == 7
    });
    if i < out.len() {
        out[i] = sum + odd as u64;
    }
}

fn run_assigned_in_argument(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 80);
    let mut out = device.zeros(n)?;
    assigned_in_argument(&*device.upload(&x)?, &mut out).threads(n).launch()?;
    let out = out.download()?;
    let first = |i: usize| x.get(i).copied().unwrap_or(0).wrapping_add(3);
    let sums: Vec<u64> = (0..n.next_multiple_of(32)).map(|i| first(i) ^ first(i ^ 1).wrapping_mul(2)).collect();
    let odd = |i: usize| sums[i / 32 * 32..i / 32 * 32 + 32].iter().any(|sum| sum % 8 == 7);
    assert_same("sums", &out, &(0..n).map(|i| sums[i].wrapping_add(odd(i) as u64)).collect::<Vec<_>>());
    assert!(assigned_in_argument::kernel().runs_in_phases());
    Ok(Output::new().with(&out))
}

#[gpu_fn]
fn total(x: &[usize]) -> usize {
    let mut sum = 0;
    for k in 0..x.len() {
        sum += x[k];
    }
    sum
}

/// rustc evaluates an index before it borrows the array, so such places compile in plain Rust.
#[gpu_kernel]
fn own_index(out: &mut [usize]) {
    let i = global_id();
    if i < out.len() {
        let mut a = [i % 3, 2, i % 4, 1];
        a[a[0]] = 3;
        a[a[1] % 4] += a[0] * 10;
        a[(a[2] + 1) % 4] ^= 4;
        let b = a[{
            a[3] += 1;
            a[0] % 4
        }];
        out[i] = a[0] + a[1] * 100 + a[2] * 10_000 + a[3] * 1_000_000 + b * 7 + total(&a[a[0] % 4..]);
    }
}

fn run_own_index(device: &Device, n: usize) -> Result<Output, Error> {
    let mut out = device.zeros(n)?;
    own_index(&mut out).threads(n).launch()?;
    let out = out.download()?;
    let at = |i: usize| {
        let mut a = [i % 3, 2, i % 4, 1];
        a[a[0]] = 3;
        a[a[1] % 4] += a[0] * 10;
        a[(a[2] + 1) % 4] ^= 4;
        a[3] += 1;
        let (b, rest) = (a[a[0] % 4], a[a[0] % 4..].iter().sum::<usize>());
        a[0] + a[1] * 100 + a[2] * 10_000 + a[3] * 1_000_000 + b * 7 + rest
    };
    assert_same("elements", &out, &(0..n).map(at).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

/// A phase computed locals of its inner blocks in front of what they read.
#[gpu_kernel]
fn inner_locals(out: &mut [u32]) {
    let t = thread_rank();
    let mut sum = 0u32;
    if t > 3 {
        let twice: u32 = t as u32 * 2;
        sum += twice;
    }
    sum += {
        let three: u32 = t as u32 * 3;
        three + 1
    };
    sync_threads();
    if global_id() < out.len() {
        out[global_id()] = sum;
    }
}

fn run_inner_locals(device: &Device, n: usize) -> Result<Output, Error> {
    let mut out = device.zeros(n)?;
    inner_locals(&mut out).threads(n).block(64).launch()?;
    let out = out.download()?;
    let at = |i: usize| {
        let t = i as u32 % 64;
        t * 3 + 1 + if t > 3 { t * 2 } else { 0 }
    };
    assert_same("sums", &out, &(0..n).map(at).collect::<Vec<_>>());
    assert!(inner_locals::kernel().runs_in_phases());
    Ok(Output::new().with(&out))
}

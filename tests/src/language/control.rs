//! Control flow, scopes, and launches.

use crate::data::{mix, u64s};
use crate::{Case, Output, assert_same};
use warpcell_runtime::prelude::*;
use warpcell_runtime::{Device, Error};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case { name: "loops", kernel: loops::kernel, run: run_loops },
        Case { name: "ranges", kernel: ranges::kernel, run: run_ranges },
        Case { name: "short circuit", kernel: short_circuit::kernel, run: run_short_circuit },
        Case { name: "shadowing", kernel: shadowing::kernel, run: run_shadowing },
        Case { name: "return in nested blocks", kernel: nested_return::kernel, run: run_nested_return },
        Case { name: "grid-stride loop", kernel: grid_stride::kernel, run: run_grid_stride },
        Case { name: "x[i] in a 2-D launch", kernel: two_dimensional::kernel, run: run_two_dimensional },
        Case { name: "indices in 3-D", kernel: indices::kernel, run: run_indices },
        Case { name: "order of evaluation", kernel: evaluation::kernel, run: run_evaluation },
    ]
}

/// C01, C02, C03, C05 of the conformance list: continue, break, break with a value, collatz.
#[gpu_kernel]
fn loops(x: &[u64], out: &mut [u64]) {
    let i = global_id();
    if i >= x.len() {
        return;
    }
    let mut odd = 0;
    for k in 0..100u64 {
        if k % 2 == 0 {
            continue;
        }
        if k > 10 {
            break;
        }
        odd += k;
    }
    let limit = x[i] % 50;
    let mut k = 0u64;
    let first = loop {
        if k * k >= limit {
            break k;
        }
        k += 1;
    };
    let mut steps = 0;
    let mut collatz = x[i] % 100 + 1;
    while collatz != 1 {
        collatz = if collatz % 2 == 0 { collatz / 2 } else { 3 * collatz + 1 };
        steps += 1;
    }
    let mut pairs = 0;
    for a in 0..limit {
        for b in 0..limit {
            if b > a {
                break;
            }
            pairs += 1;
        }
    }
    out[i] = odd + first * 100 + steps * 10_000 + pairs * 10_000_000;
}

fn run_loops(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 20);
    let mut out = device.zeros(n)?;
    loops(&*device.upload(&x)?, &mut out).threads(n).launch()?;
    let out = out.download()?;
    let expected = |&x: &u64| {
        let limit = x % 50;
        let first = (0..).find(|k| k * k >= limit).unwrap_or(0);
        let (mut steps, mut collatz) = (0, x % 100 + 1);
        while collatz != 1 {
            collatz = if collatz % 2 == 0 { collatz / 2 } else { 3 * collatz + 1 };
            steps += 1;
        }
        25 + first * 100 + steps * 10_000 + limit * (limit + 1) / 2 * 10_000_000
    };
    assert_same("loops", &out, &x.iter().map(expected).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

/// A fold that depends on which values come, and in which order.
#[gpu_kernel]
fn ranges(x: &[u64], out: &mut [u64]) {
    let i = global_id();
    if i >= x.len() {
        return;
    }
    let a = (x[i] % 9) as u8;
    let b = (x[i] >> 8) as u8 % 9;
    let step = (x[i] >> 16) as usize % 4 + 1;
    let mut h = 1u64;
    for k in a..b {
        h = h * 31 + k as u64;
    }
    for k in a..=b {
        h = h * 31 + k as u64;
    }
    for k in (a..b).rev() {
        h = h * 31 + k as u64;
    }
    for k in (a..=b).rev() {
        h = h * 31 + k as u64;
    }
    for k in (a..b).step_by(step) {
        h = h * 31 + k as u64;
    }
    for k in (a..=b).rev().step_by(step) {
        h = h * 31 + k as u64;
    }
    // At the ends of the type.
    for k in 250..=255u8 {
        h = h * 31 + k as u64;
    }
    for k in (-128..=-126i8).rev() {
        h = h * 31 + k as u64;
    }
    for k in (i32::MAX - 3..i32::MAX).step_by(2) {
        h = h * 31 + k as u64;
    }
    for mut k in 0..3u64 {
        // Its own variable: the loop goes on as before.
        k *= 2;
        h = h * 31 + k;
    }
    for k in 0..0u64 {
        h += k + 1;
    }
    out[i] = h;
}

fn run_ranges(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 21);
    let mut out = device.zeros(n)?;
    ranges(&*device.upload(&x)?, &mut out).threads(n).launch()?;
    let out = out.download()?;
    let expected = |&x: &u64| {
        let (a, b, step) = ((x % 9) as u8, (x >> 8) as u8 % 9, (x >> 16) as usize % 4 + 1);
        let values = (a..b)
            .chain(a..=b)
            .chain((a..b).rev())
            .chain((a..=b).rev())
            .chain((a..b).step_by(step))
            .chain((a..=b).rev().step_by(step))
            .chain(250..=255)
            .map(u64::from)
            .chain((-128..=-126i8).rev().map(|k| k as u64))
            .chain((i32::MAX - 3..i32::MAX).step_by(2).map(|k| k as u64))
            .chain([0, 2, 4]);
        values.fold(1u64, |h, k| h.wrapping_mul(31).wrapping_add(k))
    };
    assert_same("ranges", &out, &x.iter().map(expected).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

/// C06, C07: the right side is not evaluated where the left side decides, so nothing is out of bounds.
#[gpu_kernel]
fn short_circuit(x: &[u64], out: &mut [u32], evaluated: &mut [u32]) {
    let i = global_id();
    let inside = i < x.len() && x[i] % 2 == 0;
    let outside = i >= x.len() || x[i] % 3 == 0;
    if i < out.len() {
        out[i] = inside as u32 + outside as u32 * 2;
        let counted = inside && {
            atomic_add(&mut evaluated[0], 1);
            outside
        };
        out[i] += counted as u32 * 4;
    }
}

fn run_short_circuit(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 22);
    let (mut out, mut evaluated) = (device.zeros(n)?, device.zeros(1)?);
    short_circuit(&*device.upload(&x)?, &mut out, &mut evaluated).threads(n).launch()?;
    let (out, evaluated) = (out.download()?, evaluated.download()?);
    let code = |&x: &u64| (x % 2 == 0) as u32 + (x % 3 == 0) as u32 * 2 + (x % 6 == 0) as u32 * 4;
    assert_same("short circuit", &out, &x.iter().map(code).collect::<Vec<_>>());
    assert_same("evaluations", &evaluated, &[x.iter().filter(|x| **x % 2 == 0).count() as u32]);
    Ok(Output::new().with(&out).with(&evaluated))
}

/// C13, and a hard rule: a plain store is only right where `i` is the global id, not another binding of that name.
#[gpu_kernel]
fn shadowing(x: &[u64], out: &mut [u64], last: &mut [u64]) {
    let i = global_id();
    if i < x.len() {
        let x = x[i];
        let x = x << 32 | x >> 7;
        let y = {
            let x = x as u32;
            x as u64 + 1
        };
        out[i] = x ^ y;
        let i = 0;
        for i in i..1usize {
            // Every thread writes the same element, and the same value.
            last[i] = 7;
        }
    }
}

fn run_shadowing(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 23);
    let (mut out, mut last) = (device.zeros(n)?, device.zeros(1)?);
    shadowing(&*device.upload(&x)?, &mut out, &mut last).threads(n).launch()?;
    let out = out.download()?;
    let expected = |&x: &u64| {
        let x = x << 32 | x >> 7;
        x ^ (x as u32 as u64 + 1)
    };
    assert_same("shadowing", &out, &x.iter().map(expected).collect::<Vec<_>>());
    assert_same("last", &last.download()?, &[if n == 0 { 0 } else { 7 }]);
    Ok(Output::new().with(&out))
}

#[gpu_fn]
fn class(x: u64) -> u32 {
    if x % 2 == 0 {
        if x % 4 == 0 {
            for k in 0..10u64 {
                if k * 4 == x % 40 {
                    return k as u32;
                }
            }
            return 100;
        }
        return 200;
    }
    {
        let low = x % 8;
        if low == 7 {
            return 300;
        }
    }
    400
}

#[gpu_kernel]
fn nested_return(x: &[u64], out: &mut [u32]) {
    let i = global_id();
    {
        if i >= x.len() {
            return;
        }
        while x[i] % 5 == 0 {
            out[i] = 5;
            return;
        }
    }
    out[i] = class(x[i]);
}

fn run_nested_return(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 24);
    let mut out = device.zeros(n)?;
    nested_return(&*device.upload(&x)?, &mut out).threads(n).launch()?;
    let out = out.download()?;
    let expected = |&x: &u64| match x {
        x if x % 5 == 0 => 5,
        x if x % 4 == 0 => (x % 40 / 4) as u32,
        x if x % 2 == 0 => 200,
        x if x % 8 == 7 => 300,
        _ => 400,
    };
    assert_same("class", &out, &x.iter().map(expected).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

/// C14: every element is visited once.
#[gpu_kernel]
fn grid_stride(visits: &mut [u32]) {
    let mut i = global_id();
    while i < visits.len() {
        visits[i] += 1;
        i += global_size();
    }
}

fn run_grid_stride(device: &Device, n: usize) -> Result<Output, Error> {
    let mut visits = device.zeros(n)?;
    grid_stride(&mut visits).grid(8).block(128).launch()?;
    let visits = visits.download()?;
    assert_same("visits", &visits, &vec![1; n]);
    Ok(Output::new().with(&visits))
}

/// A hard rule: `x[global_id()]` is each thread's own element in every geometry.
#[gpu_kernel]
fn two_dimensional(x: &[u64], out: &mut [u64]) {
    let i = global_id();
    if i < out.len() {
        out[i] = x[i] + 1;
    }
}

fn run_two_dimensional(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 25);
    let mut out = device.zeros(n)?;
    let blocks = n.div_ceil(8 * 8 * 3);
    two_dimensional(&*device.upload(&x)?, &mut out).grid((3, blocks)).block((8, 8)).launch()?;
    let out = out.download()?;
    assert_same("x + 1", &out, &x.iter().map(|x| x.wrapping_add(1)).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

/// C15: each index once, in a grid of 4 x 3 x 2 blocks of 3 x 2 x 4 threads.
#[gpu_kernel]
fn indices(out: &mut [u64], ids: &mut [u64]) {
    let x = block_idx_x() * block_dim_x() + thread_idx_x();
    let y = block_idx_y() * block_dim_y() + thread_idx_y();
    let z = block_idx_z() * block_dim_z() + thread_idx_z();
    let linear = (z * (grid_dim_y() * block_dim_y()) + y) * (grid_dim_x() * block_dim_x()) + x;
    if x == global_id_x() && y == global_id_y() && z == global_id_z() {
        out[linear] += linear as u64;
    }
    ids[global_id()] = (block_rank() * block_size() + thread_rank()) as u64;
}

fn run_indices(device: &Device, _: usize) -> Result<Output, Error> {
    let (mut out, mut ids) = (device.zeros(576)?, device.zeros(576)?);
    indices(&mut out, &mut ids).grid((4, 3, 2)).block((3, 2, 4)).launch()?;
    let (out, ids) = (out.download()?, ids.download()?);
    let expected: Vec<u64> = (0..576).collect();
    assert_same("linear", &out, &expected);
    assert_same("global ids", &ids, &expected);
    Ok(Output::new().with(&out).with(&ids))
}

#[gpu_fn]
fn next(counter: &mut [u64]) -> u64 {
    counter[0] = counter[0] * 3 + 1;
    counter[0]
}

/// Operands from left to right; the right side of an assignment before its place.
#[gpu_kernel]
fn evaluation(x: &[u64], out: &mut [u64]) {
    let i = global_id();
    if i >= x.len() {
        return;
    }
    let mut state = [x[i] % 10];
    let mut y = 1u64;
    let a = next(&mut state[..]) * 100 + next(&mut state[..]) * 10 + next(&mut state[..]);
    let b =
        y + {
            y = 5;
            y * 2
        } + y;
    let mut z = [0u64; 4];
    z[(next(&mut state[..]) % 4) as usize] = next(&mut state[..]);
    let mut c = 2;
    c += {
        let d = c * 10;
        d + 1
    };
    out[i] = a + b * 7 + z[0] + z[1] * 3 + z[2] * 5 + z[3] * 11 + c;
}

fn run_evaluation(device: &Device, n: usize) -> Result<Output, Error> {
    let x: Vec<u64> = (0..n as u64).map(mix).collect();
    let mut out = device.zeros(n)?;
    evaluation(&*device.upload(&x)?, &mut out).threads(n).launch()?;
    let out = out.download()?;
    let expected = |&x: &u64| {
        let mut state = x % 10;
        let mut next = || {
            state = state.wrapping_mul(3).wrapping_add(1);
            state
        };
        let a = next() * 100 + next() * 10 + next();
        let b = 1 + 10 + 5;
        let value = next();
        let place = next() % 4;
        a + b * 7 + value * [1, 3, 5, 11][place as usize] + 2 + 21
    };
    assert_same("evaluation", &out, &x.iter().map(expected).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

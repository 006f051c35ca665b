//! Shared memory, barriers, and atomics.

use crate::data::u64s;
use crate::{Case, Output, assert_same};
use warpcell_runtime::prelude::*;
use warpcell_runtime::{Device, Error};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case { name: "neighbour exchange", kernel: neighbours::kernel, run: run_neighbours },
        Case { name: "tree reduction", kernel: tree::kernel, run: run_tree },
        Case { name: "transpose in shared memory", kernel: transpose::kernel, run: run_transpose },
        Case { name: "early return before barriers", kernel: early_return::kernel, run: run_early_return },
        Case { name: "barrier in a uniform loop and if", kernel: uniform::kernel, run: run_uniform },
        Case { name: "barrier in a loop over memory", kernel: from_memory::kernel, run: run_from_memory },
        Case { name: "values across barriers", kernel: across::kernel, run: run_across },
        Case { name: "shared memory of bool and u8", kernel: narrow::kernel, run: run_narrow },
        Case { name: "atomics", kernel: atomics::kernel, run: run_atomics },
        Case { name: "histogram in shared memory", kernel: histogram::kernel, run: run_histogram },
    ]
}

const BLOCK: usize = 256;

/// B03
#[gpu_kernel]
fn neighbours(x: &[u64], out: &mut [u64]) {
    let mut tile = shared::<[u64; BLOCK]>();
    let t = thread_rank();
    let i = global_id();
    tile[t] = if i < x.len() { x[i] } else { 0 };
    sync_threads();
    if i < out.len() {
        out[i] = tile[(t + 1) % BLOCK];
    }
}

fn run_neighbours(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 40);
    let mut out = device.zeros(n)?;
    neighbours(&*device.upload(&x)?, &mut out).threads(n).block(BLOCK).launch()?;
    let out = out.download()?;
    let at = |i: usize| x.get(i / BLOCK * BLOCK + (i + 1) % BLOCK).copied().unwrap_or(0);
    assert_same("neighbour", &out, &(0..n).map(at).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

/// B07
#[gpu_kernel]
fn tree(x: &[u64], sums: &mut [u64]) {
    let mut tile = shared::<[u64; BLOCK]>();
    let t = thread_rank();
    let i = global_id();
    tile[t] = if i < x.len() { x[i] } else { 0 };
    sync_threads();
    let mut half = BLOCK / 2;
    while half > 0 {
        if t < half {
            tile[t] += tile[t + half];
        }
        sync_threads();
        half /= 2;
    }
    if t == 0 {
        sums[block_rank()] = tile[0];
    }
}

fn run_tree(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 41);
    let mut sums = device.zeros(n.div_ceil(BLOCK))?;
    tree(&*device.upload(&x)?, &mut sums).threads(n).block(BLOCK).launch()?;
    let sums = sums.download()?;
    let total = |part: &[u64]| part.iter().fold(0u64, |sum, x| sum.wrapping_add(*x));
    assert_same("sums", &sums, &x.chunks(BLOCK).map(total).collect::<Vec<_>>());
    Ok(Output::new().with(&sums))
}

/// B04: a padded tile of 32 x 32, by 32 x 8 threads.
#[gpu_kernel]
fn transpose(x: &[u64], out: &mut [u64]) {
    let mut tile = shared::<[[u64; 33]; 32]>();
    let first = block_rank() * 1024;
    for row in (thread_idx_y()..32).step_by(8) {
        let i = first + row * 32 + thread_idx_x();
        tile[row][thread_idx_x()] = if i < x.len() { x[i] } else { 0 };
    }
    sync_threads();
    for row in (thread_idx_y()..32).step_by(8) {
        out[first + row * 32 + thread_idx_x()] = tile[thread_idx_x()][row];
    }
}

fn run_transpose(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 42);
    let tiles = n.div_ceil(1024);
    let mut out = device.zeros(tiles * 1024)?;
    transpose(&*device.upload(&x)?, &mut out).grid(tiles).block((32, 8)).launch()?;
    let out = out.download()?;
    let at = |i: usize| x.get(i / 1024 * 1024 + i % 32 * 32 + i / 32 % 32).copied().unwrap_or(0);
    assert_same("transposed", &out, &(0..tiles * 1024).map(at).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

/// B08: threads beyond the end leave before the barrier; the others go on.
#[gpu_kernel]
fn early_return(x: &[u64], sums: &mut [u64]) {
    let mut tile = shared::<[u64; BLOCK]>();
    let t = thread_rank();
    let i = global_id();
    if i >= x.len() {
        return;
    }
    tile[t] = x[i];
    sync_threads();
    if t == 0 {
        let mut sum = 0;
        for k in 0..BLOCK.min(x.len() - i) {
            sum += tile[k];
        }
        sums[block_rank()] = sum;
    }
    sync_threads();
    if t != 1 {
        return;
    }
    sync_threads();
    sums[block_rank()] += 1;
}

fn run_early_return(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 43);
    let mut sums = device.zeros(n.div_ceil(BLOCK))?;
    early_return(&*device.upload(&x)?, &mut sums).threads(n).block(BLOCK).launch()?;
    let sums = sums.download()?;
    let total = |part: &[u64]| part.iter().fold((part.len() > 1) as u64, |sum, x| sum.wrapping_add(*x));
    assert_same("sums", &sums, &x.chunks(BLOCK).map(total).collect::<Vec<_>>());
    Ok(Output::new().with(&sums))
}

/// B10, B11: seven rounds, with a barrier that a parameter decides about.
#[gpu_kernel]
fn uniform(rounds: u32, twice: bool, x: &[u64], out: &mut [u64]) {
    let mut tile = shared::<[u64; BLOCK]>();
    let t = thread_rank();
    let i = global_id();
    let mut value = if i < x.len() { x[i] } else { 0 };
    let mut round = 0;
    while round < rounds {
        tile[t] = value;
        sync_threads();
        value += tile[(t + 1) % BLOCK];
        sync_threads();
        if twice {
            tile[t] = value;
            sync_threads();
            value ^= tile[(t + 7) % BLOCK];
            sync_threads();
        }
        if round == 4 {
            break;
        }
        round += 1;
    }
    if i < out.len() {
        out[i] = value;
    }
}

fn run_uniform(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 44);
    let uploaded = device.upload(&x)?;
    let mut output = Output::new();
    for (rounds, twice) in [(7, true), (3, false), (0, true)] {
        let mut out = device.zeros(n)?;
        uniform(rounds, twice, &uploaded, &mut out).threads(n).block(BLOCK).launch()?;
        let out = out.download()?;
        let mut expected = Vec::new();
        for part in x.chunks(BLOCK) {
            let mut values = part.to_vec();
            values.resize(BLOCK, 0);
            for _ in 0..rounds.min(5) {
                let old = values.clone();
                (0..BLOCK).for_each(|t| values[t] = old[t].wrapping_add(old[(t + 1) % BLOCK]));
                if twice {
                    let old = values.clone();
                    (0..BLOCK).for_each(|t| values[t] = old[t] ^ old[(t + 7) % BLOCK]);
                }
            }
            expected.extend_from_slice(&values[..part.len()]);
        }
        assert_same("rounds", &out, &expected);
        output = output.with(&out);
    }
    Ok(output)
}

/// The bound comes from memory, so it can't be proved to be the same for all threads: futures on the CPU.
#[gpu_kernel]
fn from_memory(rounds: &[u32], out: &mut [u64]) {
    let mut tile = shared::<[u64; 64]>();
    let t = thread_rank();
    let mut value = t as u64;
    for round in 0..rounds[block_rank()] {
        tile[t] = value;
        sync_threads();
        value = value * 3 + tile[(t + 1) % 64] + round as u64;
        sync_threads();
    }
    out[global_id()] = value;
}

fn run_from_memory(device: &Device, n: usize) -> Result<Output, Error> {
    let blocks = n.min(10_000).div_ceil(64);
    let rounds: Vec<u32> = u64s(blocks, 45).iter().map(|x| (x % 5) as u32).collect();
    let mut out = device.zeros(blocks * 64)?;
    from_memory(&*device.upload(&rounds)?, &mut out).grid(blocks).block(64).launch()?;
    let out = out.download()?;
    let mut expected: Vec<u64> = Vec::new();
    for rounds in rounds {
        let mut values: Vec<u64> = (0..64).collect();
        for round in 0..rounds {
            let old = values.clone();
            (0..64).for_each(|t| {
                values[t] = old[t].wrapping_mul(3).wrapping_add(old[(t + 1) % 64]).wrapping_add(round.into())
            });
        }
        expected.extend(values);
    }
    assert_same("rounds", &out, &expected);
    assert!(!from_memory::kernel().runs_in_phases());
    Ok(Output::new().with(&out))
}

/// B15: locals, arrays and parts of slices that live across barriers, with types that are only known later.
#[gpu_kernel]
fn across(x: &[u64], out: &mut [f64]) {
    let mut tile = shared::<[f64; BLOCK]>();
    let t = thread_rank();
    let i = global_id();
    let mut acc = 0.0;
    let mut history = [0; 3];
    let own = &x[i.min(x.len())..];
    tile[t] = t as f64;
    sync_threads();
    for round in 0..3usize {
        acc += tile[(t + round) % BLOCK];
        history[round] = (t + round) as u8;
        sync_threads();
        tile[t] = acc;
        sync_threads();
    }
    let first = if own.len() > 0 { own[0] % 1000 } else { 0 };
    if i < out.len() {
        out[i] = acc + history[0] as f64 + history[2] as f64 * 0.5 + first as f64;
    }
}

fn run_across(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 46);
    let mut out = device.zeros(n)?;
    across(&*device.upload(&x)?, &mut out).threads(n).block(BLOCK).launch()?;
    let out = out.download()?;
    let (mut tile, mut acc): (Vec<f64>, Vec<f64>) = ((0..BLOCK).map(|t| t as f64).collect(), vec![0.0; BLOCK]);
    for round in 0..3 {
        (0..BLOCK).for_each(|t| acc[t] += tile[(t + round) % BLOCK]);
        tile = acc.clone();
    }
    let at = |i: usize| {
        let t = i % BLOCK;
        acc[t] + f64::from(t as u8) + f64::from((t + 2) as u8) * 0.5 + (x[i] % 1000) as f64
    };
    assert_same("across", &out, &(0..n).map(at).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

#[gpu_kernel]
fn narrow(x: &[u64], out: &mut [u8], flags: &mut [bool]) {
    let mut even = shared::<[bool; BLOCK]>();
    let mut low = shared::<[u8; BLOCK]>();
    let t = thread_rank();
    let i = global_id();
    let value = if i < x.len() { x[i] } else { 0 };
    even[t] = value % 2 == 0;
    low[t] = value as u8;
    sync_threads();
    if i < out.len() {
        let other = BLOCK - 1 - t;
        out[i] = low[other] + even[other] as u8;
        flags[i] = even[t] && !even[other];
    }
}

fn run_narrow(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 47);
    let (mut out, mut flags) = (device.zeros(n)?, device.zeros(n)?);
    narrow(&*device.upload(&x)?, &mut out, &mut flags).threads(n).block(BLOCK).launch()?;
    let (out, flags) = (out.download()?, flags.download()?);
    let other = |i: usize| x.get(i / BLOCK * BLOCK + BLOCK - 1 - i % BLOCK).copied().unwrap_or(0);
    let value = |i: usize| (other(i) as u8).wrapping_add((other(i) % 2 == 0) as u8);
    assert_same("bytes", &out, &(0..n).map(value).collect::<Vec<_>>());
    assert_same(
        "flags",
        &flags,
        &(0..n).map(|i| x[i].is_multiple_of(2) && !other(i).is_multiple_of(2)).collect::<Vec<_>>(),
    );
    Ok(Output::new().with(&out).with(&flags))
}

/// E02, E04, E08: old values, signed and unsigned extremes, compare and swap.
#[gpu_kernel]
fn atomics(
    x: &[u64],
    words: &mut [u32],
    signed: &mut [i32],
    longs: &mut [u64],
    negative: &mut [i64],
    taken: &mut [u32],
) {
    let i = global_id();
    if i >= x.len() {
        return;
    }
    let value = x[i];
    let ticket = atomic_add(&mut words[0], 1);
    atomic_add(&mut taken[ticket as usize], 1);
    atomic_sub(&mut words[1], value as u32);
    atomic_min(&mut words[2], value as u32);
    atomic_max(&mut words[3], value as u32);
    atomic_or(&mut words[4], 1 << (value % 32) as u32);
    atomic_and(&mut words[5], !(1 << (value % 31) as u32));
    atomic_xor(&mut words[6], value as u32);
    atomic_min(&mut signed[0], value as i32);
    atomic_max(&mut signed[1], value as i32);
    atomic_add(&mut signed[2], value as i32);
    atomic_add(&mut longs[0], value);
    atomic_max(&mut longs[1], value);
    atomic_min(&mut negative[0], value as i64);
    atomic_add(&mut negative[1], value as i64 >> 20);
    // A product by compare and swap: the order does not matter for odd factors modulo 2^64.
    let mut old = longs[2];
    loop {
        let seen = atomic_cas(&mut longs[2], old, old * (value | 1));
        if seen == old {
            break;
        }
        old = seen;
    }
}

fn run_atomics(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 48);
    let start = [0u32, 0, u32::MAX, 0, 0, u32::MAX, 0];
    let (mut words, mut signed) = (device.upload(&start)?, device.upload(&[i32::MAX, i32::MIN, 0])?);
    let (mut longs, mut negative) = (device.upload(&[0u64, 0, 1])?, device.upload(&[i64::MAX, 0])?);
    let mut taken = device.zeros::<u32>(n)?;
    let uploaded = device.upload(&x)?;
    atomics(&uploaded, &mut words, &mut signed, &mut longs, &mut negative, &mut taken).threads(n).launch()?;
    assert_same("tickets", &taken.download()?, &vec![1; n]);
    let low = || x.iter().map(|x| *x as u32);
    let expected = [
        n as u32,
        low().fold(0, u32::wrapping_sub),
        low().min().unwrap_or(u32::MAX),
        low().max().unwrap_or(0),
        x.iter().fold(0, |bits, x| bits | 1 << (x % 32)),
        x.iter().fold(u32::MAX, |bits, x| bits & !(1 << (x % 31))),
        low().fold(0, |a, b| a ^ b),
    ];
    let words = words.download()?;
    assert_same("words", &words, &expected);
    let ints = || x.iter().map(|x| *x as i32);
    let sum = ints().fold(0, i32::wrapping_add);
    let signed = signed.download()?;
    assert_same("signed", &signed, &[ints().min().unwrap_or(i32::MAX), ints().max().unwrap_or(i32::MIN), sum]);
    let longs = longs.download()?;
    let product = x.iter().fold(1u64, |product, x| product.wrapping_mul(x | 1));
    let total = x.iter().fold(0u64, |sum, x| sum.wrapping_add(*x));
    assert_same("longs", &longs, &[total, x.iter().copied().max().unwrap_or(0), product]);
    let lowest = x.iter().map(|x| *x as i64).min().unwrap_or(i64::MAX);
    let shifted = x.iter().fold(0i64, |sum, x| sum.wrapping_add(*x as i64 >> 20));
    let negative = negative.download()?;
    assert_same("negative", &negative, &[lowest, shifted]);
    Ok(Output::new().with(&words).with(&signed).with(&longs).with(&negative))
}

/// E09: shared counters, merged into global memory.
#[gpu_kernel]
fn histogram(x: &[u64], bins: &mut [u32]) {
    let mut local = shared::<[u32; 16]>();
    let t = thread_rank();
    if t < 16 {
        local[t] = 0;
    }
    sync_threads();
    let mut i = global_id();
    while i < x.len() {
        atomic_add(&mut local[(x[i] * x[i] % 16) as usize], 1);
        i += global_size();
    }
    sync_threads();
    if t < 16 {
        atomic_add(&mut bins[t], local[t]);
    }
}

fn run_histogram(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 49);
    let mut bins = device.zeros(16)?;
    histogram(&*device.upload(&x)?, &mut bins).grid(20).block(BLOCK).launch()?;
    let bins = bins.download()?;
    let mut expected = vec![0u32; 16];
    x.iter().for_each(|x| expected[(x.wrapping_mul(*x) % 16) as usize] += 1);
    assert_same("bins", &bins, &expected);
    Ok(Output::new().with(&bins))
}

//! Atomics: the conformance cases E, with the values of its table, and contention at all sizes.

use crate::data::{f64s, u64s};
use crate::{Case, Output, assert_same};
use warpcell_runtime::prelude::*;
use warpcell_runtime::{Device, Error};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case { name: "E01 E02 add and old values", kernel: counters::kernel, run: run_counters },
        Case { name: "E04 min and max, signed and unsigned", kernel: extremes::kernel, run: run_extremes },
        Case { name: "E05 float min and max", kernel: float_extremes::kernel, run: run_float_extremes },
        Case { name: "E06 max under contention", kernel: highest::kernel, run: run_highest },
        Case { name: "E08 products and sums by compare and swap", kernel: swapped::kernel, run: run_swapped },
        Case { name: "E09 histogram in shared memory, merged", kernel: squares::kernel, run: run_squares },
        Case { name: "E11 atomics on shared and global memory", kernel: both_memories::kernel, run: run_both_memories },
        Case { name: "E12 sums of floats", kernel: float_sum::kernel, run: run_float_sum },
        Case { name: "E12 sums without an order, 20 times", kernel: whole_sum::kernel, run: run_whole_sum },
        Case { name: "inc and dec with a limit", kernel: limited::kernel, run: run_limited },
        Case { name: "exchange, compare and swap of floats", kernel: float_swaps::kernel, run: run_float_swaps },
        Case { name: "atomic load and store", kernel: load_store::kernel, run: run_load_store },
    ]
}

#[gpu_kernel]
fn counters(
    count: usize,
    i32s: &mut [i32],
    u32s: &mut [u32],
    i64s: &mut [i64],
    u64s: &mut [u64],
    f32s: &mut [f32],
    f64s: &mut [f64],
    taken: &mut [u32],
) {
    if global_id() >= count {
        return;
    }
    let ticket = atomic_add(&mut u32s[0], 1);
    taken[ticket as usize] += 1;
    atomic_add(&mut i32s[0], 1);
    atomic_add(&mut i64s[0], 1);
    atomic_add(&mut u64s[0], 1);
    atomic_add(&mut f32s[0], 1.0);
    atomic_add(&mut f64s[0], 1.0);
}

fn run_counters(device: &Device, _: usize) -> Result<Output, Error> {
    let (mut a, mut b, mut c) = (device.zeros(1)?, device.zeros(1)?, device.zeros(1)?);
    let (mut d, mut e, mut f) = (device.zeros(1)?, device.zeros(1)?, device.zeros(1)?);
    let mut taken = device.zeros(1000)?;
    counters(1000, &mut a, &mut b, &mut c, &mut d, &mut e, &mut f, &mut taken).threads(1000).launch()?;
    assert_same("i32", &a.download()?, &[1000]);
    assert_same("u32", &b.download()?, &[1000]);
    assert_same("i64", &c.download()?, &[1000]);
    assert_same("u64", &d.download()?, &[1000]);
    // Whole numbers below 2^24: exact in any order.
    assert_same("f32", &e.download()?, &[1000.0]);
    assert_same("f64", &f.download()?, &[1000.0]);
    assert_same("old values", &taken.download()?, &[1; 1000]);
    Ok(Output::new().with(&e.download()?))
}

#[gpu_kernel]
fn extremes(x: &[i32], signed: &mut [i32], unsigned: &mut [u32], longs: &mut [i64], unsigned_longs: &mut [u64]) {
    let i = global_id();
    if i < x.len() {
        atomic_min(&mut signed[0], x[i]);
        atomic_max(&mut signed[1], x[i]);
        atomic_min(&mut unsigned[0], x[i] as u32);
        atomic_max(&mut unsigned[1], x[i] as u32);
        atomic_min(&mut longs[0], x[i] as i64);
        atomic_max(&mut longs[1], x[i] as i64);
        atomic_min(&mut unsigned_longs[0], x[i] as u64);
        atomic_max(&mut unsigned_longs[1], x[i] as u64);
    }
}

fn run_extremes(device: &Device, _: usize) -> Result<Output, Error> {
    let x = device.upload(&[3, -5, 7, 0, 2, -1])?;
    let (mut signed, mut unsigned) = (device.upload(&[i32::MAX, i32::MIN])?, device.upload(&[u32::MAX, 0])?);
    let (mut longs, mut unsigned_longs) = (device.upload(&[i64::MAX, i64::MIN])?, device.upload(&[u64::MAX, 0])?);
    extremes(&x, &mut signed, &mut unsigned, &mut longs, &mut unsigned_longs).threads(6).launch()?;
    assert_same("i32", &signed.download()?, &[-5, 7]);
    assert_same("u32", &unsigned.download()?, &[0, 0xffff_ffff]);
    assert_same("i64", &longs.download()?, &[-5, 7]);
    assert_same("u64", &unsigned_longs.download()?, &[0, u64::MAX]);
    // The table's own pair: of -5 alone, as both.
    let five = device.upload(&[-5])?;
    let (mut signed, mut unsigned) = (device.upload(&[0, 0])?, device.upload(&[u32::MAX, 0])?);
    extremes(&five, &mut signed, &mut unsigned, &mut longs, &mut unsigned_longs).threads(1).launch()?;
    assert_same("-5 is the smallest i32", &signed.download()?, &[-5, 0]);
    assert_same("0xFFFFFFFB is the largest u32", &unsigned.download()?, &[0xffff_fffb, 0xffff_fffb]);
    Ok(Output::new().with(&unsigned.download()?))
}

/// NaN is ignored, -0 is below +0, so the order of the threads does not matter.
#[gpu_kernel]
fn float_extremes(x: &[f64], singles: &mut [f32], doubles: &mut [f64]) {
    let i = global_id();
    if i < x.len() {
        atomic_min(&mut singles[0], x[i] as f32);
        atomic_max(&mut singles[1], x[i] as f32);
        atomic_min(&mut doubles[0], x[i]);
        atomic_max(&mut doubles[1], x[i]);
    }
}

fn run_float_extremes(device: &Device, n: usize) -> Result<Output, Error> {
    let (nan, infinity) = (f64::NAN, f64::INFINITY);
    let mut output = Output::new();
    let mut check = |x: &[f64], start: [f64; 2], expected: [f64; 2]| -> Result<(), Error> {
        let mut doubles = device.upload(&start)?;
        let mut singles = device.upload(&start.map(|x| x as f32))?;
        float_extremes(&*device.upload(x)?, &mut singles, &mut doubles).threads(x.len()).launch()?;
        let (singles, doubles) = (singles.download()?, doubles.download()?);
        assert_same("f64", &doubles, &expected);
        assert_same("f32", &singles, &expected.map(|x| x as f32));
        output = std::mem::take(&mut output).with(&singles).with(&doubles);
        Ok(())
    };
    check(&[1.0, nan, 3.0, -2.0, nan], [infinity, -infinity], [-2.0, 3.0])?;
    check(&[0.0, -0.0, 0.0, -0.0], [infinity, -infinity], [-0.0, 0.0])?;
    check(&[0.0], [-0.0, -0.0], [-0.0, 0.0])?;
    check(&[nan, nan], [nan, nan], [nan, nan])?;
    check(&[1.0, nan], [nan, nan], [1.0, 1.0])?;
    check(&[infinity, -infinity, nan], [0.0, 0.0], [-infinity, infinity])?;
    let x: Vec<f64> = f64s(n, 70);
    let (lowest, highest) =
        x.iter().filter(|x| !x.is_nan()).fold((infinity, -infinity), |(low, high), x| (x.min(low), x.max(high)));
    // Only where the sign of a zero can't decide.
    if lowest != 0.0 && highest != 0.0 {
        check(&x, [infinity, -infinity], [lowest, highest])?;
    }
    Ok(output)
}

#[gpu_kernel]
fn highest(count: usize, out: &mut [u64]) {
    let i = global_id();
    if i < count {
        atomic_max(&mut out[0], i as u64);
    }
}

fn run_highest(device: &Device, n: usize) -> Result<Output, Error> {
    let mut out = device.zeros(1)?;
    highest(n, &mut out).threads(n).launch()?;
    assert_same("highest", &out.download()?, &[n.saturating_sub(1) as u64]);
    Ok(Output::new().with(&out.download()?))
}

/// A product and a sum of floats, by loops around a compare and swap.
#[gpu_kernel]
fn swapped(x: &[u64], product: &mut [u64], sum: &mut [f64]) {
    let i = global_id();
    if i >= x.len() {
        return;
    }
    let mut old = product[0];
    loop {
        let seen = atomic_cas(&mut product[0], old, old * (x[i] | 1));
        if seen == old {
            break;
        }
        old = seen;
    }
    let mut before = sum[0];
    loop {
        let seen = atomic_cas(&mut sum[0], before, before + (x[i] % 1000) as f64);
        if seen.to_bits() == before.to_bits() {
            break;
        }
        before = seen;
    }
}

fn run_swapped(device: &Device, n: usize) -> Result<Output, Error> {
    // Each failure costs a GPU a round trip.
    let x = u64s(n.min(20_000), 71);
    let (mut product, mut sum) = (device.upload(&[1u64])?, device.zeros(1)?);
    swapped(&*device.upload(&x)?, &mut product, &mut sum).threads(x.len()).launch()?;
    let expected = x.iter().fold(1u64, |product, x| product.wrapping_mul(x | 1));
    assert_same("product", &product.download()?, &[expected]);
    // Whole numbers: exact in any order.
    assert_same("sum", &sum.download()?, &[x.iter().map(|x| (x % 1000) as f64).fold(0.0, |sum, x| sum + x)]);
    Ok(Output::new().with(&product.download()?).with(&sum.download()?))
}

#[gpu_kernel]
fn squares(count: usize, bins: &mut [u32]) {
    let mut local = shared::<[u32; 16]>();
    if thread_rank() < 16 {
        local[thread_rank()] = 0;
    }
    sync_threads();
    let i = global_id();
    if i < count {
        atomic_add(&mut local[i * i % 16], 1);
    }
    sync_threads();
    if thread_rank() < 16 {
        atomic_add(&mut bins[thread_rank()], local[thread_rank()]);
    }
}

fn run_squares(device: &Device, _: usize) -> Result<Output, Error> {
    let mut bins = device.zeros(16)?;
    squares(1000, &mut bins).threads(1000).block(128).launch()?;
    let bins = bins.download()?;
    assert_same("bins", &bins, &[250, 250, 0, 0, 250, 0, 0, 0, 0, 250, 0, 0, 0, 0, 0, 0]);
    assert!(squares::kernel().runs_in_phases());
    Ok(Output::new().with(&bins))
}

/// Every operation on a shared and on a global word.
#[gpu_kernel]
fn both_memories(x: &[u64], global: &mut [u64], copied: &mut [u64], floats: &mut [f64]) {
    let mut words = shared::<[u64; 8]>();
    let mut extremes = shared::<[f64; 2]>();
    let t = thread_rank();
    if t < 8 {
        words[t] = global[t];
    }
    if t < 2 {
        extremes[t] = floats[t];
    }
    sync_threads();
    let value = x[t];
    let float = value as f64;
    atomic_add(&mut words[0], value);
    atomic_sub(&mut words[1], value);
    atomic_min(&mut words[2], value);
    atomic_max(&mut words[3], value);
    atomic_and(&mut words[4], value | 7);
    atomic_or(&mut words[5], value & 0xff00);
    atomic_xor(&mut words[6], value);
    atomic_inc(&mut words[7], 100);
    atomic_min(&mut extremes[0], float);
    atomic_max(&mut extremes[1], float);
    sync_threads();
    if t < 8 {
        copied[t] = words[t];
    }
    if t < 2 {
        floats[2 + t] = extremes[t];
    }
    atomic_add(&mut global[0], value);
    atomic_sub(&mut global[1], value);
    atomic_min(&mut global[2], value);
    atomic_max(&mut global[3], value);
    atomic_and(&mut global[4], value | 7);
    atomic_or(&mut global[5], value & 0xff00);
    atomic_xor(&mut global[6], value);
    atomic_inc(&mut global[7], 100);
    atomic_min(&mut floats[0], float);
    atomic_max(&mut floats[1], float);
}

fn run_both_memories(device: &Device, _: usize) -> Result<Output, Error> {
    let x = u64s(256, 72);
    let mut global = device.upload(&[5u64, 6, u64::MAX, 0, u64::MAX, 0, 1, 0])?;
    let mut copied = device.zeros(8)?;
    let mut floats = device.upload(&[f64::INFINITY, f64::NEG_INFINITY, 0.0, 0.0])?;
    both_memories(&*device.upload(&x)?, &mut global, &mut copied, &mut floats).grid(1).block(256).launch()?;
    let (global, copied, floats) = (global.download()?, copied.download()?, floats.download()?);
    let sum = x.iter().fold(0u64, |sum, x| sum.wrapping_add(*x));
    let expected = [
        sum.wrapping_add(5),
        6u64.wrapping_sub(sum),
        *x.iter().min().expect("256 values"),
        *x.iter().max().expect("256 values"),
        x.iter().fold(u64::MAX, |bits, x| bits & (x | 7)),
        x.iter().fold(0, |bits, x| bits | (x & 0xff00)),
        x.iter().fold(1, |bits, x| bits ^ x),
        256 % 101,
    ];
    assert_same("global", &global, &expected);
    assert_same("shared", &copied, &expected);
    let (lowest, highest) = (expected[2] as f64, expected[3] as f64);
    assert_same("floats", &floats, &[lowest, highest, lowest, highest]);
    Ok(Output::new().with(&global).with(&copied).with(&floats))
}

/// In one `f32`, so many values lose more than a part in ten thousand by rounding alone.
#[gpu_kernel]
fn float_sum(x: &[f32], singles: &mut [f32], doubles: &mut [f64]) {
    let i = global_id();
    if i < x.len() {
        atomic_add(&mut singles[i % singles.len()], x[i]);
        atomic_add(&mut doubles[0], x[i] as f64);
    }
}

fn run_float_sum(device: &Device, n: usize) -> Result<Output, Error> {
    let x: Vec<f32> = u64s(n, 73).iter().map(|x| (x % 1000) as f32 / 1000.0).collect();
    let exact: f64 = x.iter().map(|x| f64::from(*x)).sum();
    let (mut singles, mut doubles) = (device.zeros(64)?, device.zeros(1)?);
    float_sum(&*device.upload(&x)?, &mut singles, &mut doubles).threads(n).launch()?;
    let single: f64 = singles.download()?.iter().map(|x: &f32| f64::from(*x)).sum();
    for found in [single, doubles.download()?[0]] {
        assert!((found - exact).abs() <= 1e-4 * exact, "{found} is not {exact}");
    }
    // The bits are a matter of chance.
    Ok(Output::new())
}

/// The way to a sum that does not depend on the order: whole multiples of 2^-32.
#[gpu_kernel]
fn whole_sum(x: &[f32], sums: &mut [i64]) {
    let i = global_id();
    if i < x.len() {
        atomic_add(&mut sums[0], (x[i] as f64 * 4294967296.0) as i64);
    }
}

fn run_whole_sum(device: &Device, n: usize) -> Result<Output, Error> {
    let x: Vec<f32> = u64s(n, 73).iter().map(|x| (x % 1000) as f32 / 1000.0).collect();
    let uploaded = device.upload(&x)?;
    let expected: i64 = x.iter().map(|x| (f64::from(*x) * 4294967296.0) as i64).sum();
    for _ in 0..20 {
        let mut sums = device.zeros(1)?;
        whole_sum(&uploaded, &mut sums).threads(n).launch()?;
        assert_same("sum", &sums.download()?, &[expected]);
    }
    Ok(Output::new().with(&[expected]))
}

#[gpu_kernel]
fn limited(count: usize, words: &mut [u32], longs: &mut [u64], seen: &mut [u32]) {
    if global_id() >= count {
        return;
    }
    let old = atomic_inc(&mut words[0], 6);
    atomic_add(&mut seen[old as usize], 1);
    atomic_dec(&mut words[1], 6);
    atomic_inc(&mut longs[0], 1 << 40);
    atomic_dec(&mut longs[1], 1 << 40);
}

fn run_limited(device: &Device, n: usize) -> Result<Output, Error> {
    let n = n.min(20_000);
    let (mut words, mut seen) = (device.upload(&[0u32, 9])?, device.zeros::<u32>(7)?);
    let mut longs = device.upload(&[(1u64 << 40) - 1, 1])?;
    limited(n, &mut words, &mut longs, &mut seen).threads(n).launch()?;
    let (inc, limit) = (|x: u64, limit: u64| if x >= limit { 0 } else { x + 1 }, 1u64 << 40);
    let dec = |x: u64, limit: u64| if x == 0 || x > limit { limit } else { x - 1 };
    let after = |start: u64, limit: u64, step: fn(u64, u64) -> u64| (0..n).fold(start, |x, _| step(x, limit));
    assert_same("u32", &words.download()?, &[after(0, 6, inc) as u32, after(9, 6, dec) as u32]);
    assert_same("u64", &longs.download()?, &[after(limit - 1, limit, inc), after(1, limit, dec)]);
    let turns: Vec<u32> = (0..7).map(|k| ((n + 6 - k) / 7) as u32).collect();
    assert_same("old values", &seen.download()?, &turns);
    Ok(Output::new().with(&words.download()?).with(&longs.download()?))
}

/// By bits: -0 is not +0, every NaN is the same.
#[gpu_kernel]
fn float_swaps(nan: &[f64], singles: &mut [f32], doubles: &mut [f64], old: &mut [f64]) {
    if global_id() == 0 {
        old[0] = atomic_exch(&mut doubles[0], 2.5);
        old[1] = atomic_cas(&mut doubles[1], 0.0, 7.0);
        old[2] = atomic_cas(&mut doubles[2], nan[0], 8.0);
        old[3] = atomic_cas(&mut doubles[3], 1.0, 9.0);
        old[4] = atomic_exch(&mut singles[0], 2.5) as f64;
        old[5] = atomic_cas(&mut singles[1], -0.0, 7.0) as f64;
        old[6] = atomic_cas(&mut singles[2], nan[1] as f32, 8.0) as f64;
        old[7] = atomic_cas(&mut singles[3], nan[0] as f32, 9.0) as f64;
    }
}

fn run_float_swaps(device: &Device, _: usize) -> Result<Output, Error> {
    let nans = [f64::NAN, f64::from_bits(0xfff8_0000_0000_1234)];
    let mut doubles = device.upload(&[1.0, -0.0, nans[1], 1.0])?;
    let mut singles = device.upload(&[1.0f32, -0.0, f32::NAN, 1.0])?;
    let mut old = device.zeros(8)?;
    float_swaps(&*device.upload(&nans)?, &mut singles, &mut doubles, &mut old).threads(1).launch()?;
    let (singles, doubles, old) = (singles.download()?, doubles.download()?, old.download()?);
    assert_same("f64", &doubles, &[2.5, -0.0, 8.0, 9.0]);
    assert_same("f32", &singles, &[2.5, 7.0, 8.0, 1.0]);
    assert_same("old values", &old, &[1.0, -0.0, f64::NAN, 1.0, 1.0, -0.0, f64::NAN, 1.0]);
    Ok(Output::new().with(&singles).with(&doubles).with(&old))
}

#[gpu_kernel]
fn load_store(x: &[u64], words: &mut [u64], floats: &mut [f32], out: &mut [u64]) {
    let mut tile = shared::<[i32; 64]>();
    let i = global_id();
    let t = thread_rank();
    if i < x.len() {
        atomic_store(&mut words[i], x[i]);
        atomic_store(&mut floats[i], x[i] as f32);
    }
    atomic_store(&mut tile[t], t as i32);
    sync_threads();
    if i < x.len() {
        let float = atomic_load(&floats[i]);
        out[i] = atomic_load(&words[i]) + float.to_bits() as u64 + atomic_load(&tile[63 - t]) as u64;
    }
}

fn run_load_store(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 74);
    let (mut words, mut floats, mut out) = (device.zeros(n)?, device.zeros(n)?, device.zeros(n)?);
    load_store(&*device.upload(&x)?, &mut words, &mut floats, &mut out).threads(n).block(64).launch()?;
    let out = out.download()?;
    let at = |i: usize| x[i].wrapping_add(u64::from((x[i] as f32).to_bits())).wrapping_add(63 - i as u64 % 64);
    assert_same("sums", &out, &(0..n).map(at).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

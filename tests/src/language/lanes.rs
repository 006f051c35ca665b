//! Warps: the conformance cases F, with the values of its table; widths, masks and partial warps.

use crate::data::u64s;
use crate::{Case, Output, assert_same};
use warpcell_runtime::prelude::*;
use warpcell_runtime::{Device, Error};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case { name: "F01 lanes and warps", kernel: places::kernel, run: run_places },
        Case { name: "F02 shuffles by index, down, up, xor", kernel: four::kernel, run: run_four },
        Case { name: "F04 shuffles of every type", kernel: types::kernel, run: run_types },
        Case { name: "F05 votes", kernel: votes::kernel, run: run_votes },
        Case { name: "F06 F15 warp sums", kernel: sums::kernel, run: run_sums },
        Case { name: "F07 inclusive scan of ones", kernel: ones::kernel, run: run_ones },
        Case { name: "F09 F10 matches", kernel: matches_of::kernel, run: run_matches },
        Case { name: "F12 lane masks and active mask", kernel: masks::kernel, run: run_masks },
        Case { name: "shuffles with a width", kernel: widths::kernel, run: run_widths },
        Case { name: "reductions of all kinds", kernel: reductions::kernel, run: run_reductions },
        Case { name: "reductions and matches of some lanes", kernel: halves::kernel, run: run_halves },
        Case { name: "active mask of a part", kernel: parted::kernel, run: run_parted },
        Case { name: "loop left by all threads", kernel: leaving::kernel, run: run_leaving },
        Case { name: "loop left by all lanes", kernel: leaving_warps::kernel, run: run_leaving_warps },
    ]
}

#[gpu_kernel]
fn places(lanes: &mut [u32], warps: &mut [u32]) {
    lanes[global_id()] = lane_id() as u32;
    warps[global_id()] = warp_id() as u32;
}

fn run_places(device: &Device, _: usize) -> Result<Output, Error> {
    let (mut lanes, mut warps) = (device.zeros(64)?, device.zeros(64)?);
    places(&mut lanes, &mut warps).grid(1).block(64).launch()?;
    assert_same("lane", &lanes.download()?, &(0..64).map(|i| i % 32).collect::<Vec<u32>>());
    assert_same("warp", &warps.download()?, &(0..64).map(|i| i / 32).collect::<Vec<u32>>());
    Ok(Output::new().with(&lanes.download()?))
}

#[gpu_kernel]
fn four(out: &mut [u32]) {
    let lane = lane_id() as u32;
    let index = shfl_sync(FULL_MASK, lane, 4);
    let down = shfl_down_sync(FULL_MASK, lane, 4);
    let up = shfl_up_sync(FULL_MASK, lane, 4);
    let xor = shfl_xor_sync(FULL_MASK, lane, 16);
    let i = thread_rank();
    out[i] = index;
    out[32 + i] = down;
    out[64 + i] = up;
    out[96 + i] = xor;
}

fn run_four(device: &Device, _: usize) -> Result<Output, Error> {
    let mut out = device.zeros(128)?;
    four(&mut out).grid(1).block(32).launch()?;
    let out = out.download()?;
    let lanes = |at: fn(u32) -> u32| (0..32).map(at).collect::<Vec<u32>>();
    assert_same("index", &out[..32], &[4; 32]);
    assert_same("down", &out[32..64], &lanes(|lane| if lane < 28 { lane + 4 } else { lane }));
    assert_same("up", &out[64..96], &lanes(|lane| if lane < 4 { lane } else { lane - 4 }));
    assert_same("xor", &out[96..], &lanes(|lane| lane ^ 16));
    Ok(Output::new().with(&out))
}

#[gpu_kernel]
fn types(x: &[u64], longs: &mut [u64], doubles: &mut [f64], bytes: &mut [i8], small: &mut [u64]) {
    let t = thread_rank();
    let long = shfl_xor_sync(FULL_MASK, x[t], 3);
    let double = shfl_xor_sync(FULL_MASK, f64::from_bits(x[t]), 3);
    let byte = shfl_xor_sync(FULL_MASK, x[t] as i8, 3);
    let signed = shfl_xor_sync(FULL_MASK, x[t] as i64, 3);
    let int = shfl_xor_sync(FULL_MASK, x[t] as i32, 3);
    let short = shfl_xor_sync(FULL_MASK, x[t] as i16, 3);
    let unsigned_short = shfl_xor_sync(FULL_MASK, x[t] as u16, 3);
    let flag = shfl_xor_sync(FULL_MASK, x[t] % 2 == 1, 3);
    let single = shfl_xor_sync(FULL_MASK, x[t] as f32, 3);
    let size = shfl_xor_sync(FULL_MASK, t, 3);
    longs[t] = long;
    doubles[t] = double;
    bytes[t] = byte;
    small[t] = signed as u64
        ^ int as u64
        ^ short as u64
        ^ unsigned_short as u64
        ^ flag as u64
        ^ single.to_bits() as u64
        ^ size as u64;
}

fn run_types(device: &Device, _: usize) -> Result<Output, Error> {
    let x = u64s(32, 80);
    let (mut longs, mut doubles) = (device.zeros(32)?, device.zeros(32)?);
    let (mut bytes, mut small) = (device.zeros(32)?, device.zeros(32)?);
    types(&*device.upload(&x)?, &mut longs, &mut doubles, &mut bytes, &mut small).grid(1).block(32).launch()?;
    let other: Vec<u64> = (0..32).map(|t| x[t ^ 3]).collect();
    assert_same("u64", &longs.download()?, &other);
    assert_same("f64", &doubles.download()?, &other.iter().map(|x| f64::from_bits(*x)).collect::<Vec<_>>());
    assert_same("i8", &bytes.download()?, &other.iter().map(|x| *x as i8).collect::<Vec<_>>());
    let mix = |(t, x): (usize, &u64)| {
        let narrow = *x as i32 as u64 ^ *x as i16 as u64 ^ u64::from(*x as u16) ^ (x % 2);
        x ^ narrow ^ u64::from((*x as f32).to_bits()) ^ (t ^ 3) as u64
    };
    assert_same("others", &small.download()?, &other.iter().enumerate().map(mix).collect::<Vec<_>>());
    Ok(Output::new().with(&longs.download()?).with(&small.download()?))
}

#[gpu_kernel]
fn votes(out: &mut [u32]) {
    let even = lane_id() % 2 == 0;
    let ballot = ballot_sync(FULL_MASK, even);
    let all = all_sync(FULL_MASK, even);
    let any = any_sync(FULL_MASK, even);
    let all_lanes = all_sync(FULL_MASK, lane_id() < 32);
    let any_lane = any_sync(FULL_MASK, lane_id() > 31);
    out[0] = ballot;
    out[1] = all as u32;
    out[2] = any as u32;
    out[3] = all_lanes as u32;
    out[4] = any_lane as u32;
}

fn run_votes(device: &Device, _: usize) -> Result<Output, Error> {
    let mut out = device.zeros(5)?;
    votes(&mut out).grid(1).block(32).launch()?;
    assert_same("ballot, all, any", &out.download()?, &[0x5555_5555, 0, 1, 1, 0]);
    Ok(Output::new().with(&out.download()?))
}

#[gpu_kernel]
fn sums(out: &mut [u32]) {
    let mut sum = lane_id() as u32;
    for step in 0..5u32 {
        sum += shfl_down_sync(FULL_MASK, sum, 16 >> step);
    }
    let reduced = reduce_add_sync(FULL_MASK, lane_id() as u32);
    if lane_id() == 0 {
        out[0] = sum;
    }
    out[1 + thread_rank()] = reduced;
}

fn run_sums(device: &Device, _: usize) -> Result<Output, Error> {
    let mut out = device.zeros(33)?;
    sums(&mut out).grid(1).block(32).launch()?;
    assert_same("sums", &out.download()?, &[496; 33]);
    assert!(sums::kernel().runs_in_phases());
    Ok(Output::new().with(&out.download()?))
}

#[gpu_kernel]
fn ones(out: &mut [u32]) {
    let mut sum = 1u32;
    let mut delta = 1u32;
    while delta < 32 {
        let below = shfl_up_sync(FULL_MASK, sum, delta);
        if lane_id() as u32 >= delta {
            sum += below;
        }
        delta *= 2;
    }
    out[thread_rank()] = sum;
}

fn run_ones(device: &Device, _: usize) -> Result<Output, Error> {
    let mut out = device.zeros(32)?;
    ones(&mut out).grid(1).block(32).launch()?;
    assert_same("scan", &out.download()?, &(1..=32).collect::<Vec<u32>>());
    Ok(Output::new().with(&out.download()?))
}

#[gpu_kernel]
fn matches_of(out: &mut [u32]) {
    let lane = lane_id() as u32;
    let t = thread_rank();
    let any = match_any_sync(FULL_MASK, lane % 4);
    let equal = match_all_sync(FULL_MASK, 7u64);
    let unequal = match_all_sync(FULL_MASK, lane / 31);
    let floats = match_any_sync(FULL_MASK, if lane % 2 == 0 { 0.0 } else { -0.0f64 });
    // NaNs of different bits are the same.
    let zero = (lane / 32) as f32;
    let nans = match_all_sync(FULL_MASK, if lane % 2 == 0 { zero / zero } else { f32::from_bits(0x7fc0_1234) });
    out[t] = any;
    out[32 + t] = equal;
    out[64 + t] = unequal;
    out[96 + t] = floats;
    out[128 + t] = nans;
}

fn run_matches(device: &Device, _: usize) -> Result<Output, Error> {
    let mut out = device.zeros(160)?;
    matches_of(&mut out).grid(1).block(32).launch()?;
    let out = out.download()?;
    assert_same("any", &out[..32], &(0..32).map(|lane| 0x1111_1111u32 << (lane % 4)).collect::<Vec<_>>());
    assert_same("all, equal", &out[32..64], &[0xffff_ffff; 32]);
    assert_same("all, unequal", &out[64..96], &[0; 32]);
    assert_same("zeros", &out[96..128], &(0..32).map(|lane| 0x5555_5555u32 << (lane % 2)).collect::<Vec<_>>());
    assert_same("NaN", &out[128..], &[0xffff_ffff; 32]);
    Ok(Output::new().with(&out))
}

#[gpu_kernel]
fn masks(out: &mut [u32]) {
    let i = global_id();
    let active = activemask();
    let lanes = lanemask_lt() ^ lanemask_le() ^ lanemask_eq();
    let above = lanemask_gt() ^ lanemask_ge() ^ lanemask_eq();
    out[i] = lanemask_lt();
    out[64 + i] = active;
    out[128 + i] = lanemask_ge() & lanemask_le();
    out[192 + i] = lanemask_gt() | lanemask_lt();
    out[256 + i] = lanes | above;
}

fn run_masks(device: &Device, _: usize) -> Result<Output, Error> {
    let mut out = device.zeros(320)?;
    masks(&mut out).grid(1).block(64).launch()?;
    let out = out.download()?;
    let bit = |i: u32| 1u32 << (i % 32);
    assert_same("lt", &out[..64], &(0..64).map(|i| bit(i) - 1).collect::<Vec<_>>());
    assert_same("active", &out[64..128], &[0xffff_ffff; 64]);
    assert_same("own", &out[128..192], &(0..64).map(bit).collect::<Vec<_>>());
    assert_same("others", &out[192..256], &(0..64).map(|i| !bit(i)).collect::<Vec<_>>());
    assert_same("nothing", &out[256..], &[0; 64]);
    assert!(masks::kernel().runs_in_phases());
    // A partial warp has only the lanes that there are.
    let mut out = device.zeros(320)?;
    masks(&mut out).grid(1).block(40).launch()?;
    let active = out.download()?[64..104].to_vec();
    assert_same("active lanes", &active, &[[0xffff_ffff; 32].as_slice(), &[0xff; 8]].concat());
    Ok(Output::new().with(&active))
}

#[gpu_kernel]
fn widths(x: &[u64], width: u32, by: u32, out: &mut [u64]) {
    let i = global_id();
    let value = if i < x.len() { x[i] } else { 0 };
    let index = shfl_sync_width(FULL_MASK, value, by, width);
    let down = shfl_down_sync_width(FULL_MASK, value, by, width);
    let up = shfl_up_sync_width(FULL_MASK, value, by, width);
    let xor = shfl_xor_sync_width(FULL_MASK, value, by, width);
    if i < x.len() {
        out[i] = index + down * 3 + up * 5 + xor * 7;
    }
}

fn run_widths(device: &Device, n: usize) -> Result<Output, Error> {
    let n = n.min(1000).next_multiple_of(32);
    let x = u64s(n, 81);
    let uploaded = device.upload(&x)?;
    let mut output = Output::new();
    for (width, by) in [(32, 5), (16, 3), (8, 9), (4, 2), (2, 1), (1, 0), (8, 31)] {
        let mut out = device.zeros(n)?;
        widths(&uploaded, width, by, &mut out).threads(n).block(64).launch()?;
        let out = out.download()?;
        let at = |i: usize| {
            let (warp, lane, width, by) = (i & !31, i & 31, width as usize, by as usize);
            let (first, last) = (lane & !(width - 1), lane | (width - 1));
            let index = x[warp + first + by % width];
            let down = x[warp + if lane + by <= last { lane + by } else { lane }];
            let up = x[warp + if lane >= first + by { lane - by } else { lane }];
            let xor = x[warp + if lane ^ by <= last { lane ^ by } else { lane }];
            let terms = [index, down.wrapping_mul(3), up.wrapping_mul(5), xor.wrapping_mul(7)];
            terms.into_iter().fold(0u64, u64::wrapping_add)
        };
        assert_same(&format!("width {width}, by {by}"), &out, &(0..n).map(at).collect::<Vec<_>>());
        output = output.with(&out);
    }
    Ok(output)
}

#[gpu_kernel]
fn reductions(x: &[u64], words: &mut [u32], ints: &mut [i32], longs: &mut [u64], signed: &mut [i64]) {
    let i = global_id();
    let value = if i < x.len() { x[i] } else { 0 };
    let add = reduce_add_sync(FULL_MASK, value as u32);
    let min = reduce_min_sync(FULL_MASK, value as u32);
    let max = reduce_max_sync(FULL_MASK, value as u32);
    let and = reduce_and_sync(FULL_MASK, value as u32 | 3);
    let or = reduce_or_sync(FULL_MASK, value as u32 & 0xff0);
    let xor = reduce_xor_sync(FULL_MASK, value as u32);
    let int_add = reduce_add_sync(FULL_MASK, value as i32);
    let int_min = reduce_min_sync(FULL_MASK, value as i32);
    let int_max = reduce_max_sync(FULL_MASK, value as i32);
    let int_xor = reduce_xor_sync(FULL_MASK, value as i32);
    let long_add = reduce_add_sync(FULL_MASK, value);
    let long_min = reduce_min_sync(FULL_MASK, value);
    let long_max = reduce_max_sync(FULL_MASK, value);
    let long_and = reduce_and_sync(FULL_MASK, value | 3);
    let signed_min = reduce_min_sync(FULL_MASK, value as i64);
    let signed_max = reduce_max_sync(FULL_MASK, value as i64);
    if i < x.len() {
        words[i] = add ^ min * 3 ^ max * 5 ^ and * 7 ^ or * 11 ^ xor * 13;
        ints[i] = int_add ^ int_min * 3 ^ int_max * 5 ^ int_xor * 7;
        longs[i] = long_add ^ long_min * 3 ^ long_max * 5 ^ long_and * 7;
        signed[i] = signed_min ^ signed_max * 3;
    }
}

/// The values of a warp, reduced.
fn reduced<T: Copy>(warp: &[u64], cast: fn(u64) -> T, op: fn(T, T) -> T) -> T {
    warp.iter().map(|x| cast(*x)).reduce(op).expect("a warp has a lane")
}

fn run_reductions(device: &Device, n: usize) -> Result<Output, Error> {
    let n = n.min(100_000);
    // Sizes that are no multiple of 32 leave zeros in the last warp, which takes part as a whole.
    let x = u64s(n, 82);
    let (mut words, mut ints) = (device.zeros(n)?, device.zeros(n)?);
    let (mut longs, mut signed) = (device.zeros(n)?, device.zeros(n)?);
    reductions(&*device.upload(&x)?, &mut words, &mut ints, &mut longs, &mut signed).threads(n).launch()?;
    let mut padded = x.clone();
    padded.resize(n.next_multiple_of(32), 0);
    let warp = |i: usize| &padded[i / 32 * 32..i / 32 * 32 + 32];
    let word = |i: usize| {
        let of = |op| reduced(warp(i), |x| x as u32, op);
        let and = reduced(warp(i), |x| x as u32 | 3, |a, b| a & b);
        let or = reduced(warp(i), |x| x as u32 & 0xff0, |a, b| a | b);
        let bounds = of(u32::min).wrapping_mul(3) ^ of(u32::max).wrapping_mul(5);
        let bits = and.wrapping_mul(7) ^ or.wrapping_mul(11) ^ of(|a, b| a ^ b).wrapping_mul(13);
        of(u32::wrapping_add) ^ bounds ^ bits
    };
    let int = |i: usize| {
        let of = |op| reduced(warp(i), |x| x as i32, op);
        let bounds = of(i32::min).wrapping_mul(3) ^ of(i32::max).wrapping_mul(5);
        of(i32::wrapping_add) ^ bounds ^ of(|a, b| a ^ b).wrapping_mul(7)
    };
    let long = |i: usize| {
        let of = |op| reduced(warp(i), |x| x, op);
        let and = reduced(warp(i), |x| x | 3, |a, b| a & b).wrapping_mul(7);
        of(u64::wrapping_add) ^ of(u64::min).wrapping_mul(3) ^ of(u64::max).wrapping_mul(5) ^ and
    };
    let of_signed = |i: usize| {
        let of = |op| reduced(warp(i), |x| x as i64, op);
        of(i64::min) ^ of(i64::max).wrapping_mul(3)
    };
    assert_same("u32", &words.download()?, &(0..n).map(word).collect::<Vec<_>>());
    assert_same("i32", &ints.download()?, &(0..n).map(int).collect::<Vec<_>>());
    assert_same("u64", &longs.download()?, &(0..n).map(long).collect::<Vec<_>>());
    assert_same("i64", &signed.download()?, &(0..n).map(of_signed).collect::<Vec<_>>());
    Ok(Output::new().with(&words.download()?).with(&longs.download()?))
}

/// The lower and the upper half of each warp, and a last warp of ten lanes.
#[gpu_kernel]
fn halves(x: &[u64], sums: &mut [u64], lanes: &mut [u32]) {
    let i = global_id();
    let mask = if lane_id() < 16 { 0x0000_ffffu32 } else { 0xffff_0000 };
    let sum = reduce_add_sync(mask, x[i]);
    let least = reduce_min_sync(mask, x[i] as u32);
    sync_warp_mask(mask);
    let same = match_any_sync(mask, lane_id() % 3);
    let all = match_all_sync(mask, lane_id() / 16);
    let ballot = ballot_sync(mask, lane_id() % 2 == 0);
    sums[i] = sum + least as u64;
    lanes[i] = same + all * 3 + ballot * 5;
}

fn run_halves(device: &Device, _: usize) -> Result<Output, Error> {
    let x = u64s(74, 83);
    let (mut sums, mut lanes) = (device.zeros(74)?, device.zeros(74)?);
    halves(&*device.upload(&x)?, &mut sums, &mut lanes).grid(1).block(74).launch()?;
    let group = |i: usize| i / 16 * 16..(i / 16 * 16 + 16).min(74);
    let sum = |i: usize| {
        let least = x[group(i)].iter().map(|x| *x as u32).min().expect("a lane");
        x[group(i)].iter().fold(u64::from(least), |sum, x| sum.wrapping_add(*x))
    };
    let bits = |i: usize, test: &dyn Fn(usize) -> bool| {
        group(i).filter(|other| test(other % 32)).fold(0u32, |bits, other| bits | 1 << (other % 32))
    };
    let lane = |i: usize| {
        let (same, all) = (bits(i, &|other| other % 3 == i % 32 % 3), bits(i, &|_| true));
        same.wrapping_add(all.wrapping_mul(3)).wrapping_add(bits(i, &|other| other % 2 == 0).wrapping_mul(5))
    };
    assert_same("sums", &sums.download()?, &(0..74).map(sum).collect::<Vec<_>>());
    assert_same("lanes", &lanes.download()?, &(0..74).map(lane).collect::<Vec<_>>());
    assert!(halves::kernel().runs_in_phases());
    Ok(Output::new().with(&sums.download()?).with(&lanes.download()?))
}

/// Lanes that have returned are not active, and a part that goes another way is waited for by nobody.
#[gpu_kernel]
fn parted(out: &mut [u32]) {
    if lane_id() % 4 == 3 {
        return;
    }
    let mut active = activemask();
    if lane_id() < 8 {
        active = active & 0xffff_ff0f | activemask() << 4 & 0xf0;
    }
    sync_warp_mask(0x7777_7777);
    out[thread_rank()] = active;
}

fn run_parted(device: &Device, _: usize) -> Result<Output, Error> {
    let mut out = device.zeros(64)?;
    parted(&mut out).grid(1).block(64).launch()?;
    let at = |i: usize| if i % 4 == 3 { 0 } else { 0x7777_7777 };
    assert_same("active", &out.download()?, &(0..64).map(at).collect::<Vec<u32>>());
    assert!(!parted::kernel().runs_in_phases());
    Ok(Output::new().with(&out.download()?))
}

/// Nothing ends the loops but that every thread returns, in some warps sooner than in others.
#[gpu_kernel]
fn leaving(out: &mut [u32]) {
    let t = thread_rank();
    let mut turn = 0u32;
    loop {
        sync_threads();
        if t < 64 {
            turn += 2;
        }
        turn += 1;
        out[t] = turn;
        if turn as usize > t {
            return;
        }
    }
}

fn run_leaving(device: &Device, _: usize) -> Result<Output, Error> {
    let mut out = device.zeros(96)?;
    leaving(&mut out).grid(1).block(96).launch()?;
    let at = |t: u32| if t < 64 { t / 3 * 3 + 3 } else { t + 1 };
    assert_same("turns", &out.download()?, &(0..96).map(at).collect::<Vec<_>>());
    assert!(leaving::kernel().runs_in_phases());
    Ok(Output::new().with(&out.download()?))
}

/// The same with warp operations.
#[gpu_kernel]
fn leaving_warps(out: &mut [u32]) {
    let t = thread_rank();
    let mut turn = 0u32;
    loop {
        turn += 1;
        let sum = reduce_add_sync(FULL_MASK, 1u32);
        out[t] = turn + sum - sum;
        if turn as usize > t / 32 {
            return;
        }
    }
}

fn run_leaving_warps(device: &Device, _: usize) -> Result<Output, Error> {
    let mut out = device.zeros(96)?;
    leaving_warps(&mut out).grid(1).block(96).launch()?;
    assert_same("turns", &out.download()?, &(0..96).map(|t| t / 32 + 1).collect::<Vec<u32>>());
    Ok(Output::new().with(&out.download()?))
}

//! Barriers with a value.

use crate::data::u64s;
use crate::{Case, Output, assert_same};
use warpcell_runtime::prelude::*;
use warpcell_runtime::{Device, Error};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case { name: "B13 barriers with count, and, or", kernel: votes::kernel, run: run_votes },
        Case { name: "votes of the threads that are left", kernel: left::kernel, run: run_left },
        Case { name: "loop until no thread has changed", kernel: settle::kernel, run: run_settle },
        Case { name: "votes into variables of each thread", kernel: kept::kernel, run: run_kept },
        Case { name: "a vote as a condition", kernel: condition::kernel, run: run_condition },
    ]
}

/// The predicate, negated, in two threads, and in none.
#[gpu_kernel]
fn votes(zeros: usize, out: &mut [u32]) {
    let holds = thread_rank() >= zeros;
    let count = sync_threads_count(holds);
    let and = sync_threads_and(holds);
    let or = sync_threads_or(holds);
    out[global_id()] = count + and as u32 * 1000 + or as u32 * 2000;
}

fn run_votes(device: &Device, _: usize) -> Result<Output, Error> {
    let mut output = Output::new();
    for (zeros, expected) in [(2, 70 + 2000), (0, 72 + 1000 + 2000), (72, 0)] {
        let mut out = device.zeros(144)?;
        votes(zeros, &mut out).grid(2).block(72).launch()?;
        assert_same("count, and, or", &out.download()?, &[expected; 144]);
        output = output.with(&out.download()?);
    }
    assert!(votes::kernel().runs_in_phases());
    Ok(output)
}

/// Threads that have returned are not counted.
#[gpu_kernel]
fn left(x: &[u64], out: &mut [u32]) {
    let i = global_id();
    if i >= x.len() {
        return;
    }
    let even = x[i] % 2 == 0;
    let count = sync_threads_count(even);
    if even {
        return;
    }
    let odd = sync_threads_count(true);
    let all = sync_threads_and(!even);
    out[i] = count + odd * 1000 + all as u32 * 1_000_000;
}

fn run_left(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 90);
    let mut out = device.zeros(n)?;
    left(&*device.upload(&x)?, &mut out).threads(n).block(128).launch()?;
    let mut expected = Vec::new();
    for block in x.chunks(128) {
        let even = block.iter().filter(|x| x.is_multiple_of(2)).count() as u32;
        let odd = block.len() as u32 - even;
        expected.extend(block.iter().map(|x| if x % 2 == 0 { 0 } else { even + odd * 1000 + 1_000_000 }));
    }
    assert_same("votes", &out.download()?, &expected);
    assert!(left::kernel().runs_in_phases());
    Ok(Output::new().with(&out.download()?))
}

/// Each thread takes the smallest value of its neighbourhood until nothing changes: the loop depends on the vote.
#[gpu_kernel]
fn settle(x: &[u64], out: &mut [u64], rounds: &mut [u32]) {
    let mut tile = shared::<[u64; 64]>();
    let t = thread_rank();
    let i = global_id();
    tile[t] = if i < x.len() { x[i] } else { u64::MAX };
    sync_threads();
    let mut round = 0u32;
    let mut total = 0u32;
    loop {
        let old = tile[t];
        let mut new = old;
        if t > 0 {
            new = new.min(tile[t - 1]);
        }
        sync_threads();
        tile[t] = new;
        let changed = sync_threads_count(new != old);
        if changed == 0 {
            break;
        }
        total += changed;
        round += 1;
    }
    if i < x.len() {
        out[i] = tile[t];
    }
    if t == 0 {
        rounds[block_rank()] = round * 10_000 + total;
    }
}

fn run_settle(device: &Device, n: usize) -> Result<Output, Error> {
    let n = n.min(10_000);
    let x = u64s(n, 91);
    let (mut out, mut rounds) = (device.zeros(n)?, device.zeros(n.div_ceil(64))?);
    settle(&*device.upload(&x)?, &mut out, &mut rounds).threads(n).block(64).launch()?;
    let (mut expected, mut expected_rounds) = (Vec::new(), Vec::new());
    for block in x.chunks(64) {
        let mut tile = block.to_vec();
        tile.resize(64, u64::MAX);
        let (mut round, mut total) = (0, 0);
        loop {
            let old = tile.clone();
            (1..64).for_each(|t| tile[t] = old[t].min(old[t - 1]));
            let changed = (0..64).filter(|t| tile[*t] != old[*t]).count() as u32;
            if changed == 0 {
                break;
            }
            (round, total) = (round + 1, total + changed);
        }
        expected.extend_from_slice(&tile[..block.len()]);
        expected_rounds.push(round * 10_000 + total);
    }
    assert_same("values", &out.download()?, &expected);
    assert_same("rounds", &rounds.download()?, &expected_rounds);
    assert!(settle::kernel().runs_in_phases());
    Ok(Output::new().with(&out.download()?).with(&rounds.download()?))
}

/// Assigned to and added to variables that differ between threads, also to ones that were the same before.
#[gpu_kernel]
fn kept(out: &mut [u32]) {
    let t = thread_rank() as u32;
    let mut own = t;
    let mut same = 1u32;
    own += sync_threads_count(t % 3 == 0);
    same += sync_threads_count(t % 5 == 0);
    let mut last = sync_threads_count(t % 7 == 0);
    if t % 2 == 0 {
        last += t;
    }
    sync_threads_or(t == 5);
    let _ = sync_threads_and(t == 5);
    own = if same > 3 { own } else { 0 };
    out[global_id()] = own * 10_000 + same * 100 + last;
}

fn run_kept(device: &Device, _: usize) -> Result<Output, Error> {
    let mut out = device.zeros(96)?;
    kept(&mut out).grid(2).block(48).launch()?;
    let at = |i: u32| {
        let t = i % 48;
        (t + 16) * 10_000 + (1 + 10) * 100 + 7 + if t.is_multiple_of(2) { t } else { 0 }
    };
    assert_same("kept", &out.download()?, &(0..96).map(at).collect::<Vec<_>>());
    assert!(kept::kernel().runs_in_phases());
    Ok(Output::new().with(&out.download()?))
}

/// In the middle of an expression: as futures on the CPU.
#[gpu_kernel]
fn condition(out: &mut [u32]) {
    let mut turn = 0u32;
    while sync_threads_or(turn < thread_rank() as u32 % 7) {
        turn += 1;
        if sync_threads_and(turn > 100) {
            break;
        }
    }
    out[global_id()] = turn;
}

fn run_condition(device: &Device, _: usize) -> Result<Output, Error> {
    let mut out = device.zeros(70)?;
    condition(&mut out).grid(2).block(35).launch()?;
    assert_same("turns", &out.download()?, &[6; 70]);
    assert!(!condition::kernel().runs_in_phases());
    Ok(Output::new().with(&out.download()?))
}

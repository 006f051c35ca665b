//! Threads that wait for each other without a barrier: fences and flags, spinning, locks; and how a wait for what never
//! comes ends.

use crate::{Case, Output, assert_same};
use warpcell_runtime::prelude::*;
use warpcell_runtime::{Device, Error};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case { name: "B18 spin on another thread of the block", kernel: hand_over::kernel, run: run_hand_over },
        Case { name: "B18 the same by a loop", kernel: hand_over_loop::kernel, run: run_hand_over_loop },
        Case {
            name: "B18 the same in a device function",
            kernel: hand_over_in_a_function::kernel,
            run: run_hand_over_in_a_function,
        },
        Case { name: "E10 spin lock by compare and swap", kernel: spin_lock::kernel, run: run_spin_lock },
        Case { name: "E10 locks", kernel: locked::kernel, run: run_locked },
        Case { name: "E14 fence and flag", kernel: flagged::kernel, run: run_flagged },
        Case { name: "blocks in a chain", kernel: chain::kernel, run: run_chain },
        Case { name: "taking turns", kernel: turns::kernel, run: run_turns },
        Case { name: "fences and clocks", kernel: clocks::kernel, run: run_clocks },
    ]
}

/// The first warp waits for a thread of the second.
#[gpu_kernel]
fn hand_over(out: &mut [u32], flags: &mut [u32]) {
    let mut data = shared::<[u32; 64]>();
    let t = thread_rank();
    if t >= 32 {
        data[t] = t as u32 * 3;
        thread_fence_block();
        atomic_store(&mut flags[block_rank() * 64 + t], 1);
    } else {
        spin_until_eq(&flags[block_rank() * 64 + t + 32], 1);
        out[block_rank() * 32 + t] = data[t + 32];
    }
}

fn run_hand_over(device: &Device, _: usize) -> Result<Output, Error> {
    let (mut out, mut flags) = (device.zeros(96)?, device.zeros(192)?);
    hand_over(&mut out, &mut flags).grid(3).block(64).launch()?;
    assert_same("data", &out.download()?, &(0..96).map(|i| (i % 32 + 32) * 3).collect::<Vec<u32>>());
    assert!(!hand_over::kernel().runs_in_phases());
    Ok(Output::new().with(&out.download()?))
}

/// Both forms of a loop that changes nothing itself; one reads plain memory.
#[gpu_kernel]
fn hand_over_loop(out: &mut [u32], flags: &mut [u32]) {
    let t = thread_rank();
    if t >= 64 {
        out[t] = t as u32 * 3;
        thread_fence();
        atomic_store(&mut flags[t], t as u32);
    } else if t < 32 {
        while atomic_load(&flags[t + 64]) == 0 {
            nanosleep(50);
        }
        thread_fence();
        out[t] = out[t + 64];
    } else {
        let seen = loop {
            if flags[t + 64] != 0 {
                break flags[t + 64];
            }
        };
        loop {
            let again = flags[t + 64];
            if again == seen {
                out[t] = again;
                break;
            }
        }
    }
}

fn run_hand_over_loop(device: &Device, _: usize) -> Result<Output, Error> {
    let (mut out, mut flags) = (device.zeros(128)?, device.zeros(128)?);
    hand_over_loop(&mut out, &mut flags).grid(1).block(128).launch()?;
    let at = |t: u32| match t {
        0..32 => (t + 64) * 3,
        32..64 => t + 64,
        _ => t * 3,
    };
    assert_same("data", &out.download()?, &(0..128).map(at).collect::<Vec<_>>());
    assert!(!hand_over_loop::kernel().runs_in_phases());
    Ok(Output::new().with(&out.download()?))
}

/// Two kinds of waiting.
#[gpu_fn]
fn await_flag(flags: &[u32], at: usize) -> u32 {
    spin_until_ne(&flags[at], 0);
    while flags[at] < 2 {}
    thread_fence();
    flags[at]
}

#[gpu_kernel]
fn hand_over_in_a_function(out: &mut [u32], flags: &mut [u32]) {
    let t = thread_rank();
    if t < 32 {
        out[t] = await_flag(&flags[..], t + 32);
    } else {
        atomic_add(&mut flags[t], 1);
        atomic_add(&mut flags[t], t as u32);
    }
}

fn run_hand_over_in_a_function(device: &Device, _: usize) -> Result<Output, Error> {
    let (mut out, mut flags) = (device.zeros(32)?, device.zeros(64)?);
    hand_over_in_a_function(&mut out, &mut flags).grid(1).block(64).launch()?;
    let out = out.download()?;
    assert_same("flags", &out, &(33..65).collect::<Vec<u32>>());
    Ok(Output::new().with(&out))
}

/// One thread of each block, with a lock of its own making.
#[gpu_kernel]
fn spin_lock(held: &mut [u32], counter: &mut [u32]) {
    if thread_rank() == 0 {
        while atomic_cas(&mut held[0], 0, 1) != 0 {}
        thread_fence();
        counter[0] = counter[0] + 1;
        thread_fence();
        atomic_exch(&mut held[0], 0);
    }
}

fn run_spin_lock(device: &Device, _: usize) -> Result<Output, Error> {
    let (mut held, mut counter) = (device.zeros(1)?, device.zeros(1)?);
    spin_lock(&mut held, &mut counter).grid(64).block(64).launch()?;
    assert_same("counter", &counter.download()?, &[64]);
    Ok(Output::new().with(&counter.download()?))
}

/// Every thread of every block, for one of three counters.
#[gpu_kernel]
fn locked(held: &mut [u64], counters: &mut [u32]) {
    let k = thread_rank() % 3;
    lock(&mut held[k]);
    counters[k] = counters[k] + 1;
    unlock(&mut held[k]);
}

fn run_locked(device: &Device, _: usize) -> Result<Output, Error> {
    let (mut held, mut counters) = (device.zeros(3)?, device.zeros(3)?);
    locked(&mut held, &mut counters).grid(16).block(48).launch()?;
    assert_same("counters", &counters.download()?, &[256; 3]);
    assert_same("locks", &held.download()?, &[0; 3]);
    Ok(Output::new().with(&counters.download()?))
}

/// Even blocks write, a fence between the data and the flag; odd blocks read what the block before them wrote.
#[gpu_kernel]
fn flagged(data: &mut [u32], flags: &mut [u32], out: &mut [u32]) {
    let block = block_rank();
    let t = thread_rank();
    if block % 2 == 0 {
        data[block * 32 + t] = (block * 32 + t) as u32 + 7;
        thread_fence();
        atomic_add(&mut flags[block], 1);
    } else {
        spin_until_ge(&flags[block - 1], 32);
        out[block / 2 * 32 + t] = data[(block - 1) * 32 + 31 - t];
    }
}

fn run_flagged(device: &Device, n: usize) -> Result<Output, Error> {
    let pairs = n.min(500);
    let (mut data, mut flags) = (device.zeros(pairs * 64)?, device.zeros(pairs * 2)?);
    let mut out = device.zeros(pairs * 32)?;
    flagged(&mut data, &mut flags, &mut out).grid(pairs * 2).block(32).launch()?;
    let at = |i: usize| (i / 32 * 64 + 31 - i % 32) as u32 + 7;
    assert_same("data", &out.download()?, &(0..pairs * 32).map(at).collect::<Vec<_>>());
    Ok(Output::new().with(&out.download()?))
}

/// Each block waits for the one before it: an exclusive sum over blocks.
#[gpu_kernel]
fn chain(x: &[u32], sums: &mut [u64], ready: &mut [u32]) {
    let b = block_rank();
    if thread_rank() == 0 {
        let mut sum = 0;
        if b > 0 {
            spin_until_ne(&ready[b - 1], 0);
            sum = sums[b - 1];
        }
        sums[b] = sum + x[b] as u64;
        thread_fence();
        atomic_store(&mut ready[b], 1);
    }
    sync_threads();
}

fn run_chain(device: &Device, n: usize) -> Result<Output, Error> {
    let n = n.min(2000);
    let x: Vec<u32> = (0..n as u32).map(|i| i * i % 1000).collect();
    let (mut sums, mut ready) = (device.zeros(n)?, device.zeros(n)?);
    chain(&*device.upload(&x)?, &mut sums, &mut ready).grid(n).block(64).launch()?;
    let mut sum = 0;
    let expected: Vec<u64> = x.iter().map(|x| (sum += u64::from(*x), sum).1).collect();
    assert_same("sums", &sums.download()?, &expected);
    Ok(Output::new().with(&sums.download()?))
}

/// Two threads answer each other, ten times.
#[gpu_kernel]
fn turns(ball: &mut [u32], out: &mut [u32]) {
    let t = thread_rank();
    for round in 0..10u32 {
        while atomic_load(&ball[block_rank()]) != round * 2 + t as u32 {}
        out[block_rank() * 2 + t] += round;
        thread_fence();
        atomic_add(&mut ball[block_rank()], 1);
    }
}

fn run_turns(device: &Device, _: usize) -> Result<Output, Error> {
    let (mut ball, mut out) = (device.zeros(5)?, device.zeros(10)?);
    turns(&mut ball, &mut out).grid(5).block(2).launch()?;
    assert_same("turns", &ball.download()?, &[20; 5]);
    assert_same("sums", &out.download()?, &[45; 10]);
    Ok(Output::new().with(&out.download()?))
}

/// Clocks run forwards; unrolled loops and read-only loads mean what they mean.
#[gpu_kernel]
fn clocks(x: &[u32], out: &mut [u32]) {
    let i = global_id();
    let start = clock64();
    let timer = global_timer();
    let mut sum = 0;
    #[unroll]
    for k in 0..4usize {
        sum += ldg(&x[(i + k) % x.len()]);
    }
    #[unroll(2)]
    for k in (0..=8usize).rev() {
        sum += x[(i + k) % x.len()] * 3;
    }
    thread_fence_block();
    thread_fence();
    thread_fence_system();
    nanosleep(10);
    let forwards = clock64() >= start && clock() > 0 && global_timer() >= timer;
    if i < out.len() {
        out[i] = sum * 2 + forwards as u32;
    }
}

fn run_clocks(device: &Device, n: usize) -> Result<Output, Error> {
    let n = n.min(10_000);
    let x: Vec<u32> = (0..17u32).map(|i| i * i).collect();
    let mut out = device.zeros(n)?;
    clocks(&*device.upload(&x)?, &mut out).threads(n).launch()?;
    let at = |i: usize| {
        let part = |count: usize| (0..count).map(|k| x[(i + k) % 17]).sum::<u32>();
        (part(4) + part(9) * 3) * 2 + 1
    };
    assert_same("sums", &out.download()?, &(0..n).map(at).collect::<Vec<_>>());
    let source = clocks::kernel().cuda_source()?;
    assert!(source.contains("#pragma unroll\n") && source.contains("#pragma unroll 2\n"));
    Ok(Output::new().with(&out.download()?))
}

//! Barriers of a block and of a grid.

use super::faults::{FaultCase, fault, run};
use crate::data::u64s;
use crate::{Case, Output, assert_same};
use warpcell_runtime::prelude::*;
use warpcell_runtime::{Device, Error, FaultKind, KernelInfo};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case { name: "B08 early return before barriers", kernel: live_prefix::kernel, run: run_live_prefix },
        Case { name: "B10 barrier in a uniform loop", kernel: exchange_rounds::kernel, run: run_exchange_rounds },
        Case { name: "B11 barrier under a uniform if", kernel: under_if::kernel, run: run_under_if },
        Case { name: "B14 shared memory of each block", kernel: isolated::kernel, run: run_isolated },
        Case { name: "B15 values live across a barrier", kernel: live_values::kernel, run: run_live_values },
        Case { name: "memory read before and after a barrier", kernel: twice_read::kernel, run: run_twice_read },
        Case { name: "G03 grid barrier", kernel: grid_rows::kernel, run: run_grid_rows },
        Case { name: "grid barrier after blocks and threads have ended", kernel: some_end::kernel, run: run_some_end },
    ]
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![fault_between::kernel(), crossed::kernel()]
}

/// Checks of grids that do not fit, or fault.
pub(super) fn checks() -> Vec<FaultCase> {
    vec![
        FaultCase { name: "G04 more blocks than are resident", run: too_many_blocks },
        FaultCase { name: "a fault between grid barriers", run: run_fault_between },
    ]
}

/// B08
#[gpu_kernel(block = 256)]
fn live_prefix(n: usize, sums: &mut [u32]) {
    let mut live = shared::<[u32; 256]>();
    let t = thread_rank();
    live[t] = 0;
    sync_threads();
    if global_id() >= n {
        return;
    }
    live[t] = 1;
    sync_threads();
    if t == 0 {
        let mut sum = 0;
        for k in 0..256 {
            sum += live[k];
        }
        sums[block_rank()] = sum;
    }
}

fn run_live_prefix(device: &Device, _: usize) -> Result<Output, Error> {
    let mut sums = device.zeros::<u32>(4)?;
    live_prefix(1000, &mut sums).threads(1000).launch()?;
    let sums = sums.download()?;
    assert_eq!(sums, [256, 256, 256, 232]);
    Ok(Output::new().with(&sums))
}

/// B10
#[gpu_kernel]
fn exchange_rounds(x: &[u64], out: &mut [u64]) {
    let mut tile = shared::<[u64; 32]>();
    let t = thread_rank();
    let mut value = x[t];
    for round in 0..7u64 {
        tile[t] = value * 3 + round;
        sync_threads();
        value = tile[(t + 5) % 32] ^ tile[(t + 11) % 32] << 1;
        sync_threads();
    }
    out[t] = value;
}

fn run_exchange_rounds(device: &Device, _: usize) -> Result<Output, Error> {
    let x = u64s(32, 80);
    let mut out = device.zeros(32)?;
    exchange_rounds(&*device.upload(&x)?, &mut out).grid(1).block(32).launch()?;
    let out = out.download()?;
    let mut values = x;
    for round in 0..7 {
        let tile: Vec<u64> = values.iter().map(|value| value.wrapping_mul(3).wrapping_add(round)).collect();
        values = (0..32).map(|t| tile[(t + 5) % 32] ^ tile[(t + 11) % 32] << 1).collect();
    }
    assert_same("rounds", &out, &values);
    Ok(Output::new().with(&out))
}

/// B11
#[gpu_kernel]
fn under_if(exchange: u32, out: &mut [u32]) {
    let mut tile = shared::<[u32; 64]>();
    let t = thread_rank();
    tile[t] = t as u32;
    let mut from = t;
    if exchange > 0 {
        sync_threads();
        from = 63 - t;
    }
    out[t] = tile[from];
}

fn run_under_if(device: &Device, _: usize) -> Result<Output, Error> {
    let mut output = Output::new();
    for (exchange, expected) in [(0, (0..64).collect::<Vec<u32>>()), (1, (0..64).rev().collect())] {
        let mut out = device.zeros::<u32>(64)?;
        under_if(exchange, &mut out).grid(1).block(64).launch()?;
        let out = out.download()?;
        assert_same("under if", &out, &expected);
        output = output.with(&out);
    }
    Ok(output)
}

/// B14
#[gpu_kernel(block = 2)]
fn isolated(out: &mut [u32]) {
    let mut tile = shared::<[u32; 1]>();
    if thread_rank() == 0 {
        tile[0] = block_rank() as u32;
    }
    sync_threads();
    if thread_rank() == 1 {
        out[block_rank()] = tile[0];
    }
}

fn run_isolated(device: &Device, _: usize) -> Result<Output, Error> {
    let mut out = device.zeros::<u32>(64)?;
    isolated(&mut out).grid(64).launch()?;
    let out = out.download()?;
    assert_same("isolated", &out, &(0..64).collect::<Vec<u32>>());
    Ok(Output::new().with(&out))
}

/// B15
#[gpu_kernel(block = 256)]
fn live_values(x: &[u64], out: &mut [u64]) {
    let mut tile = shared::<[u64; 256]>();
    let t = thread_rank();
    let mut own = [0u64; 4];
    let mut sum = 0;
    for k in 0..4 {
        own[k] = x[(t * 4 + k) % x.len()];
        sum += own[k];
    }
    tile[t] = sum;
    sync_threads();
    own[t % 4] += tile[255 - t];
    sum ^= own[t % 4];
    sync_threads();
    tile[t] = own[(t + 1) % 4];
    sync_threads();
    out[t] = sum * 7 + own[0] + own[1] + own[2] + own[3] + tile[(t + 128) % 256];
}

fn run_live_values(device: &Device, _: usize) -> Result<Output, Error> {
    let x = u64s(1000, 81);
    let mut out = device.zeros(256)?;
    live_values(&*device.upload(&x)?, &mut out).grid(1).launch()?;
    let out = out.download()?;
    let mut own: Vec<[u64; 4]> = (0..256).map(|t| std::array::from_fn(|k| x[(t * 4 + k) % 1000])).collect();
    let total = |values: &[u64; 4]| values.iter().fold(0u64, |sum, value| sum.wrapping_add(*value));
    let mut sums: Vec<u64> = own.iter().map(total).collect();
    let tile = sums.clone();
    for t in 0..256 {
        own[t][t % 4] = own[t][t % 4].wrapping_add(tile[255 - t]);
        sums[t] ^= own[t][t % 4];
    }
    let last = |t: usize| own[t][(t + 1) % 4];
    let value = |t: usize| sums[t].wrapping_mul(7).wrapping_add(total(&own[t])).wrapping_add(last((t + 128) % 256));
    assert_same("live values", &out, &(0..256).map(value).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

/// Another thread writes between two reads of the same element.
#[gpu_kernel(block = 128)]
fn twice_read(x: &mut [u32], out: &mut [u32]) {
    let i = global_id();
    let before = x[block_rank() * 128];
    sync_threads();
    if thread_rank() == 100 {
        x[block_rank() * 128] = before + 5;
    }
    sync_threads();
    out[i] = before * 1000 + x[block_rank() * 128];
}

fn run_twice_read(device: &Device, _: usize) -> Result<Output, Error> {
    let (n, mut x) = (512, device.upload(&(0..512).collect::<Vec<u32>>())?);
    let mut out = device.zeros(n)?;
    twice_read(&mut x, &mut out).threads(n).launch()?;
    let out = out.download()?;
    let expected = |i: usize| (i / 128 * 128) as u32;
    assert_same("twice", &out, &(0..n).map(|i| expected(i) * 1001 + 5).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

/// G03: each row is made of the row before it, which other blocks have written.
#[gpu_kernel(block = 64, requires(columns > 0, matrix.len() % columns == 0))]
fn grid_rows(columns: usize, matrix: &mut [u32]) {
    let c = global_id();
    for r in 1..matrix.len() / columns {
        if c < columns {
            matrix[r * columns + c] = matrix[(r - 1) * columns + columns - 1 - c] + 1;
        }
        sync_grid();
    }
}

fn run_grid_rows(device: &Device, n: usize) -> Result<Output, Error> {
    let (columns, count) = (n.clamp(1, 3078), 20);
    let mut matrix = device.zeros::<u32>(columns * count)?;
    grid_rows(columns, &mut matrix).threads(columns).launch()?;
    grid_rows(columns, &mut matrix).threads(columns).cooperative().launch()?;
    let matrix = matrix.download()?;
    assert_same("rows", &matrix, &(0..columns * count).map(|i| (i / columns) as u32).collect::<Vec<_>>());
    Ok(Output::new().with(&matrix))
}

/// Every third block ends before the first barrier, some threads of the others between barriers.
#[gpu_kernel]
fn some_end(steps: &mut [u32], out: &mut [u32]) {
    let mut tile = shared::<[u32; 1]>();
    let b = block_rank();
    let t = thread_rank();
    if b % 3 == 1 {
        return;
    }
    for step in 0..3 {
        if t == 0 && step == b % 4 {
            return;
        }
        atomic_add(&mut steps[step], 1);
        sync_grid();
        if t == 1 {
            tile[0] = steps[step];
        }
        sync_threads();
        out[(step * grid_size() + b) * block_size() + t] = tile[0];
    }
}

fn run_some_end(device: &Device, _: usize) -> Result<Output, Error> {
    let (blocks, threads) = (10, 40);
    let (mut steps, mut out) = (device.zeros::<u32>(3)?, device.zeros::<u32>(3 * blocks * threads)?);
    some_end(&mut steps, &mut out).grid(blocks).block(threads).launch()?;
    let there = |step: usize, b: usize, t: usize| b % 3 != 1 && (t != 0 || step < b % 4);
    let pairs: Vec<(usize, usize)> = (0..blocks).flat_map(|b| (0..threads).map(move |t| (b, t))).collect();
    let counts: Vec<u32> =
        (0..3).map(|step| pairs.iter().filter(|(b, t)| there(step, *b, *t)).count() as u32).collect();
    let expected: Vec<u32> = (0..3)
        .flat_map(|step| pairs.iter().map(move |(b, t)| (step, *b, *t)))
        .map(|(step, b, t)| if there(step, b, t) { counts[step] } else { 0 })
        .collect();
    let out = out.download()?;
    assert_same("steps", &steps.download()?, &counts);
    assert_same("seen", &out, &expected);
    Ok(Output::new().with(&out))
}

/// G04
fn too_many_blocks(device: &Device) -> Result<(), Error> {
    let limit = device.resident_blocks(&grid_rows::kernel(), 64, 0)?;
    let mut matrix = device.zeros::<u32>(64)?;
    let error = grid_rows(64, &mut matrix).grid(limit + 1).launch().unwrap_err();
    let Error::Limit { value, limit: named, .. } = &error else { panic!("expected a limit, found {error}") };
    assert_eq!((*value, *named), (limit as u64 + 1, limit as u64));
    grid_rows(64, &mut matrix).grid(limit.min(200)).launch()?;
    device.synchronize()
}

#[gpu_kernel]
fn fault_between(bad: usize, out: &mut [u32]) {
    sync_grid();
    let i = global_id();
    out[if i == bad { out.len() } else { i }] = 1;
    sync_grid();
    sync_grid();
}

/// The others don't wait for the thread that is gone, and the device works on.
fn run_fault_between(device: &Device) -> Result<(), Error> {
    let n = 8 * 64;
    let mut out = device.zeros::<u32>(n)?;
    let found = fault(run(device, fault_between(3 * 64 + 5, &mut out).grid(8).block(64)));
    assert_eq!(found.what, FaultKind::Index { array: "out".into(), index: n as u64, length: n as u64 });
    assert_eq!((found.block, found.thread), ([3, 0, 0], [5, 0, 0]));
    fault_between(n, &mut out).grid(8).block(64).launch()?;
    assert_eq!(out.download()?, vec![1; n]);
    Ok(())
}

#[gpu_kernel]
fn crossed(out: &mut [u32]) {
    if thread_rank() < 3 {
        sync_grid();
    } else {
        sync_threads();
    }
    out[0] = 1;
}

/// On the CPU: threads that wait at different barriers are a fault and no hang.
///
/// # Errors
/// Out of memory.
pub fn crossed_barriers(device: &Device) -> Result<(), Error> {
    let mut out = device.zeros::<u32>(1)?;
    let found = fault(run(device, crossed(&mut out).grid(2).block(8)));
    assert_eq!(found.what, FaultKind::Wait { waiting: 8, threads: 8 });
    Ok(())
}

//! What a kernel must not do, and how it is reported: the same on every device.

use warpcell_runtime::prelude::*;
use warpcell_runtime::{Device, Error, Fault, FaultKind, KernelInfo};

/// The kernels of this module.
pub fn kernels() -> Vec<KernelInfo> {
    vec![
        read_at::kernel(),
        write_at::kernel(),
        divide::kernel(),
        part_of::kernel(),
        step_by::kernel(),
        in_function::kernel(),
        after_barrier::kernel(),
    ]
}

#[gpu_kernel]
fn read_at(x: &[u32], at: &[u32], out: &mut [u32]) {
    let i = global_id();
    if i < out.len() {
        out[i] = x[at[i] as usize];
    }
}

#[gpu_kernel]
fn write_at(at: &[u32], out: &mut [u32]) {
    let i = global_id();
    if i < at.len() {
        out[at[i] as usize] = i as u32;
    }
}

#[gpu_kernel]
fn divide(a: &[i32], b: &[i32], out: &mut [i32]) {
    let i = global_id();
    if i < out.len() {
        out[i] = a[i] / b[i];
    }
}

#[gpu_kernel]
fn part_of(x: &[u32], start: usize, end: usize, out: &mut [u32]) {
    let part = &x[start..end];
    out[0] = part.len() as u32;
}

#[gpu_kernel]
fn step_by(step: usize, out: &mut [u32]) {
    for k in (0..10u32).step_by(step) {
        out[0] += k;
    }
}

#[gpu_fn]
fn element(x: &[u32], i: usize) -> u32 {
    x[i]
}

#[gpu_kernel]
fn in_function(x: &[u32], out: &mut [u32]) {
    out[0] = element(x, x.len() + thread_rank());
}

#[gpu_kernel]
fn after_barrier(out: &mut [u32]) {
    let mut tile = shared::<[u32; 64]>();
    let t = thread_rank();
    tile[t] = t as u32;
    sync_threads();
    if block_rank() == 2 && t == 5 {
        tile[t + 64] = 0;
    }
    sync_threads();
    out[global_id()] = tile[63 - t];
}

/// The fault in an error.
#[track_caller]
pub(super) fn fault(result: Result<(), Error>) -> Fault {
    match result {
        Err(Error::Fault(fault)) => *fault,
        Err(other) => panic!("expected a fault, found {other}"),
        Ok(()) => panic!("expected a fault, found none"),
    }
}

/// Launches, and waits for the outcome.
pub(super) fn run(device: &Device, launch: Launch<'_>) -> Result<(), Error> {
    launch.launch()?;
    device.synchronize()
}

/// A check of a fault.
pub struct FaultCase {
    /// What it is called.
    pub name: &'static str,
    /// Runs it.
    pub run: fn(&Device) -> Result<(), Error>,
}

/// All checks of faults.
pub fn cases() -> Vec<FaultCase> {
    let here = vec![
        FaultCase { name: "one thread of a million", run: one_of_a_million },
        FaultCase { name: "write out of bounds", run: out_of_bounds_write },
        FaultCase { name: "division", run: divisions },
        FaultCase { name: "part of a slice", run: parts },
        FaultCase { name: "step of zero", run: steps },
        FaultCase { name: "in a device function", run: in_a_function },
        FaultCase { name: "between barriers", run: between_barriers },
        FaultCase { name: "every thread", run: every_thread },
    ];
    [here, super::barriers::checks(), super::endless::cases(), super::launches::checks(), super::output::fault_cases()]
        .into_iter()
        .flatten()
        .collect()
}

/// The lowest faulting thread is named, and the device goes on working.
fn one_of_a_million(device: &Device) -> Result<(), Error> {
    let n = 1_000_003;
    let mut at: Vec<u32> = (0..n).map(|i| i % 1024).collect();
    (at[777_777], at[900_000]) = (1024, 5000);
    let (x, at) = (device.upload(&vec![3u32; 1024])?, device.upload(&at)?);
    let mut out = device.zeros::<u32>(n as usize)?;
    let found = fault(run(device, read_at(&x, &at, &mut out).threads(n as usize)));
    assert_eq!(found.what, FaultKind::Index { array: "x".into(), index: 1024, length: 1024 });
    assert_eq!((found.block, found.thread), ([777_777 / 256, 0, 0], [777_777 % 256, 0, 0]));
    assert_eq!((found.kernel, found.line), ("read_at", 23));
    assert!(found.file.ends_with("faults.rs"), "{}", found.file);
    let mut whole = device.zeros::<u32>(1024)?;
    let index = device.upload(&(0..1024).collect::<Vec<u32>>())?;
    read_at(&x, &index, &mut whole).threads(1024).launch()?;
    assert_eq!(whole.download()?, vec![3; 1024]);
    Ok(())
}

/// The neighbours are untouched.
fn out_of_bounds_write(device: &Device) -> Result<(), Error> {
    let mut buffer = device.upload(&[9u32; 300])?;
    let at = device.upload(&[0u32, 1, 100, 2])?;
    let found = fault(run(device, write_at(&at, &mut buffer.slice_mut(100..200)).threads(4)));
    assert_eq!(found.what, FaultKind::Index { array: "out".into(), index: 100, length: 100 });
    assert_eq!(found.thread, [2, 0, 0]);
    let after = buffer.download()?;
    assert!(after[..100].iter().chain(&after[200..]).all(|x| *x == 9));
    Ok(())
}

fn divisions(device: &Device) -> Result<(), Error> {
    let a = device.upload(&[1, -7, i32::MIN, 5])?;
    for (divisors, thread) in [([1, 2, 1, 0], 3), ([1, 2, -1, 0], 2)] {
        let b = device.upload(&divisors)?;
        let mut out = device.zeros::<i32>(4)?;
        let found = fault(run(device, divide(&a, &b, &mut out).threads(4)));
        assert_eq!(found.what, FaultKind::Division { divisor: "b [i]".into() });
        assert_eq!(found.thread, [thread, 0, 0]);
    }
    Ok(())
}

fn parts(device: &Device) -> Result<(), Error> {
    let x = device.upload(&[1u32; 10])?;
    let mut out = device.zeros::<u32>(1)?;
    run(device, part_of(&x, 10, 10, &mut out).grid(1).block(1))?;
    for (start, end, bound) in [(3, 11, 11), (7, 6, 7)] {
        let found = fault(run(device, part_of(&x, start, end, &mut out).grid(1).block(1)));
        assert_eq!(found.what, FaultKind::Range { array: "x".into(), bound, length: 10 });
    }
    Ok(())
}

fn steps(device: &Device) -> Result<(), Error> {
    let mut out = device.zeros::<u32>(1)?;
    assert_eq!(fault(run(device, step_by(0, &mut out).grid(1).block(1))).what, FaultKind::Step);
    Ok(())
}

/// The line is that of the device function.
fn in_a_function(device: &Device) -> Result<(), Error> {
    let x = device.upload(&[1u32; 10])?;
    let mut out = device.zeros::<u32>(1)?;
    let found = fault(run(device, in_function(&x, &mut out).grid(1).block(32)));
    assert_eq!(found.what, FaultKind::Index { array: "x".into(), index: 10, length: 10 });
    assert_eq!((found.kernel, found.line, found.thread), ("in_function", 58, [0, 0, 0]));
    Ok(())
}

/// The others pass the barrier without the thread that is gone.
fn between_barriers(device: &Device) -> Result<(), Error> {
    let mut out = device.zeros::<u32>(256)?;
    let found = fault(run(device, after_barrier(&mut out).grid(4).block(64)));
    assert_eq!(found.what, FaultKind::Index { array: "tile".into(), index: 69, length: 64 });
    assert_eq!((found.block, found.thread), ([2, 0, 0], [5, 0, 0]));
    Ok(())
}

/// A million faults at once end soon, and the lowest is named.
fn every_thread(device: &Device) -> Result<(), Error> {
    let n = 1_000_003;
    let (x, at) = (device.upload(&[1u32; 4])?, device.upload(&vec![4u32; n])?);
    let mut out = device.zeros::<u32>(n)?;
    let found = fault(run(device, read_at(&x, &at, &mut out).threads(n)));
    assert_eq!((found.block, found.thread), ([0; 3], [0; 3]));
    Ok(())
}

//! Waits for what never comes end in an error, on every device.

use super::faults::{FaultCase, fault, run};
use warpcell_runtime::prelude::*;
use warpcell_runtime::{Device, Error, FaultKind, KernelInfo};

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![never::kernel(), never_in_a_loop::kernel(), held::kernel(), one_faults::kernel(), later_block::kernel()]
}

pub(super) fn cases() -> Vec<FaultCase> {
    vec![
        FaultCase { name: "a flag that nobody sets", run: run_never },
        FaultCase { name: "a lock that nobody gives back", run: run_held },
        FaultCase { name: "a wait for a thread that has faulted", run: run_one_faults },
        FaultCase { name: "a wait for a later block", run: run_later_block },
    ]
}

/// Others wait at the barrier behind it.
#[gpu_kernel]
fn never(flag: &mut [u32], out: &mut [u32]) {
    if block_rank() == 1 && thread_rank() == 3 {
        spin_until_eq(&flag[0], 1);
    }
    sync_threads();
    out[global_id()] = 7;
}

#[gpu_kernel]
fn never_in_a_loop(flag: &mut [u32], out: &mut [u32]) {
    while flag[block_rank()] == 0 {}
    out[global_id()] = 7;
}

#[track_caller]
fn assert_waits(result: Result<(), Error>, kernel: &str, line: u32, block: usize) {
    let found = fault(result);
    assert!(matches!(found.what, FaultKind::Wait { .. }), "{found}");
    assert_eq!((found.kernel, found.line, found.block), (kernel, line, [block, 0, 0]));
}

fn run_never(device: &Device) -> Result<(), Error> {
    let (mut flag, mut out) = (device.zeros::<u32>(3)?, device.zeros::<u32>(128)?);
    assert_waits(run(device, never(&mut flag, &mut out).grid(4).block(32)), "never", 24, 1);
    let mut set = device.upload(&[1u32, 0, 1])?;
    assert_waits(run(device, never_in_a_loop(&mut set, &mut out).grid(3).block(32)), "never_in_a_loop", 32, 1);
    // The device goes on.
    run(device, never(&mut set, &mut out).grid(4).block(32))?;
    assert_eq!(out.download()?, vec![7; 128]);
    Ok(())
}

#[gpu_kernel]
fn held(locks: &mut [u32], out: &mut [u32]) {
    lock(&mut locks[0]);
    out[global_id()] = 7;
}

fn run_held(device: &Device) -> Result<(), Error> {
    let (mut locks, mut out) = (device.zeros::<u32>(1)?, device.zeros::<u32>(2)?);
    run(device, held(&mut locks, &mut out).grid(1).block(1))?;
    let found = fault(run(device, held(&mut locks, &mut out).grid(2).block(1)));
    assert!(matches!(found.what, FaultKind::Wait { .. }), "{found}");
    Ok(())
}

/// The fault is reported, not the wait.
#[gpu_kernel]
fn one_faults(flags: &mut [u32], out: &mut [u32]) {
    if global_id() == 5 {
        out[out.len()] = 1;
        atomic_store(&mut flags[0], 1);
    }
    spin_until_eq(&flags[0], 1);
}

fn run_one_faults(device: &Device) -> Result<(), Error> {
    let (mut flags, mut out) = (device.zeros::<u32>(1)?, device.zeros::<u32>(10)?);
    let found = fault(run(device, one_faults(&mut flags, &mut out).grid(40).block(64)));
    assert_eq!(found.what, FaultKind::Index { array: "out".into(), index: 10, length: 10 });
    assert_eq!((found.block, found.thread), ([0; 3], [5, 0, 0]));
    Ok(())
}

/// A device may have no room for the later block before the earlier one ends.
#[gpu_kernel]
fn later_block(flags: &mut [u32], out: &mut [u32]) {
    if block_rank() == 0 {
        spin_until_eq(&flags[0], 1);
        out[0] = 7;
    } else {
        atomic_store(&mut flags[0], 1);
    }
}

fn run_later_block(device: &Device) -> Result<(), Error> {
    let (mut flags, mut out) = (device.zeros::<u32>(1)?, device.zeros::<u32>(1)?);
    match run(device, later_block(&mut flags, &mut out).grid(2).block(1)) {
        Ok(()) => assert_eq!(out.download()?, [7]),
        other => assert!(matches!(fault(other).what, FaultKind::Wait { .. })),
    }
    Ok(())
}

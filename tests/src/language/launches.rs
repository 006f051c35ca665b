//! What a kernel's attribute says of its launches, shared memory sized at the launch, and geometries.

use super::faults::{FaultCase, fault, run};
use crate::data::{f32s, u64s};
use crate::{Case, Output, assert_same};
use warpcell_runtime::prelude::*;
use warpcell_runtime::{Device, Error, FaultKind, KernelInfo};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case { name: "a block size of the kernel's own", kernel: own_block::kernel, run: run_own_block },
        Case { name: "a block of two dimensions", kernel: flat_block::kernel, run: run_flat_block },
        Case { name: "few registers", kernel: few_registers::kernel, run: run_few_registers },
        Case { name: "fast arithmetic", kernel: fast_axpy::kernel, run: run_fast_axpy },
        Case { name: "requirements", kernel: pairs::kernel, run: run_pairs },
        Case { name: "B05 dynamic shared size", kernel: doubled::kernel, run: run_doubled },
        Case { name: "several shared slices", kernel: shared_slices::kernel, run: run_shared_slices },
        Case { name: "generic shared slice", kernel: reversed::kernel::<f64>, run: run_reversed },
        Case { name: "G02 tail and guard zone", kernel: fill::kernel, run: run_guard_zone },
        Case { name: "two kernels of one name", kernel: first::same_name::kernel, run: run_same_name },
    ]
}

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        second::same_name::kernel(),
        largest::kernel(),
        reversed::kernel::<u8>(),
        static_limit::kernel::<16>(),
        last_byte::kernel(),
    ]
}

/// Checks of launches that must not run, and what their errors say.
pub(super) fn checks() -> Vec<FaultCase> {
    vec![
        FaultCase { name: "another block size than the kernel's", run: other_block },
        FaultCase { name: "requirements that do not hold", run: unmet },
        FaultCase { name: "G01 geometries that no device can run", run: geometries },
        FaultCase { name: "all the shared memory there is", run: all_shared_memory },
        FaultCase { name: "G10 a fault, then work", run: fault_then_work },
    ]
}

const OWN_BLOCK: usize = 64;

#[gpu_kernel(block = OWN_BLOCK)]
fn own_block(out: &mut [u32]) {
    let i = global_id();
    if i < out.len() {
        out[i] = (block_size() * 1000 + thread_rank()) as u32;
    }
}

fn run_own_block(device: &Device, n: usize) -> Result<Output, Error> {
    let mut out = device.zeros::<u32>(n)?;
    own_block(&mut out).threads(n).launch()?;
    own_block(&mut out).threads(n).block(OWN_BLOCK).launch()?;
    let out = out.download()?;
    assert_same("own block", &out, &(0..n).map(|i| 64_000 + i as u32 % 64).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

#[gpu_kernel(block = (32, 8), min_blocks = 2)]
fn flat_block(out: &mut [u32]) {
    let i = global_id();
    if i < out.len() {
        out[i] = (thread_idx_y() * 32 + thread_idx_x() + block_dim_y() * 1000) as u32;
    }
}

fn run_flat_block(device: &Device, n: usize) -> Result<Output, Error> {
    let mut out = device.zeros::<u32>(n)?;
    flat_block(&mut out).threads(n).launch()?;
    let out = out.download()?;
    assert_same("flat block", &out, &(0..n).map(|i| 8000 + i as u32 % 256).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

#[gpu_kernel(block = 128, max_registers = 32)]
fn few_registers(x: &[u64], out: &mut [u64]) {
    let i = global_id();
    if i < out.len() {
        let mut sum = 0;
        for k in 0..8 {
            sum += x[(i + k) % x.len()] * (k as u64 + 1);
        }
        out[i] = sum;
    }
}

fn run_few_registers(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 70);
    let mut out = device.zeros(n)?;
    few_registers(&*device.upload(&x)?, &mut out).threads(n).launch()?;
    let out = out.download()?;
    let sum = |i: usize| (0..8).fold(0u64, |sum, k: usize| sum.wrapping_add(x[(i + k) % n].wrapping_mul(k as u64 + 1)));
    assert_same("sums", &out, &(0..n).map(sum).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

/// Exempt from equal bits: only compared within a tolerance.
#[gpu_kernel(fast_math)]
fn fast_axpy(a: f32, x: &[f32], y: &[f32], out: &mut [f32]) {
    let i = global_id();
    if i < out.len() {
        out[i] = a * x[i] + y[i] / 3.0;
    }
}

fn run_fast_axpy(device: &Device, n: usize) -> Result<Output, Error> {
    let x: Vec<f32> = (0..n).map(|i| 1.0 + (i % 1000) as f32 / 7.0).collect();
    let mut out = device.zeros(n)?;
    fast_axpy(2.5, &*device.upload(&x)?, &*device.upload(&x)?, &mut out).threads(n).launch()?;
    for (x, found) in x.iter().zip(out.download()?) {
        let expected = 2.5 * x + x / 3.0;
        assert!((found - expected).abs() <= 1e-6 * expected, "{found} for {expected}");
    }
    Ok(Output::new())
}

#[gpu_kernel(requires(a.len() == b.len(), out.len() * 2 == a.len() + b.len(), scale > 0.0, block_size() % 32 == 0))]
fn pairs(a: &[f32], b: &[f32], scale: f32, out: &mut [f32]) {
    let i = global_id();
    if i < a.len() {
        out[i] = (a[i] + b[i]) * scale;
    }
}

fn run_pairs(device: &Device, n: usize) -> Result<Output, Error> {
    let (a, b) = (f32s(n, 71), f32s(n, 72));
    let mut out = device.zeros(n)?;
    pairs(&*device.upload(&a)?, &*device.upload(&b)?, 0.5, &mut out).threads(n).launch()?;
    let out = out.download()?;
    assert_same("pairs", &out, &a.iter().zip(&b).map(|(a, b)| (a + b) * 0.5).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

/// B05
#[gpu_kernel]
fn doubled(out: &mut [u32]) {
    let tile = dynamic_shared::<u32>();
    let t = thread_rank();
    tile[t] = 2 * t as u32;
    sync_threads();
    out[t] = tile[t] + 1000 * (tile.len() as u32 - block_size() as u32);
}

fn run_doubled(device: &Device, _: usize) -> Result<Output, Error> {
    let mut output = Output::new();
    for threads in [64, 256, 1024] {
        let mut out = device.zeros::<u32>(threads)?;
        doubled(&mut out).grid(1).block(threads).shared_memory(4 * threads).launch()?;
        let out = out.download()?;
        assert_same("doubled", &out, &(0..threads as u32).map(|t| 2 * t).collect::<Vec<_>>());
        output = output.with(&out);
    }
    Ok(output)
}

const EXTRA: usize = 3;

/// Slices of several types, beside an array; each is its own memory, and their lengths are uniform.
#[gpu_kernel(requires(k > 0))]
fn shared_slices(x: &[u64], k: u32, out: &mut [u64]) {
    let mut fixed = shared::<[u8; 5]>();
    let bytes = shared_slice::<u8>(block_size() + EXTRA);
    let wide = shared_slice::<u64>(block_size() * k as usize);
    let flags = shared_slice::<bool>(block_size());
    let t = thread_rank();
    let i = global_id();
    let mine = if i < x.len() { x[i] } else { 0 };
    if t < 5 {
        fixed[t] = t as u8;
    }
    bytes[t + EXTRA] = mine as u8;
    flags[t] = mine % 2 == 1;
    for k in 0..wide.len() / block_size() {
        sync_threads();
        wide[(t + k * block_size()) % wide.len()] = mine + k as u64;
    }
    sync_threads();
    let other = (t + 1) % block_size();
    if i < out.len() {
        let odd = if flags[other] { 1 } else { 0 };
        out[i] = wide[wide.len() - block_size() + other] * 3 + bytes[other + EXTRA] as u64 + odd + fixed[t % 5] as u64;
    }
}

fn run_shared_slices(device: &Device, n: usize) -> Result<Output, Error> {
    const BLOCK: usize = 96;
    let x = u64s(n, 73);
    let mut out = device.zeros(n)?;
    shared_slices(&*device.upload(&x)?, 4, &mut out).threads(n).block(BLOCK).launch()?;
    let out = out.download()?;
    let expected = |i: usize| {
        let other = x.get(i / BLOCK * BLOCK + (i + 1) % BLOCK).copied().unwrap_or(0);
        let parts = [other as u8 as u64, other % 2, (i % BLOCK % 5) as u64];
        parts.iter().fold(other.wrapping_add(3).wrapping_mul(3), |sum, part| sum.wrapping_add(*part))
    };
    assert_same("slices", &out, &(0..n).map(expected).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

#[gpu_kernel]
fn reversed<T: Num>(x: &[T], out: &mut [T]) {
    let tile = shared_slice::<T>(x.len());
    let t = thread_rank();
    if t < x.len() {
        tile[t] = x[t];
    }
    sync_threads();
    if t < x.len() {
        out[t] = tile[x.len() - 1 - t];
    }
}

fn run_reversed(device: &Device, n: usize) -> Result<Output, Error> {
    let n = n.min(1000);
    let x: Vec<f64> = u64s(n, 74).iter().map(|x| *x as f64).collect();
    let bytes: Vec<u8> = u64s(n, 75).iter().map(|x| *x as u8).collect();
    let (mut out, mut out_bytes) = (device.zeros(n)?, device.zeros(n)?);
    reversed(&*device.upload(&x)?, &mut out).grid(1).block(1024).launch()?;
    reversed(&*device.upload(&bytes)?, &mut out_bytes).grid(1).block(1024).launch()?;
    let (out, out_bytes) = (out.download()?, out_bytes.download()?);
    assert_same("reversed", &out, &x.iter().rev().copied().collect::<Vec<_>>());
    assert_same("reversed bytes", &out_bytes, &bytes.iter().rev().copied().collect::<Vec<_>>());
    Ok(Output::new().with(&out).with(&out_bytes))
}

#[gpu_kernel]
fn fill(value: u8, out: &mut [u8]) {
    let i = global_id();
    if i < out.len() {
        out[i] = value;
    }
}

/// G02: threads beyond `n` touch nothing.
fn run_guard_zone(device: &Device, n: usize) -> Result<Output, Error> {
    const GUARD: usize = 300;
    let mut buffer = device.upload(&vec![0xa5u8; n + 2 * GUARD])?;
    fill(7, &mut buffer.slice_mut(GUARD..GUARD + n)).threads(n).launch()?;
    let after = buffer.download()?;
    let expected: Vec<u8> = [vec![0xa5; GUARD], vec![7; n], vec![0xa5; GUARD]].concat();
    assert_same("guard zone", &after, &expected);
    Ok(Output::new().with(&after))
}

mod first {
    use warpcell_runtime::prelude::*;

    #[gpu_kernel]
    pub(super) fn same_name(out: &mut [u32]) {
        let i = global_id();
        if i < out.len() {
            out[i] += 1;
        }
    }
}

mod second {
    use warpcell_runtime::prelude::*;

    #[gpu_kernel]
    pub(super) fn same_name(out: &mut [u32]) {
        let i = global_id();
        if i < out.len() {
            out[i] += 20;
        }
    }
}

/// Each is compiled and kept for itself.
fn run_same_name(device: &Device, n: usize) -> Result<Output, Error> {
    let mut out = device.zeros::<u32>(n)?;
    first::same_name(&mut out).threads(n).launch()?;
    second::same_name(&mut out).threads(n).launch()?;
    first::same_name(&mut out).threads(n).launch()?;
    let out = out.download()?;
    assert_same("both", &out, &vec![22; n]);
    Ok(Output::new().with(&out))
}

/// The text of an error that a launch must give.
#[track_caller]
fn refused(launch: Launch<'_>) -> String {
    launch.launch().expect_err("the launch must be refused").to_string()
}

fn other_block(device: &Device) -> Result<(), Error> {
    let mut out = device.zeros::<u32>(10)?;
    assert_eq!(
        refused(own_block(&mut out).threads(10).block(128)),
        "kernel `own_block` requires blocks of 64 threads, but the launch has 128; leave `.block(…)` out"
    );
    assert_eq!(
        refused(flat_block(&mut out).threads(10).block(256)),
        "kernel `flat_block` requires blocks of 32 x 8 threads, but the launch has 256; leave `.block(…)` out"
    );
    let error = flat_block(&mut out).block((8, 32)).launch().unwrap_err();
    assert!(matches!(error, Error::BlockSize { required: [32, 8, 1], found: [8, 32, 1], .. }), "{error}");
    assert_eq!(out.download()?, [0; 10]);
    Ok(())
}

fn unmet(device: &Device) -> Result<(), Error> {
    let (three, four) = (device.upload(&[1.0; 3])?, device.upload(&[1.0; 4])?);
    let mut out = device.zeros::<f32>(3)?;
    assert_eq!(
        refused(pairs(&three, &four, 1.0, &mut out)),
        "kernel `pairs` requires a.len() == b.len(), but a.len() is 3 and b.len() is 4"
    );
    assert_eq!(
        refused(pairs(&four, &four, 1.0, &mut out)),
        "kernel `pairs` requires out.len() * 2 == a.len() + b.len(), but a.len() is 4, b.len() is 4 and out.len() is 3"
    );
    assert_eq!(
        refused(pairs(&three, &three, -0.5, &mut out)),
        "kernel `pairs` requires scale > 0.0, but scale is -0.5"
    );
    assert_eq!(
        refused(pairs(&three, &three, 1.0, &mut out).block(33)),
        "kernel `pairs` requires block_size() % 32 == 0, but block_size() is 33"
    );
    let error = pairs(&three, &four, 1.0, &mut out).launch().unwrap_err();
    assert!(matches!(error, Error::Requirement { kernel: "pairs", condition: "a.len() == b.len()", .. }), "{error}");
    assert_eq!(out.download()?, [0.0; 3]);
    // Arithmetic that overflows has no value, so the condition does not hold.
    let mut out = device.zeros::<u32>(1)?;
    assert_eq!(
        refused(largest(u64::MAX, &mut out)),
        "kernel `largest` requires words * 4 < 1 << 40, but words is 18446744073709551615"
    );
    Ok(())
}

#[gpu_kernel]
fn static_limit<const N: usize>(out: &mut [u8]) {
    let mut tile = shared::<[u8; N]>();
    tile[thread_rank()] = 1;
    sync_threads();
    out[0] = tile[0];
}

/// G01
fn geometries(device: &Device) -> Result<(), Error> {
    let mut out = device.upload(&[9u8; 4])?;
    let limit = |launch: Launch<'_>| match launch.launch() {
        Err(Error::Limit { what, value, limit, .. }) => (what, value, limit),
        other => panic!("expected a limit, found {other:?}"),
    };
    assert_eq!(limit(fill(1, &mut out).block(0)), ("the block size (which must not be 0)", 0, 1024));
    assert_eq!(limit(fill(1, &mut out).block(1025)), ("the block size", 1025, 1024));
    assert_eq!(limit(fill(1, &mut out).block((32, 33))), ("the block size", 1056, 1024));
    assert_eq!(limit(fill(1, &mut out).block((1, 1, 65))), ("the block's z", 65, 64));
    assert_eq!(limit(fill(1, &mut out).block((usize::MAX, 2))), ("the block size", u64::MAX, 1024));
    assert_eq!(limit(fill(1, &mut out).grid(1 << 31)), ("the grid's x", 1 << 31, (1 << 31) - 1));
    assert_eq!(limit(fill(1, &mut out).grid((1, 65_536))), ("the grid's y", 65_536, 65_535));
    let shared = limit(static_limit::<49_153>(&mut out).block(1));
    assert_eq!(shared, ("the size of its shared arrays, in bytes,", 49_153, 49_152));
    // No blocks are no error: nothing runs.
    fill(1, &mut out).grid(0).launch()?;
    fill(1, &mut out).grid((3, 0)).launch()?;
    fill(1, &mut out).threads(0).launch()?;
    assert_eq!(out.download()?, [9; 4]);
    Ok(())
}

/// Fills and sums shared memory of any size.
#[gpu_kernel(requires(words * 4 < 1 << 40))]
fn largest(words: u64, out: &mut [u32]) {
    let tile = shared_slice::<u32>(words as usize);
    let t = thread_rank();
    for k in (t..tile.len()).step_by(block_size()) {
        tile[tile.len() - 1 - k] = k as u32;
    }
    sync_threads();
    if t == 0 {
        let mut sum = 0u32;
        for k in 0..tile.len() {
            sum = sum * 31 + tile[k];
        }
        out[0] = sum;
    }
}

fn all_shared_memory(device: &Device) -> Result<(), Error> {
    let mut out = device.zeros::<u32>(1)?;
    let words = device.shared_limit() as u64 / 4;
    largest(words, &mut out).grid(1).block(128).launch()?;
    let expected = (0..words as u32).rev().fold(0u32, |sum, k| sum.wrapping_mul(31).wrapping_add(k));
    assert_eq!(out.download()?, [expected]);
    let error = largest(words + 1, &mut out).launch().unwrap_err();
    assert!(
        matches!(error, Error::Limit { value, limit, .. } if (value, limit) == (words * 4 + 4, words * 4)),
        "{error}"
    );
    let text = refused(doubled(&mut out));
    assert!(text.contains("`.shared_memory(bytes)`"), "{text}");
    Ok(())
}

/// G10: the next launches of the same and of other kernels work.
fn fault_then_work(device: &Device) -> Result<(), Error> {
    let mut out = device.zeros::<u32>(4)?;
    let found = fault(run(device, doubled(&mut out).block(8).shared_memory(32)));
    assert_eq!(found.what, FaultKind::Index { array: "out".into(), index: 4, length: 4 });
    assert_eq!((found.kernel, found.thread), ("doubled", [4, 0, 0]));
    doubled(&mut out).block(4).shared_memory(16).launch()?;
    assert_eq!(out.download()?, [0, 2, 4, 6]);
    Ok(())
}

#[gpu_kernel]
fn last_byte(at: u64, out: &mut [u8]) {
    let i = at + global_id() as u64;
    out[i as usize] = 42;
}

/// G05: an index above 2^31, on a buffer of two gigabytes.
///
/// # Errors
/// What the device reports.
pub fn above_two_gigabytes(device: &Device) -> Result<(), Error> {
    const LEN: usize = (1 << 31) + 8;
    let mut out = device.zeros::<u8>(LEN)?;
    last_byte(LEN as u64 - 1, &mut out).grid(1).block(1).launch()?;
    assert_eq!(out.slice(LEN - 3..LEN).download()?, [0, 0, 42]);
    assert_eq!(out.slice(0..8).download()?, [0; 8]);
    let found = fault(run(device, last_byte(LEN as u64, &mut out).grid(1).block(1)));
    assert_eq!(found.what, FaultKind::Index { array: "out".into(), index: LEN as u64, length: LEN as u64 });
    Ok(())
}

//! What is unusual and means what Rust means: names, literals, jumps in values, kernels made by macros.

use crate::{Case, Output, assert_same};
use warpcell_runtime::prelude::*;
use warpcell_runtime::{Device, Error};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case { name: "raw and unicode names", kernel: r#match::kernel, run: run_names },
        Case { name: "names of a macro", kernel: hygienic::kernel, run: run_hygienic },
        Case { name: "parts of a macro", kernel: from_parts::kernel, run: run_from_parts },
        Case { name: "literals", kernel: literals::kernel, run: run_literals },
        Case { name: "jumps in values", kernel: jumps::kernel, run: run_jumps },
        Case { name: "no parameters, empty statements", kernel: nothing::kernel, run: run_nothing },
        Case { name: "shared memory without a barrier", kernel: own_shared::kernel, run: run_own_shared },
        Case { name: "names of built-ins", kernel: ballot_sync::kernel, run: run_ballot_sync },
    ]
}

#[gpu_fn]
fn r#use(r#in: u32) -> u32 {
    r#in * 2
}

#[gpu_kernel]
fn r#match(r#type: u32, out: &mut [u32]) {
    let mut r#static = shared::<[u32; 64]>();
    let r#loop = thread_rank();
    let mut größe = r#use(r#loop as u32) + r#type;
    r#static[r#loop] = größe;
    sync_threads();
    größe += r#static[block_size() - 1 - r#loop];
    let r#dyn = shfl_xor_sync(FULL_MASK, größe, 1);
    sync_threads();
    let r#type = r#dyn + größe;
    if global_id() < out.len() {
        out[global_id()] = r#type;
    }
}

fn run_names(device: &Device, n: usize) -> Result<Output, Error> {
    let mut out = device.zeros(n)?;
    r#match(5, &mut out).grid(n.div_ceil(64)).block(64).launch()?;
    let out = out.download()?;
    // 2 t + 5 and 2 (63 - t) + 5, twice.
    assert_same("names", &out, &vec![272; n]);
    Ok(Output::new().with(&out))
}

macro_rules! with_own_names {
    ($name:ident, $variable:ident, $body:block) => {
        #[gpu_kernel]
        fn $name(out: &mut [u32]) {
            let i = global_id();
            let own = 7;
            let $variable = i as u32;
            let theirs = $body;
            if i < out.len() {
                out[i] = own * 1000 + theirs * 10 + $variable % 10;
            }
        }
    };
}
with_own_names!(hygienic, own, {
    let own = own % 10 + 2;
    own
});

fn run_hygienic(device: &Device, n: usize) -> Result<Output, Error> {
    let mut out = device.zeros(n)?;
    hygienic(&mut out).threads(n).launch()?;
    let out = out.download()?;
    let expected: Vec<u32> = (0..n as u32).map(|i| 7000 + (i % 10 + 2) * 10 + i % 10).collect();
    assert_same("hygienic", &out, &expected);
    Ok(Output::new().with(&out))
}

const HALF: f64 = 0.5;

macro_rules! of_parts {
    ($name:ident, $element:ty, $slice:ty, $term:expr, $factor:literal, $operator:tt) => {
        #[gpu_kernel]
        fn $name(scale: $element, out: $slice) {
            let i = global_id();
            if i < out.len() {
                out[i] = i as $element $operator $factor * scale + $term * 2.0;
            }
        }
    };
}
of_parts!(from_parts, f64, &mut [f64], 1.0 + HALF, 2.5, -);

fn run_from_parts(device: &Device, n: usize) -> Result<Output, Error> {
    let mut out = device.zeros(n)?;
    from_parts(3.0, &mut out).threads(n).launch()?;
    let out = out.download()?;
    let expected: Vec<f64> = (0..n).map(|i| i as f64 - 2.5 * 3.0 + (1.0 + HALF) * 2.0).collect();
    assert_same("from parts", &out, &expected);
    Ok(Output::new().with(&out))
}

#[gpu_kernel]
#[allow(clippy::unnecessary_cast)]
fn literals(floats: &mut [f64], integers: &mut [u64]) {
    if global_id() == 0 {
        floats[0] = 1. as f64;
        floats[1] = 1e3 as f64 + 1_000.5e-3;
        floats[2] = 1.5e308 * 10.;
        floats[3] = 0x1f as f64 + 1f64;
        floats[4] = 5e-324;
        integers[0] = b'a' as u64 + (b'\n' == b'\x0a') as u64;
        integers[1] = 0xffff_ffff_ffff_ffff;
        integers[2] = 0b1010 + 0o777 + 0xE_u64 + 0x1E as u64;
        integers[3] = -9223372036854775808i64 as u64;
        integers[4] = (-128i8) as u64;
    }
}

fn run_literals(device: &Device, n: usize) -> Result<Output, Error> {
    let (mut floats, mut integers) = (device.zeros(5)?, device.zeros(5)?);
    literals(&mut floats, &mut integers).threads(n.max(1)).launch()?;
    let (floats, integers) = (floats.download()?, integers.download()?);
    assert_same("floats", &floats, &[1.0, 1001.0005, f64::INFINITY, 32.0, 5e-324]);
    assert_same("integers", &integers, &[98, u64::MAX, 10 + 511 + 14 + 30, 1 << 63, -128i64 as u64]);
    Ok(Output::new().with(&floats).with(&integers))
}

/// For each thread: the sum of its numbers' digits up to the first 7, without those that are 3.
#[gpu_kernel]
fn jumps(out: &mut [u32]) {
    let i = global_id();
    let mut sum = 0;
    let mut rest = if i < out.len() { i as u32 } else { return };
    while rest > 0 {
        let digit = if rest % 10 == 7 { break } else { rest % 10 };
        rest /= 10;
        let counted = if digit == 3 { continue } else { digit };
        sum += counted;
    }
    out[i] = sum;
}

fn run_jumps(device: &Device, n: usize) -> Result<Output, Error> {
    let mut out = device.zeros(n)?;
    jumps(&mut out).threads(n).launch()?;
    let out = out.download()?;
    let sum = |mut rest: u32| {
        let mut sum = 0;
        while rest > 0 && rest % 10 != 7 {
            sum += if rest % 10 == 3 { 0 } else { rest % 10 };
            rest /= 10;
        }
        sum
    };
    assert_same("jumps", &out, &(0..n as u32).map(sum).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

#[gpu_kernel]
fn nothing() {
    {};
    if true {
    } else {
    }
    let _ = global_id();
}

fn run_nothing(device: &Device, n: usize) -> Result<Output, Error> {
    nothing().on(device).threads(n).launch()?;
    Ok(Output::new())
}

#[gpu_kernel]
fn own_shared(offset: u32, out: &mut [u32]) {
    let mut tile = shared::<[u32; 256]>();
    tile[thread_rank()] = thread_rank() as u32 + offset + 1;
    if global_id() < out.len() {
        out[global_id()] = tile[thread_rank()];
    }
}

fn run_own_shared(device: &Device, n: usize) -> Result<Output, Error> {
    let mut out = device.zeros(n)?;
    own_shared(2, &mut out).threads(n).launch()?;
    let out = out.download()?;
    assert_same("own shared", &out, &(0..n as u32).map(|i| i % 256 + 3).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

#[gpu_kernel]
fn ballot_sync(lane_id: u32, ballot_sync: u32, out: &mut [u32]) {
    let global_id = global_id();
    if global_id < out.len() {
        out[global_id] = lane_id + ballot_sync;
    }
}

fn run_ballot_sync(device: &Device, n: usize) -> Result<Output, Error> {
    let mut out = device.zeros(n)?;
    ballot_sync(3, 4, &mut out).threads(n).launch()?;
    let out = out.download()?;
    assert_same("ballot_sync", &out, &vec![7; n]);
    Ok(Output::new().with(&out))
}

//! Device functions of other modules, type and const parameters, constants, slices as arguments.

use crate::data::{f32s, f64s, u64s};
use crate::{Case, Output, assert_same};
use warpcell_runtime::prelude::*;
use warpcell_runtime::{Device, Error};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case { name: "generic f32", kernel: scaled::kernel::<f32>, run: run_scaled_f32 },
        Case { name: "generic f64", kernel: scaled::kernel::<f64>, run: run_scaled_f64 },
        Case { name: "const generic", kernel: grouped::kernel::<4>, run: run_grouped },
        Case { name: "functions of modules", kernel: modules::kernel, run: run_modules },
        Case { name: "slices as arguments", kernel: slices::kernel, run: run_slices },
    ]
}

mod other {
    use warpcell_runtime::prelude::*;

    /// A constant of another module.
    pub(super) const OFFSET: u64 = 1 << 40;

    #[gpu_fn]
    pub(super) fn length_squared(x: u64, y: u64) -> u64 {
        x * x + y * y
    }

    pub(super) mod inner {
        use warpcell_runtime::prelude::*;

        /// Calls a function of the module above, which another kernel calls too.
        #[gpu_fn]
        pub(in super::super) fn twice_length(x: u64) -> u64 {
            super::length_squared(x, x) * 2
        }
    }
}

#[gpu_fn]
fn blend<T: Real>(x: T, weight: T) -> T {
    x * weight + T::from_f64(0.1) * (T::ONE - weight)
}

#[gpu_kernel]
fn scaled<T: Real>(weight: T, x: &[T], out: &mut [T]) {
    let i = global_id();
    if i < out.len() {
        let mut sum = T::ZERO;
        for _ in 0..3 {
            sum += blend(x[i], weight);
        }
        out[i] = sum.max(T::ZERO);
    }
}

macro_rules! run_scaled {
    ($run:ident $ty:ident $data:ident) => {
        fn $run(device: &Device, n: usize) -> Result<Output, Error> {
            let x = $data(n, 30);
            let mut out = device.zeros(n)?;
            scaled(0.75, &*device.upload(&x)?, &mut out).threads(n).launch()?;
            let out = out.download()?;
            let expected = |&x: &$ty| {
                let blended = x * 0.75 + 0.1f64 as $ty * (1.0 - 0.75);
                let sum = 0.0 + blended + blended + blended;
                if sum > 0.0 { sum } else { 0.0 }
            };
            assert_same("scaled", &out, &x.iter().map(expected).collect::<Vec<_>>());
            Ok(Output::new().with(&out))
        }
    };
}
run_scaled!(run_scaled_f32 f32 f32s);
run_scaled!(run_scaled_f64 f64 f64s);

/// The sum of each group of `N`, reversed digit by digit.
#[gpu_kernel]
fn grouped<const N: usize>(x: &[u64], out: &mut [u64]) {
    let group = global_id();
    if group < out.len() {
        let mut digits = [0u64; N];
        for k in 0..N {
            if group * N + k < x.len() {
                digits[N - 1 - k] = x[group * N + k] % 10;
            }
        }
        let mut sum = 0;
        for k in 0..digits.len() {
            sum = sum * 10 + digits[k];
        }
        out[group] = sum;
    }
}

fn run_grouped(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 31);
    let uploaded = device.upload(&x)?;
    let mut output = Output::new();
    let mut four = device.zeros(n.div_ceil(4))?;
    grouped::<4>(&uploaded, &mut four).threads(n.div_ceil(4)).launch()?;
    let mut three = device.zeros(n.div_ceil(3))?;
    grouped::<3>(&uploaded, &mut three).threads(n.div_ceil(3)).launch()?;
    for (size, found) in [(4, four.download()?), (3, three.download()?)] {
        let expected: Vec<u64> = x
            .chunks(size)
            .map(|group| (0..size).rev().fold(0, |sum, k| sum * 10 + group.get(k).map_or(0, |x| x % 10)))
            .collect();
        assert_same("groups", &found, &expected);
        output = output.with(&found);
    }
    Ok(output)
}

#[gpu_kernel]
fn modules(x: &[u64], out: &mut [u64]) {
    use other::length_squared as norm;
    let i = global_id();
    if i < out.len() {
        out[i] = norm(x[i], 3) + other::inner::twice_length(x[i]) + other::OFFSET + u64::MAX + i32::MIN as u64;
    }
}

fn run_modules(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 32);
    let mut out = device.zeros(n)?;
    modules(&*device.upload(&x)?, &mut out).threads(n).launch()?;
    let out = out.download()?;
    let expected = |&x: &u64| {
        let square = x.wrapping_mul(x);
        let sum = square.wrapping_mul(5).wrapping_add(9).wrapping_add(other::OFFSET);
        sum.wrapping_add(u64::MAX).wrapping_add(i32::MIN as u64)
    };
    assert_same("modules", &out, &x.iter().map(expected).collect::<Vec<_>>());
    // The same function on the host gives the same.
    assert_eq!(other::inner::twice_length(7), 196);
    Ok(Output::new().with(&out))
}

#[gpu_fn]
fn sum(x: &[u64]) -> u64 {
    let mut sum = 0;
    for k in 0..x.len() {
        sum += x[k];
    }
    sum
}

#[gpu_fn]
fn reverse(x: &mut [u64]) {
    let n = x.len();
    for k in 0..n / 2 {
        let low = x[k];
        x[k] = x[n - 1 - k];
        x[n - 1 - k] = low;
    }
}

/// D10: parts of slices, of writable slices, of local and of shared arrays; an empty part.
#[gpu_kernel]
fn slices(x: &[u64], out: &mut [u64], sums: &mut [u64]) {
    let mut tile = shared::<[u64; 64]>();
    let t = thread_rank();
    let start = block_rank() * 64;
    let end = (start + 64).min(x.len());
    let count = end - start;
    if t < count {
        tile[t] = x[start + t];
    }
    sync_threads();
    if t == 0 {
        let own = &mut out[start..end];
        for k in 0..own.len() {
            own[k] = tile[k];
        }
        reverse(&mut out[start..end]);
        let mut local = [1u64, 2, 3];
        reverse(&mut local[..]);
        reverse(&mut tile[0..count]);
        let all = sum(&x[start..end]) + sum(&x[end..end]) + local[0] * 100 + sum(&local[1..]) + sum(&tile[..count]);
        sums[block_rank()] = all + sum(&out[start..=end - 1]);
    }
}

fn run_slices(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 33);
    let blocks = n.div_ceil(64);
    let (mut out, mut sums) = (device.zeros(n)?, device.zeros(blocks)?);
    slices(&*device.upload(&x)?, &mut out, &mut sums).grid(blocks).block(64).launch()?;
    let (out, sums) = (out.download()?, sums.download()?);
    let reversed: Vec<u64> = x.chunks(64).flat_map(|part| part.iter().rev().copied()).collect();
    assert_same("reversed", &out, &reversed);
    let total = |part: &[u64]| part.iter().fold(0u64, |sum, x| sum.wrapping_add(*x));
    let expected: Vec<u64> = x.chunks(64).map(|part| total(part).wrapping_mul(3).wrapping_add(303)).collect();
    assert_same("sums", &sums, &expected);
    Ok(Output::new().with(&out).with(&sums))
}

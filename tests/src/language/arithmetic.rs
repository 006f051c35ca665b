//! Operators, casts and maths.

use crate::data::{f32s, f64s, u64s};
use crate::{Case, Output, assert_same};
use warpcell_runtime::prelude::*;
use warpcell_runtime::{Device, Error};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case { name: "add f32", kernel: vector_add::kernel, run: run_vector_add },
        Case { name: "operators f32", kernel: operators_f32::kernel, run: run_operators_f32 },
        Case { name: "operators f64", kernel: operators_f64::kernel, run: run_operators_f64 },
        Case { name: "operators u8", kernel: operators_u8::kernel, run: run_operators_u8 },
        Case { name: "operators i16", kernel: operators_i16::kernel, run: run_operators_i16 },
        Case { name: "operators i32", kernel: operators_i32::kernel, run: run_operators_i32 },
        Case { name: "operators u64", kernel: operators_u64::kernel, run: run_operators_u64 },
        Case { name: "operators i64", kernel: operators_i64::kernel, run: run_operators_i64 },
        Case { name: "casts from f32", kernel: casts_f32::kernel, run: run_casts_f32 },
        Case { name: "casts from f64", kernel: casts_f64::kernel, run: run_casts_f64 },
        Case { name: "casts of integers", kernel: casts_integers::kernel, run: run_casts_integers },
        Case { name: "rounding f32", kernel: rounding::kernel, run: run_rounding },
        Case { name: "maths f32", kernel: maths_f32::kernel, run: run_maths_f32 },
        Case { name: "maths f64", kernel: maths_f64::kernel, run: run_maths_f64 },
        Case { name: "bits", kernel: bits::kernel, run: run_bits },
    ]
}

#[gpu_kernel]
fn vector_add(a: &[f32], b: &[f32], c: &mut [f32]) {
    let i = global_id();
    if i < c.len() {
        c[i] = a[i] + b[i];
    }
}

fn run_vector_add(device: &Device, n: usize) -> Result<Output, Error> {
    let (a, b) = (f32s(n, 1), f32s(n, 2));
    let mut c = device.zeros(n)?;
    vector_add(&*device.upload(&a)?, &*device.upload(&b)?, &mut c).threads(n).launch()?;
    let c = c.download()?;
    assert_same("sum", &c, &a.iter().zip(&b).map(|(a, b)| a + b).collect::<Vec<_>>());
    Ok(Output::new().with(&c))
}

/// Ours: NaN is ignored and -0 is below +0.
fn min(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        return a.min(b);
    }
    let first = a < b || (a == b && a.is_sign_negative());
    if first { a } else { b }
}

fn max(a: f64, b: f64) -> f64 {
    -min(-a, -b)
}

macro_rules! float_operators {
    ($kernel:ident $run:ident $ty:ident $data:ident) => {
        /// Eleven results for each pair.
        #[gpu_kernel]
        fn $kernel(a: &[$ty], b: &[$ty], out: &mut [$ty]) {
            let i = global_id();
            if i >= a.len() {
                return;
            }
            let x = a[i];
            let y = b[i];
            let at = i * 11;
            out[at] = x + y;
            out[at + 1] = x - y;
            out[at + 2] = x * y;
            out[at + 3] = x / y;
            out[at + 4] = -x;
            out[at + 5] = x.mul_add(y, 0.5);
            // Not contracted into the same as above.
            out[at + 6] = x * y + 0.5;
            out[at + 7] = x.min(y);
            out[at + 8] = x.max(y);
            out[at + 9] = x.abs().sqrt();
            out[at + 10] = if x < y {
                1.0
            } else if x == y {
                2.0
            } else if x > y {
                3.0
            } else {
                4.0
            };
        }

        fn $run(device: &Device, n: usize) -> Result<Output, Error> {
            let (a, b) = ($data(n, 3), $data(n, 4));
            let mut out = device.zeros(n * 11)?;
            $kernel(&*device.upload(&a)?, &*device.upload(&b)?, &mut out).threads(n).launch()?;
            let out = out.download()?;
            let expected: Vec<$ty> = a
                .iter()
                .zip(&b)
                .flat_map(|(&x, &y)| {
                    let order = if x < y {
                        1.0
                    } else if x == y {
                        2.0
                    } else if x > y {
                        3.0
                    } else {
                        4.0
                    };
                    let (low, high) = (min(x.into(), y.into()) as $ty, max(x.into(), y.into()) as $ty);
                    [x + y, x - y, x * y, x / y, -x, x.mul_add(y, 0.5), x * y + 0.5, low, high, x.abs().sqrt(), order]
                })
                .collect();
            assert_same("operators", &out, &expected);
            Ok(Output::new().with(&out))
        }
    };
}
float_operators!(operators_f32 run_operators_f32 f32 f32s);
float_operators!(operators_f64 run_operators_f64 f64 f64s);

macro_rules! integer_operators {
    ($kernel:ident $run:ident $ty:ident) => {
        /// Twelve results for each pair; a divisor of 0 is replaced.
        #[gpu_kernel]
        fn $kernel(a: &[$ty], b: &[$ty], out: &mut [$ty]) {
            let i = global_id();
            if i >= a.len() {
                return;
            }
            let x = a[i];
            let y = b[i];
            let divisor = if y == 0 { 3 } else { y };
            // MIN / -1 is a fault.
            let dividend = if x == $ty::MIN { 7 } else { x };
            let at = i * 12;
            out[at] = x + y;
            out[at + 1] = x - y;
            out[at + 2] = x * y;
            out[at + 3] = dividend / divisor;
            out[at + 4] = dividend % divisor;
            out[at + 5] = x & y;
            out[at + 6] = x | y;
            out[at + 7] = x ^ !y;
            out[at + 8] = x << y;
            out[at + 9] = x >> (y as u32);
            out[at + 10] = (x < y) as $ty + (x == y) as $ty * 2 + (x >= y) as $ty * 4;
            let mut z = x;
            z += y;
            z *= 3;
            z -= 100;
            z /= 7;
            z %= 50;
            z <<= 1;
            z |= 1;
            z &= 0x7e;
            z ^= y;
            z >>= 1;
            out[at + 11] = z;
        }

        fn $run(device: &Device, n: usize) -> Result<Output, Error> {
            let (a, b) = (u64s(n, 5), u64s(n, 6));
            let cast = |values: &[u64]| values.iter().map(|value| *value as $ty).collect::<Vec<$ty>>();
            let (a, b) = (cast(&a), cast(&b));
            let mut out = device.zeros(n * 12)?;
            $kernel(&*device.upload(&a)?, &*device.upload(&b)?, &mut out).threads(n).launch()?;
            let out = out.download()?;
            let expected: Vec<$ty> = a
                .iter()
                .zip(&b)
                .flat_map(|(&x, &y)| {
                    let divisor = if y == 0 { 3 } else { y };
                    let dividend = if x == $ty::MIN { 7 } else { x };
                    let mut z = x.wrapping_add(y).wrapping_mul(3).wrapping_sub(100) / 7 % 50;
                    z = ((z.wrapping_shl(1) | 1) & 0x7e ^ y) >> 1;
                    [
                        x.wrapping_add(y),
                        x.wrapping_sub(y),
                        x.wrapping_mul(y),
                        dividend / divisor,
                        dividend % divisor,
                        x & y,
                        x | y,
                        x ^ !y,
                        x.wrapping_shl(y as u32),
                        x.wrapping_shr(y as u32),
                        (x < y) as $ty + (x == y) as $ty * 2 + (x >= y) as $ty * 4,
                        z,
                    ]
                })
                .collect();
            assert_same("operators", &out, &expected);
            Ok(Output::new().with(&out))
        }
    };
}
integer_operators!(operators_u8 run_operators_u8 u8);
integer_operators!(operators_i16 run_operators_i16 i16);
integer_operators!(operators_i32 run_operators_i32 i32);
integer_operators!(operators_u64 run_operators_u64 u64);
integer_operators!(operators_i64 run_operators_i64 i64);

macro_rules! casts {
    ($kernel:ident $run:ident $ty:ident $data:ident) => {
        /// Casts saturate, and NaN is 0.
        #[gpu_kernel]
        fn $kernel(x: &[$ty], out: &mut [u64]) {
            let i = global_id();
            if i < x.len() {
                let at = i * 9;
                out[at] = x[i] as i8 as u64;
                out[at + 1] = x[i] as i16 as u64;
                out[at + 2] = x[i] as i32 as u64;
                out[at + 3] = x[i] as i64 as u64;
                out[at + 4] = x[i] as u8 as u64;
                out[at + 5] = x[i] as u16 as u64;
                out[at + 6] = x[i] as u32 as u64;
                out[at + 7] = x[i] as u64;
                out[at + 8] = (x[i] as f32 as f64).to_bits();
            }
        }

        fn $run(device: &Device, n: usize) -> Result<Output, Error> {
            let x = $data(n, 7);
            let mut out = device.zeros(n * 9)?;
            $kernel(&*device.upload(&x)?, &mut out).threads(n).launch()?;
            let out = out.download()?;
            let expected: Vec<u64> = x
                .iter()
                .flat_map(|&x| {
                    let double = x as f32 as f64;
                    let bits = if double.is_nan() { f64::NAN.to_bits() } else { double.to_bits() };
                    [
                        x as i8 as u64,
                        x as i16 as u64,
                        x as i32 as u64,
                        x as i64 as u64,
                        x as u8 as u64,
                        x as u16 as u64,
                        x as u32 as u64,
                        x as u64,
                        bits,
                    ]
                })
                .collect();
            assert_same("casts", &out, &expected);
            Ok(Output::new().with(&out))
        }
    };
}
casts!(casts_f32 run_casts_f32 f32 f32s);
casts!(casts_f64 run_casts_f64 f64 f64s);

/// Between integers, to floats, and from `bool`.
#[gpu_kernel]
fn casts_integers(x: &[u64], out: &mut [f64], narrow: &mut [i64]) {
    let i = global_id();
    if i < x.len() {
        out[i * 4] = x[i] as f64;
        out[i * 4 + 1] = x[i] as i64 as f64;
        out[i * 4 + 2] = x[i] as f32 as f64;
        out[i * 4 + 3] = x[i] as u32 as f32 as f64;
        narrow[i] = x[i] as i8 as i64 + x[i] as u16 as i64 + (x[i] > 5) as i64 + 0xFFFF_FFFF_u32 as i32 as i64;
    }
}

fn run_casts_integers(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 8);
    let (mut out, mut narrow) = (device.zeros(n * 4)?, device.zeros(n)?);
    casts_integers(&*device.upload(&x)?, &mut out, &mut narrow).threads(n).launch()?;
    let (out, narrow) = (out.download()?, narrow.download()?);
    let floats = |&x: &u64| [x as f64, x as i64 as f64, x as f32 as f64, x as u32 as f32 as f64];
    assert_same("to floats", &out, &x.iter().flat_map(floats).collect::<Vec<_>>());
    let small = |&x: &u64| x as i8 as i64 + x as u16 as i64 + (x > 5) as i64 - 1;
    assert_same("narrowing", &narrow, &x.iter().map(small).collect::<Vec<_>>());
    Ok(Output::new().with(&out).with(&narrow))
}

#[gpu_kernel]
fn rounding(x: &[f32], out: &mut [f32]) {
    let i = global_id();
    if i < x.len() {
        out[i * 6] = x[i].floor();
        out[i * 6 + 1] = x[i].ceil();
        out[i * 6 + 2] = x[i].trunc();
        out[i * 6 + 3] = x[i].round_ties_even();
        out[i * 6 + 4] = x[i] % 2.5;
        out[i * 6 + 5] = (x[i].is_nan() as u8 + x[i].is_finite() as u8 * 2) as f32;
    }
}

fn run_rounding(device: &Device, n: usize) -> Result<Output, Error> {
    let x = f32s(n, 9);
    let mut out = device.zeros(n * 6)?;
    rounding(&*device.upload(&x)?, &mut out).threads(n).launch()?;
    let out = out.download()?;
    let all = |&x: &f32| {
        let class = (x.is_nan() as u8 + x.is_finite() as u8 * 2) as f32;
        [x.floor(), x.ceil(), x.trunc(), x.round_ties_even(), x % 2.5, class]
    };
    assert_same("rounding", &out, &x.iter().flat_map(all).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

macro_rules! maths {
    ($kernel:ident $run:ident $ty:ident $data:ident $tolerance:expr) => {
        #[gpu_kernel]
        fn $kernel(x: &[$ty], out: &mut [$ty]) {
            let i = global_id();
            if i < x.len() {
                out[i * 4] = x[i].ln();
                out[i * 4 + 1] = x[i].exp();
                out[i * 4 + 2] = x[i].ln_1p();
                out[i * 4 + 3] = x[i].exp_m1();
            }
        }

        /// The bits are compared between devices; here only that they are near those of std.
        fn $run(device: &Device, n: usize) -> Result<Output, Error> {
            let x = $data(n, 10);
            let mut out = device.zeros(n * 4)?;
            $kernel(&*device.upload(&x)?, &mut out).threads(n).launch()?;
            let out = out.download()?;
            for (place, (&found, expected)) in
                out.iter().zip(x.iter().flat_map(|x| [x.ln(), x.exp(), x.ln_1p(), x.exp_m1()])).enumerate()
            {
                let near = (found - expected).abs() <= expected.abs() * $tolerance + $ty::MIN_POSITIVE * $tolerance;
                let same = found == expected || (found.is_nan() && expected.is_nan());
                assert!(near || same, "maths of {:e} at {place}: {found:e}, not {expected:e}", x[place / 4]);
            }
            Ok(Output::new().with(&out))
        }
    };
}
maths!(maths_f32 run_maths_f32 f32 f32s 2.0 * f32::EPSILON);
maths!(maths_f64 run_maths_f64 f64 f64s 2.0 * f64::EPSILON);

#[gpu_kernel]
fn bits(x: &[u64], out: &mut [u32]) {
    let i = global_id();
    if i < x.len() {
        let low = x[i] as u32;
        out[i * 7] = low.count_ones();
        out[i * 7 + 1] = low.leading_zeros();
        out[i * 7 + 2] = low.trailing_zeros();
        out[i * 7 + 3] = x[i].count_ones();
        out[i * 7 + 4] = x[i].leading_zeros();
        out[i * 7 + 5] = x[i].trailing_zeros();
        out[i * 7 + 6] = f32::from_bits(low).to_bits();
    }
}

fn run_bits(device: &Device, n: usize) -> Result<Output, Error> {
    let x = u64s(n, 11);
    let mut out = device.zeros(n * 7)?;
    bits(&*device.upload(&x)?, &mut out).threads(n).launch()?;
    let out = out.download()?;
    let all = |&x: &u64| {
        let (low, float) = (x as u32, f32::from_bits(x as u32));
        let folded = if float.is_nan() { f32::NAN.to_bits() } else { float.to_bits() };
        let (long, short) = ([x.count_ones(), x.leading_zeros(), x.trailing_zeros()], low.count_ones());
        [short, low.leading_zeros(), low.trailing_zeros(), long[0], long[1], long[2], folded]
    };
    assert_same("bits", &out, &x.iter().flat_map(all).collect::<Vec<_>>());
    Ok(Output::new().with(&out))
}

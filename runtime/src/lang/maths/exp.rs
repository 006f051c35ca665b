//! Exponentials.
//!
//! After FreeBSD's `msun` (`e_exp.c`, `s_expm1.c`): Copyright (C) 1993, 2004 by Sun Microsystems, Inc. All rights
//! reserved. Developed at SunPro, a Sun Microsystems, Inc. business. Permission to use, copy, modify, and distribute this
//! software is freely granted, provided that this notice is preserved.

use super::ln::{LN2_HIGH, LN2_LOW};
use crate::prelude::*;

/// 1 / ln 2
const INVERSE_LN2: f64 = 1.442_695_040_888_963_387_00;
/// The largest argument whose exponential is finite.
const LARGEST: f64 = 7.097_827_128_933_839_730_96e2;
/// Below it the exponential is 0.
const SMALLEST: f64 = -7.451_332_191_019_411_084_2e2;

/// 2^k, for k from -1022 to 1023.
#[gpu_fn]
fn power_of_two(k: i64) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}

/// `x.exp()`
#[gpu_fn]
pub fn exp_f64(x: f64) -> f64 {
    const P1: f64 = 1.666_666_666_666_660_190_37e-1;
    const P2: f64 = -2.777_777_777_701_559_338_42e-3;
    const P3: f64 = 6.613_756_321_437_934_361_17e-5;
    const P4: f64 = -1.653_390_220_546_525_153_90e-6;
    const P5: f64 = 4.138_136_797_057_238_460_39e-8;
    if x.is_nan() {
        return x;
    }
    if x > LARGEST {
        return f64::INFINITY;
    }
    if x < SMALLEST {
        return 0.0;
    }
    let k = (INVERSE_LN2 * x).round_ties_even();
    let high = x - k * LN2_HIGH;
    let low = k * LN2_LOW;
    let r = high - low;
    let square = r * r;
    let c = r - square * (P1 + square * (P2 + square * (P3 + square * (P4 + square * P5))));
    let y = 1.0 + (r * c / (2.0 - c) - low + high);
    // In two steps, so that the power is normal; only the last product rounds.
    let whole = k as i64;
    let half = whole / 2;
    y * power_of_two(half) * power_of_two(whole - half)
}

/// `x.exp_m1()`
#[gpu_fn]
pub fn exp_m1_f64(x: f64) -> f64 {
    const Q1: f64 = -3.333_333_333_333_313_164_28e-2;
    const Q2: f64 = 1.587_301_587_254_814_601_65e-3;
    const Q3: f64 = -7.936_507_578_674_879_424_73e-5;
    const Q4: f64 = 4.008_217_827_329_362_395_52e-6;
    const Q5: f64 = -2.010_992_181_836_243_713_26e-7;
    // Below 2^-54 it is the argument, also of zeros and their sign.
    if x.is_nan() || x.abs() < 5.551_115_123_125_783e-17 {
        return x;
    }
    if x > LARGEST {
        return f64::INFINITY;
    }
    // 56 ln 2
    if x < -38.816_242_111_356_94 {
        return -1.0;
    }
    let mut k = 0.0;
    let mut r = x;
    let mut lost = 0.0;
    // ln 2 / 2
    if x.abs() > 0.346_573_590_279_972_6 {
        k = (INVERSE_LN2 * x).round_ties_even();
        let high = x - k * LN2_HIGH;
        let low = k * LN2_LOW;
        r = high - low;
        lost = (high - r) - low;
    }
    let half = 0.5 * r;
    let square = r * half;
    let r1 = 1.0 + square * (Q1 + square * (Q2 + square * (Q3 + square * (Q4 + square * Q5))));
    let t = 3.0 - r1 * half;
    let mut e = square * ((r1 - t) / (6.0 - r * t));
    if k == 0.0 {
        return r - (r * e - square);
    }
    e = r * (e - lost) - lost;
    e -= square;
    if k == -1.0 {
        return 0.5 * (r - e) - 0.5;
    }
    if k == 1.0 {
        return if r < -0.25 { -2.0 * (e - (r + 0.5)) } else { 1.0 + 2.0 * (r - e) };
    }
    let whole = k as i64;
    if whole < 0 || whole > 56 {
        let y = r - e + 1.0;
        if whole == 1024 {
            return y * 2.0 * power_of_two(1023) - 1.0;
        }
        return y * power_of_two(whole) - 1.0;
    }
    let inverse = power_of_two(-whole);
    if whole < 20 {
        return (r - e + (1.0 - inverse)) * power_of_two(whole);
    }
    (r - (e + inverse) + 1.0) * power_of_two(whole)
}

/// `x.exp()`
#[gpu_fn]
pub fn exp_f32(x: f32) -> f32 {
    exp_f64(x as f64) as f32
}

/// `x.exp_m1()`
#[gpu_fn]
pub fn exp_m1_f32(x: f32) -> f32 {
    exp_m1_f64(x as f64) as f32
}

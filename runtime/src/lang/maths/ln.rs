//! Natural logarithms.
//!
//! After FreeBSD's `msun` (`e_log.c`, `s_log1p.c`): Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//! Developed at SunPro, a Sun Microsystems, Inc. business. Permission to use, copy, modify, and distribute this software
//! is freely granted, provided that this notice is preserved.

use crate::prelude::*;

/// The high part of ln 2, with zeros at its end, so that a multiple of it by an exponent is exact.
pub(super) const LN2_HIGH: f64 = 6.931_471_803_691_238_164_90e-1;
/// The rest of ln 2.
pub(super) const LN2_LOW: f64 = 1.908_214_929_270_587_700_02e-10;

/// The bits of 1.
const ONE: u64 = 0x3ff << 52;
/// The high word of sqrt(2) / 2, where the range of the reduced argument starts.
const HALF_ROOT: u64 = 0x3fe6_a09e << 32;

/// The part of ln(1 + f) beyond `f - f²/2`, for `1 + f` between sqrt(1/2) and sqrt(2).
#[gpu_fn]
fn ln_tail(f: f64) -> f64 {
    const L1: f64 = 6.666_666_666_666_735_130e-1;
    const L2: f64 = 3.999_999_999_940_941_908e-1;
    const L3: f64 = 2.857_142_874_366_239_149e-1;
    const L4: f64 = 2.222_219_843_214_978_396e-1;
    const L5: f64 = 1.818_357_216_161_805_012e-1;
    const L6: f64 = 1.531_383_769_920_937_332e-1;
    const L7: f64 = 1.479_819_860_511_658_591e-1;
    let half_square = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even = w * (L2 + w * (L4 + w * L6));
    let odd = z * (L1 + w * (L3 + w * (L5 + w * L7)));
    s * (half_square + (odd + even))
}

/// `x.ln()`
#[gpu_fn]
pub fn ln_f64(x: f64) -> f64 {
    if x.is_nan() || x < 0.0 {
        return f64::NAN;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x == f64::INFINITY {
        return x;
    }
    let mut exponent = 0i64;
    let mut scaled = x;
    if x < f64::MIN_POSITIVE {
        // 2^54
        scaled = x * 18_014_398_509_481_984.0;
        exponent = -54;
    }
    let bits = scaled.to_bits() + (ONE - HALF_ROOT);
    exponent += (bits >> 52) as i64 - 1023;
    let f = f64::from_bits((bits & ((1 << 52) - 1)) + HALF_ROOT) - 1.0;
    let k = exponent as f64;
    ln_tail(f) + k * LN2_LOW - 0.5 * f * f + f + k * LN2_HIGH
}

/// `x.ln_1p()`
#[gpu_fn]
pub fn ln_1p_f64(x: f64) -> f64 {
    if x.is_nan() || x < -1.0 {
        return f64::NAN;
    }
    if x == -1.0 {
        return f64::NEG_INFINITY;
    }
    // Below 2^-53 the logarithm is the argument, also of zeros and their sign.
    if x == f64::INFINITY || x.abs() < 1.110_223_024_625_156_5e-16 {
        return x;
    }
    let mut f = x;
    let mut k = 0.0;
    let mut correction = 0.0;
    if x < -0.292_893_409_729_003_9 || x >= 0.414_213_180_541_992_2 {
        let sum = 1.0 + x;
        let bits = sum.to_bits() + (ONE - HALF_ROOT);
        let exponent = (bits >> 52) as i64 - 1023;
        // What the rounding of the sum has lost.
        if exponent < 54 {
            let lost = if exponent >= 2 { 1.0 - (sum - x) } else { x - (sum - 1.0) };
            correction = lost / sum;
        }
        f = f64::from_bits((bits & ((1 << 52) - 1)) + HALF_ROOT) - 1.0;
        k = exponent as f64;
    }
    ln_tail(f) + (k * LN2_LOW + correction) - 0.5 * f * f + f + k * LN2_HIGH
}

/// `x.ln()`
#[gpu_fn]
pub fn ln_f32(x: f32) -> f32 {
    ln_f64(x as f64) as f32
}

/// `x.ln_1p()`
#[gpu_fn]
pub fn ln_1p_f32(x: f32) -> f32 {
    ln_1p_f64(x as f64) as f32
}

//! The logarithm to any base: a quotient of natural ones.

use super::ln::*;
use crate::prelude::*;

/// The logarithm of `x` to the base `base`: `x.ln() / base.ln()`, computed in f64.
///
/// Worst error found: @log_f32@
#[gpu_fn]
pub fn log_f32(x: f32, base: f32) -> f32 {
    (ln_f64(x as f64) / ln_f64(base as f64)) as f32
}

/// The logarithm of `x` to the base `base`: `x.ln() / base.ln()`, of which both are computed to more than their last place.
///
/// Worst error found: @log_f64@
#[gpu_fn]
pub fn log_f64(x: f64, base: f64) -> f64 {
    let (numerator, numerator_low) = ln_parts_f64(x);
    let (denominator, denominator_low) = ln_parts_f64(base);
    let quotient = numerator / denominator;
    let rest = quotient.mul_add(-denominator, numerator) + quotient.mul_add(-denominator_low, numerator_low);
    let result = quotient + rest / denominator;
    // Of zeros and infinities, and of the base 1, the quotient is the result.
    if result.is_finite() { result } else { quotient }
}

/// ln `x` as the sum of two.
#[gpu_fn]
fn ln_parts_f64(x: f64) -> (f64, f64) {
    let subnormal = x < f64::MIN_POSITIVE;
    let normal = if subnormal { x * NORMALISE_F64 } else { x };
    let bits = normal.to_bits();
    let shift = bits.wrapping_sub(SQRT_HALF_F64) & EXPONENT_F64;
    let f = f64::from_bits(bits.wrapping_sub(shift)) - 1.0;
    let n = exponent_f64(shift) - if subnormal { 54.0 } else { 0.0 };
    let high = n.mul_add(LN_2_HIGH_F64, f);
    let low = f - n.mul_add(-LN_2_HIGH_F64, high);
    let rest = n.mul_add(LN_2_LOW_F64, low) + ln_1p_tail_f64(f);
    let sum = high + rest;
    let result = special_f64(x, sum);
    let result = if x < f64::INFINITY { result } else { x };
    (result, if result == sum { (high - sum) + rest } else { 0.0 })
}

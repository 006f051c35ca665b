//! An angle less its nearest multiple of π/2: the first step of `sin`, `cos` and `tan`.
//!
//! The result is `(count, high, low)`: `high + low` is the rest, at most π/4 either way but for rounding, to about twice
//! the type's precision, and the two lowest bits of `count` are the number of quarter turns modulo 4.
//!
//! Up to [`LARGE_F32`] and [`LARGE_F64`], π/2 is subtracted in three parts (Cody and Waite, *Software Manual for the
//! Elementary Functions*, 1980). Beyond, the angle's significand, an integer, is multiplied with those bits of 2/π that
//! matter at its exponent (Payne and Hanek, *Radian Reduction for Trigonometric Functions*, 1983). The nearest that a float
//! comes to a multiple of π/2 is 2⁻²⁹ for f32 and 2⁻⁶¹ for f64, so the product has 62 bits after the point for f32 and 126
//! for f64.

use super::exp::{ROUND_F32, ROUND_F64};
use crate::prelude::*;

/// The largest angle that is reduced by subtraction.
const LARGE_F32: f32 = 131_072.0;
/// The largest angle that is reduced by subtraction.
const LARGE_F64: f64 = 1_073_741_824.0;

/// π/2 in three parts, each rounded to nearest.
const QUARTER_F32: f32 = std::f32::consts::FRAC_PI_2;
const QUARTER_MIDDLE_F32: f32 = -4.371_139e-8;
const QUARTER_LOW_F32: f32 = -1.715_124_5e-15;
/// π/2 in three parts, each rounded to nearest.
const QUARTER_F64: f64 = std::f64::consts::FRAC_PI_2;
pub(super) const QUARTER_MIDDLE_F64: f64 = 6.123_233_995_736_766e-17;
const QUARTER_LOW_F64: f64 = -1.497_384_904_859_17e-33;

/// 2⁻⁶²
const FRACTION_F32: f32 = 1.0 / 4_611_686_018_427_387_904.0;
/// 2⁻⁶²
const FRACTION_F64: f64 = 1.0 / 4_611_686_018_427_387_904.0;

/// 32 zeros and the first 224 bits of 2/π.
const TWO_OVER_PI_F32: [u32; 8] =
    [0, 0xa2f9_836e, 0x4e44_1529, 0xfc27_57d1, 0xf534_ddc0, 0xdb62_9599, 0x3c43_9041, 0xfe51_63ab];

/// 64 zeros and the first 1216 bits of 2/π.
const TWO_OVER_PI_F64: [u64; 20] = [
    0,
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
];

/// The rest of `x` after quarter turns, see the module.
#[gpu_fn]
pub(super) fn reduce_f32(x: f32) -> (f32, f32, f32) {
    if x.abs() > LARGE_F32 { reduce_large_f32(x) } else { reduce_small_f32(x) }
}

/// The rest of `x` after quarter turns, see the module.
#[gpu_fn]
pub(super) fn reduce_f64(x: f64) -> (f64, f64, f64) {
    if x.abs() > LARGE_F64 { reduce_large_f64(x) } else { reduce_small_f64(x) }
}

#[gpu_fn]
fn reduce_small_f32(x: f32) -> (f32, f32, f32) {
    let count = x.mul_add(std::f32::consts::FRAC_2_PI, ROUND_F32);
    let n = count - ROUND_F32;
    // Exact: a multiple of 2⁻²⁴ below 1.
    let first = n.mul_add(-QUARTER_F32, x);
    let product = n * QUARTER_MIDDLE_F32;
    let product_low = n.mul_add(QUARTER_MIDDLE_F32, -product);
    let high = first - product;
    let lost = sum_error_f32(first, -product, high);
    (count, high, n.mul_add(-QUARTER_LOW_F32, lost - product_low))
}

#[gpu_fn]
fn reduce_small_f64(x: f64) -> (f64, f64, f64) {
    let count = x.mul_add(std::f64::consts::FRAC_2_PI, ROUND_F64);
    let n = count - ROUND_F64;
    // Exact: a multiple of 2⁻⁵³ below 1.
    let first = n.mul_add(-QUARTER_F64, x);
    let product = n * QUARTER_MIDDLE_F64;
    let product_low = n.mul_add(QUARTER_MIDDLE_F64, -product);
    let high = first - product;
    let lost = sum_error_f64(first, -product, high);
    (count, high, n.mul_add(-QUARTER_LOW_F64, lost - product_low))
}

/// What `sum`, the rounded sum of `a` and `b`, lacks of it (Knuth's TwoSum).
#[gpu_fn]
pub(super) fn sum_error_f32(a: f32, b: f32, sum: f32) -> f32 {
    let part = sum - a;
    (a - (sum - part)) + (b - part)
}

/// What `sum`, the rounded sum of `a` and `b`, lacks of it (Knuth's TwoSum).
#[gpu_fn]
pub(super) fn sum_error_f64(a: f64, b: f64, sum: f64) -> f64 {
    let part = sum - a;
    (a - (sum - part)) + (b - part)
}

#[gpu_fn]
fn reduce_large_f32(x: f32) -> (f32, f32, f32) {
    let bits = x.to_bits();
    let significand = (bits & 0x007f_ffff | 0x0080_0000) as u64;
    // |x| is the significand times 2 to the power of this less 150; the first bit of 2/π that matters is the 31st after.
    let start = (bits >> 23 & 0xff) - 120;
    let word = (start >> 5) as usize;
    let shift = start & 31;
    let upper = (TWO_OVER_PI_F32[word] as u64) << 32 | TWO_OVER_PI_F32[word + 1] as u64;
    let lower = (TWO_OVER_PI_F32[word + 2] as u64) << 32 | TWO_OVER_PI_F32[word + 3] as u64;
    let first = upper << shift | lower >> 1 >> (63 - shift);
    let second = lower << shift >> 32;
    // Quarter turns modulo 4, with 62 bits after the point.
    let turns = significand.wrapping_mul(first).wrapping_add(significand * second >> 32);
    let count = turns.wrapping_add(1 << 61) >> 62;
    let rest = turns.wrapping_sub(count << 62) as i64;
    let high = rest as f32;
    let low = (rest - high as i64) as f32;
    let angle = high * QUARTER_F32;
    let angle_low = low.mul_add(QUARTER_F32, high.mul_add(QUARTER_MIDDLE_F32, high.mul_add(QUARTER_F32, -angle)));
    let sign = if x < 0.0 { -FRACTION_F32 } else { FRACTION_F32 };
    let signed_count = if x < 0.0 { -(count as f32) } else { count as f32 };
    // Infinity has no rest.
    let angle = if x.is_finite() { angle * sign } else { f32::NAN };
    (ROUND_F32 + signed_count, angle, angle_low * sign)
}

#[gpu_fn]
fn reduce_large_f64(x: f64) -> (f64, f64, f64) {
    let bits = x.to_bits();
    let significand = bits & 0x000f_ffff_ffff_ffff | 0x0010_0000_0000_0000;
    // |x| is the significand times 2 to the power of this less 1075; the first bit of 2/π that matters is the 63rd after.
    let start = (bits >> 52 & 0x7ff) - 1_013;
    let word = (start >> 6) as usize;
    let shift = start & 63;
    let first = TWO_OVER_PI_F64[word] << shift | TWO_OVER_PI_F64[word + 1] >> 1 >> (63 - shift);
    let second = TWO_OVER_PI_F64[word + 1] << shift | TWO_OVER_PI_F64[word + 2] >> 1 >> (63 - shift);
    let third = TWO_OVER_PI_F64[word + 2] << shift | TWO_OVER_PI_F64[word + 3] >> 1 >> (63 - shift);
    // Quarter turns modulo 4, with 126 bits after the point.
    let lower = significand.wrapping_mul(second);
    let turns_low = lower.wrapping_add(product_high(significand, third));
    let carry = if turns_low < lower { 1 } else { 0 };
    let upper = significand.wrapping_mul(first).wrapping_add(product_high(significand, second));
    let turns = upper.wrapping_add(carry);
    let count = turns.wrapping_add(1 << 61) >> 62;
    let rest = turns.wrapping_sub(count << 62) as i64;
    let high = rest as f64;
    let low = (rest - high as i64) as f64
        + ((turns_low >> 32) as f64 * (1.0 / 4_294_967_296.0)
            + (turns_low as u32) as f64 * (1.0 / 18_446_744_073_709_551_616.0));
    let sum = high + low;
    let sum_low = (high - sum) + low;
    let angle = sum * QUARTER_F64;
    let angle_low = sum_low.mul_add(QUARTER_F64, sum.mul_add(QUARTER_MIDDLE_F64, sum.mul_add(QUARTER_F64, -angle)));
    let sign = if x < 0.0 { -FRACTION_F64 } else { FRACTION_F64 };
    let signed_count = if x < 0.0 { -(count as f64) } else { count as f64 };
    // Infinity has no rest.
    let angle = if x.is_finite() { angle * sign } else { f64::NAN };
    (ROUND_F64 + signed_count, angle, angle_low * sign)
}

/// The upper half of a product.
#[gpu_fn]
fn product_high(a: u64, b: u64) -> u64 {
    let a_high = a >> 32;
    let a_low = a & 0xffff_ffff;
    let b_high = b >> 32;
    let b_low = b & 0xffff_ffff;
    let middle = a_high * b_low + (a_low * b_low >> 32);
    let cross = a_low * b_high + (middle & 0xffff_ffff);
    a_high * b_high + (middle >> 32) + (cross >> 32)
}

//! The natural logarithm: `ln` and `ln_1p`.
//!
//! Both write their argument as 2ⁿ·(1 + f), where f has no rounding error. In `ln`, 1 + f is between √½ and √2. In `ln_1p`
//! it is between 3/4 and 3/2: there f = x·2⁻ⁿ + (2⁻ⁿ - 1) always fits into a float, so no correction is needed.
//!
//! ln(1 + f) is f plus a *tail*, at most a fifth of it, so that the rounding errors of the tail hardly count. n·ln 2 and f
//! are added by Dekker's Fast2Sum, which keeps what the rounding loses; n times the high part of ln 2 is exact.

use crate::prelude::*;

/// ln 2 to 16 bits, so that its product with an exponent is exact.
pub(super) const LN_2_HIGH_F32: f32 = 0.693_145_75;
/// ln 2 - `LN_2_HIGH_F32`
pub(super) const LN_2_LOW_F32: f32 = 1.428_606_8e-6;
/// ln 2 to 42 bits, so that its product with an exponent is exact.
pub(super) const LN_2_HIGH_F64: f64 = 0.693_147_180_559_890_3;
/// ln 2 - `LN_2_HIGH_F64`
pub(super) const LN_2_LOW_F64: f64 = 5.497_923_018_708_371e-14;

/// The bits of √½, the smallest 1 + f.
pub(super) const SQRT_HALF_F32: u32 = 0x3f35_04f3;
/// The bits of √½, the smallest 1 + f.
pub(super) const SQRT_HALF_F64: u64 = 0x3fe6_a09e_667f_3bcd;
/// The bits of 3/4, the smallest 1 + f in `ln_1p`.
const THREE_QUARTERS_F32: u32 = 0x3f40_0000;
/// The bits of 3/4, the smallest 1 + f in `ln_1p`.
const THREE_QUARTERS_F64: u64 = 0x3fe8_0000_0000_0000;
/// The sign and exponent bits.
pub(super) const EXPONENT_F32: u32 = 0xff80_0000;
/// The sign and exponent bits.
pub(super) const EXPONENT_F64: u64 = 0xfff0_0000_0000_0000;
/// 2²⁵: takes a subnormal number to a normal one.
pub(super) const NORMALISE_F32: f32 = 33_554_432.0;
/// 2⁵⁴: takes a subnormal number to a normal one.
pub(super) const NORMALISE_F64: f64 = 18_014_398_509_481_984.0;

/// The natural logarithm of `x`.
///
/// Worst error found: 0.842 ulp over every f32 of magnitude 2⁻¹⁶ to 144 and a seventh of all others.
#[gpu_fn]
pub fn ln_f32(x: f32) -> f32 {
    let subnormal = x < f32::MIN_POSITIVE;
    let normal = if subnormal { x * NORMALISE_F32 } else { x };
    let bits = normal.to_bits();
    let shift = bits.wrapping_sub(SQRT_HALF_F32) & EXPONENT_F32;
    let f = f32::from_bits(bits.wrapping_sub(shift)) - 1.0;
    let n = exponent_f32(shift) - if subnormal { 25.0 } else { 0.0 };
    let result = scaled_ln_f32(n, f);
    if x < f32::INFINITY { special_f32(x, result) } else { x }
}

/// The natural logarithm of `1 + x`, accurate also where `x` is small.
///
/// Worst error found: 0.890 ulp over every f32 of magnitude 2⁻¹⁶ to 144 and a seventh of all others.
#[gpu_fn]
pub fn ln_1p_f32(x: f32) -> f32 {
    let sum = 1.0 + x;
    let shift = sum.to_bits().wrapping_sub(THREE_QUARTERS_F32) & EXPONENT_F32;
    // 4·2⁻ⁿ, as 2⁻ⁿ itself may be subnormal.
    let scale = f32::from_bits(0x4080_0000u32.wrapping_sub(shift));
    let f = f32::from_bits(x.to_bits().wrapping_sub(shift)) + scale.mul_add(0.25, -1.0);
    let result = special_f32(sum, scaled_ln_f32(exponent_f32(shift), f));
    if x < f32::INFINITY && x != 0.0 { result } else { x }
}

/// The natural logarithm of `x`.
///
/// Worst error found: 0.894 ulp over 10 million f64 of all bit patterns and of each critical interval.
#[gpu_fn]
pub fn ln_f64(x: f64) -> f64 {
    let subnormal = x < f64::MIN_POSITIVE;
    let normal = if subnormal { x * NORMALISE_F64 } else { x };
    let bits = normal.to_bits();
    let shift = bits.wrapping_sub(SQRT_HALF_F64) & EXPONENT_F64;
    let f = f64::from_bits(bits.wrapping_sub(shift)) - 1.0;
    let n = exponent_f64(shift) - if subnormal { 54.0 } else { 0.0 };
    let result = scaled_ln_f64(n, f);
    if x < f64::INFINITY { special_f64(x, result) } else { x }
}

/// The natural logarithm of `1 + x`, accurate also where `x` is small.
///
/// Worst error found: 0.948 ulp over 10 million f64 of all bit patterns and of each critical interval.
#[gpu_fn]
pub fn ln_1p_f64(x: f64) -> f64 {
    let sum = 1.0 + x;
    let shift = sum.to_bits().wrapping_sub(THREE_QUARTERS_F64) & EXPONENT_F64;
    // 4·2⁻ⁿ, as 2⁻ⁿ itself may be subnormal.
    let scale = f64::from_bits(0x4010_0000_0000_0000u64.wrapping_sub(shift));
    let f = f64::from_bits(x.to_bits().wrapping_sub(shift)) + scale.mul_add(0.25, -1.0);
    let result = special_f64(sum, scaled_ln_f64(exponent_f64(shift), f));
    if x < f64::INFINITY && x != 0.0 { result } else { x }
}

/// The logarithm of `x`, given the one that holds for positive numbers.
#[gpu_fn]
pub(super) fn special_f32(x: f32, result: f32) -> f32 {
    let at_most_zero = if x == 0.0 { f32::NEG_INFINITY } else { f32::NAN };
    if x > 0.0 { result } else { at_most_zero }
}

/// The logarithm of `x`, given the one that holds for positive numbers.
#[gpu_fn]
pub(super) fn special_f64(x: f64, result: f64) -> f64 {
    let at_most_zero = if x == 0.0 { f64::NEG_INFINITY } else { f64::NAN };
    if x > 0.0 { result } else { at_most_zero }
}

/// n, where `shift` is n·2²³.
#[gpu_fn]
pub(super) fn exponent_f32(shift: u32) -> f32 {
    shift as i32 as f32 * (1.0 / 8_388_608.0)
}

/// n, where `shift` is n·2⁵². Written so, as few processors convert vectors of 64-bit integers.
#[gpu_fn]
pub(super) fn exponent_f64(shift: u64) -> f64 {
    (shift >> 32) as u32 as i32 as f64 * (1.0 / 1_048_576.0)
}

/// n·ln 2 + ln(1 + f)
#[gpu_fn]
fn scaled_ln_f32(n: f32, f: f32) -> f32 {
    let high = n.mul_add(LN_2_HIGH_F32, f);
    let low = f - n.mul_add(-LN_2_HIGH_F32, high);
    high + (f * f).mul_add(ln_1p_tail_f32(f), n.mul_add(LN_2_LOW_F32, low))
}

/// n·ln 2 + ln(1 + f)
#[gpu_fn]
fn scaled_ln_f64(n: f64, f: f64) -> f64 {
    let high = n.mul_add(LN_2_HIGH_F64, f);
    let low = f - n.mul_add(-LN_2_HIGH_F64, high);
    high + (n.mul_add(LN_2_LOW_F64, low) + ln_1p_tail_f64(f))
}

/// (ln(1 + f) - f) / f² for f in [-0.293, 1/2]: a polynomial that is minimax to 2⁻²⁸ of ln(1 + f).
#[gpu_fn]
pub(super) fn ln_1p_tail_f32(f: f32) -> f32 {
    4.804_052e-2f32
        .mul_add(f, -0.104_547_97)
        .mul_add(f, 0.121_300_18)
        .mul_add(f, -0.126_375_18)
        .mul_add(f, 0.142_161_35)
        .mul_add(f, -0.166_539_68)
        .mul_add(f, 0.200_017_77)
        .mul_add(f, -0.250_002_7)
        .mul_add(f, 0.333_333_2)
        .mul_add(f, -0.5)
}

/// ln(1 + f) - f for f in [-0.293, 1/2].
///
/// With s = f / (2 + f), ln(1 + f) = 2·artanh s = f - f²/2 + s·(f²/2 + R(s²)), where R is a polynomial that is minimax to
/// 2⁻⁶⁰ of ln(1 + f). This form is of FreeBSD's `e_log.c` (Sun Microsystems, 1993).
#[gpu_fn]
pub(super) fn ln_1p_tail_f64(f: f64) -> f64 {
    let s = f / (2.0 + f);
    let z = s * s;
    let r = 0.136_177_099_199_293_3f64
        .mul_add(z, 0.132_084_118_152_234_6)
        .mul_add(z, 0.153_889_451_736_037_17)
        .mul_add(z, 0.181_817_352_785_781_96)
        .mul_add(z, 0.222_222_230_864_312_67)
        .mul_add(z, 0.285_714_285_669_596_95)
        .mul_add(z, 0.400_000_000_000_090_95)
        .mul_add(z, 0.666_666_666_666_666_63);
    let half_square = 0.5 * f * f;
    s.mul_add(r.mul_add(z, half_square), -half_square)
}

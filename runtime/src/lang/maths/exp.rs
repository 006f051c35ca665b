//! The exponential functions: `exp`, `exp2` and `exp_m1`.
//!
//! exp(x) = 2ⁿ·exp(r), where n is the integer nearest x/ln 2 and r = x - n·ln 2 is at most ln 2/2 either way. To round,
//! [`ROUND_F32`] is added and subtracted again; its sum's lowest bits then are n, for the exponent of 2ⁿ.

use crate::prelude::*;

/// 1.5·2²³, whose unit in the last place is 1.
pub(super) const ROUND_F32: f32 = 12_582_912.0;
/// 1.5·2⁵², whose unit in the last place is 1.
pub(super) const ROUND_F64: f64 = 6_755_399_441_055_744.0;

pub(super) const LOG2_E_F32: f32 = std::f32::consts::LOG2_E;
pub(super) const LOG2_E_F64: f64 = std::f64::consts::LOG2_E;
/// ln 2 to 16 bits, so that its product with n is exact.
pub(super) const LN_2_HIGH_F32: f32 = 0.693_145_75;
/// ln 2 - `LN_2_HIGH_F32`
pub(super) const LN_2_LOW_F32: f32 = 1.428_606_8e-6;
/// ln 2 to 42 bits, so that its product with n is exact.
pub(super) const LN_2_HIGH_F64: f64 = 0.693_147_180_559_890_3;
/// ln 2 - `LN_2_HIGH_F64`
pub(super) const LN_2_LOW_F64: f64 = 5.497_923_018_708_371e-14;

/// e to the power `x`.
///
/// Worst error found: 0.892 ulp over every f32 of magnitude 2⁻¹⁶ to 144 and a seventh of all others.
#[gpu_fn]
pub fn exp_f32(x: f32) -> f32 {
    let x = clamp_f32(x, -105.0, 89.0);
    let rounded = x.mul_add(LOG2_E_F32, ROUND_F32);
    let n = rounded - ROUND_F32;
    let r = n.mul_add(-LN_2_LOW_F32, n.mul_add(-LN_2_HIGH_F32, x));
    // Minimax to 2⁻²⁸ of exp(r).
    let power = 1.378_246_5e-3f32
        .mul_add(r, 8.368_67e-3)
        .mul_add(r, 4.166_896_3e-2)
        .mul_add(r, 1.666_652_1e-1)
        .mul_add(r, 0.499_999_9)
        .mul_add(r, 1.0)
        .mul_add(r, 1.0);
    scale_f32(power, rounded)
}

/// 2 to the power `x`.
///
/// Worst error found: 0.879 ulp over every f32 of magnitude 2⁻¹⁶ to 144 and a seventh of all others.
#[gpu_fn]
pub fn exp2_f32(x: f32) -> f32 {
    let x = clamp_f32(x, -151.0, 129.0);
    let rounded = x + ROUND_F32;
    let r = x - (rounded - ROUND_F32);
    // Minimax to 2⁻²⁸ of exp2(r).
    let power = 1.524_128_5e-4f32
        .mul_add(r, 1.339_130_2e-3)
        .mul_add(r, 9.618_833_7e-3)
        .mul_add(r, 5.550_358_8e-2)
        .mul_add(r, 2.402_264_5e-1)
        .mul_add(r, 0.693_147_2)
        .mul_add(r, 1.0);
    scale_f32(power, rounded)
}

/// e to the power `x`, minus 1, accurate also where `x` is small.
///
/// Worst error found: 0.952 ulp over every f32 of magnitude 2⁻¹⁶ to 144 and a seventh of all others.
#[gpu_fn]
pub fn exp_m1_f32(x: f32) -> f32 {
    let clamped = clamp_f32(x, -20.0, 89.0);
    // Around 0 no reduction: up to 1/2, so that the errors of r, doubled, stay small beside the result.
    let scaled = if x.abs() < 0.5 { 0.0 } else { clamped * LOG2_E_F32 };
    let rounded = scaled + ROUND_F32;
    let n = rounded - ROUND_F32;
    let r = n.mul_add(-LN_2_LOW_F32, n.mul_add(-LN_2_HIGH_F32, clamped));
    // Minimax to 2⁻²⁷ of exp(r) - 1.
    let q = 1.991_352_5e-4f32
        .mul_add(r, 1.400_411_8e-3)
        .mul_add(r, 8.333_359e-3)
        .mul_add(r, 4.166_508_5e-2)
        .mul_add(r, 1.666_666_7e-1)
        .mul_add(r, 0.500_000_06);
    // 2ⁿ·(exp(r) - 1) + (2ⁿ - 1). The largest n, 128, is one too many for 2ⁿ.
    let largest = n > 127.0;
    let exponent = if largest { ROUND_F32 + 127.0 } else { rounded };
    let power = f32::from_bits((exponent.to_bits() << 23).wrapping_add(0x3f80_0000));
    let offset = power - 1.0;
    let lost = (power - offset) - 1.0;
    let high = r.mul_add(power, offset);
    let low = r.mul_add(power, offset - high) + lost;
    let sum = high + (r * r * q).mul_add(power, low);
    let result = if largest { sum * 2.0 } else { sum };
    if x == 0.0 { x } else { result }
}

/// e to the power `x`.
///
/// Worst error found: 0.894 ulp over 10 million f64 of all bit patterns and of each critical interval.
#[gpu_fn]
pub fn exp_f64(x: f64) -> f64 {
    let x = clamp_f64(x, -746.0, 710.0);
    let rounded = x.mul_add(LOG2_E_F64, ROUND_F64);
    let n = rounded - ROUND_F64;
    let r = n.mul_add(-LN_2_LOW_F64, n.mul_add(-LN_2_HIGH_F64, x));
    // Minimax to 2⁻⁵⁷ of exp(r).
    let power = 2.500_446_947_687_947_7e-8f64
        .mul_add(r, 2.763_043_895_704_491e-7)
        .mul_add(r, 2.755_757_232_919_542_6e-6)
        .mul_add(r, 2.480_149_249_563_607_2e-5)
        .mul_add(r, 1.984_126_952_244_903_6e-4)
        .mul_add(r, 1.388_888_894_430_432_6e-3)
        .mul_add(r, 8.333_333_333_487_052e-3)
        .mul_add(r, 4.166_666_666_652_707e-2)
        .mul_add(r, 1.666_666_666_666_642_4e-1)
        .mul_add(r, 0.500_000_000_000_001_1)
        .mul_add(r, 1.0)
        .mul_add(r, 1.0);
    scale_f64(power, rounded)
}

/// 2 to the power `x`.
///
/// Worst error found: 0.863 ulp over 10 million f64 of all bit patterns and of each critical interval.
#[gpu_fn]
pub fn exp2_f64(x: f64) -> f64 {
    let x = clamp_f64(x, -1_076.0, 1_025.0);
    let rounded = x + ROUND_F64;
    let r = x - (rounded - ROUND_F64);
    // Minimax to 2⁻⁵⁷ of exp2(r).
    let power = 4.451_517_973_833_998_5e-10f64
        .mul_add(r, 7.073_894_180_501_247e-9)
        .mul_add(r, 1.017_807_659_837_705_2e-7)
        .mul_add(r, 1.321_543_456_316_629e-6)
        .mul_add(r, 1.525_273_382_889_332_6e-5)
        .mul_add(r, 1.540_353_045_875_454_4e-4)
        .mul_add(r, 1.333_355_814_635_866_4e-3)
        .mul_add(r, 9.618_129_107_592_587e-3)
        .mul_add(r, 5.550_410_866_482_232_5e-2)
        .mul_add(r, 2.402_265_069_591_013_6e-1)
        .mul_add(r, 0.693_147_180_559_945_3)
        .mul_add(r, 1.0);
    scale_f64(power, rounded)
}

/// e to the power `x`, minus 1, accurate also where `x` is small.
///
/// Worst error found: 0.945 ulp over 10 million f64 of all bit patterns and of each critical interval.
#[gpu_fn]
pub fn exp_m1_f64(x: f64) -> f64 {
    let clamped = clamp_f64(x, -40.0, 710.0);
    // Around 0 no reduction: up to 1/2, so that the errors of r, doubled, stay small beside the result.
    let scaled = if x.abs() < 0.5 { 0.0 } else { clamped * LOG2_E_F64 };
    let rounded = scaled + ROUND_F64;
    let n = rounded - ROUND_F64;
    let r = n.mul_add(-LN_2_LOW_F64, n.mul_add(-LN_2_HIGH_F64, clamped));
    // Minimax to 2⁻⁶⁰ of exp(r) - 1.
    let q = 1.603_795_491_159_220_6e-10f64
        .mul_add(r, 2.096_598_885_978_759_3e-9)
        .mul_add(r, 2.505_252_514_731_114e-8)
        .mul_add(r, 2.755_705_751_678_048_4e-7)
        .mul_add(r, 2.755_731_784_968_492e-6)
        .mul_add(r, 2.480_158_765_776_248e-5)
        .mul_add(r, 1.984_126_984_311_391_7e-4)
        .mul_add(r, 1.388_888_888_866_948_6e-3)
        .mul_add(r, 8.333_333_333_332_296e-3)
        .mul_add(r, 4.166_666_666_666_713_6e-2)
        .mul_add(r, 1.666_666_666_666_666_9e-1)
        .mul_add(r, 0.5);
    // 2ⁿ·(exp(r) - 1) + (2ⁿ - 1). The largest n, 1024, is one too many for 2ⁿ.
    let largest = n > 1_023.0;
    let exponent = if largest { ROUND_F64 + 1_023.0 } else { rounded };
    let power = f64::from_bits((exponent.to_bits() << 52).wrapping_add(0x3ff0_0000_0000_0000));
    let offset = power - 1.0;
    let lost = (power - offset) - 1.0;
    let high = r.mul_add(power, offset);
    let low = r.mul_add(power, offset - high) + lost;
    let sum = high + (r * r * q).mul_add(power, low);
    let result = if largest { sum * 2.0 } else { sum };
    if x == 0.0 { x } else { result }
}

/// `x`, but `low` where it is less and `high` where it is more; NaN stays.
#[gpu_fn]
pub(super) fn clamp_f32(x: f32, low: f32, high: f32) -> f32 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// `x`, but `low` where it is less and `high` where it is more; NaN stays.
#[gpu_fn]
pub(super) fn clamp_f64(x: f64, low: f64, high: f64) -> f64 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// `power`·2ⁿ, where n stands in the lowest bits of `rounded`: by two factors, as 2ⁿ itself may be out of range.
#[gpu_fn]
pub(super) fn scale_f32(power: f32, rounded: f32) -> f32 {
    let n = rounded.to_bits();
    let half = n >> 1;
    let first = f32::from_bits((half << 23).wrapping_add(0x3f80_0000));
    let second = f32::from_bits((n.wrapping_sub(half) << 23).wrapping_add(0x3f80_0000));
    power * first * second
}

/// `power`·2ⁿ, where n stands in the lowest bits of `rounded`: by two factors, as 2ⁿ itself may be out of range.
#[gpu_fn]
pub(super) fn scale_f64(power: f64, rounded: f64) -> f64 {
    let n = rounded.to_bits();
    let half = n >> 1;
    let first = f64::from_bits((half << 52).wrapping_add(0x3ff0_0000_0000_0000));
    let second = f64::from_bits((n.wrapping_sub(half) << 52).wrapping_add(0x3ff0_0000_0000_0000));
    power * first * second
}

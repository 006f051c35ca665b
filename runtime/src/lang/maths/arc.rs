//! The inverse trigonometric functions: `asin`, `acos`, `atan` and `atan2`.
//!
//! Each result is a multiple of π/4, and a number t, and a small rest: that of the series in t, and what t lost when it was
//! rounded. In `atan` and `atan2` t is a quotient of at most 1/2; in `asin` and `acos` it is the argument up to 1/2, and
//! beyond a root, as asin a = π/2 - 2·asin √((1 - a)/2).

use super::exp::{clamp_f32, clamp_f64};
use crate::prelude::*;

/// π/2 less the nearest float.
const QUARTER_LOW_F32: f32 = -4.371_139e-8;
/// π/2 less the nearest float.
const QUARTER_LOW_F64: f64 = 6.123_233_995_736_766e-17;
/// The sign bit.
const SIGN_F32: u32 = 0x8000_0000;
/// The sign bit.
const SIGN_F64: u64 = 0x8000_0000_0000_0000;

macro_rules! asin_acos {
    ($(#[$asin_doc:meta])* $asin:ident, $(#[$acos_doc:meta])* $acos:ident,
        $float:ident $quarter_low:ident $sign:ident $add:ident $root_rest:ident $asin_tail:ident
    ) => {
        $(#[$asin_doc])*
        #[gpu_fn]
        pub fn $asin(x: $float) -> $float {
            let size = x.abs();
            let outer = size > 0.5;
            let z = if outer { 0.5 - 0.5 * size } else { size * size };
            let root = z.sqrt();
            let start = if outer { std::$float::consts::FRAC_PI_2 } else { 0.0 };
            let start_low = if outer { $quarter_low } else { 0.0 };
            let t = if outer { -2.0 * root } else { size };
            let t_low = if outer { -2.0 * $root_rest(z, root) } else { 0.0 };
            let result = $add(start, t, (t * z).mul_add($asin_tail(z), start_low + t_low));
            $float::from_bits(result.to_bits() | (x.to_bits() & $sign))
        }

        $(#[$acos_doc])*
        #[gpu_fn]
        pub fn $acos(x: $float) -> $float {
            let size = x.abs();
            let outer = size > 0.5;
            let z = if outer { 0.5 - 0.5 * size } else { size * size };
            let root = z.sqrt();
            let half_turns: $float = if x > 0.0 { 0.0 } else { 2.0 };
            let quarters = if outer { half_turns } else { 1.0 };
            let twice = if x > 0.0 { 2.0 } else { -2.0 };
            let t = if outer { twice * root } else { -x };
            let t_low = if outer { twice * $root_rest(z, root) } else { 0.0 };
            let rest = (t * z).mul_add($asin_tail(z), quarters.mul_add($quarter_low, t_low));
            $add(quarters * std::$float::consts::FRAC_PI_2, t, rest)
        }

        /// What `root`, the rounded square root of `z`, lacks of it.
        #[gpu_fn]
        pub(super) fn $root_rest(z: $float, root: $float) -> $float {
            let rest = root.mul_add(-root, z) / (2.0 * root);
            if z > 0.0 { rest } else { 0.0 }
        }

        /// The sum of three numbers, of which the first is 0 or larger than the second, and the last is small.
        #[gpu_fn]
        fn $add(start: $float, t: $float, rest: $float) -> $float {
            let high = start + t;
            let low = (start - high) + t;
            high + (low + rest)
        }
    };
}
asin_acos! {
    /// The angle in [-π/2, π/2] whose sine is `x`; NaN beyond 1.
    ///
    /// Worst error found: @asin_f32@
    asin_f32,
    /// The angle in [0, π] whose cosine is `x`; NaN beyond 1.
    ///
    /// Worst error found: @acos_f32@
    acos_f32,
    f32 QUARTER_LOW_F32 SIGN_F32 add_f32 root_rest_f32 asin_tail_f32
}
asin_acos! {
    /// The angle in [-π/2, π/2] whose sine is `x`; NaN beyond 1.
    ///
    /// Worst error found: @asin_f64@
    asin_f64,
    /// The angle in [0, π] whose cosine is `x`; NaN beyond 1.
    ///
    /// Worst error found: @acos_f64@
    acos_f64,
    f64 QUARTER_LOW_F64 SIGN_F64 add_f64 root_rest_f64 asin_tail_f64
}

/// The angle in [-π/2, π/2] whose tangent is `x`.
///
/// Worst error found: @atan_f32@
#[gpu_fn]
pub fn atan_f32(x: f32) -> f32 {
    // Beyond 10¹⁰ the result is π/2.
    let angle = angle_f32(clamp_f32(x.abs(), 0.0, 1e10), 1.0, false);
    f32::from_bits(angle.to_bits() | (x.to_bits() & SIGN_F32))
}

/// The angle in [-π/2, π/2] whose tangent is `x`.
///
/// Worst error found: @atan_f64@
#[gpu_fn]
pub fn atan_f64(x: f64) -> f64 {
    // Beyond 10¹⁹ the result is π/2.
    let angle = angle_f64(clamp_f64(x.abs(), 0.0, 1e19), 1.0, false);
    f64::from_bits(angle.to_bits() | (x.to_bits() & SIGN_F64))
}

/// The angle in [-π, π] from the positive x axis to the point (`x`, `y`), of which `y` comes first. Zeros count by their
/// signs, and two infinities as equal.
///
/// Worst error found: @atan2_f32@
#[gpu_fn]
pub fn atan2_f32(y: f32, x: f32) -> f32 {
    let height = finite_side_f32(y.abs(), x.abs());
    let width = finite_side_f32(x.abs(), y.abs());
    let largest = if height > width { height } else { width };
    let width = if largest == 0.0 { 1.0 } else { width };
    // So that sums and what quotients lose stay in range. Where the angle is tiny, the plain quotient does.
    let large = if largest > 1e30 { 0.0625 } else { 1.0 };
    let scale = if largest < 1e-18 { SCALE_F32 } else { large };
    let scale = if height < width * TINY_F32 { 1.0 } else { scale };
    let angle = angle_f32(height * scale, width * scale, x.to_bits() & SIGN_F32 != 0);
    let signed = f32::from_bits(angle.to_bits() | (y.to_bits() & SIGN_F32));
    if x.is_nan() || y.is_nan() { f32::NAN } else { signed }
}

/// The angle in [-π, π] from the positive x axis to the point (`x`, `y`), of which `y` comes first. Zeros count by their
/// signs, and two infinities as equal.
///
/// Worst error found: @atan2_f64@
#[gpu_fn]
pub fn atan2_f64(y: f64, x: f64) -> f64 {
    let height = finite_side_f64(y.abs(), x.abs());
    let width = finite_side_f64(x.abs(), y.abs());
    let largest = if height > width { height } else { width };
    let width = if largest == 0.0 { 1.0 } else { width };
    // So that sums and what quotients lose stay in range. Where the angle is tiny, the plain quotient does.
    let large = if largest > 1e300 { 0.0625 } else { 1.0 };
    let scale = if largest < 1e-200 { SCALE_F64 } else { large };
    let scale = if height < width * TINY_F64 { 1.0 } else { scale };
    let angle = angle_f64(height * scale, width * scale, x.to_bits() & SIGN_F64 != 0);
    let signed = f64::from_bits(angle.to_bits() | (y.to_bits() & SIGN_F64));
    if x.is_nan() || y.is_nan() { f64::NAN } else { signed }
}

/// A quotient so small that it is its own arc tangent, even after a rounding error.
const TINY_F32: f32 = 1e-5;
/// A quotient so small that it is its own arc tangent, even after a rounding error.
const TINY_F64: f64 = 1e-9;

/// 2¹⁰⁰
const SCALE_F32: f32 = 1_267_650_600_228_229_401_496_703_205_376.0;
/// 2⁷⁰⁰
const SCALE_F64: f64 = f64::from_bits(0x6bb0_0000_0000_0000);

macro_rules! angle {
    ($float:ident: $angle:ident $finite_side:ident, $tiny:ident $quarter_low:ident $add:ident $atan_tail:ident) => {
        /// The angle from the positive x axis to the point (`x`, `y`), neither negative; with `left`, to (-`x`, `y`).
        #[gpu_fn]
        fn $angle(y: $float, x: $float, left: bool) -> $float {
            let steep = y > 2.0 * x;
            let middle = !steep && 2.0 * y > x;
            let numerator = if middle { y - x } else { y };
            let numerator = if steep { -x } else { numerator };
            let sum = if middle { y + x } else { x };
            let denominator = if steep { y } else { sum };
            let smaller = if x < y { x } else { y };
            let larger = if x < y { y } else { x };
            let sum_low = if middle { (larger - denominator) + smaller } else { 0.0 };
            let eighths: $float = if middle { 1.0 } else { 0.0 };
            let eighths = if steep { 2.0 } else { eighths };
            let eighths = if left { 4.0 - eighths } else { eighths };

            let t = numerator / denominator;
            let rest = t.mul_add(-sum_low, t.mul_add(-denominator, numerator)) / denominator;
            let t_low = if y < x * $tiny { 0.0 } else { rest };
            let t_low = if left { -t_low } else { t_low };
            let z = t * t;
            let t = if left { -t } else { t };
            let start = eighths * std::$float::consts::FRAC_PI_4;
            let lost = eighths.mul_add(std::$float::consts::FRAC_PI_4, -start);
            let rest = (t * z).mul_add($atan_tail(z), (0.5 * eighths).mul_add($quarter_low, t_low + lost));
            $add(start, t, rest)
        }

        /// One of two sides, none negative, so that none is infinite.
        #[gpu_fn]
        fn $finite_side(side: $float, other: $float) -> $float {
            let unit = if side == $float::INFINITY { 1.0 } else { 0.0 };
            if side == $float::INFINITY || other == $float::INFINITY { unit } else { side }
        }
    };
}
angle!(f32: angle_f32 finite_side_f32, TINY_F32 QUARTER_LOW_F32 add_f32 atan_tail_f32);
angle!(f64: angle_f64 finite_side_f64, TINY_F64 QUARTER_LOW_F64 add_f64 atan_tail_f64);

/// (asin t - t) / t³, where z = t²: minimax to 2⁻³¹ of asin t for |t| up to 1/2.
#[gpu_fn]
fn asin_tail_f32(z: f32) -> f32 {
    3.757_677e-2f32
        .mul_add(z, 1.439_121_9e-2)
        .mul_add(z, 3.182_182_5e-2)
        .mul_add(z, 4.451_499_5e-2)
        .mul_add(z, 7.500_516_6e-2)
        .mul_add(z, 0.166_666_6)
}

/// (asin t - t) / t³, where z = t²: minimax to 2⁻⁵⁹ of asin t for |t| up to 1/2.
#[gpu_fn]
fn asin_tail_f64(z: f64) -> f64 {
    3.262_611_100_872_995_4e-2f64
        .mul_add(z, -2.099_485_778_169_715_4e-2)
        .mul_add(z, 2.170_432_481_651_308_7e-2)
        .mul_add(z, 3.707_763_799_637_992_7e-3)
        .mul_add(z, 1.077_987_180_777_159_6e-2)
        .mul_add(z, 1.139_898_489_957_632_6e-2)
        .mul_add(z, 1.398_081_097_057_861_7e-2)
        .mul_add(z, 1.735_161_288_464_879_4e-2)
        .mul_add(z, 2.237_221_493_396_102_4e-2)
        .mul_add(z, 3.038_194_270_993_964e-2)
        .mul_add(z, 4.464_285_717_455_937e-2)
        .mul_add(z, 7.499_999_999_970_867e-2)
        .mul_add(z, 0.166_666_666_666_667_6)
}

/// (atan t - t) / t³, where z = t²: minimax to 2⁻³¹ of atan t for |t| up to 1/2.
#[gpu_fn]
fn atan_tail_f32(z: f32) -> f32 {
    3.904_200_3e-2f32
        .mul_add(z, -8.009_069_4e-2)
        .mul_add(z, 0.109_484_1)
        .mul_add(z, -0.142_731_07)
        .mul_add(z, 0.199_995_55)
        .mul_add(z, -0.333_333_28)
}

/// (atan t - t) / t³, where z = t²: minimax to 2⁻⁵⁷ of atan t for |t| up to 1/2.
#[gpu_fn]
fn atan_tail_f64(z: f64) -> f64 {
    1.011_703_758_431_443_8e-2f64
        .mul_add(z, -2.743_523_449_209_178_3e-2)
        .mul_add(z, 4.186_522_992_331_845e-2)
        .mul_add(z, -5.122_012_813_018_548_4e-2)
        .mul_add(z, 5.858_300_584_893_464e-2)
        .mul_add(z, -6.663_810_877_492_586e-2)
        .mul_add(z, 7.692_073_939_412_963e-2)
        .mul_add(z, -9.090_896_246_524_863e-2)
        .mul_add(z, 0.111_111_106_597_088_78)
        .mul_add(z, -0.142_857_142_763_874_6)
        .mul_add(z, 0.199_999_999_999_031_23)
        .mul_add(z, -0.333_333_333_333_329_8)
}

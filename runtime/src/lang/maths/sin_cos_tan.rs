//! `sin`, `cos` and `tan`.
//!
//! After the angle is reduced to at most π/4 either way, both the sine and the cosine of the rest are computed as the sum
//! of a number and a small correction. The number of quarter turns says which of them is the result, and its sign. The
//! tangent is their quotient, with the corrections. Only angles beyond those of the module `reduction` take a branch.

use super::reduction::{reduce_f32, reduce_f64};
use crate::prelude::*;

/// The sine of `x`, in radians; NaN of an infinity.
///
/// Worst error found: @sin_f32@
#[gpu_fn]
pub fn sin_f32(x: f32) -> f32 {
    let sine = turned_sine_f32(x, 0);
    if x == 0.0 { x } else { sine }
}

/// The cosine of `x`, in radians; NaN of an infinity.
///
/// Worst error found: @cos_f32@
#[gpu_fn]
pub fn cos_f32(x: f32) -> f32 {
    turned_sine_f32(x, 1)
}

/// The tangent of `x`, in radians; NaN of an infinity.
///
/// Worst error found: @tan_f32@
#[gpu_fn]
pub fn tan_f32(x: f32) -> f32 {
    let tangent = tangent_f32(x);
    if x == 0.0 { x } else { tangent }
}

/// The sine of `x`, in radians; NaN of an infinity.
///
/// Worst error found: @sin_f64@
#[gpu_fn]
pub fn sin_f64(x: f64) -> f64 {
    let sine = turned_sine_f64(x, 0);
    if x == 0.0 { x } else { sine }
}

/// The cosine of `x`, in radians; NaN of an infinity.
///
/// Worst error found: @cos_f64@
#[gpu_fn]
pub fn cos_f64(x: f64) -> f64 {
    turned_sine_f64(x, 1)
}

/// The tangent of `x`, in radians; NaN of an infinity.
///
/// Worst error found: @tan_f64@
#[gpu_fn]
pub fn tan_f64(x: f64) -> f64 {
    let tangent = tangent_f64(x);
    if x == 0.0 { x } else { tangent }
}

macro_rules! sine_and_tangent {
    ($float:ident $bits:ident: $turned_sine:ident $tangent:ident
        $sine_low:ident $cosine_high:ident $cosine_low:ident, $reduce:ident $sin_tail:ident $cos_tail:ident
    ) => {
        /// The sine of `x` after as many quarter turns more.
        #[gpu_fn]
        fn $turned_sine(x: $float, quarters: $bits) -> $float {
            let (count, high, low) = $reduce(x);
            let quarters = count.to_bits() + quarters;
            let sine = high + $sine_low(high, low);
            let cosine_high = $cosine_high(high);
            let cosine = cosine_high + $cosine_low(high, low, cosine_high);
            let result = if quarters & 1 == 0 { sine } else { cosine };
            if quarters & 2 == 0 { result } else { -result }
        }

        #[gpu_fn]
        fn $tangent(x: $float) -> $float {
            let (count, high, low) = $reduce(x);
            let sine_rest = $sine_low(high, low);
            let sine = high + sine_rest;
            let sine_low = (high - sine) + sine_rest;
            let cosine_high = $cosine_high(high);
            let cosine_rest = $cosine_low(high, low, cosine_high);
            let cosine = cosine_high + cosine_rest;
            let cosine_low = (cosine_high - cosine) + cosine_rest;
            // Of the odd quarters: -cos / sin.
            let even = count.to_bits() & 1 == 0;
            let numerator = if even { sine } else { -cosine };
            let numerator_low = if even { sine_low } else { -cosine_low };
            let denominator = if even { cosine } else { sine };
            let denominator_low = if even { cosine_low } else { sine_low };
            let quotient = numerator / denominator;
            let rest = quotient.mul_add(-denominator, numerator) + quotient.mul_add(-denominator_low, numerator_low);
            quotient + rest / denominator
        }

        /// sin(high + low) - high
        #[gpu_fn]
        fn $sine_low(high: $float, low: $float) -> $float {
            let z = high * high;
            (high * z).mul_add($sin_tail(z), low.mul_add(-0.5 * z, low))
        }

        /// 1 - high²/2, rounded.
        #[gpu_fn]
        fn $cosine_high(high: $float) -> $float {
            (-0.5 * high).mul_add(high, 1.0)
        }

        /// cos(high + low) - rounded, where `rounded` is 1 - high²/2.
        #[gpu_fn]
        fn $cosine_low(high: $float, low: $float, rounded: $float) -> $float {
            let z = high * high;
            let lost = (-0.5 * high).mul_add(high, 1.0 - rounded);
            (z * z).mul_add($cos_tail(z), high.mul_add(-low, lost))
        }
    };
}
sine_and_tangent!(f32 u32: turned_sine_f32 tangent_f32 sine_low_f32 cosine_high_f32 cosine_low_f32,
    reduce_f32 sin_tail_f32 cos_tail_f32);
sine_and_tangent!(f64 u64: turned_sine_f64 tangent_f64 sine_low_f64 cosine_high_f64 cosine_low_f64,
    reduce_f64 sin_tail_f64 cos_tail_f64);

/// (sin r - r) / r³, where z = r²: minimax to 2⁻³² of sin r.
#[gpu_fn]
fn sin_tail_f32(z: f32) -> f32 {
    2.799_599_5e-6f32.mul_add(z, -1.984_986_3e-4).mul_add(z, 8.333_372e-3).mul_add(z, -0.166_666_67)
}

/// (sin r - r) / r³, where z = r²: minimax to 2⁻⁵⁷ of sin r.
#[gpu_fn]
fn sin_tail_f64(z: f64) -> f64 {
    1.589_591_844_424_868e-10f64
        .mul_add(z, -2.505_074_193_536_228e-8)
        .mul_add(z, 2.755_731_358_018_260_5e-6)
        .mul_add(z, -1.984_126_982_945_388_3e-4)
        .mul_add(z, 8.333_333_333_321_915e-3)
        .mul_add(z, -0.166_666_666_666_666_3)
}

/// (cos r - 1 + r²/2) / r⁴, where z = r²: minimax to 2⁻³² of cos r.
#[gpu_fn]
fn cos_tail_f32(z: f32) -> f32 {
    2.443_12e-5f32.mul_add(z, -1.388_730_4e-3).mul_add(z, 4.166_664_6e-2)
}

/// (cos r - 1 + r²/2) / r⁴, where z = r²: minimax to 2⁻⁶³ of cos r.
#[gpu_fn]
fn cos_tail_f64(z: f64) -> f64 {
    (-1.135_873_139_526_207_9e-11f64)
        .mul_add(z, 2.087_570_511_969_67e-9)
        .mul_add(z, -2.755_731_421_554_384e-7)
        .mul_add(z, 2.480_158_728_899_884_7e-5)
        .mul_add(z, -1.388_888_888_887_334e-3)
        .mul_add(z, 4.166_666_666_666_659_5e-2)
}

//! `sinh`, `cosh` and `tanh`.
//!
//! eᵃ is computed as the sum of two numbers, for a = |x|, so that sums and quotients with it lose nothing but their last
//! rounding. Where `sinh` and `tanh` are small, they are odd polynomials instead.

use super::exp::*;
use crate::prelude::*;

/// The sign bit.
const SIGN_F32: u32 = 0x8000_0000;
/// The sign bit.
const SIGN_F64: u64 = 0x8000_0000_0000_0000;

macro_rules! hyperbolic {
    ($(#[$sinh_doc:meta])* $sinh:ident, $(#[$cosh_doc:meta])* $cosh:ident, $(#[$tanh_doc:meta])* $tanh:ident,
        $float:ident: $exp_plus_inverse:ident $exp_parts:ident, $clamp:ident $scale:ident $sinh_tail:ident
        $tanh_tail:ident $exp_tail:ident,
        $sign:ident $log2_e:ident $round:ident $ln_2_high:ident $ln_2_low:ident,
        overflow $overflow:literal, one $one:literal, exponent of 1 $bias:literal << $mantissa:literal
    ) => {
        $(#[$sinh_doc])*
        #[gpu_fn]
        pub fn $sinh(x: $float) -> $float {
            let size = x.abs();
            let z = size * size;
            let small = (size * z).mul_add($sinh_tail(z), size);
            let result = if size < 1.0 { small } else { $exp_plus_inverse(size, -1.0) };
            $float::from_bits(result.to_bits() | (x.to_bits() & $sign))
        }

        $(#[$cosh_doc])*
        #[gpu_fn]
        pub fn $cosh(x: $float) -> $float {
            $exp_plus_inverse(x.abs(), 1.0)
        }

        $(#[$tanh_doc])*
        #[gpu_fn]
        pub fn $tanh(x: $float) -> $float {
            let size = $clamp(x.abs(), 0.0, $one);
            let z = size * size;
            let small = (size * z).mul_add($tanh_tail(z), size);
            // 1 - 2 / (exp(2a) + 1)
            let (rounded, high, low) = $exp_parts(2.0 * size);
            let power = $float::from_bits((rounded.to_bits() << $mantissa).wrapping_add($bias << $mantissa));
            let product = high * power;
            let denominator = product + 1.0;
            let denominator_low = low.mul_add(power, (product - denominator) + 1.0);
            let quotient = 2.0 / denominator;
            let rest = quotient.mul_add(-denominator_low, quotient.mul_add(-denominator, 2.0));
            let difference = 1.0 - quotient;
            let large = difference + ((1.0 - difference) - quotient - rest * (0.5 * quotient));
            let result = if size < 0.5 { small } else { large };
            $float::from_bits(result.to_bits() | (x.to_bits() & $sign))
        }

        /// (exp(a) + sign·exp(-a)) / 2 for an `a` that is not negative.
        #[gpu_fn]
        fn $exp_plus_inverse(a: $float, sign: $float) -> $float {
            let (rounded, high, low) = $exp_parts($clamp(a, 0.0, $overflow));
            let n = rounded - $round;
            // Where the inverse is beyond all digits, only that it is small counts.
            let steps = if n < 30.0 { n } else { 30.0 };
            let factor = ($round - 2.0 * steps).to_bits() << $mantissa;
            let power = sign * $float::from_bits(factor.wrapping_add($bias << $mantissa));
            let inverse = 1.0 / high;
            let rest = inverse.mul_add(-low, inverse.mul_add(-high, 1.0));
            let sum = inverse.mul_add(power, high);
            let sum_low = inverse.mul_add(power, high - sum) + (inverse * rest).mul_add(power, low);
            $scale(sum + sum_low, rounded - 1.0)
        }

        /// exp(x) as `(rounded, high, low)`: `high + low` times 2 to the power that stands in the lowest bits of `rounded`.
        #[gpu_fn]
        fn $exp_parts(x: $float) -> ($float, $float, $float) {
            let rounded = x.mul_add($log2_e, $round);
            let n = rounded - $round;
            // Exact.
            let first = n.mul_add(-$ln_2_high, x);
            let r = n.mul_add(-$ln_2_low, first);
            let r_low = n.mul_add(-$ln_2_low, first - r);
            // exp(r) = 1 + r + rest
            let rest = (r * r).mul_add($exp_tail(r), r_low);
            let sum = r + rest;
            let sum_low = (r - sum) + rest;
            let high = 1.0 + sum;
            (rounded, high, ((1.0 - high) + sum) + sum_low)
        }
    };
}
hyperbolic! {
    /// The hyperbolic sine of `x`.
    ///
    /// Worst error found: @sinh_f32@
    sinh_f32,
    /// The hyperbolic cosine of `x`.
    ///
    /// Worst error found: @cosh_f32@
    cosh_f32,
    /// The hyperbolic tangent of `x`.
    ///
    /// Worst error found: @tanh_f32@
    tanh_f32,
    f32: exp_plus_inverse_f32 exp_parts_f32, clamp_f32 scale_f32 sinh_tail_f32 tanh_tail_f32 exp_tail_f32,
    SIGN_F32 LOG2_E_F32 ROUND_F32 LN_2_HIGH_F32 LN_2_LOW_F32,
    overflow 90.0, one 10.0, exponent of 1 0x7f << 23
}
hyperbolic! {
    /// The hyperbolic sine of `x`.
    ///
    /// Worst error found: @sinh_f64@
    sinh_f64,
    /// The hyperbolic cosine of `x`.
    ///
    /// Worst error found: @cosh_f64@
    cosh_f64,
    /// The hyperbolic tangent of `x`.
    ///
    /// Worst error found: @tanh_f64@
    tanh_f64,
    f64: exp_plus_inverse_f64 exp_parts_f64, clamp_f64 scale_f64 sinh_tail_f64 tanh_tail_f64 exp_tail_f64,
    SIGN_F64 LOG2_E_F64 ROUND_F64 LN_2_HIGH_F64 LN_2_LOW_F64,
    overflow 711.0, one 20.0, exponent of 1 0x3ff << 52
}

/// (sinh x - x) / x³, where z = x²: minimax to 2⁻³¹ of sinh x for |x| up to 1.
#[gpu_fn]
fn sinh_tail_f32(z: f32) -> f32 {
    2.789_984e-6f32.mul_add(z, 1.984_166_6e-4).mul_add(z, 8.333_315e-3).mul_add(z, 0.166_666_67)
}

/// (sinh x - x) / x³, where z = x²: minimax to 2⁻⁶² of sinh x for |x| up to 1.
#[gpu_fn]
fn sinh_tail_f64(z: f64) -> f64 {
    4.448_995_073_979_302e-15f64
        .mul_add(z, 7.580_157_504_091_655e-13)
        .mul_add(z, 1.606_017_431_501_530_5e-10)
        .mul_add(z, 2.505_209_835_016_526_3e-8)
        .mul_add(z, 2.755_731_927_390_287e-6)
        .mul_add(z, 1.984_126_984_113_323_2e-4)
        .mul_add(z, 8.333_333_333_333_519e-3)
        .mul_add(z, 0.166_666_666_666_666_66)
}

/// (tanh x - x) / x³, where z = x²: minimax to 2⁻³¹ of tanh x for |x| up to 1/2.
#[gpu_fn]
fn tanh_tail_f32(z: f32) -> f32 {
    (-6.679_538e-3f32)
        .mul_add(z, 2.131_901_1e-2)
        .mul_add(z, -5.390_406_4e-2)
        .mul_add(z, 0.133_330_1)
        .mul_add(z, -0.333_333_28)
}

/// (tanh x - x) / x³, where z = x²: minimax to 2⁻⁵⁸ of tanh x for |x| up to 1/2.
#[gpu_fn]
fn tanh_tail_f64(z: f64) -> f64 {
    5.680_735_299_767_058e-5f64
        .mul_add(z, -2.178_395_175_881_012_6e-4)
        .mul_add(z, 5.833_051_358_295_826e-4)
        .mul_add(z, -1.454_490_284_530_178e-3)
        .mul_add(z, 3.591_954_038_608_515_3e-3)
        .mul_add(z, -8.863_221_043_516_728e-3)
        .mul_add(z, 2.186_948_778_740_500_6e-2)
        .mul_add(z, -5.396_825_394_596_346e-2)
        .mul_add(z, 0.133_333_333_333_004_23)
        .mul_add(z, -0.333_333_333_333_331_65)
}

/// (exp(r) - 1 - r) / r² for |r| up to ln 2/2: minimax to 2⁻³² of exp(r).
#[gpu_fn]
fn exp_tail_f32(r: f32) -> f32 {
    1.958_377_1e-4f32
        .mul_add(r, 1.393_616_1e-3)
        .mul_add(r, 8.333_881e-3)
        .mul_add(r, 4.166_645e-2)
        .mul_add(r, 0.166_666_64)
        .mul_add(r, 0.5)
}

/// (exp(r) - 1 - r) / r² for |r| up to ln 2/2: minimax to 2⁻⁵⁷ of exp(r).
#[gpu_fn]
fn exp_tail_f64(r: f64) -> f64 {
    2.500_461_175_483_316_6e-8f64
        .mul_add(r, 2.763_047_317_939_756e-7)
        .mul_add(r, 2.755_757_205_376_421_5e-6)
        .mul_add(r, 2.480_149_241_561_441e-5)
        .mul_add(r, 1.984_126_952_259_354_7e-4)
        .mul_add(r, 1.388_888_894_436_295_9e-3)
        .mul_add(r, 8.333_333_333_487_038e-3)
        .mul_add(r, 4.166_666_666_652_693_6e-2)
        .mul_add(r, 0.166_666_666_666_664_24)
        .mul_add(r, 0.500_000_000_000_001_1)
}

//! The inverse hyperbolic functions: `asinh`, `acosh` and `atanh`.
//!
//! Where they are small, they are odd polynomials: acosh(1 + t) = 2·asinh √(t/2). Beyond, they are logarithms, of a sum or
//! quotient whose rounding error is taken along: ln(y·(1 + e)) = ln y + e.

use super::arc::{root_rest_f32, root_rest_f64};
use super::ln::*;
use super::reduction::{sum_error_f32, sum_error_f64};
use crate::prelude::*;

/// The sign bit.
const SIGN_F32: u32 = 0x8000_0000;
/// The sign bit.
const SIGN_F64: u64 = 0x8000_0000_0000_0000;

macro_rules! inverse_hyperbolic {
    ($(#[$asinh_doc:meta])* $asinh:ident, $(#[$acosh_doc:meta])* $acosh:ident, $(#[$atanh_doc:meta])* $atanh:ident,
        $float:ident: $ln_of_sum:ident $ln_near:ident, $root_rest:ident $sum_error:ident $asinh_tail:ident
        $atanh_tail:ident $exponent_of:ident $scaled_ln:ident,
        $sign:ident $sqrt_half:ident $exponent:ident, huge $huge:literal
    ) => {
        $(#[$asinh_doc])*
        #[gpu_fn]
        pub fn $asinh(x: $float) -> $float {
            let size = x.abs();
            let z = size * size;
            let small = (size * z).mul_add($asinh_tail(z), size);
            let large = if size < $float::INFINITY { $ln_of_sum(size, 1.0) } else { size };
            let result = if size < 0.5 { small } else { large };
            $float::from_bits(result.to_bits() | (x.to_bits() & $sign))
        }

        $(#[$acosh_doc])*
        #[gpu_fn]
        pub fn $acosh(x: $float) -> $float {
            let z = 0.5 * (x - 1.0);
            let root = z.sqrt();
            let half = root + (root * z).mul_add($asinh_tail(z), $root_rest(z, root));
            let large = if x < $float::INFINITY { $ln_of_sum(x, -1.0) } else { x };
            if x < 1.5 { 2.0 * half } else { large }
        }

        $(#[$atanh_doc])*
        #[gpu_fn]
        pub fn $atanh(x: $float) -> $float {
            let size = x.abs();
            let z = size * size;
            let small = (size * z).mul_add($atanh_tail(z), size);
            // ln((1 + a) / (1 - a)) / 2; the denominator is exact.
            let numerator = 1.0 + size;
            let numerator_low = (1.0 - numerator) + size;
            let denominator = 1.0 - size;
            let quotient = numerator / denominator;
            let rest = quotient.mul_add(-denominator, numerator) + numerator_low;
            let large = 0.5 * $ln_near(quotient, rest / numerator, 0.0);
            let beyond = if size == 1.0 { $float::INFINITY } else { $float::NAN };
            let large = if size < 1.0 { large } else { beyond };
            let result = if size < 0.5 { small } else { large };
            $float::from_bits(result.to_bits() | (x.to_bits() & $sign))
        }

        /// ln(a + √(a² + sign)) for an `a` of at least 1/2.
        #[gpu_fn]
        fn $ln_of_sum(a: $float, sign: $float) -> $float {
            let huge = a > $huge;
            let square = a * a;
            let square_low = a.mul_add(a, -square);
            let radicand = square + sign;
            let root = radicand.sqrt();
            // Twice the root times what it lacks.
            let lost = root.mul_add(-root, radicand) + ($sum_error(square, sign, radicand) + square_low);
            let sum = a + root;
            let relative = (2.0 * root).mul_add($sum_error(a, root, sum), lost) / (2.0 * root * sum);
            // ln(2a)
            let argument = if huge { a } else { sum };
            let relative = if huge { 0.0 } else { relative };
            $ln_near(argument, relative, if huge { 1.0 } else { 0.0 })
        }

        /// ln(y·(1 + relative)·2ⁿ) for a `y` that is normal and a tiny `relative`.
        #[gpu_fn]
        fn $ln_near(y: $float, relative: $float, n: $float) -> $float {
            let bits = y.to_bits();
            let shift = bits.wrapping_sub($sqrt_half) & $exponent;
            let f = $float::from_bits(bits.wrapping_sub(shift)) - 1.0;
            $scaled_ln($exponent_of(shift) + n, f, relative)
        }
    };
}
inverse_hyperbolic! {
    /// The number whose hyperbolic sine is `x`.
    ///
    /// Worst error found: @asinh_f32@
    asinh_f32,
    /// The number in [0, ∞] whose hyperbolic cosine is `x`; NaN below 1.
    ///
    /// Worst error found: @acosh_f32@
    acosh_f32,
    /// The number whose hyperbolic tangent is `x`; NaN beyond 1.
    ///
    /// Worst error found: @atanh_f32@
    atanh_f32,
    f32: ln_of_sum_f32 ln_near_f32, root_rest_f32 sum_error_f32 asinh_tail_f32 atanh_tail_f32 exponent_f32 near_ln_f32,
    SIGN_F32 SQRT_HALF_F32 EXPONENT_F32, huge 1e4
}
inverse_hyperbolic! {
    /// The number whose hyperbolic sine is `x`.
    ///
    /// Worst error found: @asinh_f64@
    asinh_f64,
    /// The number in [0, ∞] whose hyperbolic cosine is `x`; NaN below 1.
    ///
    /// Worst error found: @acosh_f64@
    acosh_f64,
    /// The number whose hyperbolic tangent is `x`; NaN beyond 1.
    ///
    /// Worst error found: @atanh_f64@
    atanh_f64,
    f64: ln_of_sum_f64 ln_near_f64, root_rest_f64 sum_error_f64 asinh_tail_f64 atanh_tail_f64 exponent_f64 near_ln_f64,
    SIGN_F64 SQRT_HALF_F64 EXPONENT_F64, huge 1e9
}

/// n·ln 2 + ln(1 + f) + rest
#[gpu_fn]
fn near_ln_f32(n: f32, f: f32, rest: f32) -> f32 {
    let high = n.mul_add(LN_2_HIGH_F32, f);
    let low = f - n.mul_add(-LN_2_HIGH_F32, high);
    high + (f * f).mul_add(ln_1p_tail_f32(f), n.mul_add(LN_2_LOW_F32, low + rest))
}

/// n·ln 2 + ln(1 + f) + rest
#[gpu_fn]
fn near_ln_f64(n: f64, f: f64, rest: f64) -> f64 {
    let high = n.mul_add(LN_2_HIGH_F64, f);
    let low = f - n.mul_add(-LN_2_HIGH_F64, high);
    high + (n.mul_add(LN_2_LOW_F64, low + rest) + ln_1p_tail_f64(f))
}

/// (asinh x - x) / x³, where z = x²: minimax to 2⁻³³ of asinh x for |x| up to 1/2.
#[gpu_fn]
fn asinh_tail_f32(z: f32) -> f32 {
    9.256_593e-3f32
        .mul_add(z, -2.004_956_8e-2)
        .mul_add(z, 3.003_356_8e-2)
        .mul_add(z, -4.461_609_6e-2)
        .mul_add(z, 7.499_907e-2)
        .mul_add(z, -0.166_666_66)
}

/// (asinh x - x) / x³, where z = x²: minimax to 2⁻⁶⁰ of asinh x for |x| up to 1/2.
#[gpu_fn]
fn asinh_tail_f64(z: f64) -> f64 {
    1.718_075_773_796_749_4e-3f64
        .mul_add(z, -4.747_502_334_715_424e-3)
        .mul_add(z, 7.465_594_162_146_986e-3)
        .mul_add(z, -9.534_140_558_105_668e-3)
        .mul_add(z, 1.151_298_356_518_296_9e-2)
        .mul_add(z, -1.396_023_215_957_105_9e-2)
        .mul_add(z, 1.735_238_694_298_380_3e-2)
        .mul_add(z, -2.237_213_835_732_771_2e-2)
        .mul_add(z, 3.038_194_371_635_419_3e-2)
        .mul_add(z, -4.464_285_712_783_068_5e-2)
        .mul_add(z, 7.499_999_999_984_416e-2)
        .mul_add(z, -0.166_666_666_666_666_1)
}

/// (atanh x - x) / x³, where z = x²: minimax to 2⁻³² of atanh x for |x| up to 1/2.
#[gpu_fn]
fn atanh_tail_f32(z: f32) -> f32 {
    0.179_122f32
        .mul_add(z, 2.163_675_2e-2)
        .mul_add(z, 0.103_862_81)
        .mul_add(z, 0.109_485_73)
        .mul_add(z, 0.142_965_87)
        .mul_add(z, 0.199_996_5)
        .mul_add(z, 0.333_333_37)
}

/// (atanh x - x) / x³, where z = x²: minimax to 2⁻⁶⁰ of atanh x for |x| up to 1/2.
#[gpu_fn]
fn atanh_tail_f64(z: f64) -> f64 {
    0.240_551_854_024_032_34f64
        .mul_add(z, -0.195_169_397_333_453_62)
        .mul_add(z, 0.174_245_494_110_635_45)
        .mul_add(z, -5.037_724_322_665_892e-3)
        .mul_add(z, 5.948_228_527_639_093_4e-2)
        .mul_add(z, 5.059_582_687_940_467e-2)
        .mul_add(z, 5.907_221_658_336_995e-2)
        .mul_add(z, 6.664_506_299_573_236e-2)
        .mul_add(z, 7.692_439_198_977_741e-2)
        .mul_add(z, 9.090_903_648_136_8e-2)
        .mul_add(z, 0.111_111_112_565_944_28)
        .mul_add(z, 0.142_857_142_834_112_36)
        .mul_add(z, 0.200_000_000_000_184_3)
        .mul_add(z, 0.333_333_333_333_332_8)
}

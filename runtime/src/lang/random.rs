//! Counter-based random numbers: the same on every device, for any number of threads, in any order.
//!
//! A number is a pure function of four keys: the `seed` of the run, the `operation` that asks, the `element` it is for (a
//! cell, a row; whatever a thread works on) and the `draw`, counted by the caller. So there is no state to set up, keep or
//! split, and the same element gets the same numbers however the work is cut.
//!
//! ```
//! use warpcell_runtime::prelude::*;
//!
//! #[gpu_kernel]
//! fn add_noise(seed: u64, x: &mut [f32]) {
//!     let i = global_id();
//!     if i < x.len() {
//!         x[i] += random::normal_f32(seed, 1, i, 0);
//!     }
//! }
//! ```
//!
//! Each draw is a block of 128 bits of Philox-4x32-10 (J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw: *Parallel random
//! numbers: as easy as 1, 2, 3*, SC 2011), which passes TestU01's BigCrush. Two functions asked with the same four keys
//! work on the same bits, so give every use a draw of its own; [`words`] gives all four words of a draw at once.
//!
//! Normal numbers are one draw each, by the inverse of the normal distribution function after M. J. Wichura (*Algorithm
//! AS 241: The percentage points of the normal distribution*, Applied Statistics 37, 1988). The draw's sign and magnitude
//! are taken apart first, so that both tails are equally fine and reach as far as the draw's bits do.

use crate::prelude::*;

const MULTIPLIER_0: u64 = 0xd251_1f53;
const MULTIPLIER_1: u64 = 0xcd9e_8d57;
/// The fraction of the golden ratio.
const WEYL_0: u32 = 0x9e37_79b9;
/// The fraction of √3.
const WEYL_1: u32 = 0xbb67_ae85;
const ROUNDS: u32 = 10;

/// 2⁻²⁴
const TWO_TO_MINUS_24: f32 = 5.960_464_5e-8;
/// 2⁻³²
const TWO_TO_MINUS_32: f32 = 2.328_306_4e-10;
/// 2⁻⁵³
const TWO_TO_MINUS_53: f64 = 1.110_223_024_625_156_5e-16;
/// 2⁻⁶⁴
const TWO_TO_MINUS_64: f64 = 5.421_010_862_427_522e-20;

/// Philox-4x32 with ten rounds: the four words for a counter under a key.
#[gpu_fn]
pub fn philox_4x32(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let mut x = counter;
    let mut key_0 = key[0];
    let mut key_1 = key[1];
    for _ in 0..ROUNDS {
        let product_0 = x[0] as u64 * MULTIPLIER_0;
        let product_1 = x[2] as u64 * MULTIPLIER_1;
        let high_0 = (product_0 >> 32) as u32;
        let high_1 = (product_1 >> 32) as u32;
        x = [high_1 ^ x[1] ^ key_0, product_1 as u32, high_0 ^ x[3] ^ key_1, product_0 as u32];
        key_0 = key_0.wrapping_add(WEYL_0);
        key_1 = key_1.wrapping_add(WEYL_1);
    }
    x
}

/// The four words of a draw.
#[gpu_fn]
pub fn words(seed: u64, operation: u32, element: usize, draw: u32) -> [u32; 4] {
    let high = (element as u64 >> 32) as u32;
    philox_4x32([element as u32, high, draw, operation], [seed as u32, (seed >> 32) as u32])
}

/// 32 random bits.
#[gpu_fn]
pub fn bits_u32(seed: u64, operation: u32, element: usize, draw: u32) -> u32 {
    let x = words(seed, operation, element, draw);
    x[0]
}

/// 64 random bits.
#[gpu_fn]
pub fn bits_u64(seed: u64, operation: u32, element: usize, draw: u32) -> u64 {
    let x = words(seed, operation, element, draw);
    x[0] as u64 | (x[1] as u64) << 32
}

/// A multiple of 2⁻²⁴, from 0 on and below 1, each as likely.
#[gpu_fn]
pub fn uniform_f32(seed: u64, operation: u32, element: usize, draw: u32) -> f32 {
    (bits_u32(seed, operation, element, draw) >> 8) as f32 * TWO_TO_MINUS_24
}

/// A multiple of 2⁻⁵³, from 0 on and below 1, each as likely.
#[gpu_fn]
pub fn uniform_f64(seed: u64, operation: u32, element: usize, draw: u32) -> f64 {
    (bits_u64(seed, operation, element, draw) >> 11) as f64 * TWO_TO_MINUS_53
}

/// An integer from 0 on and below `bound`; 0 if `bound` is 0.
///
/// The high part of `bound` times 128 random bits: without rejection, so it takes one draw. The probability of each result
/// is off 1/`bound` by less than 2⁻¹²⁸, so at most by a part in 2⁶⁴.
#[gpu_fn]
pub fn below(seed: u64, operation: u32, element: usize, draw: u32, bound: u64) -> u64 {
    let x = words(seed, operation, element, draw);
    let low = x[0] as u64 | (x[1] as u64) << 32;
    let high = x[2] as u64 | (x[3] as u64) << 32;
    // (high · 2⁶⁴ + low) · bound / 2¹²⁸
    let middle = high.wrapping_mul(bound);
    let sum = middle.wrapping_add(high_product(low, bound));
    let carry = if sum < middle { 1 } else { 0 };
    high_product(high, bound) + carry
}

/// The upper half of the product of two 64-bit integers.
#[gpu_fn]
fn high_product(a: u64, b: u64) -> u64 {
    let low = 0xffff_ffff;
    let cross = (a >> 32) * (b & low) + ((a & low) * (b & low) >> 32);
    let other = (a & low) * (b >> 32) + (cross & low);
    (a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32)
}

/// A normal number of mean 0 and variance 1, from 32 bits: at most 6.3 in magnitude.
#[gpu_fn]
pub fn normal_f32(seed: u64, operation: u32, element: usize, draw: u32) -> f32 {
    let bits = bits_u32(seed, operation, element, draw);
    let magnitude = bits >> 1;
    let value = quantile_f32(
        (magnitude as f32 + 0.5) * TWO_TO_MINUS_32,
        ((0x7fff_ffff - magnitude) as f32 + 0.5) * TWO_TO_MINUS_32,
    );
    if bits & 1 == 1 { -value } else { value }
}

/// A normal number of mean 0 and variance 1, from 64 bits: at most 9.1 in magnitude.
#[gpu_fn]
pub fn normal_f64(seed: u64, operation: u32, element: usize, draw: u32) -> f64 {
    let bits = bits_u64(seed, operation, element, draw);
    let magnitude = bits >> 1;
    let value = quantile_f64(
        (magnitude as f64 + 0.5) * TWO_TO_MINUS_64,
        ((0x7fff_ffff_ffff_ffff - magnitude) as f64 + 0.5) * TWO_TO_MINUS_64,
    );
    if bits & 1 == 1 { -value } else { value }
}

/// Where the rational functions of AS 241 meet.
const CENTRE: f64 = 0.425;

/// The number that a normal one is below with probability 0.5 + `q`, where `tail` is 0.5 - `q`, at least 2⁻³³ and at most
/// 0.5. AS 241's PPND7, whose relative error is about 10⁻⁷.
#[gpu_fn]
fn quantile_f32(q: f32, tail: f32) -> f32 {
    if q <= CENTRE as f32 {
        let r = 0.180_625 - q * q;
        let above = ((59.109_374_72 * r + 159.291_132_02) * r + 50.434_271_938) * r + 3.387_132_717_9;
        let below = ((67.187_563_6 * r + 78.757_757_664) * r + 17.895_169_469) * r + 1.0;
        q * above / below
    } else {
        // At most 4.8.
        let r = (-tail.ln()).sqrt() - 1.6;
        let above = ((0.170_238_211_03 * r + 1.306_728_481_6) * r + 2.756_815_39) * r + 1.423_437_277_7;
        let below = (0.120_211_329_75 * r + 0.737_001_642_5) * r + 1.0;
        above / below
    }
}

/// The same with AS 241's PPND16, whose relative error is about 10⁻¹⁶; `tail` is at least 2⁻⁶⁵.
#[gpu_fn]
fn quantile_f64(q: f64, tail: f64) -> f64 {
    if q <= CENTRE {
        return q * centre(0.180_625 - q * q);
    }
    let r = (-tail.ln()).sqrt();
    if r <= 5.0 { flank(r - 1.6) } else { far_tail(r - 5.0) }
}

/// The quotient of AS 241 around 0.
#[gpu_fn]
fn centre(r: f64) -> f64 {
    let mut above = 2509.080_928_730_122_7;
    above = above * r + 33_430.575_583_588_13;
    above = above * r + 67_265.770_927_008_7;
    above = above * r + 45_921.953_931_549_87;
    above = above * r + 13_731.693_765_509_46;
    above = above * r + 1971.590_950_306_551_3;
    above = above * r + 133.141_667_891_784_38;
    above = above * r + 3.387_132_872_796_366_5;
    let mut below = 5226.495_278_852_854;
    below = below * r + 28_729.085_735_721_943;
    below = below * r + 39_307.895_800_092_71;
    below = below * r + 21_213.794_301_586_597;
    below = below * r + 5394.196_021_424_751;
    below = below * r + 687.187_007_492_057_9;
    below = below * r + 42.313_330_701_600_91;
    below = below * r + 1.0;
    above / below
}

/// The quotient of AS 241 for both flanks.
#[gpu_fn]
fn flank(r: f64) -> f64 {
    let mut above = 0.000_774_545_014_278_341_4;
    above = above * r + 0.022_723_844_989_269_184;
    above = above * r + 0.241_780_725_177_450_6;
    above = above * r + 1.270_458_252_452_368_4;
    above = above * r + 3.647_848_324_763_204_5;
    above = above * r + 5.769_497_221_460_691;
    above = above * r + 4.630_337_846_156_546;
    above = above * r + 1.423_437_110_749_683_5;
    let mut below = 1.050_750_071_644_416_9e-09;
    below = below * r + 0.000_547_593_808_499_534_5;
    below = below * r + 0.015_198_666_563_616_457;
    below = below * r + 0.148_103_976_427_480_08;
    below = below * r + 0.689_767_334_985_1;
    below = below * r + 1.676_384_830_183_803_8;
    below = below * r + 2.053_191_626_637_759;
    below = below * r + 1.0;
    above / below
}

/// The quotient of AS 241 for the far tails.
#[gpu_fn]
fn far_tail(r: f64) -> f64 {
    let mut above = 2.010_334_399_292_288_1e-07;
    above = above * r + 2.711_555_568_743_487_6e-05;
    above = above * r + 0.001_242_660_947_388_078_4;
    above = above * r + 0.026_532_189_526_576_124;
    above = above * r + 0.296_560_571_828_504_87;
    above = above * r + 1.784_826_539_917_291_3;
    above = above * r + 5.463_784_911_164_114;
    above = above * r + 6.657_904_643_501_103;
    let mut below = 2.044_263_103_389_939_7e-15;
    below = below * r + 1.421_511_758_316_446e-07;
    below = below * r + 1.846_318_317_510_054_8e-05;
    below = below * r + 0.000_786_869_131_145_613_3;
    below = below * r + 0.014_875_361_290_850_615;
    below = below * r + 0.136_929_880_922_735_8;
    below = below * r + 0.599_832_206_555_888;
    below = below * r + 1.0;
    above / below
}

#[cfg(test)]
mod tests;

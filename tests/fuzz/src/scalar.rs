//! The primitive types, and the values that kernels are tried with.

use crate::random::Random;

/// A primitive type of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is named like its type")]
pub enum Scalar {
    Bool,
    I8,
    I16,
    I32,
    I64,
    Isize,
    U8,
    U16,
    U32,
    U64,
    Usize,
    F32,
    F64,
}

use Scalar::*;

/// All types.
pub const ALL: [Scalar; 13] = [Bool, I8, I16, I32, I64, Isize, U8, U16, U32, U64, Usize, F32, F64];
/// The integers.
pub const INTEGERS: [Scalar; 10] = [I8, I16, I32, I64, Isize, U8, U16, U32, U64, Usize];
/// Integers and floats.
pub const NUMBERS: [Scalar; 12] = [I8, I16, I32, I64, Isize, U8, U16, U32, U64, Usize, F32, F64];
/// The types that atomics work on.
pub const ATOMIC: [Scalar; 6] = [I32, U32, I64, U64, Usize, Isize];

impl Scalar {
    /// Its name in Rust, which is that of the variant in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Bool => "bool",
            I8 => "i8",
            I16 => "i16",
            I32 => "i32",
            I64 => "i64",
            Isize => "isize",
            U8 => "u8",
            U16 => "u16",
            U32 => "u32",
            U64 => "u64",
            Usize => "usize",
            F32 => "f32",
            F64 => "f64",
        }
    }

    /// Its width. That of `bool` is 1.
    pub fn bits(self) -> u32 {
        match self {
            Bool => 1,
            I8 | U8 => 8,
            I16 | U16 => 16,
            I32 | U32 | F32 => 32,
            I64 | U64 | Isize | Usize | F64 => 64,
        }
    }

    /// Whether it is `f32` or `f64`.
    pub fn is_float(self) -> bool {
        matches!(self, F32 | F64)
    }

    /// Whether it is an integer with a sign.
    pub fn is_signed(self) -> bool {
        matches!(self, I8 | I16 | I32 | I64 | Isize)
    }

    /// Whether it is an integer.
    pub fn is_integer(self) -> bool {
        !self.is_float() && self != Bool
    }

    /// A value to try, as its low bits: of all magnitudes, and often one where arithmetic goes wrong.
    pub fn value(self, random: &mut Random) -> u64 {
        let low = |bits: u64| if self.bits() == 64 { bits } else { bits & ((1 << self.bits()) - 1) };
        match self {
            Bool => random.bits() & 1,
            F32 => match random.below(10) {
                0 | 1 => u64::from(random.pick(&F32_SPECIAL).to_bits()),
                2..=8 => u64::from((moderate(random) as f32).to_bits()),
                _ => low(random.bits()),
            },
            F64 => match random.below(10) {
                0 | 1 => random.pick(&F64_SPECIAL).to_bits(),
                2..=8 => moderate(random).to_bits(),
                _ => random.bits(),
            },
            _ => {
                let top = 1u64 << (self.bits() - 1);
                low(match random.below(10) {
                    0 => random.pick(&[0, 1, u64::MAX, top, top - 1, top + 1, u64::MAX - 1, 0x55, 0x80, 0x8000]),
                    1..=5 => random.bits() % 20,
                    6 => (random.bits() % 20).wrapping_neg(),
                    7 => random.bits() >> random.below(64),
                    _ => random.bits(),
                })
            }
        }
    }
}

const F32_SPECIAL: [f32; 12] = [
    f32::NAN,
    0.0,
    -0.0,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN_POSITIVE,
    1e-40,
    -1e-45,
    2_147_483_648.0,
    16_777_217.0,
    -0.5,
];
const F64_SPECIAL: [f64; 12] = [
    f64::NAN,
    0.0,
    -0.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
    -1e-310,
    9_223_372_036_854_775_808.0,
    9_007_199_254_740_993.0,
    0.1,
];

/// A number that casts and comparisons tell apart from others: small, often with a fraction.
fn moderate(random: &mut Random) -> f64 {
    let whole = (random.bits() % 801) as f64 - 400.0;
    match random.below(4) {
        0 => whole,
        1 => whole / 3.0,
        2 => whole / 1024.0,
        _ => whole * 1e7 + 0.5,
    }
}

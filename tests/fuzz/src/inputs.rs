//! The values that a kernel is launched with.

use crate::random::Random;
use crate::scalar::Scalar;
use warpcell_runtime::lang::GpuType;

/// A primitive that arguments are made of.
pub trait Element: GpuType {
    /// The value with these low bits.
    fn of(bits: u64) -> Self;
    /// Its bits; those of every NaN are the same, as which NaN an operation gives is not promised.
    fn folded(self) -> u64;
}

macro_rules! integers {
    ($($ty:ty)*) => {$(
        impl Element for $ty {
            fn of(bits: u64) -> $ty { bits as $ty }
            fn folded(self) -> u64 { self as u64 & (u64::MAX >> (64 - <$ty>::BITS)) }
        }
    )*};
}
integers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

impl Element for bool {
    fn of(bits: u64) -> bool {
        bits & 1 == 1
    }
    fn folded(self) -> u64 {
        self.into()
    }
}
impl Element for f32 {
    fn of(bits: u64) -> f32 {
        f32::from_bits(bits as u32)
    }
    fn folded(self) -> u64 {
        if self.is_nan() { f32::NAN.to_bits().into() } else { self.to_bits().into() }
    }
}
impl Element for f64 {
    fn of(bits: u64) -> f64 {
        f64::from_bits(bits)
    }
    fn folded(self) -> u64 {
        if self.is_nan() { f64::NAN.to_bits() } else { self.to_bits() }
    }
}

/// The bits of `count` values for parameter `number` of the kernel whose arguments have `seed`.
pub fn values(ty: Scalar, seed: u64, number: usize, count: usize) -> Vec<u64> {
    let mut random = Random::of(seed, number as u64 + 1);
    (0..count).map(|_| ty.value(&mut random)).collect()
}

/// `bits` of a `ty` with every NaN folded.
pub fn folded(ty: Scalar, bits: u64) -> u64 {
    match ty {
        Scalar::F32 => f32::of(bits).folded(),
        Scalar::F64 => f64::of(bits).folded(),
        _ => bits,
    }
}

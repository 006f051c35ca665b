//! Bits by which values are compared.

use super::types::Primitive;

/// A primitive, compared by its bits.
pub trait FoldedBits: Primitive {
    /// The bits; those of every NaN are the same, as which NaN an operation gives is not promised.
    #[doc(hidden)]
    fn folded_bits(self) -> u64;
}

macro_rules! folded_bits {
    (integers $($ty:ty)*) => {$(
        impl FoldedBits for $ty {
            #[inline(always)]
            fn folded_bits(self) -> u64 { self as u64 }
        }
    )*};
    (floats $($ty:ty)*) => {$(
        impl FoldedBits for $ty {
            #[inline(always)]
            fn folded_bits(self) -> u64 { u64::from(if self.is_nan() { <$ty>::NAN } else { self }.to_bits()) }
        }
    )*};
}
folded_bits!(integers bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize);
folded_bits!(floats f32 f64);

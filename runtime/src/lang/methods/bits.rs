//! Bits: counting them, and those of floats.

use super::Method;
use crate::cpu::{Mode, Thread};
use crate::emit::Builder;
use crate::lang::probe::{Call, Callable, Callee, any};
use crate::lang::types::Value;

methods! {
    /// `x.count_ones()`
    CountOnes __gpu_count_ones __cpu_count_ones (x) -> u32 {
        u32 => x.count_ones(), "(u32)__popc({0})";
        u64 => x.count_ones(), "(u32)__popcll({0})";
    }
    /// `x.leading_zeros()`
    LeadingZeros __gpu_leading_zeros __cpu_leading_zeros (x) -> u32 {
        u32 => x.leading_zeros(), "(u32)__clz((int)({0}))";
        u64 => x.leading_zeros(), "(u32)__clzll((long long)({0}))";
    }
    /// `x.trailing_zeros()`
    TrailingZeros __gpu_trailing_zeros __cpu_trailing_zeros (x) -> u32 {
        u32 => x.trailing_zeros(), "wc_ctz_u32({0})";
        u64 => x.trailing_zeros(), "wc_ctz_u64({0})";
    }
}

/// The integer with a float's bits.
pub trait ToBitsOf {
    /// It.
    type Bits;
}
impl ToBitsOf for f32 {
    type Bits = u32;
}
impl ToBitsOf for f64 {
    type Bits = u64;
}

/// `f32::from_bits(x)`, and `x.to_bits()`: every NaN has the bits of `NAN`, as which NaN an operation gives is not
/// promised.
pub trait FloatBits: ToBitsOf + Sized {
    #[doc(hidden)]
    type From: Callable;
    #[doc(hidden)]
    type To: Callable;
    #[doc(hidden)]
    fn __gpu_from_bits(bits: Self::Bits) -> Call<Self, Self::From>;
    #[doc(hidden)]
    fn __cpu_from_bits(thread: Thread<'_, impl Mode>, bits: Self::Bits) -> Self;
    #[doc(hidden)]
    fn __gpu_to_bits(self) -> Call<Self::Bits, Self::To>;
    #[doc(hidden)]
    fn __cpu_to_bits(self, thread: Thread<'_, impl Mode>) -> Self::Bits;
}

macro_rules! float_bits {
    ($ty:ident $bits:ident $nan:literal $from:ident $from_cuda:literal $to:ident $to_cuda:literal) => {
        #[doc(hidden)]
        pub enum $from {}
        impl Callable for $from {
            fn callee(_: &mut Builder) -> Callee {
                Callee::Intrinsic { template: $from_cuda, pure: true, result: <$ty as Value>::model() }
            }
        }
        #[doc(hidden)]
        pub enum $to {}
        impl Callable for $to {
            fn callee(_: &mut Builder) -> Callee {
                Callee::Intrinsic { template: $to_cuda, pure: true, result: <$bits as Value>::model() }
            }
        }
        impl FloatBits for $ty {
            type From = $from;
            type To = $to;
            fn __gpu_from_bits(_: $bits) -> Call<$ty, $from> {
                any()
            }
            #[inline(always)]
            fn __cpu_from_bits(_: Thread<'_, impl Mode>, bits: $bits) -> $ty {
                $ty::from_bits(bits)
            }
            fn __gpu_to_bits(self) -> Call<$bits, $to> {
                any()
            }
            #[inline(always)]
            fn __cpu_to_bits(self, _: Thread<'_, impl Mode>) -> $bits {
                if self.is_nan() { $nan } else { self.to_bits() }
            }
        }
    };
}
float_bits!(f32 u32 0x7fc0_0000 F32FromBits "__uint_as_float({0})" F32ToBits "wc_to_bits_f32({0})");
float_bits!(f64 u64 0x7ff8_0000_0000_0000 F64FromBits "__longlong_as_double((long long)({0}))" F64ToBits "wc_to_bits_f64({0})");

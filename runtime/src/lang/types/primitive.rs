//! The primitives.

use super::super::probe::ConstantValue;
use super::{GpuType, Value};
use std::fmt::Debug;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};
use warpcell_ir::{Scalar, Type};

mod sealed {
    /// The primitives are those whose layout is the same on both sides.
    pub trait Sealed {}
}

/// An integer, a float or `bool`.
#[diagnostic::on_unimplemented(message = "`{Self}` is not a primitive: an integer, a float or `bool`")]
pub trait Primitive: GpuType + sealed::Sealed + Default + PartialEq + Debug {
    /// The type in the model of a kernel.
    #[doc(hidden)]
    const SCALAR: Scalar;
    /// The bits, in the low part of a `u64`.
    #[doc(hidden)]
    fn to_bits64(self) -> u64;
    /// The value of these bits.
    #[doc(hidden)]
    fn from_bits64(bits: u64) -> Self;
    /// Replaces what is at `place` by `change` of it, as one step, and returns what it was.
    ///
    /// # Safety
    /// `place` is valid, and only touched atomically meanwhile.
    #[doc(hidden)]
    unsafe fn update(place: *mut Self, change: impl Fn(Self) -> Self) -> Self;
}

macro_rules! primitives {
    ($($ty:ty, $scalar:ident, $atomic:ident, $int:ty, $this:ident => $to:expr, $bits:ident => $from:expr;)*) => {$(
        impl sealed::Sealed for $ty {}
        impl Value for $ty {
            #[inline(always)]
            fn unset() -> $ty { <$ty>::default() }
            fn model() -> Type { Type::Scalar(Scalar::$scalar) }
            fn constant(&self) -> ConstantValue {
                ConstantValue::Scalar { scalar: Scalar::$scalar, bits: self.to_bits64() }
            }
            #[inline(always)]
            fn same(&self, other: &$ty) -> bool { self.to_bits64() == other.to_bits64() }
            #[inline(always)]
            unsafe fn load(place: *const $ty) -> $ty {
                // SAFETY: the place is valid and only touched atomically; the atomic has its width and alignment.
                let bits = unsafe { $atomic::from_ptr(place.cast_mut().cast()) }.load(Relaxed);
                <$ty>::from_bits64(u64::from(bits))
            }
            #[inline(always)]
            unsafe fn store(place: *mut $ty, value: $ty) {
                // SAFETY: as above.
                unsafe { $atomic::from_ptr(place.cast()) }.store(value.to_bits64() as $int, Relaxed);
            }
        }
        // SAFETY: a primitive has the same layout on both sides, and `load` and `store` are relaxed atomics.
        unsafe impl GpuType for $ty {
            const ANY_BITS: bool = !matches!(Scalar::$scalar, Scalar::Bool);
        }
        impl Primitive for $ty {
            const SCALAR: Scalar = Scalar::$scalar;
            #[inline(always)]
            fn to_bits64(self) -> u64 { let $this = self; $to }
            #[inline(always)]
            fn from_bits64($bits: u64) -> Self { $from }
            #[inline(always)]
            unsafe fn update(place: *mut $ty, change: impl Fn($ty) -> $ty) -> $ty {
                let next = |bits: $int| change(<$ty>::from_bits64(u64::from(bits))).to_bits64() as $int;
                // SAFETY: as in `load`.
                let atomic = unsafe { $atomic::from_ptr(place.cast()) };
                let old = atomic.fetch_update(Relaxed, Relaxed, |bits| Some(next(bits)));
                <$ty>::from_bits64(u64::from(old.unwrap_or_else(|bits| bits)))
            }
        }
    )*};
}
primitives! {
    bool, Bool, AtomicU8, u8, x => u64::from(x), bits => bits & 0xff != 0;
    i8, I8, AtomicU8, u8, x => u64::from(x as u8), bits => bits as i8;
    i16, I16, AtomicU16, u16, x => u64::from(x as u16), bits => bits as i16;
    i32, I32, AtomicU32, u32, x => u64::from(x as u32), bits => bits as i32;
    i64, I64, AtomicU64, u64, x => x as u64, bits => bits as i64;
    isize, I64, AtomicU64, u64, x => x as u64, bits => bits as isize;
    u8, U8, AtomicU8, u8, x => u64::from(x), bits => bits as u8;
    u16, U16, AtomicU16, u16, x => u64::from(x), bits => bits as u16;
    u32, U32, AtomicU32, u32, x => u64::from(x), bits => bits as u32;
    u64, U64, AtomicU64, u64, x => x, bits => bits;
    usize, U64, AtomicU64, u64, x => x as u64, bits => bits as usize;
    f32, F32, AtomicU32, u32, x => u64::from(x.to_bits()), bits => f32::from_bits(bits as u32);
    f64, F64, AtomicU64, u64, x => x.to_bits(), bits => f64::from_bits(bits);
}

//! Numbers: the operators with Rust's rules, whatever the build's overflow checks, and the traits of generic kernels.

use super::probe::{Call, Callable};
use super::types::Primitive;
use crate::cpu::{Mode, Thread, fault};
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign};

/// A number in a kernel: integers wrap, floats follow IEEE 754.
pub trait Num:
    Primitive
    + super::operator::NumberOperators
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + RemAssign
{
    /// 0
    const ZERO: Self;
    /// 1
    const ONE: Self;
    #[doc(hidden)]
    fn plus(self, other: Self) -> Self;
    #[doc(hidden)]
    fn minus(self, other: Self) -> Self;
    #[doc(hidden)]
    fn times(self, other: Self) -> Self;
    /// The quotient, or nothing where Rust panics.
    #[doc(hidden)]
    fn over(self, other: Self) -> Option<Self>;
    /// The remainder, or nothing where Rust panics.
    #[doc(hidden)]
    fn modulo(self, other: Self) -> Option<Self>;
}

/// A float in a kernel, for code that is generic over `f32` and `f64`.
pub trait Real:
    Num
    + Neg<Output = Self>
    + super::methods::MulAdd
    + super::methods::Sqrt
    + super::methods::Abs
    + super::methods::Min
    + super::methods::Max
    + super::methods::Ln
    + super::methods::Ln1p
    + super::methods::Log2
    + super::methods::Log10
    + super::methods::Log
    + super::methods::Exp
    + super::methods::Exp2
    + super::methods::ExpM1
    + super::methods::Sin
    + super::methods::Cos
    + super::methods::Tan
    + super::methods::Asin
    + super::methods::Acos
    + super::methods::Atan
    + super::methods::Atan2
    + super::methods::Sinh
    + super::methods::Cosh
    + super::methods::Tanh
    + super::methods::Asinh
    + super::methods::Acosh
    + super::methods::Atanh
{
    #[doc(hidden)]
    type FromF64: Callable;
    #[doc(hidden)]
    type ToF64: Callable;
    /// `value as Self`
    fn from_f64(value: f64) -> Self;
    /// `self as f64`
    fn to_f64(self) -> f64;
    #[doc(hidden)]
    fn __gpu_from_f64(value: f64) -> Call<Self, Self::FromF64>;
    #[doc(hidden)]
    fn __cpu_from_f64(_: Thread<'_, impl Mode>, value: f64) -> Self {
        Self::from_f64(value)
    }
    #[doc(hidden)]
    fn __gpu_to_f64(self) -> Call<f64, Self::ToF64>;
    #[doc(hidden)]
    fn __cpu_to_f64(self, _: Thread<'_, impl Mode>) -> f64 {
        self.to_f64()
    }
}

macro_rules! integers {
    ($($ty:ty)*) => {$(
        impl Num for $ty {
            const ZERO: $ty = 0;
            const ONE: $ty = 1;
            #[inline(always)]
            fn plus(self, other: $ty) -> $ty { self.wrapping_add(other) }
            #[inline(always)]
            fn minus(self, other: $ty) -> $ty { self.wrapping_sub(other) }
            #[inline(always)]
            fn times(self, other: $ty) -> $ty { self.wrapping_mul(other) }
            #[inline(always)]
            fn over(self, other: $ty) -> Option<$ty> { self.checked_div(other) }
            #[inline(always)]
            fn modulo(self, other: $ty) -> Option<$ty> { self.checked_rem(other) }
        }
        impl Int for $ty {
            #[inline(always)]
            fn shift_left(self, by: u32) -> $ty { self.wrapping_shl(by) }
            #[inline(always)]
            fn shift_right(self, by: u32) -> $ty { self.wrapping_shr(by) }
            #[inline(always)]
            fn as_shift(self) -> u32 { self as u32 }
        }
    )*};
}
integers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

macro_rules! floats {
    ($($ty:ident $from:ident $to:ident $cast_from:literal $cast_to:literal;)*) => {$(
        impl Num for $ty {
            const ZERO: $ty = 0.0;
            const ONE: $ty = 1.0;
            #[inline(always)]
            fn plus(self, other: $ty) -> $ty { self + other }
            #[inline(always)]
            fn minus(self, other: $ty) -> $ty { self - other }
            #[inline(always)]
            fn times(self, other: $ty) -> $ty { self * other }
            #[inline(always)]
            fn over(self, other: $ty) -> Option<$ty> { Some(self / other) }
            #[inline(always)]
            fn modulo(self, other: $ty) -> Option<$ty> { Some(self % other) }
        }
        #[doc(hidden)]
        pub enum $from {}
        #[doc(hidden)]
        pub enum $to {}
        impl Callable for $from {
            fn callee(_: &mut crate::emit::Builder) -> super::probe::Callee {
                super::probe::Callee::Intrinsic { template: $cast_from, pure: true, result: <$ty as super::types::Value>::model() }
            }
        }
        impl Callable for $to {
            fn callee(_: &mut crate::emit::Builder) -> super::probe::Callee {
                super::probe::Callee::Intrinsic { template: $cast_to, pure: true, result: <f64 as super::types::Value>::model() }
            }
        }
        impl Real for $ty {
            type FromF64 = $from;
            type ToF64 = $to;
            #[inline(always)]
            fn from_f64(value: f64) -> $ty { value as $ty }
            #[inline(always)]
            fn to_f64(self) -> f64 { self as f64 }
            fn __gpu_from_f64(_: f64) -> Call<$ty, $from> { super::probe::any() }
            fn __gpu_to_f64(self) -> Call<f64, $to> { super::probe::any() }
        }
    )*};
}
floats! {
    f32 F32FromF64 F32ToF64 "(f32)({0})" "(f64)({0})";
    f64 F64FromF64 F64ToF64 "({0})" "({0})";
}

/// An integer in a kernel.
pub trait Int: Num {
    #[doc(hidden)]
    fn shift_left(self, by: u32) -> Self;
    #[doc(hidden)]
    fn shift_right(self, by: u32) -> Self;
    #[doc(hidden)]
    fn as_shift(self) -> u32;
}

/// `a + b`
#[inline(always)]
pub fn add<T: Num>(a: T, b: T, _: Thread<'_, impl Mode>, _site: u32) -> T {
    a.plus(b)
}

/// `a - b`
#[inline(always)]
pub fn sub<T: Num>(a: T, b: T, _: Thread<'_, impl Mode>, _site: u32) -> T {
    a.minus(b)
}

/// `a * b`
#[inline(always)]
pub fn mul<T: Num>(a: T, b: T, _: Thread<'_, impl Mode>, _site: u32) -> T {
    a.times(b)
}

/// `a / b`; a divisor of 0 and `MIN / -1` are faults.
#[inline(always)]
pub fn div<T: Num>(a: T, b: T, thread: Thread<'_, impl Mode>, site: u32) -> T {
    match a.over(b) {
        Some(quotient) => quotient,
        None => fault(thread, site, 0, 0),
    }
}

/// `a % b`; a divisor of 0 and `MIN % -1` are faults.
#[inline(always)]
pub fn rem<T: Num>(a: T, b: T, thread: Thread<'_, impl Mode>, site: u32) -> T {
    match a.modulo(b) {
        Some(remainder) => remainder,
        None => fault(thread, site, 0, 0),
    }
}

/// `a << b`, with `b` modulo the width.
#[inline(always)]
pub fn shl<T: Int, B: Int>(a: T, b: B, _: Thread<'_, impl Mode>, _site: u32) -> T {
    a.shift_left(b.as_shift())
}

/// `a >> b`, with `b` modulo the width.
#[inline(always)]
pub fn shr<T: Int, B: Int>(a: T, b: B, _: Thread<'_, impl Mode>, _site: u32) -> T {
    a.shift_right(b.as_shift())
}

/// A number that can be negated; integers wrap.
pub trait Negate: Copy {
    #[doc(hidden)]
    fn negated(self) -> Self;
}
macro_rules! negate {
    ($($ty:ty => $x:ident $negated:expr;)*) => {$(
        impl Negate for $ty {
            #[inline(always)]
            fn negated(self) -> $ty { let $x = self; $negated }
        }
    )*};
}
negate! {
    i8 => x x.wrapping_neg(); i16 => x x.wrapping_neg(); i32 => x x.wrapping_neg(); i64 => x x.wrapping_neg();
    isize => x x.wrapping_neg(); f32 => x -x; f64 => x -x;
}

/// `-a`
#[inline(always)]
pub fn neg<T: Negate>(a: T, _: Thread<'_, impl Mode>, _site: u32) -> T {
    a.negated()
}

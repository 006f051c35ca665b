//! Methods of the primitives, each with its CPU body and its CUDA text side by side.
//!
//! `x.sqrt()` in a kernel calls `Sqrt::__gpu_sqrt` in the probe and `Sqrt::__cpu_sqrt` in the CPU form; which types have
//! the method, rustc knows. Functions on types (`f32::from_bits(x)`) work the same way.

use super::probe::{Call, Callable, Callee, any};
use super::types::Value;
use crate::cpu::{Mode, Thread};
use crate::emit::Builder;
use std::marker::PhantomData;

/// The method `M` of the type `T`, as an instance to call.
pub struct Method<M, T>(PhantomData<(M, T)>);

/// Declares traits with one method each, for some primitives.
macro_rules! methods {
    ($(
        $(#[$doc:meta])*
        $trait:ident $gpu:ident $cpu:ident $signature:tt -> $result:ty {
            $($ty:ty => $body:expr, $cuda:expr;)*
        }
    )*) => {$(
        methods!(@trait [$(#[$doc])*] $trait $gpu $cpu $signature -> $result);
        const _: () = {
            /// Names the method.
            pub enum Marker {}
            $(methods!(@impl Marker $trait $gpu $cpu $signature -> $result, $ty, $body, $cuda);)*
        };
    )*};
    (@trait [$($doc:tt)*] $trait:ident $gpu:ident $cpu:ident ($this:ident $(, $arg:ident: $arg_ty:ty)*) -> $result:ty) => {
        $($doc)*
        #[diagnostic::on_unimplemented(message = "a kernel can't call this method on `{Self}`")]
        pub trait $trait: Sized {
            #[doc(hidden)]
            type Result;
            #[doc(hidden)]
            type Instance: Callable;
            #[doc(hidden)]
            fn $gpu(self $(, $arg: $arg_ty)*) -> Call<$result, Self::Instance>;
            #[doc(hidden)]
            fn $cpu(self, thread: Thread<'_, impl Mode> $(, $arg: $arg_ty)*) -> $result;
        }
    };
    (@impl $marker:ident $trait:ident $gpu:ident $cpu:ident ($this:ident $(, $arg:ident: $arg_ty:ty)*) -> $result:ty,
        $ty:ty, $body:expr, $cuda:expr
    ) => {
        impl Callable for Method<$marker, $ty> {
            fn callee(_: &mut Builder) -> Callee {
                Callee::Intrinsic { template: $cuda, pure: true, result: <<$ty as $trait>::Result as Value>::model() }
            }
        }
        impl $trait for $ty {
            type Result = $result;
            type Instance = Method<$marker, $ty>;
            fn $gpu(self $(, _: $arg_ty)*) -> Call<$result, Self::Instance> {
                any()
            }
            #[inline(always)]
            fn $cpu(self, _: Thread<'_, impl Mode> $(, $arg: $arg_ty)*) -> $result {
                let $this = self;
                $body
            }
        }
    };
}

methods! {
    /// `x.sqrt()`, correctly rounded.
    Sqrt __gpu_sqrt __cpu_sqrt (x) -> Self {
        f32 => x.sqrt(), "sqrtf({0})";
        f64 => x.sqrt(), "sqrt({0})";
    }
    /// `x.abs()`; of the smallest integer it wraps.
    Abs __gpu_abs __cpu_abs (x) -> Self {
        f32 => x.abs(), "fabsf({0})";
        f64 => x.abs(), "fabs({0})";
        i32 => x.wrapping_abs(), "wc_abs_i32({0})";
        i64 => x.wrapping_abs(), "wc_abs_i64({0})";
    }
    /// `x.mul_add(a, b)`: `x * a + b`, rounded once.
    MulAdd __gpu_mul_add __cpu_mul_add (x, a: Self, b: Self) -> Self {
        f32 => x.mul_add(a, b), "fmaf({0}, {1}, {2})";
        f64 => x.mul_add(a, b), "fma({0}, {1}, {2})";
    }
    /// `x.min(y)`; of floats, NaN is ignored and -0 is below +0.
    Min __gpu_min __cpu_min (x, y: Self) -> Self {
        f32 => min_f32(x, y), "wc_min_f32({0}, {1})";
        f64 => min_f64(x, y), "wc_min_f64({0}, {1})";
        i32 => x.min(y), "wc_min_i32({0}, {1})";
        i64 => x.min(y), "wc_min_i64({0}, {1})";
        isize => x.min(y), "wc_min_i64({0}, {1})";
        u32 => x.min(y), "wc_min_u32({0}, {1})";
        u64 => x.min(y), "wc_min_u64({0}, {1})";
        usize => x.min(y), "wc_min_u64({0}, {1})";
    }
    /// `x.max(y)`; of floats, NaN is ignored and -0 is below +0.
    Max __gpu_max __cpu_max (x, y: Self) -> Self {
        f32 => max_f32(x, y), "wc_max_f32({0}, {1})";
        f64 => max_f64(x, y), "wc_max_f64({0}, {1})";
        i32 => x.max(y), "wc_max_i32({0}, {1})";
        i64 => x.max(y), "wc_max_i64({0}, {1})";
        isize => x.max(y), "wc_max_i64({0}, {1})";
        u32 => x.max(y), "wc_max_u32({0}, {1})";
        u64 => x.max(y), "wc_max_u64({0}, {1})";
        usize => x.max(y), "wc_max_u64({0}, {1})";
    }
    /// `x.floor()`
    Floor __gpu_floor __cpu_floor (x) -> Self {
        f32 => x.floor(), "floorf({0})";
        f64 => x.floor(), "floor({0})";
    }
    /// `x.ceil()`
    Ceil __gpu_ceil __cpu_ceil (x) -> Self {
        f32 => x.ceil(), "ceilf({0})";
        f64 => x.ceil(), "ceil({0})";
    }
    /// `x.trunc()`
    Trunc __gpu_trunc __cpu_trunc (x) -> Self {
        f32 => x.trunc(), "truncf({0})";
        f64 => x.trunc(), "trunc({0})";
    }
    /// `x.round_ties_even()`
    RoundTiesEven __gpu_round_ties_even __cpu_round_ties_even (x) -> Self {
        f32 => x.round_ties_even(), "rintf({0})";
        f64 => x.round_ties_even(), "rint({0})";
    }
    /// `x.is_nan()`
    IsNan __gpu_is_nan __cpu_is_nan (x) -> bool {
        f32 => x.is_nan(), "wc_is_nan_f32({0})";
        f64 => x.is_nan(), "wc_is_nan_f64({0})";
    }
    /// `x.is_finite()`
    IsFinite __gpu_is_finite __cpu_is_finite (x) -> bool {
        f32 => x.is_finite(), "wc_is_finite_f32({0})";
        f64 => x.is_finite(), "wc_is_finite_f64({0})";
    }
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
    /// `x.wrapping_add(y)`
    WrappingAdd __gpu_wrapping_add __cpu_wrapping_add (x, y: Self) -> Self {
        i32 => x.wrapping_add(y), "wc_add_i32({0}, {1})";
        i64 => x.wrapping_add(y), "wc_add_i64({0}, {1})";
        u32 => x.wrapping_add(y), "({0} + {1})";
        u64 => x.wrapping_add(y), "({0} + {1})";
        usize => x.wrapping_add(y), "({0} + {1})";
    }
    /// `x.wrapping_sub(y)`
    WrappingSub __gpu_wrapping_sub __cpu_wrapping_sub (x, y: Self) -> Self {
        i32 => x.wrapping_sub(y), "wc_sub_i32({0}, {1})";
        i64 => x.wrapping_sub(y), "wc_sub_i64({0}, {1})";
        u32 => x.wrapping_sub(y), "({0} - {1})";
        u64 => x.wrapping_sub(y), "({0} - {1})";
        usize => x.wrapping_sub(y), "({0} - {1})";
    }
    /// `x.wrapping_mul(y)`
    WrappingMul __gpu_wrapping_mul __cpu_wrapping_mul (x, y: Self) -> Self {
        i32 => x.wrapping_mul(y), "wc_mul_i32({0}, {1})";
        i64 => x.wrapping_mul(y), "wc_mul_i64({0}, {1})";
        u32 => x.wrapping_mul(y), "({0} * {1})";
        u64 => x.wrapping_mul(y), "({0} * {1})";
        usize => x.wrapping_mul(y), "({0} * {1})";
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

macro_rules! min_max {
    ($min:ident $max:ident $ty:ty) => {
        /// The smaller one; NaN is ignored and -0 is below +0.
        #[inline(always)]
        fn $min(x: $ty, y: $ty) -> $ty {
            if x < y || y.is_nan() || (x == y && x.is_sign_negative()) { x } else { y }
        }
        /// The larger one; NaN is ignored and -0 is below +0.
        #[inline(always)]
        fn $max(x: $ty, y: $ty) -> $ty {
            if x > y || y.is_nan() || (x == y && x.is_sign_positive()) { x } else { y }
        }
    };
}
min_max!(min_f32 max_f32 f32);
min_max!(min_f64 max_f64 f64);

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

/// `x.len()` of slices and arrays.
pub trait Length {
    #[doc(hidden)]
    fn __gpu_len(&self) -> Call<usize, LengthOf> {
        any()
    }
}
impl<T> Length for [T] {}

/// Names `len`.
pub enum LengthOf {}
impl Callable for LengthOf {
    fn callee(_: &mut Builder) -> Callee {
        Callee::Length
    }
}

/// Methods of `Option`.
pub trait OptionMethods<T>: Sized {
    #[doc(hidden)]
    fn __gpu_is_some(&self) -> Call<bool, OptionMethod<IsSome, T>> {
        any()
    }
    #[doc(hidden)]
    fn __gpu_is_none(&self) -> Call<bool, OptionMethod<IsNone, T>> {
        any()
    }
    #[doc(hidden)]
    fn __gpu_unwrap_or(self, _: T) -> Call<T, OptionMethod<UnwrapOr, T>> {
        any()
    }
    #[doc(hidden)]
    fn __cpu_is_some(&self, thread: Thread<'_, impl Mode>) -> bool;
    #[doc(hidden)]
    fn __cpu_is_none(&self, thread: Thread<'_, impl Mode>) -> bool;
    #[doc(hidden)]
    fn __cpu_unwrap_or(self, thread: Thread<'_, impl Mode>, default: T) -> T;
}
impl<T: Value> OptionMethods<T> for Option<T> {
    #[inline(always)]
    fn __cpu_is_some(&self, _: Thread<'_, impl Mode>) -> bool {
        self.is_some()
    }
    #[inline(always)]
    fn __cpu_is_none(&self, _: Thread<'_, impl Mode>) -> bool {
        self.is_none()
    }
    #[inline(always)]
    fn __cpu_unwrap_or(self, _: Thread<'_, impl Mode>, default: T) -> T {
        self.unwrap_or(default)
    }
}

/// The method `M` of `Option<T>`, as an instance to call.
pub struct OptionMethod<M, T>(PhantomData<(M, T)>);
/// Names `is_some`.
pub enum IsSome {}
/// Names `is_none`.
pub enum IsNone {}
/// Names `unwrap_or`.
pub enum UnwrapOr {}
impl<T: Value> Callable for OptionMethod<IsSome, T> {
    fn callee(_: &mut Builder) -> Callee {
        Callee::Intrinsic { template: "({0}.some)", pure: true, result: bool::model() }
    }
}
impl<T: Value> Callable for OptionMethod<IsNone, T> {
    fn callee(_: &mut Builder) -> Callee {
        Callee::Intrinsic { template: "(!{0}.some)", pure: true, result: bool::model() }
    }
}
impl<T: Value> Callable for OptionMethod<UnwrapOr, T> {
    fn callee(_: &mut Builder) -> Callee {
        Callee::Intrinsic { template: "({0}.some ? {0}.value : {1})", pure: true, result: T::model() }
    }
}

/// Declares traits whose method is a device function of the language.
macro_rules! function_methods {
    ($($(#[$doc:meta])* $trait:ident $gpu:ident $cpu:ident { $($ty:ty => $function:path, $instance:path;)* })*) => {$(
        $(#[$doc])*
        #[diagnostic::on_unimplemented(message = "a kernel can't call this method on `{Self}`")]
        pub trait $trait: Sized {
            #[doc(hidden)]
            type Instance: Callable;
            #[doc(hidden)]
            fn $gpu(self) -> Call<Self, Self::Instance>;
            #[doc(hidden)]
            fn $cpu(self, thread: Thread<'_, impl Mode>) -> Self;
        }
        $(
            impl $trait for $ty {
                type Instance = $instance;
                fn $gpu(self) -> Call<Self, Self::Instance> { any() }
                #[inline(always)]
                fn $cpu(self, thread: Thread<'_, impl Mode>) -> Self { <$function>::__cpu(thread, self) }
            }
        )*
    )*};
}

use super::maths;
function_methods! {
    /// `x.ln()`
    Ln __gpu_ln __cpu_ln {
        f32 => maths::ln_f32, maths::__wc_instance_ln_f32;
        f64 => maths::ln_f64, maths::__wc_instance_ln_f64;
    }
    /// `x.ln_1p()`
    Ln1p __gpu_ln_1p __cpu_ln_1p {
        f32 => maths::ln_1p_f32, maths::__wc_instance_ln_1p_f32;
        f64 => maths::ln_1p_f64, maths::__wc_instance_ln_1p_f64;
    }
    /// `x.exp()`
    Exp __gpu_exp __cpu_exp {
        f32 => maths::exp_f32, maths::__wc_instance_exp_f32;
        f64 => maths::exp_f64, maths::__wc_instance_exp_f64;
    }
    /// `x.exp_m1()`
    ExpM1 __gpu_exp_m1 __cpu_exp_m1 {
        f32 => maths::exp_m1_f32, maths::__wc_instance_exp_m1_f32;
        f64 => maths::exp_m1_f64, maths::__wc_instance_exp_m1_f64;
    }
}

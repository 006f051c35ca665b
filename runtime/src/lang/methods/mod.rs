//! Methods of the primitives, each with its CPU body and its CUDA text side by side.
//!
//! `x.sqrt()` in a kernel calls `Sqrt::__gpu_sqrt` in the probe and `Sqrt::__cpu_sqrt` in the CPU form; which types have
//! the method, rustc knows. Functions on types (`f32::from_bits(x)`) work the same way.

use super::probe::{Call, Callable, Callee, any};
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

/// Declares traits whose method is a device function of the language, of one number or of two of the same type.
macro_rules! function_methods {
    ($(
        $(#[$doc:meta])*
        $trait:ident $gpu:ident $cpu:ident $signature:tt { $($ty:ty => $function:path, $instance:path;)* }
    )*) => {$(
        function_methods!(@trait [$(#[$doc])*] $trait $gpu $cpu $signature);
        $(function_methods!(@impl $trait $gpu $cpu $signature, $ty, $function, $instance);)*
    )*};
    (@trait [$($doc:tt)*] $trait:ident $gpu:ident $cpu:ident ($this:ident $(, $arg:ident)?)) => {
        $($doc)*
        #[diagnostic::on_unimplemented(message = "a kernel can't call this method on `{Self}`")]
        pub trait $trait: Sized {
            #[doc(hidden)]
            type Instance: Callable;
            #[doc(hidden)]
            fn $gpu(self $(, $arg: Self)?) -> Call<Self, Self::Instance>;
            #[doc(hidden)]
            fn $cpu(self, thread: Thread<'_, impl Mode> $(, $arg: Self)?) -> Self;
        }
    };
    (@impl $trait:ident $gpu:ident $cpu:ident ($this:ident $(, $arg:ident)?), $ty:ty, $function:path, $instance:path) => {
        impl $trait for $ty {
            type Instance = $instance;
            fn $gpu(self $(, $arg: Self)?) -> Call<Self, Self::Instance> {
                $(let _ = $arg;)?
                any()
            }
            #[inline(always)]
            fn $cpu(self, thread: Thread<'_, impl Mode> $(, $arg: Self)?) -> Self { <$function>::__cpu(thread, self $(, $arg)?) }
        }
    };
}

mod bits;
mod floats;
mod integers;
mod maths;
mod numbers;
mod option;

pub use bits::*;
pub use floats::*;
pub use integers::*;
pub use maths::*;
pub use numbers::*;
pub use option::*;

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

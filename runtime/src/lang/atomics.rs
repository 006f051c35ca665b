//! Integer atomics, under CUDA's names. Each takes a place (`&mut x[i]`) and returns what was there.

use super::probe::{Call, Callable, Callee, any};
use super::types::{Elem, Primitive};
use crate::cpu::{Careful, Mode, Thread};
use crate::emit::Builder;
use std::marker::PhantomData;

/// An integer that atomics work on.
pub trait AtomicInt: super::numeric::Int {
    #[doc(hidden)]
    fn bit_and(self, other: Self) -> Self;
    #[doc(hidden)]
    fn bit_or(self, other: Self) -> Self;
    #[doc(hidden)]
    fn bit_xor(self, other: Self) -> Self;
}
macro_rules! atomic_ints {
    ($($ty:ty)*) => {$(
        impl AtomicInt for $ty {
            #[inline(always)]
            fn bit_and(self, other: $ty) -> $ty { self & other }
            #[inline(always)]
            fn bit_or(self, other: $ty) -> $ty { self | other }
            #[inline(always)]
            fn bit_xor(self, other: $ty) -> $ty { self ^ other }
        }
    )*};
}
atomic_ints!(i32 u32 i64 u64 usize isize);

/// The atomic operation `O` on `T`.
pub struct AtomicOp<O, T>(PhantomData<(O, T)>);

macro_rules! atomics {
    ($($(#[$doc:meta])* $name:ident ($($arg:ident),*): $cuda:literal, |$old:ident| $new:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// On the host it is an ordinary read and write.
        pub fn $name<T: AtomicInt>(place: &mut T $(, $arg: T)*) -> T {
            let before = *place;
            let $old = before;
            *place = $new;
            before
        }
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        pub enum $name {}
        #[doc(hidden)]
        impl $name {
            pub fn __gpu<T: AtomicInt>(_: &mut T $(, $arg: T)*) -> Call<T, AtomicOp<$name, T>> {
                $(let _ = $arg;)*
                any()
            }
            #[inline(always)]
            pub fn __cpu<T: AtomicInt>(_: Thread<'_, impl Mode>, place: &impl Elem<Value = T> $(, $arg: T)*) -> T {
                place.update(|$old: T| $new)
            }
            #[inline(always)]
            pub async fn __cpu_collective<T: AtomicInt>(thread: Thread<'_, Careful>, place: &impl Elem<Value = T> $(, $arg: T)*) -> T {
                Self::__cpu(thread, place $(, $arg)*)
            }
        }
        impl<T: Primitive> Callable for AtomicOp<$name, T> {
            fn callee(_: &mut Builder) -> Callee {
                Callee::Intrinsic { template: $cuda, pure: false, result: <T as super::types::Value>::model() }
            }
        }
    )*};
}

atomics! {
    /// CUDA's `atomicAdd`, wrapping.
    atomic_add(value): "wc_atomic_add({0}, {1})", |old| old.plus(value);
    /// CUDA's `atomicSub`, wrapping.
    atomic_sub(value): "wc_atomic_sub({0}, {1})", |old| old.minus(value);
    /// CUDA's `atomicMin`.
    atomic_min(value): "wc_atomic_min({0}, {1})", |old| if value < old { value } else { old };
    /// CUDA's `atomicMax`.
    atomic_max(value): "wc_atomic_max({0}, {1})", |old| if value > old { value } else { old };
    /// CUDA's `atomicAnd`.
    atomic_and(value): "wc_atomic_and({0}, {1})", |old| old.bit_and(value);
    /// CUDA's `atomicOr`.
    atomic_or(value): "wc_atomic_or({0}, {1})", |old| old.bit_or(value);
    /// CUDA's `atomicXor`.
    atomic_xor(value): "wc_atomic_xor({0}, {1})", |old| old.bit_xor(value);
    /// CUDA's `atomicExch`.
    atomic_exch(value): "wc_atomic_exch({0}, {1})", |_old| value;
    /// CUDA's `atomicCAS`: writes `value` if `compare` is there.
    atomic_cas(compare, value): "wc_atomic_cas({0}, {1}, {2})", |old| if old == compare { value } else { old };
}

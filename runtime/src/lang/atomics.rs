//! Atomics, under CUDA's names. Each takes a place in global or shared memory (`&mut x[i]`), changes it as one step, and
//! returns what was there.
//!
//! They are relaxed: they order nothing else. To hand data over, put a [`thread_fence`](super::thread_fence) between the
//! data and the flag, on both sides.

use super::folded::FoldedBits;
use super::methods::{Max, Min};
use super::numeric::{Int, Num};
use super::probe::{Call, Callable, Callee, any};
use super::types::Elem;
use crate::cpu::{Careful, Mode, Thread};
use crate::emit::Builder;
use std::marker::PhantomData;
use warpcell_ir::Type;

/// A number that atomics work on: an integer or float of 32 or 64 bits.
pub trait AtomicNumber: Num + FoldedBits + Min + Max {}
/// An integer of 32 or 64 bits.
pub trait AtomicInt: AtomicNumber + Int {
    #[doc(hidden)]
    fn bit_and(self, other: Self) -> Self;
    #[doc(hidden)]
    fn bit_or(self, other: Self) -> Self;
    #[doc(hidden)]
    fn bit_xor(self, other: Self) -> Self;
}
/// An unsigned integer of 32 or 64 bits.
pub trait AtomicUnsigned: AtomicInt {}

macro_rules! atomic_numbers {
    ($($trait:ident: $($ty:ty)*;)*) => {$($( impl $trait for $ty {} )*)*};
}
atomic_numbers! {
    AtomicNumber: i32 i64 isize u32 u64 usize f32 f64;
    AtomicUnsigned: u32 u64 usize;
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
atomic_ints!(i32 i64 isize u32 u64 usize);

/// The atomic operation `O` on `T`.
pub struct AtomicOp<O, T>(PhantomData<(O, T)>);

macro_rules! atomics {
    ($($(#[$doc:meta])* $name:ident<$bound:ident>($($arg:ident),*): $cuda:literal, |$old:ident, $thread:ident| $new:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// On the host it is an ordinary read and write.
        pub fn $name<T: $bound>(place: &mut T $(, $arg: T)*) -> T {
            let ($old, $thread) = (*place, Thread::host());
            let _ = $thread;
            *place = $new;
            $old
        }
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        pub enum $name {}
        #[doc(hidden)]
        impl $name {
            pub const __WC_BUILT_IN: () = ();
            pub fn __gpu<T: $bound>(_: &mut T $(, $arg: T)*) -> Call<T, AtomicOp<$name, T>> {
                $(let _ = $arg;)*
                any()
            }
            #[inline(always)]
            pub fn __cpu<T: $bound>($thread: Thread<'_, impl Mode>, place: &impl Elem<Value = T> $(, $arg: T)*) -> T {
                let _ = $thread;
                place.update(|$old: T| $new)
            }
            #[inline(always)]
            pub async fn __cpu_collective<T: $bound>(thread: Thread<'_, Careful>, place: &impl Elem<Value = T> $(, $arg: T)*) -> T {
                Self::__cpu(thread, place $(, $arg)*)
            }
        }
        impl<T: $bound> Callable for AtomicOp<$name, T> {
            fn callee(_: &mut Builder) -> Callee {
                Callee::Intrinsic { template: $cuda, pure: false, result: T::model() }
            }
        }
    )*};
}

atomics! {
    /// CUDA's `atomicAdd`: integers wrap.
    ///
    /// Of floats, the result depends on the order in which the threads come, so it differs in its last bits from run to
    /// run; and a GPU may take a subnormal `f32` in global memory as zero. Where bits matter, add integers.
    atomic_add<AtomicNumber>(value): "wc_atomic_add({0}, {1})", |old, thread| old.plus(value);
    /// CUDA's `atomicSub`, wrapping.
    atomic_sub<AtomicInt>(value): "wc_atomic_sub({0}, {1})", |old, thread| old.minus(value);
    /// CUDA's `atomicMin`, also of floats: NaN is ignored and -0 is below +0, so the order of the threads does not matter.
    atomic_min<AtomicNumber>(value): "wc_atomic_min({0}, {1})", |old, thread| old.__cpu_min(thread, value);
    /// CUDA's `atomicMax`, also of floats: NaN is ignored and -0 is below +0, so the order of the threads does not matter.
    atomic_max<AtomicNumber>(value): "wc_atomic_max({0}, {1})", |old, thread| old.__cpu_max(thread, value);
    /// CUDA's `atomicAnd`.
    atomic_and<AtomicInt>(value): "wc_atomic_and({0}, {1})", |old, thread| old.bit_and(value);
    /// CUDA's `atomicOr`.
    atomic_or<AtomicInt>(value): "wc_atomic_or({0}, {1})", |old, thread| old.bit_or(value);
    /// CUDA's `atomicXor`.
    atomic_xor<AtomicInt>(value): "wc_atomic_xor({0}, {1})", |old, thread| old.bit_xor(value);
    /// CUDA's `atomicInc`: one more, and 0 after `limit`.
    atomic_inc<AtomicUnsigned>(limit): "wc_atomic_inc({0}, {1})",
        |old, thread| if old >= limit { T::ZERO } else { old.plus(T::ONE) };
    /// CUDA's `atomicDec`: one less, and `limit` after 0 and after anything above `limit`.
    atomic_dec<AtomicUnsigned>(limit): "wc_atomic_dec({0}, {1})",
        |old, thread| if old == T::ZERO || old > limit { limit } else { old.minus(T::ONE) };
    /// CUDA's `atomicExch`.
    atomic_exch<AtomicNumber>(value): "wc_atomic_exch({0}, {1})", |_old, thread| value;
    /// CUDA's `atomicCAS`: writes `value` if `compare` is there.
    ///
    /// Floats are compared by their bits, where every NaN is the same: -0 is not +0. So a loop that waits for success
    /// compares `old.to_bits()`, not `old`.
    atomic_cas<AtomicNumber>(compare, value): "wc_atomic_cas({0}, {1}, {2})",
        |old, thread| if old.folded_bits() == compare.folded_bits() { value } else { old };
}

/// Reads a place that other threads write at the same time: always anew, and never torn.
///
/// On the host it is an ordinary read.
pub fn atomic_load<T: AtomicNumber>(place: &T) -> T {
    *place
}
#[doc(hidden)]
#[allow(non_camel_case_types)]
pub enum atomic_load {}
#[doc(hidden)]
impl atomic_load {
    pub const __WC_BUILT_IN: () = ();
    pub fn __gpu<T: AtomicNumber>(_: &T) -> Call<T, AtomicOp<atomic_load, T>> {
        any()
    }
    #[inline(always)]
    pub fn __cpu<T: AtomicNumber>(_: Thread<'_, impl Mode>, place: &impl Elem<Value = T>) -> T {
        place.load()
    }
    #[inline(always)]
    pub async fn __cpu_collective<T: AtomicNumber>(thread: Thread<'_, Careful>, place: &impl Elem<Value = T>) -> T {
        Self::__cpu(thread, place)
    }
}
impl<T: AtomicNumber> Callable for AtomicOp<atomic_load, T> {
    fn callee(_: &mut Builder) -> Callee {
        Callee::Intrinsic { template: "wc_atomic_load({0})", pure: false, result: T::model() }
    }
}

/// Writes a place that other threads read at the same time: never torn.
///
/// On the host it is an ordinary write.
pub fn atomic_store<T: AtomicNumber>(place: &mut T, value: T) {
    *place = value;
}
#[doc(hidden)]
#[allow(non_camel_case_types)]
pub enum atomic_store {}
#[doc(hidden)]
impl atomic_store {
    pub fn __gpu<T: AtomicNumber>(_: &mut T, _: T) -> Call<(), AtomicOp<atomic_store, T>> {
        any()
    }
    #[inline(always)]
    pub fn __cpu<T: AtomicNumber>(_: Thread<'_, impl Mode>, place: &impl Elem<Value = T>, value: T) {
        place.store(value);
    }
    #[inline(always)]
    pub async fn __cpu_collective<T: AtomicNumber>(
        thread: Thread<'_, Careful>,
        place: &impl Elem<Value = T>,
        value: T,
    ) {
        Self::__cpu(thread, place, value);
    }
}
impl<T: AtomicNumber> Callable for AtomicOp<atomic_store, T> {
    fn callee(_: &mut Builder) -> Callee {
        Callee::Intrinsic { template: "wc_atomic_store({0}, {1})", pure: false, result: Type::Unit }
    }
}

//! Waiting for what another thread writes, and locks.
//!
//! A GPU lets the threads of a block, and the blocks that it has room for, go on side by side; blocks start in ascending
//! order. So wait for threads of the same or of an earlier block only. A loop of your own that reads memory and changes
//! nothing itself, such as `while atomic_load(&flag[0]) == 0 {}`, waits in the same way as the functions here.
//!
//! No wait hangs. It ends when another thread has faulted, and a wait for what never comes is a
//! [`FaultKind::Wait`](crate::FaultKind::Wait): on the CPU when no thread is left that could write, on a GPU after ten
//! seconds.
//!
//! On the CPU a kernel that waits runs as one future a thread, which is slower.

use super::atomics::{AtomicInt, AtomicNumber, AtomicOp, AtomicUnsigned};
use super::probe::{Call, Callable, Callee, any};
use super::types::Elem;
use crate::cpu::{Careful, Mode, Thread, pause, went_on};
use crate::emit::Builder;
use std::sync::atomic::{Ordering, fence};
use warpcell_ir::Type;

macro_rules! spins {
    ($($(#[$doc:meta])* $name:ident<$bound:ident>: $cuda:literal, |$found:ident, $value:ident| $ends:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// What the writer wrote before a [`thread_fence`](super::thread_fence) and the value is visible afterwards.
        ///
        /// # Panics
        /// On the host: it is for kernels only.
        pub fn $name<T: $bound>(place: &T, $value: T) {
            let _ = (place, $value);
            panic!(concat!("`", stringify!($name), "` is for kernels only"))
        }
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        pub enum $name {}
        #[doc(hidden)]
        impl $name {
            pub const __WC_BUILT_IN: () = ();
            pub fn __gpu<T: $bound>(_: &T, _: T) -> Call<(), AtomicOp<$name, T>> { any() }
            pub async fn __future<T: $bound>(thread: Thread<'_, Careful>, place: &impl Elem<Value = T>, $value: T) {
                loop {
                    let $found = place.load();
                    if $ends {
                        break;
                    }
                    pause(thread).await;
                }
                went_on(thread);
                fence(Ordering::SeqCst);
            }
        }
        impl<T: $bound> Callable for AtomicOp<$name, T> {
            fn callee(_: &mut Builder) -> Callee {
                Callee::Intrinsic { template: $cuda, pure: false, result: Type::Unit }
            }
        }
    )*};
}

spins! {
    /// Waits until `place` holds `value`.
    spin_until_eq<AtomicNumber>: "wc_spin_eq(wc_e, {site}, {0}, {1})", |found, value| found == value;
    /// Waits until `place` holds something else than `value`.
    spin_until_ne<AtomicNumber>: "wc_spin_ne(wc_e, {site}, {0}, {1})", |found, value| found != value;
    /// Waits until `place` holds `value` or more.
    spin_until_ge<AtomicInt>: "wc_spin_ge(wc_e, {site}, {0}, {1})", |found, value| found >= value;
}

/// Takes the lock at `place`: waits until it is 0, and makes it 1. What the thread that had it before wrote is visible
/// afterwards. Give it back with [`unlock`], with no barrier in between.
///
/// # Panics
/// On the host: it is for kernels only.
pub fn lock<T: AtomicUnsigned>(place: &mut T) {
    let _ = place;
    panic!("`lock` is for kernels only")
}
#[doc(hidden)]
#[allow(non_camel_case_types)]
pub enum lock {}
#[doc(hidden)]
impl lock {
    pub const __WC_BUILT_IN: () = ();
    pub fn __gpu<T: AtomicUnsigned>(_: &mut T) -> Call<(), AtomicOp<lock, T>> {
        any()
    }
    pub async fn __future<T: AtomicUnsigned>(thread: Thread<'_, Careful>, place: &impl Elem<Value = T>) {
        while place.update(|held| if held == T::ZERO { T::ONE } else { held }) != T::ZERO {
            pause(thread).await;
        }
        went_on(thread);
        fence(Ordering::SeqCst);
    }
}
impl<T: AtomicUnsigned> Callable for AtomicOp<lock, T> {
    fn callee(_: &mut Builder) -> Callee {
        Callee::Intrinsic { template: "wc_lock(wc_e, {site}, {0})", pure: false, result: Type::Unit }
    }
}

/// Gives back the lock at `place`: makes it 0, after all that the thread wrote before.
///
/// On the host it is an ordinary write.
pub fn unlock<T: AtomicUnsigned>(place: &mut T) {
    *place = T::ZERO;
}
#[doc(hidden)]
#[allow(non_camel_case_types)]
pub enum unlock {}
#[doc(hidden)]
impl unlock {
    pub fn __gpu<T: AtomicUnsigned>(_: &mut T) -> Call<(), AtomicOp<unlock, T>> {
        any()
    }
    pub fn __cpu<T: AtomicUnsigned>(_: Thread<'_, impl Mode>, place: &impl Elem<Value = T>) {
        fence(Ordering::SeqCst);
        place.store(T::ZERO);
    }
    pub async fn __cpu_collective<T: AtomicUnsigned>(thread: Thread<'_, Careful>, place: &impl Elem<Value = T>) {
        Self::__cpu(thread, place);
    }
}
impl<T: AtomicUnsigned> Callable for AtomicOp<unlock, T> {
    fn callee(_: &mut Builder) -> Callee {
        Callee::Intrinsic { template: "wc_unlock({0})", pure: false, result: Type::Unit }
    }
}

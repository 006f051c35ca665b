//! Fences, under CUDA's names: what a thread wrote before is seen by others before what it writes after.
//!
//! To hand data to another block: write the data, [`thread_fence`], [`atomic_store`](super::atomic_store) a flag; the other
//! side reads the flag with [`atomic_load`](super::atomic_load), [`thread_fence`], and reads the data.

use super::probe::{Call, Callable, Callee, any};
use crate::cpu::{Careful, Mode, Thread};
use crate::emit::Builder;
use std::sync::atomic::{Ordering, fence};
use warpcell_ir::Type;

macro_rules! fences {
    ($($(#[$doc:meta])* $name:ident: $cuda:literal;)*) => {$(
        $(#[$doc])*
        ///
        /// On the host it is a fence as well.
        pub fn $name() {
            fence(Ordering::SeqCst);
        }
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        pub enum $name {}
        #[doc(hidden)]
        impl $name {
            pub const __WC_BUILT_IN: () = ();
            pub fn __gpu() -> Call<(), $name> { any() }
            #[inline(always)]
            pub fn __cpu(_: Thread<'_, impl Mode>) { fence(Ordering::SeqCst); }
            #[inline(always)]
            pub async fn __cpu_collective(thread: Thread<'_, Careful>) { Self::__cpu(thread); }
        }
        impl Callable for $name {
            fn callee(_: &mut Builder) -> Callee {
                Callee::Intrinsic { template: $cuda, pure: false, result: Type::Unit }
            }
        }
    )*};
}

fences! {
    /// CUDA's `__threadfence_block()`: for the threads of the block.
    thread_fence_block: "__threadfence_block()";
    /// CUDA's `__threadfence()`: for all threads of the device.
    thread_fence: "__threadfence()";
    /// CUDA's `__threadfence_system()`: for all threads of all devices and of the host.
    thread_fence_system: "__threadfence_system()";
}

//! Barriers and shared memory.

use super::probe::{Call, Callable, Callee, any};
use crate::cpu::{Careful, Thread};
use crate::emit::Builder;
use warpcell_ir::Type;

/// Declares barriers.
macro_rules! barriers {
    ($($(#[$doc:meta])* $name:ident: $cuda:literal, $wait:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Panics
        /// On the host: it is for kernels only.
        pub fn $name() {
            panic!(concat!("`", stringify!($name), "` is for kernels only"))
        }
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        pub enum $name {}
        #[doc(hidden)]
        impl $name {
            pub const __WC_BUILT_IN: () = ();
            pub fn __gpu() -> Call<(), $name> { any() }
            pub async fn __future(thread: Thread<'_, Careful>) { thread.waits().$wait(thread).await }
        }
        impl Callable for $name {
            fn callee(_: &mut Builder) -> Callee {
                Callee::Intrinsic { template: $cuda, pure: false, result: Type::Unit }
            }
        }
    )*};
}

barriers! {
    /// CUDA's `__syncthreads()`: waits until every thread of the block is here; what they wrote is then visible to all.
    /// Threads that have returned are not waited for.
    sync_threads: "__syncthreads()", block_barrier;
    /// CUDA's `__syncwarp()`: waits until every thread of the warp is here; what they wrote is then visible to all of them.
    sync_warp: "__syncwarp()", warp_barrier;
}

/// CUDA's `__shared__`: memory that the threads of a block share. `let mut tile = shared::<[f32; 256]>();` at the top of a
/// kernel; used as an array of that type. It holds no particular values at first.
///
/// # Panics
/// On the host: it is for kernels only.
pub fn shared<T>() -> T {
    panic!("`shared` is for kernels only")
}
#[doc(hidden)]
#[allow(non_camel_case_types)]
pub enum shared {}
#[doc(hidden)]
impl shared {
    pub const __WC_BUILT_IN: () = ();
}

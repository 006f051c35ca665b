//! Barriers and shared memory.

use super::probe::{Call, Callable, Callee, any};
use super::types::Value;
use crate::cpu::{Careful, Mode, Thread, Votes};
use crate::emit::Builder;
use warpcell_ir::Type;

/// Declares barriers.
macro_rules! barriers {
    ($($(#[$doc:meta])* $name:ident: $cuda:literal, $wait:ident($($argument:expr),*);)*) => {$(
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
            pub async fn __future(thread: Thread<'_, Careful>) { thread.waits().$wait(thread $(, $argument)*).await }
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
    sync_threads: "__syncthreads()", block_barrier();
    /// CUDA's `cooperative_groups::this_grid().sync()`: waits until every thread of the launch is here; what they wrote is
    /// then visible to all. Threads that have returned are not waited for.
    ///
    /// A kernel that calls it is launched cooperatively: all its blocks must fit on the device at a time, or the launch is
    /// an error ([`Device::resident_blocks`](crate::Device::resident_blocks) says how many do; 1,024 on the CPU).
    sync_grid: "wc_sync_grid(wc_e)", grid_barrier();
    /// CUDA's `__syncwarp()`: waits until every thread of the warp is here; what they wrote is then visible to all of them.
    sync_warp: "__syncwarp()", warp_barrier(u32::MAX);
}

/// Declares barriers at which the threads of a block vote.
macro_rules! votes {
    ($($(#[$doc:meta])* $name:ident -> $result:ty: $cuda:literal, |$votes:ident| $outcome:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// All threads get the same, and the compiler knows it: after `let go_on = …;` a loop or an `if` may depend on it
        /// and hold barriers.
        ///
        /// # Panics
        /// On the host: it is for kernels only.
        pub fn $name(predicate: bool) -> $result {
            let _ = predicate;
            panic!(concat!("`", stringify!($name), "` is for kernels only"))
        }
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        pub enum $name {}
        #[doc(hidden)]
        impl $name {
            pub const __WC_BUILT_IN: () = ();
            pub fn __gpu(_: bool) -> Call<$result, $name> { any() }
            #[inline(always)]
            pub fn __block(_: Thread<'_, impl Mode>, $votes: &Votes) -> $result { $outcome }
            pub async fn __future(thread: Thread<'_, Careful>, predicate: bool) -> $result {
                let $votes = thread.waits().block_vote(thread, predicate).await;
                $outcome
            }
        }
        impl Callable for $name {
            fn callee(_: &mut Builder) -> Callee {
                Callee::Intrinsic { template: $cuda, pure: false, result: <$result>::model() }
            }
        }
    )*};
}

votes! {
    /// CUDA's `__syncthreads_count`: a [`sync_threads`] that returns in how many threads of the block the predicate holds.
    /// Threads that have returned are not counted.
    sync_threads_count -> u32: "(u32)__syncthreads_count({0})", |votes| votes.holds();
    /// CUDA's `__syncthreads_and`: a [`sync_threads`] that returns whether the predicate holds in all threads of the block
    /// that have not returned.
    sync_threads_and -> bool: "(__syncthreads_and({0}) != 0)", |votes| votes.holds() == votes.cast();
    /// CUDA's `__syncthreads_or`: a [`sync_threads`] that returns whether the predicate holds in any thread of the block.
    sync_threads_or -> bool: "(__syncthreads_or({0}) != 0)", |votes| votes.holds() > 0;
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

/// Declares ways to have shared slices.
macro_rules! shared_slices {
    ($($(#[$doc:meta])* $name:ident($($len:ident)?);)*) => {$(
        $(#[$doc])*
        ///
        /// # Panics
        /// On the host: it is for kernels only.
        pub fn $name<T>($($len: usize)?) -> &'static mut [T] {
            $(let _ = $len;)?
            panic!(concat!("`", stringify!($name), "` is for kernels only"))
        }
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        pub enum $name {}
        #[doc(hidden)]
        impl $name {
            pub const __WC_BUILT_IN: () = ();
        }
    )*};
}

shared_slices! {
    /// Shared memory whose size is known at the launch: `let tile = shared_slice::<f32>(2 * block_size() + k);`, used as a
    /// `&mut [f32]`. A kernel may have several, of any types; each is its own memory, and together with the shared arrays
    /// they can have all that the device has for a block (227 KB on an H200, and on the CPU). It holds no particular
    /// values at first.
    ///
    /// The length is an expression over scalar parameters, lengths of slice parameters, sizes of block and grid, and
    /// constants. The launch evaluates it; if it is too large (or its arithmetic overflows) the launch is an error.
    ///
    /// ```
    /// use warpcell_runtime::prelude::*;
    ///
    /// /// Each block reverses its part.
    /// #[gpu_kernel]
    /// fn reverse(x: &mut [u32]) {
    ///     let tile = shared_slice::<u32>(block_size());
    ///     let t = thread_rank();
    ///     tile[t] = x[global_id()];
    ///     sync_threads();
    ///     x[global_id()] = tile[block_size() - 1 - t];
    /// }
    ///
    /// # fn main() -> Result<(), warpcell_runtime::Error> {
    /// # let device = Device::cpu();
    /// let mut x = device.upload(&[1, 2, 3, 4, 5, 6])?;
    /// reverse(&mut x).grid(2).block(3).launch()?;
    /// assert_eq!(x.download()?, [3, 2, 1, 6, 5, 4]);
    /// # Ok(())
    /// # }
    /// ```
    shared_slice(len);
    /// CUDA's `extern __shared__ T tile[];`: shared memory of the size that the launch gives, by
    /// [`.shared_memory(bytes)`](crate::Launch::shared_memory); as many elements as that holds. A kernel has one at most;
    /// [`shared_slice`] says its length itself.
    dynamic_shared();
}

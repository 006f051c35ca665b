//! Where a thread stands: CUDA's indices, as `usize`.

use super::probe::{Call, Callable, Callee, any};
use super::types::Value;
use crate::cpu::{Careful, Mode, Thread};
use crate::emit::Builder;

/// Declares built-ins without arguments.
macro_rules! built_ins {
    ($($(#[$doc:meta])* $name:ident -> $result:ident: $cuda:literal, |$thread:ident| $cpu:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// # Panics
        /// On the host: it has a value in kernels and device functions only.
        pub fn $name() -> $result {
            panic!(concat!("`", stringify!($name), "` has a value in kernels and device functions only"))
        }
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        pub enum $name {}
        #[doc(hidden)]
        impl $name {
            pub const __WC_BUILT_IN: () = ();
            pub fn __gpu() -> Call<$result, $name> { any() }
            #[inline(always)]
            pub fn __cpu($thread: Thread<'_, impl Mode>) -> $result { $cpu }
            #[inline(always)]
            pub async fn __cpu_collective(thread: Thread<'_, Careful>) -> $result { Self::__cpu(thread) }
        }
        impl Callable for $name {
            fn callee(_: &mut Builder) -> Callee {
                Callee::Intrinsic { template: $cuda, pure: true, result: $result::model() }
            }
        }
    )*};
}

built_ins! {
    /// The thread's number in the whole launch, whatever its geometry: `block_rank() * block_size() + thread_rank()`.
    global_id -> usize: "wc_global_id()", |thread| thread.global_id();
    /// The number of threads in the launch.
    global_size -> usize: "(wc_grid_size() * wc_block_size())", |thread| thread.index().grid_size * thread.index().block_size;
    /// `blockIdx.x * blockDim.x + threadIdx.x`
    global_id_x -> usize: "((u64)blockIdx.x * blockDim.x + threadIdx.x)", |thread| thread.index().block[0] * thread.index().block_dim[0] + thread.x();
    /// `blockIdx.y * blockDim.y + threadIdx.y`
    global_id_y -> usize: "((u64)blockIdx.y * blockDim.y + threadIdx.y)", |thread| thread.index().block[1] * thread.index().block_dim[1] + thread.y();
    /// `blockIdx.z * blockDim.z + threadIdx.z`
    global_id_z -> usize: "((u64)blockIdx.z * blockDim.z + threadIdx.z)", |thread| thread.index().block[2] * thread.index().block_dim[2] + thread.z();
    /// `threadIdx.x`
    thread_idx_x -> usize: "((u64)threadIdx.x)", |thread| thread.x();
    /// `threadIdx.y`
    thread_idx_y -> usize: "((u64)threadIdx.y)", |thread| thread.y();
    /// `threadIdx.z`
    thread_idx_z -> usize: "((u64)threadIdx.z)", |thread| thread.z();
    /// The thread's number in its block, `x` fastest.
    thread_rank -> usize: "wc_thread_rank()", |thread| thread.rank();
    /// `blockIdx.x`
    block_idx_x -> usize: "((u64)blockIdx.x)", |thread| thread.index().block[0];
    /// `blockIdx.y`
    block_idx_y -> usize: "((u64)blockIdx.y)", |thread| thread.index().block[1];
    /// `blockIdx.z`
    block_idx_z -> usize: "((u64)blockIdx.z)", |thread| thread.index().block[2];
    /// The block's number in the grid, `x` fastest.
    block_rank -> usize: "wc_block_rank()", |thread| thread.index().block_rank;
    /// `blockDim.x`
    block_dim_x -> usize: "((u64)blockDim.x)", |thread| thread.index().block_dim[0];
    /// `blockDim.y`
    block_dim_y -> usize: "((u64)blockDim.y)", |thread| thread.index().block_dim[1];
    /// `blockDim.z`
    block_dim_z -> usize: "((u64)blockDim.z)", |thread| thread.index().block_dim[2];
    /// The number of threads in a block.
    block_size -> usize: "wc_block_size()", |thread| thread.index().block_size;
    /// `gridDim.x`
    grid_dim_x -> usize: "((u64)gridDim.x)", |thread| thread.index().grid_dim[0];
    /// `gridDim.y`
    grid_dim_y -> usize: "((u64)gridDim.y)", |thread| thread.index().grid_dim[1];
    /// `gridDim.z`
    grid_dim_z -> usize: "((u64)gridDim.z)", |thread| thread.index().grid_dim[2];
    /// The number of blocks in the grid.
    grid_size -> usize: "wc_grid_size()", |thread| thread.index().grid_size;
    /// The lane of the thread in its warp, 0 to 31.
    lane_id -> usize: "(wc_thread_rank() & 31ull)", |thread| thread.rank() % 32;
    /// The number of the thread's warp in its block.
    warp_id -> usize: "(wc_thread_rank() >> 5)", |thread| thread.rank() / 32;
    /// The number of the thread's warp in the launch. Blocks count whole warps.
    global_warp_id -> usize: "wc_global_warp_id()", |thread| {
        thread.index().block_rank * thread.index().block_size.div_ceil(32) + thread.rank() / 32
    };
    /// PTX's `%lanemask_eq`: the bit of the thread's lane.
    lanemask_eq -> u32: "(1u << (u32)(wc_thread_rank() & 31ull))", |thread| 1 << thread.lane();
    /// PTX's `%lanemask_lt`: the bits of the lanes below the thread's.
    lanemask_lt -> u32: "((1u << (u32)(wc_thread_rank() & 31ull)) - 1u)", |thread| (1 << thread.lane()) - 1;
    /// PTX's `%lanemask_le`: the bits of the thread's lane and of those below.
    lanemask_le -> u32: "(0xffffffffu >> (31u - (u32)(wc_thread_rank() & 31ull)))", |thread| u32::MAX >> (31 - thread.lane());
    /// PTX's `%lanemask_gt`: the bits of the lanes above the thread's.
    lanemask_gt -> u32: "(0xfffffffeu << (u32)(wc_thread_rank() & 31ull))", |thread| (u32::MAX - 1) << thread.lane();
    /// PTX's `%lanemask_ge`: the bits of the thread's lane and of those above.
    lanemask_ge -> u32: "(0xffffffffu << (u32)(wc_thread_rank() & 31ull))", |thread| u32::MAX << thread.lane();
}

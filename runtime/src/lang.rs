//! The kernel language: what a kernel may call, and how.
//!
//! A kernel is a Rust function; its body means what the same Rust means, on every backend: integers wrap, shifts mask,
//! `as` saturates, floats follow IEEE 754 and are never contracted. What is checked is reported and never undefined: an
//! index out of bounds, a division by zero.
//!
//! | CUDA C | Numba | here |
//! | --- | --- | --- |
//! | `__global__ void f(float* x, int n)` | `@cuda.jit def f(x)` | `#[gpu_kernel] fn f(x: &mut [f32])` |
//! | `__device__ float f(float x)` | `@cuda.jit(device=True)` | `#[gpu_fn] fn f(x: f32) -> f32` |
//! | `blockIdx.x * blockDim.x + threadIdx.x` | `cuda.grid(1)` | [`global_id`]`()` |
//! | `threadIdx.x`, `blockIdx.x` | `cuda.threadIdx.x` | [`thread_idx_x`]`()`, [`block_idx_x`]`()` |
//! | `blockDim.x`, `gridDim.x` | `cuda.blockDim.x` | [`block_dim_x`]`()`, [`grid_dim_x`]`()` |
//! | `threadIdx.x % 32` | `cuda.laneid` | [`lane_id`]`()` |
//! | `__shared__ float tile[256]` | `cuda.shared.array(256, float32)` | `let mut tile = `[`shared`]`::<[f32; 256]>();` |
//! | `extern __shared__ float tile[]` | `cuda.shared.array(0, float32)` | `let tile = `[`shared_slice`]`::<f32>(n);` or [`dynamic_shared`]`::<f32>()` |
//! | `__syncthreads()` | `cuda.syncthreads()` | [`sync_threads`]`()` |
//! | `__syncthreads_count(p)` | `cuda.syncthreads_count(p)` | [`sync_threads_count`]`(p)`, [`sync_threads_and`], [`sync_threads_or`] |
//! | `cooperative_groups::this_grid().sync()` | `cuda.cg.this_grid().sync()` | [`sync_grid`]`()` |
//! | `__syncwarp()` | `cuda.syncwarp()` | [`sync_warp`]`()`, [`sync_warp_mask`]`(m)` |
//! | `__threadfence()` | `cuda.threadfence()` | [`thread_fence`]`()`, [`thread_fence_block`], [`thread_fence_system`] |
//! | `__shfl_xor_sync(m, x, k)` | `cuda.shfl_xor_sync` | [`shfl_xor_sync`]`(m, x, k)` |
//! | `__shfl_down_sync(m, x, k, w)` | | [`shfl_down_sync_width`]`(m, x, k, w)` |
//! | `__ballot_sync(m, p)` | `cuda.ballot_sync` | [`ballot_sync`]`(m, p)` |
//! | `__match_any_sync(m, x)` | `cuda.match_any_sync` | [`match_any_sync`]`(m, x)`, [`match_all_sync`] |
//! | `__reduce_add_sync(m, x)` | | [`reduce_add_sync`]`(m, x)`, [`reduce_min_sync`]… |
//! | `__activemask()` | `cuda.activemask()` | [`activemask`]`()`, [`lanemask_lt`]`()`… |
//! | `atomicAdd(&x[i], v)` | `cuda.atomic.add(x, i, v)` | [`atomic_add`]`(&mut x[i], v)` |
//! | `atomicCAS(&x[i], c, v)` | `cuda.atomic.cas(x, i, c, v)` | [`atomic_cas`]`(&mut x[i], c, v)` |
//! | `while (*(volatile int*)&x[i] != v);` | | [`spin_until_eq`]`(&x[i], v)`, [`lock`]`(&mut x[i])` |
//! | `__ldg(&x[i])` | | [`ldg`]`(&x[i])` |
//! | `clock64()` | | [`clock64`]`()`, [`global_timer`]`()` |
//! | `__nanosleep(n)` | `cuda.nanosleep(n)` | [`nanosleep`]`(n)` |
//! | `curand_uniform`, `curand_normal` | `xoroshiro128p_uniform_float32` | [`random::uniform_f32`]`(seed, operation, i, draw)` |
//! | `#pragma unroll 4` | | `#[unroll(4)]` on a `for` |
//! | `printf("%d\n", i)` | `print(i)` | `println!("{i}")`, with all of Rust's formats |
//! | `assert(x > 0)` | `assert x > 0` | `assert!(x > 0, "{x}")` |
//! | `f<<<blocks, threads>>>(x, n)` | `f[blocks, threads](x)` | `f(&mut x).grid(blocks).block(threads).launch()?` |
//! | `__launch_bounds__(256, 2)` | `@cuda.jit(launch_bounds=(256, 2))` | `#[gpu_kernel(block = 256, min_blocks = 2)]` |
//! | `--maxrregcount=64` | `@cuda.jit(max_registers=64)` | `#[gpu_kernel(max_registers = 64)]` |
//! | `--use_fast_math` | `@cuda.jit(fastmath=True)` | `#[gpu_kernel(fast_math)]`: not the CPU's bits |
//! | `assert` before the launch | `assert` before the launch | `#[gpu_kernel(requires(a.len() == b.len()))]` |
//! | `nvcc -ptx`, `cuobjdump` | `f.inspect_asm()` | `f::cuda_source()`, `f::ptx((9, 0))`, `f::cubin((9, 0))`, `f::kernel().resources((9, 0))` |
//!
//! **Language.** `let`, assignment, arithmetic, comparison, logic, casts; `if`, `while`, `for` over ranges (with `.rev()`
//! and `.step_by(n)`), `loop`, `break`, `continue`, `return`; slices and their parts, local arrays, shared arrays;
//! functions marked `#[gpu_fn]` of any module and crate; type and const parameters with the traits [`Num`] and [`Real`];
//! constants of any path. What isn't there is refused by name.
//!
//! **Functions by their path.** `module::f(x)` is a function and `Type::f(x)` an associated one, told apart by the
//! naming convention. If rustc says "expected type, found function `f`", mark `f` with `#[gpu_fn]`.
//!
//! **Memory.** Writable slices may be written by any thread; a race gives unspecified values, never undefined behaviour.
//! An index is checked on every backend; a fault ends its thread, is reported with file and line, and leaves the device
//! working.
//!
//! **Output.** `println!`, `print!`, `eprintln!`, `eprint!` take integers, floats and `bool`, and format them as Rust does:
//! the kernel writes the values' bits down, and the host formats them. The text of a launch comes in the order of blocks
//! and threads, the same on every device; see [`Device::on_print`](crate::Device::on_print) for where it goes.
//!
//! **Assertions.** `assert!`, `assert_eq!`, `assert_ne!`, `panic!`, `unreachable!`, `todo!` and `unimplemented!` end the
//! thread and are reported with their message, file, line, block and thread
//! ([`FaultKind::Panic`](crate::FaultKind::Panic)). `debug_assert!` and its like are there if the crate that the kernel
//! stands in is compiled with debug assertions, whatever the device. In a `#[gpu_fn]` that is called on the host, all of
//! these are Rust's own.
//!
//! **What depends on chance.** [`atomic_add`] of floats depends on the order of the threads, and the clocks on time. All
//! else gives the same bits on every device and on every run, if the kernel has no races.
//!
//! **CPU.** A kernel that waits is split at its barriers into loops over the threads where control flow around the
//! barriers is the same for all of them; else each thread becomes a future, which is slower and gives the same bits.

mod atomics;
mod barrier;
mod fence;
mod folded;
mod format;
mod functions;
mod index;
mod load;
pub mod maths;
#[doc(hidden)]
pub mod methods;
mod numeric;
#[doc(hidden)]
pub mod operator;
mod probe;
pub mod random;
mod spin;
mod time;
mod types;
mod warp;

pub use atomics::*;
pub use barrier::*;
pub use fence::*;
pub use folded::FoldedBits;
#[doc(hidden)]
pub use format::{Formatter, Message, formatted, last_message, message};
pub use functions::{GpuFn1, GpuFn2, GpuFn3, GpuFn4};
pub use index::*;
pub use load::*;
pub use numeric::{Int, Negate, Num, Real};
#[doc(hidden)]
pub use numeric::{add, div, mul, neg, rem, shl, shr, sub};
#[doc(hidden)]
pub use probe::*;
pub use spin::*;
pub use time::*;
#[doc(hidden)]
pub use types::{Atomic, Elem, Own, Shared, Value, own_ref, own_slice, struct_type};
pub use types::{GpuType, Primitive};
pub use warp::*;

//! Reductions over the lanes of a warp. On devices from compute capability 8.0 on, those of 32 bits are one instruction.
//!
//! There are none of floats, as their order matters: a tree of [`shfl_xor_sync`](super::shfl_xor_sync) says which it is.

use super::super::atomics::AtomicInt;
use super::declare::*;

warp_ops! {
    /// CUDA's `__reduce_add_sync`, also of 64 bits: the sum over the lanes of `mask`, wrapping.
    reduce_add_sync<T: AtomicInt>(value: T) -> T: "wc_reduce_add({0}, {1})", |warp| warp.fold(|a, b| a.plus(b));
    /// CUDA's `__reduce_min_sync`, also of 64 bits: the smallest value of the lanes of `mask`.
    reduce_min_sync<T: AtomicInt>(value: T) -> T: "wc_reduce_min({0}, {1})", |warp| warp.fold(|a, b| if b < a { b } else { a });
    /// CUDA's `__reduce_max_sync`, also of 64 bits: the largest value of the lanes of `mask`.
    reduce_max_sync<T: AtomicInt>(value: T) -> T: "wc_reduce_max({0}, {1})", |warp| warp.fold(|a, b| if b > a { b } else { a });
    /// CUDA's `__reduce_and_sync`, also of 64 bits and of signed integers.
    reduce_and_sync<T: AtomicInt>(value: T) -> T: "wc_reduce_and({0}, {1})", |warp| warp.fold(|a, b| a.bit_and(b));
    /// CUDA's `__reduce_or_sync`, also of 64 bits and of signed integers.
    reduce_or_sync<T: AtomicInt>(value: T) -> T: "wc_reduce_or({0}, {1})", |warp| warp.fold(|a, b| a.bit_or(b));
    /// CUDA's `__reduce_xor_sync`, also of 64 bits and of signed integers.
    reduce_xor_sync<T: AtomicInt>(value: T) -> T: "wc_reduce_xor({0}, {1})", |warp| warp.fold(|a, b| a.bit_xor(b));
}

//! How the built-in functions vary between threads.
//!
//! The macro does not know what a built-in does, only what phase splitting must know. A function of the same name that
//! is not the built-in is caught by rustc: generated code asks for an associated constant that only built-ins have.

use proc_macro2::TokenStream;
use quote::quote_spanned;

/// How the value of a built-in varies, or what it waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Intrinsic {
    /// The same in all threads of a block.
    BlockUniform,
    /// The same in all lanes of a warp.
    WarpUniform,
    /// Different in each thread.
    Thread,
    /// `global_id()`: different in each thread of the launch.
    GlobalId,
    /// Waits for the block.
    Barrier,
    /// Waits for the grid.
    GridBarrier,
    /// Waits for the warp.
    WarpBarrier,
    /// Waits for some lanes of the warp.
    WarpMaskBarrier,
    /// Exchanges values within the warp.
    WarpOp,
    /// Waits for the block, and exchanges values within it.
    BlockOp,
    /// Waits for what another thread writes.
    Spin,
    /// Reads memory, or changes it only if that ends a wait.
    Look,
    /// Declares a shared array.
    Shared,
    /// Declares a shared slice.
    SharedSlice,
}

impl Intrinsic {
    /// Whether it is given the places that it reads, not their values.
    pub(crate) fn reads_in_place(self) -> bool {
        matches!(self, Intrinsic::Spin | Intrinsic::Look)
    }

    /// Whether it waits for other threads.
    pub(crate) fn waits(self) -> bool {
        use Intrinsic::*;
        matches!(self, Barrier | GridBarrier | WarpBarrier | WarpMaskBarrier | WarpOp | BlockOp | Spin)
    }
}

/// What only compiles if `path` names a built-in.
pub(crate) fn proof(path: &syn::ExprPath) -> TokenStream {
    let mut companion = path.path.clone();
    let last = companion.segments.last_mut().expect("a path has a segment");
    last.arguments = syn::PathArguments::None;
    quote_spanned!(last.ident.span()=> <#companion>::__WC_BUILT_IN)
}

/// The built-in of that name.
pub(crate) fn find(name: &str) -> Option<Intrinsic> {
    Some(match name {
        "block_idx_x" | "block_idx_y" | "block_idx_z" | "block_dim_x" | "block_dim_y" | "block_dim_z"
        | "grid_dim_x" | "grid_dim_y" | "grid_dim_z" | "block_rank" | "block_size" | "grid_size" | "global_size" => {
            Intrinsic::BlockUniform
        }
        "warp_id" | "global_warp_id" => Intrinsic::WarpUniform,
        "thread_idx_x" | "thread_idx_y" | "thread_idx_z" | "thread_rank" | "lane_id" | "global_id_x"
        | "global_id_y" | "global_id_z" | "lanemask_eq" | "lanemask_lt" | "lanemask_le" | "lanemask_gt"
        | "lanemask_ge" => Intrinsic::Thread,
        "global_id" => Intrinsic::GlobalId,
        "sync_threads" => Intrinsic::Barrier,
        "sync_grid" => Intrinsic::GridBarrier,
        "sync_warp" => Intrinsic::WarpBarrier,
        "sync_warp_mask" => Intrinsic::WarpMaskBarrier,
        "shfl_sync"
        | "shfl_up_sync"
        | "shfl_down_sync"
        | "shfl_xor_sync"
        | "shfl_sync_width"
        | "shfl_up_sync_width"
        | "shfl_down_sync_width"
        | "shfl_xor_sync_width"
        | "all_sync"
        | "any_sync"
        | "ballot_sync"
        | "match_any_sync"
        | "match_all_sync"
        | "reduce_add_sync"
        | "reduce_min_sync"
        | "reduce_max_sync"
        | "reduce_and_sync"
        | "reduce_or_sync"
        | "reduce_xor_sync"
        | "activemask" => Intrinsic::WarpOp,
        "sync_threads_count" | "sync_threads_and" | "sync_threads_or" => Intrinsic::BlockOp,
        "spin_until_eq" | "spin_until_ne" | "spin_until_ge" | "lock" => Intrinsic::Spin,
        "atomic_load"
        | "atomic_cas"
        | "atomic_exch"
        | "ldg"
        | "nanosleep"
        | "thread_fence_block"
        | "thread_fence"
        | "thread_fence_system" => Intrinsic::Look,
        "shared" => Intrinsic::Shared,
        "shared_slice" | "dynamic_shared" => Intrinsic::SharedSlice,
        _ => return None,
    })
}

/// Whether the methods of this name are those of primitives, which never change what they are called on. Generated code
/// gives them a copy; a method of a struct that has such a name must take `self` or `&self`.
pub(crate) fn is_method_of_primitives(name: &str) -> bool {
    const PREFIXES: [&str; 5] = ["wrapping_", "saturating_", "checked_", "overflowing_", "is_"];
    const NAMES: &[&str] = &[
        "abs",
        "abs_diff",
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atan2",
        "atanh",
        "cbrt",
        "ceil",
        "clamp",
        "copysign",
        "cos",
        "cosh",
        "count_ones",
        "count_zeros",
        "div_ceil",
        "div_euclid",
        "erf",
        "erfc",
        "exp",
        "exp2",
        "exp_m1",
        "floor",
        "fract",
        "gamma",
        "hypot",
        "ilog2",
        "isqrt",
        "leading_ones",
        "leading_zeros",
        "ln",
        "ln_1p",
        "ln_gamma",
        "log",
        "log10",
        "log2",
        "max",
        "min",
        "mul_add",
        "next_power_of_two",
        "pow",
        "powf",
        "powi",
        "recip",
        "rem_euclid",
        "reverse_bits",
        "rotate_left",
        "rotate_right",
        "round",
        "round_ties_even",
        "rsqrt",
        "signum",
        "sin",
        "sinh",
        "sqrt",
        "swap_bytes",
        "tan",
        "tanh",
        "to_bits",
        "to_degrees",
        "to_f64",
        "to_radians",
        "trailing_ones",
        "trailing_zeros",
        "trunc",
        "unsigned_abs",
        "sin_cos",
        "total_cmp",
        "midpoint",
        "mul_hi",
    ];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || NAMES.contains(&name)
}

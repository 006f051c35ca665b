//! What the operations are made of: sums, prefix sums, sorting, selection, and runs of equal keys.
//!
//! Every result is a function of the elements alone: integers are added in any order, floats in a fixed one, and sorting
//! and selection are stable.

mod reduce;
mod runs;
mod scan;
mod select;
mod sort;
#[cfg(test)]
pub(crate) mod testing;

pub use reduce::{LEAF, bits_in_use, leaf_sums, maximum, minimum, sum};
pub use runs::{run_lengths, run_offsets, run_offsets_of_pairs, run_sums};
pub use scan::{Summand, exclusive_scan, inclusive_scan, total};
pub use select::{Position, gather, select, select_indices};
pub use sort::{SortKey, argsort, sort_keys, sort_pairs};

use warpcell_runtime::KernelInfo;

/// Threads in a block of these kernels.
const BLOCK: usize = 256;

/// Every kernel of this module, with the types that the operations use.
pub fn kernels() -> Vec<KernelInfo> {
    [reduce::kernels(), runs::kernels(), scan::kernels(), select::kernels(), sort::kernels()].concat()
}

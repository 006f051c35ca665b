//! What the operations are made of.

mod reduce;
mod scan;
mod select;
mod sort;

pub use reduce::{bits_in_use, sum_f64};
pub use scan::exclusive_scan;
pub use select::{gather, run_heads, scatter_indices};
pub use sort::{sort_by_key, sort_keys};

use warpcell_runtime::KernelInfo;

/// Every kernel of this module.
pub fn kernels() -> Vec<KernelInfo> {
    [reduce::kernels(), scan::kernels(), select::kernels(), sort::kernels()].concat()
}

//! Normalisation of each cell's sum, and the logarithm (`normalize_total`, `log1p`).

mod log1p;
mod median;
mod total;

pub use log1p::log1p;
pub use median::median_of_positive;
pub use total::normalize_total;

use warpcell_runtime::KernelInfo;

/// Every kernel of this module.
pub fn kernels() -> Vec<KernelInfo> {
    [log1p::kernels(), median::kernels(), total::kernels()].concat()
}

//! UMI deduplication: from reads to molecules, and to a matrix of their counts.

mod bases;
mod molecules;
mod table;

pub use bases::{pack_umi, unpack_umi};
pub use molecules::{Molecules, count_unique, molecules};
pub use table::ReadTable;

#[cfg(test)]
mod tests;

use warpcell_runtime::KernelInfo;

/// Every kernel of this module.
pub fn kernels() -> Vec<KernelInfo> {
    [molecules::kernels(), table::kernels()].concat()
}

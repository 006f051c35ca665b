//! Statistics of genes, folded over fixed leaves of 4,096 rows: a matrix gives the same bits in one piece and in any row
//! chunks, at any block size, on every backend.
//!
//! A block folds the rows of one leaf in order, with a barrier between rows (the columns of a row are distinct, so its
//! threads never meet). The leaves of a gene are then folded by a fixed tree.

mod fold;
mod leaves;
mod moments;
mod sums;
#[cfg(test)]
mod tests;
mod value;

pub use moments::{GeneMoments, VarianceAccumulator, gene_moments};
pub use sums::{GeneSums, SumAccumulator, gene_sums};
pub use value::Value;

use warpcell_runtime::KernelInfo;

/// Every kernel of this module.
pub fn kernels() -> Vec<KernelInfo> {
    [fold::kernels(), moments::kernels(), sums::kernels()].concat()
}

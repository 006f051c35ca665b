//! Quality measures of cells and genes, in scanpy's terms (`calculate_qc_metrics`).
//!
//! Sums are in `f64`, so those of counts are exact. A NaN or infinity of the matrix stays in its own cell's and gene's
//! measures.

mod cells;
mod derived;
mod genes;
mod top;

pub use cells::{CellQc, cell_qc, subset_total};
pub use derived::{log1p_of, log1p_of_counts, percent_of};
pub use genes::{GeneQc, gene_qc, gene_qc_of};
pub use top::{top_percent, top_totals};

use warpcell_runtime::KernelInfo;

/// Every kernel of this module.
pub fn kernels() -> Vec<KernelInfo> {
    [cells::kernels(), derived::kernels(), genes::kernels(), top::kernels()].concat()
}

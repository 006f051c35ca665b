//! Primitives and single-cell operations, every one a kernel in the warpcell language: the same source runs on CUDA
//! devices and on the CPU and gives the same bits.
//!
//! An operation takes and gives buffers and [`DeviceCsr`] matrices; it knows no files and no annotations. Statistics over
//! cells are folded over fixed leaves of 4,096 rows, or summed in integers, so that a matrix fed in any row chunks gives
//! the same bits as in one piece.

mod csr;
mod error;

pub mod hvg;
pub mod knn;
pub mod linalg;
pub mod matrix;
pub mod normalize;
pub mod pca;
pub mod primitives;
pub mod qc;
pub mod stats;
pub mod umi;

pub use csr::DeviceCsr;
pub use error::Error;

/// Every kernel of this crate.
pub fn kernels() -> Vec<warpcell_runtime::KernelInfo> {
    [
        knn::kernels(),
        matrix::kernels(),
        normalize::kernels(),
        pca::kernels(),
        primitives::kernels(),
        qc::kernels(),
        stats::kernels(),
        umi::kernels(),
    ]
    .concat()
}

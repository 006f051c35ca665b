//! An annotated matrix, in scanpy's terms.

mod dense;
mod frame;
mod matrix;
mod uns;

pub use dense::Dense;
pub use frame::{Column, Frame};
pub use matrix::{Csr, Line, MatrixError, Repairs};
pub use uns::Uns;

use std::collections::BTreeMap;

/// A matrix of cells x genes with what is known of both.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnnData {
    /// Cells x genes.
    pub x: Csr,
    /// A row for each cell.
    pub obs: Frame,
    /// A row for each gene.
    pub var: Frame,
    /// Arrays with a row for each cell, such as `X_pca`.
    pub obsm: BTreeMap<String, Dense>,
    /// Arrays with a row for each gene, such as `PCs`.
    pub varm: BTreeMap<String, Dense>,
    /// Cells x cells, such as `distances`.
    pub obsp: BTreeMap<String, Csr>,
    /// Anything else.
    pub uns: BTreeMap<String, Uns>,
}

impl AnnData {
    /// The number of cells.
    pub fn n_obs(&self) -> usize {
        self.x.n_rows()
    }

    /// The number of genes.
    pub fn n_vars(&self) -> usize {
        self.x.n_cols
    }
}

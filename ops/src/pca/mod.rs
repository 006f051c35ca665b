//! Principal components of a sparse matrix: Gram matrix, eigensolver, scores, and the rule for signs.

mod basis;
mod fit;
mod gram;
mod krylov;
mod lanczos;
mod project;
mod sign;

pub use fit::{Pca, pca};
pub use gram::gram;
pub use krylov::KrylovBasis;
pub use lanczos::{Eigenpairs, LanczosError, LanczosOptions, basis_columns, lanczos};
pub use sign::{component_sign, component_signs};

/// Every kernel of this module.
pub fn kernels() -> Vec<warpcell_runtime::KernelInfo> {
    [basis::kernels(), gram::kernels(), project::kernels()].concat()
}

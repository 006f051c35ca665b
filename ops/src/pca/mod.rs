//! Principal components: the eigensolver and the rule for signs.

mod krylov;
mod lanczos;
mod sign;

pub use krylov::KrylovBasis;
pub use lanczos::{Eigenpairs, LanczosError, LanczosOptions, basis_columns, lanczos};
pub use sign::{component_sign, component_signs};

mod basis;
mod fit;
mod gram;

pub use fit::{Pca, pca};
pub use gram::gram;

/// Every kernel of this module.
pub fn kernels() -> Vec<warpcell_runtime::KernelInfo> {
    [basis::kernels(), fit::kernels(), gram::kernels()].concat()
}

//! Principal components: the eigensolver and the rule for signs.

mod krylov;
mod lanczos;
mod sign;

pub use krylov::KrylovBasis;
pub use lanczos::{Eigenpairs, LanczosError, LanczosOptions, basis_columns, lanczos};
pub use sign::{component_sign, component_signs};

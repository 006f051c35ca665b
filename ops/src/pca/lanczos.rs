//! The largest eigenpairs of a symmetric operator by thick-restart Lanczos.

mod iteration;
mod ritz;

use thiserror::Error;

use self::iteration::Iteration;
use super::KrylovBasis;
use crate::linalg::SymmetricEigenError;

/// Largest order of the projected matrix, which is decomposed on the host.
const LARGEST_BASIS: usize = 128;
/// Vectors that the basis has at least beside the wanted ones, so that a restart makes progress.
const LEAST_SURPLUS: usize = 20;

/// Parameters of [`lanczos`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LanczosOptions {
    /// Number k of eigenpairs wanted.
    pub components: usize,
    /// The iteration ends when all k residuals `‖A v - λ v‖` are at most this times the largest
    /// magnitude of an eigenvalue.
    pub tolerance: f64,
    /// Restarts after which the iteration fails if pairs have not converged.
    pub max_restarts: usize,
    /// Seed of the start vector.
    pub seed: u64,
}

impl Default for LanczosOptions {
    /// 50 components as exactly as f64 allows.
    fn default() -> Self {
        Self { components: 50, tolerance: 1e-14, max_restarts: 300, seed: 0 }
    }
}

/// What [`lanczos`] found. The eigenvectors are columns 0 to k - 1 of the basis, of length 1, in the
/// order of `values`; their signs are not normalised.
#[derive(Debug, Clone, PartialEq)]
pub struct Eigenpairs {
    /// The k largest eigenvalues, descending.
    pub values: Vec<f64>,
    /// Restarts taken.
    pub restarts: usize,
    /// Largest estimate of `‖A v - λ v‖` over the pairs.
    pub residual: f64,
}

/// Why [`lanczos`] found no eigenpairs; `E` is the error of the device.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum LanczosError<E: std::error::Error + 'static> {
    /// More eigenpairs were asked for than can be had, or none.
    #[error("{components} components of an operator of order {order}: choose from 1 to {limit}")]
    ComponentsOutOfRange {
        /// Number that was asked for.
        components: usize,
        /// Order of the operator.
        order: usize,
        /// Largest number possible.
        limit: usize,
    },
    /// The operator produced NaN or infinity.
    #[error("the operator applied to basis vector {column} is not finite: check the data for NaN and infinite values")]
    NotFinite {
        /// Column that the operator was applied to.
        column: usize,
    },
    /// Random vectors all lay in the span of the basis.
    #[error(
        "no random vector was independent of the {columns} basis vectors: check that `randomize` depends on its seed"
    )]
    NoNewDirection {
        /// Size of the basis.
        columns: usize,
    },
    /// The residuals did not become small enough.
    #[error(
        "only {converged} of {components} components converged in {restarts} restarts: the largest residual is {residual:e}, allowed are {allowed:e}; allow more restarts, a larger tolerance, or ask for fewer components"
    )]
    NotConverged {
        /// Leading components that are within the tolerance.
        converged: usize,
        /// Components that were asked for.
        components: usize,
        /// Restarts taken.
        restarts: usize,
        /// Largest residual.
        residual: f64,
        /// Largest residual allowed.
        allowed: f64,
    },
    /// The projected matrix could not be decomposed.
    #[error("the projected matrix could not be decomposed")]
    Projection(#[source] SymmetricEigenError),
    /// An operation on the device failed.
    #[error("an operation on the Krylov basis failed")]
    Basis(#[source] E),
}

/// Number of columns that the basis must have for an operator of the given order: at most 129.
pub fn basis_columns(order: usize, components: usize) -> usize {
    krylov_dimension(order, components) + 1
}

/// Finds the k algebraically largest eigenvalues of a symmetric operator, which are also the largest
/// in magnitude if it is positive semi-definite, and leaves their eigenvectors in the basis.
///
/// Thick-restart Lanczos (Wu and Simon, SIAM Journal on Matrix Analysis and Applications 22, 2000)
/// with full reorthogonalisation, done twice. The projected matrix is taken from the inner products
/// of the orthogonalisation, so restarts and invariant subspaces need no special case: an exhausted
/// Krylov space goes on with a random vector. A single Krylov space holds one vector of each
/// repeated eigenvalue; so converged pairs are accepted only when a further Krylov space, orthogonal
/// to them and with a random start, finds no eigenvalue that belongs among them.
///
/// The basis has [`basis_columns`] columns and needs no initial content.
///
/// # Errors
/// [`LanczosError`]: a number of components of 0, or above 108 where the order exceeds 128, or above
/// the order; values that are not finite; no convergence; a failure of the basis.
pub fn lanczos<B: KrylovBasis>(basis: &mut B, options: &LanczosOptions) -> Result<Eigenpairs, LanczosError<B::Error>> {
    check_components(basis.order(), options.components)?;
    let mut iteration = Iteration::new(basis, options);
    iteration.start_from_random(0)?;
    let mut candidate = Vec::new();
    let mut restarts = 0;
    loop {
        iteration.extend()?;
        let ritz = iteration.ritz_pairs()?;
        let converged = ritz.have_converged();
        if converged && (iteration.is_complete() || ritz.confirm(&candidate)) {
            return iteration.finish(&ritz, restarts);
        }
        if !converged && restarts >= options.max_restarts {
            return Err(ritz.not_converged(restarts));
        }
        if converged {
            candidate = ritz.eigen.values[..options.components].to_vec();
            iteration.restart_from_random(&ritz)?;
        } else {
            iteration.restart(&ritz)?;
        }
        restarts += 1;
    }
}

fn check_components<E: std::error::Error>(order: usize, components: usize) -> Result<(), LanczosError<E>> {
    let limit = if order <= LARGEST_BASIS { order } else { LARGEST_BASIS - LEAST_SURPLUS };
    if (1..=limit).contains(&components) {
        Ok(())
    } else {
        Err(LanczosError::ComponentsOutOfRange { components, order, limit })
    }
}

/// Order of the projected matrix.
fn krylov_dimension(order: usize, components: usize) -> usize {
    let components = components.min(LARGEST_BASIS);
    (2 * components + 1).max(components + 60).min(LARGEST_BASIS).min(order)
}

#[cfg(test)]
mod tests;

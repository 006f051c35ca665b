//! The largest eigenpairs of a symmetric operator by thick-restart Lanczos.

use thiserror::Error;

use super::KrylovBasis;
use crate::linalg::{SymmetricEigen, SymmetricEigenError, symmetric_eigen};

/// Largest order of the projected matrix, which is decomposed on the host.
const LARGEST_BASIS: usize = 128;
/// Vectors that the basis has at least beside the wanted ones, so that a restart makes progress.
const LEAST_SURPLUS: usize = 20;
/// Relative to the norm of the operator: a new direction shorter than this is rounding noise.
const BREAKDOWN: f64 = 16.0 * f64::EPSILON;
/// Least length of the part of a random vector, of entries of about 1, outside of the span of the basis.
const LEAST_DIRECTION: f64 = 1e-8;
/// Relative to the norm of the operator: how far an eigenvalue found twice may move.
const CONFIRMATION: f64 = 1e3 * f64::EPSILON;
/// Random vectors tried before giving up on one outside of the span of the basis.
const RANDOM_ATTEMPTS: usize = 4;

/// Parameters of [`lanczos`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LanczosOptions {
    /// Number k of eigenpairs wanted.
    pub components: usize,
    /// The iteration ends when all k residuals `‖A v - λ v‖` are at most this times the largest
    /// magnitude of an eigenvalue.
    pub tolerance: f64,
    /// Restarts after which the iteration fails.
    pub max_restarts: usize,
    /// Seed of the start vector.
    pub seed: u64,
}

impl Default for LanczosOptions {
    /// 50 components as exactly as f64 allows.
    fn default() -> Self {
        Self {
            components: 50,
            tolerance: 1e-14,
            max_restarts: 300,
            seed: 0,
        }
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
    #[error(
        "the operator applied to basis vector {column} is not finite: check the data for NaN and infinite values"
    )]
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
pub fn lanczos<B: KrylovBasis>(
    basis: &mut B,
    options: &LanczosOptions,
) -> Result<Eigenpairs, LanczosError<B::Error>> {
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
        if restarts == options.max_restarts {
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

fn check_components<E: std::error::Error>(
    order: usize,
    components: usize,
) -> Result<(), LanczosError<E>> {
    let limit = if order <= LARGEST_BASIS {
        order
    } else {
        LARGEST_BASIS - LEAST_SURPLUS
    };
    if (1..=limit).contains(&components) {
        Ok(())
    } else {
        Err(LanczosError::ComponentsOutOfRange {
            components,
            order,
            limit,
        })
    }
}

/// Order of the projected matrix.
fn krylov_dimension(order: usize, components: usize) -> usize {
    (2 * components + 1)
        .max(components + 60)
        .min(LARGEST_BASIS)
        .min(order)
}

/// The state of the iteration: basis columns 0 to `kept - 1` are orthonormal, A maps them into their
/// span plus that of column `kept`, and column `kept` has length 1 and is orthogonal to them.
struct Iteration<'a, B> {
    basis: &'a mut B,
    options: &'a LanczosOptions,
    /// Order m of the projected matrix.
    dimension: usize,
    kept: usize,
    /// The projected matrix `Vᵀ A V`, m × m, of which the lower triangle is filled.
    projected: Vec<f64>,
    /// Length of the part of A times column m - 1 outside of the basis; its direction is column m.
    residual_norm: f64,
    /// Largest `‖A v‖` seen, a lower bound on the norm of A.
    operator_norm: f64,
    next_seed: u64,
}

impl<'a, B: KrylovBasis> Iteration<'a, B> {
    fn new(basis: &'a mut B, options: &'a LanczosOptions) -> Self {
        let dimension = krylov_dimension(basis.order(), options.components);
        Self {
            basis,
            options,
            dimension,
            kept: 0,
            projected: vec![0.0; dimension * dimension],
            residual_norm: 0.0,
            operator_norm: 0.0,
            next_seed: options.seed,
        }
    }

    /// Whether the basis spans the whole space, so that nothing can be missing.
    fn is_complete(&self) -> bool {
        self.dimension == self.basis.order()
    }

    /// Lanczos steps from column `kept` on until the projected matrix is full.
    fn extend(&mut self) -> Result<(), LanczosError<B::Error>> {
        (self.kept..self.dimension).try_for_each(|column| self.step(column))
    }

    /// Applies the operator to `column`, records the projection and makes the rest the next column.
    fn step(&mut self, column: usize) -> Result<(), LanczosError<B::Error>> {
        let next = column + 1;
        self.basis
            .apply(column, next)
            .map_err(LanczosError::Basis)?;
        let (coefficients, norm) = self.orthogonalize(next)?;
        self.record(column, &coefficients, norm)?;
        self.residual_norm = 0.0;
        if next == self.basis.order() {
            return Ok(());
        }
        if norm <= BREAKDOWN * self.operator_norm {
            return self.start_from_random(next);
        }
        self.residual_norm = norm;
        self.basis.divide(next, norm).map_err(LanczosError::Basis)
    }

    /// Removes the span of the columns before `column` from it. Returns the coefficients of what was
    /// removed and the norm of what remains.
    fn orthogonalize(&mut self, column: usize) -> Result<(Vec<f64>, f64), LanczosError<B::Error>> {
        let mut first = self
            .basis
            .inner_products(column, column)
            .map_err(LanczosError::Basis)?;
        self.basis
            .subtract(column, &first)
            .map_err(LanczosError::Basis)?;
        // Again, since once leaves rounding errors of the size of what was removed; now with the
        // column itself, whose square is off by what is still to be removed.
        let mut second = self
            .basis
            .inner_products(column, column + 1)
            .map_err(LanczosError::Basis)?;
        let square = second.pop().unwrap_or(f64::NAN);
        self.basis
            .subtract(column, &second)
            .map_err(LanczosError::Basis)?;
        let square = second.iter().fold(square, |square, x| square - x * x);
        for (sum, product) in first.iter_mut().zip(&second) {
            *sum += product;
        }
        let norm = if square > 0.0 { square.sqrt() } else { 0.0 };
        Ok((first, norm))
    }

    /// Enters a row into the projected matrix.
    fn record(
        &mut self,
        column: usize,
        coefficients: &[f64],
        norm: f64,
    ) -> Result<(), LanczosError<B::Error>> {
        let squares = coefficients.iter().fold(norm * norm, |sum, x| sum + x * x);
        if !squares.is_finite() {
            return Err(LanczosError::NotFinite { column });
        }
        self.operator_norm = self.operator_norm.max(squares.sqrt());
        let start = column * self.dimension;
        self.projected[start..=start + column].copy_from_slice(coefficients);
        Ok(())
    }

    /// Makes `column` a random direction orthogonal to the columns before it.
    fn start_from_random(&mut self, column: usize) -> Result<(), LanczosError<B::Error>> {
        for _ in 0..RANDOM_ATTEMPTS {
            self.basis
                .randomize(column, self.next_seed)
                .map_err(LanczosError::Basis)?;
            self.next_seed = self.next_seed.wrapping_add(1);
            let (_, norm) = self.orthogonalize(column)?;
            if norm > LEAST_DIRECTION && norm.is_finite() {
                return self.basis.divide(column, norm).map_err(LanczosError::Basis);
            }
        }
        Err(LanczosError::NoNewDirection { columns: column })
    }

    fn ritz_pairs(&self) -> Result<RitzPairs, LanczosError<B::Error>> {
        let eigen =
            symmetric_eigen(&self.projected, self.dimension).map_err(LanczosError::Projection)?;
        let norm = eigen
            .values
            .iter()
            .fold(0.0_f64, |norm, value| norm.max(value.abs()));
        let residuals = (0..self.options.components)
            .map(|i| self.residual_norm * eigen.vector(i)[self.dimension - 1].abs())
            .collect();
        let allowed = self.options.tolerance * norm;
        Ok(RitzPairs {
            eigen,
            residuals,
            norm,
            allowed,
        })
    }

    /// Keeps the wanted Ritz vectors and some more, and goes on with the residual vector.
    fn restart(&mut self, ritz: &RitzPairs) -> Result<(), LanczosError<B::Error>> {
        let components = self.options.components;
        let kept = components + (self.dimension - components) / 2;
        let columns = self.dimension + 1;
        let mut coefficients = Vec::with_capacity((kept + 1) * columns);
        for i in 0..kept {
            coefficients.extend_from_slice(ritz.eigen.vector(i));
            coefficients.push(0.0);
        }
        coefficients.resize((kept + 1) * columns, 0.0);
        coefficients[kept * columns + self.dimension] = 1.0;
        self.keep(ritz, kept);
        self.basis
            .combine(columns, kept + 1, &coefficients)
            .map_err(LanczosError::Basis)
    }

    /// Keeps the wanted Ritz vectors, which have converged, and goes on with a random vector.
    fn restart_from_random(&mut self, ritz: &RitzPairs) -> Result<(), LanczosError<B::Error>> {
        let components = self.options.components;
        self.combine_ritz_vectors(ritz)?;
        self.keep(ritz, components);
        self.start_from_random(components)
    }

    fn combine_ritz_vectors(&mut self, ritz: &RitzPairs) -> Result<(), LanczosError<B::Error>> {
        let components = self.options.components;
        let coefficients = &ritz.eigen.vectors[..components * self.dimension];
        self.basis
            .combine(self.dimension, components, coefficients)
            .map_err(LanczosError::Basis)
    }

    /// The projected matrix of the first `kept` Ritz vectors.
    fn keep(&mut self, ritz: &RitzPairs, kept: usize) {
        self.projected.fill(0.0);
        for (i, value) in ritz.eigen.values[..kept].iter().enumerate() {
            self.projected[i * self.dimension + i] = *value;
        }
        self.kept = kept;
    }

    fn finish(
        mut self,
        ritz: &RitzPairs,
        restarts: usize,
    ) -> Result<Eigenpairs, LanczosError<B::Error>> {
        self.combine_ritz_vectors(ritz)?;
        Ok(Eigenpairs {
            values: ritz.eigen.values[..self.options.components].to_vec(),
            restarts,
            residual: ritz.largest_residual(),
        })
    }
}

/// Eigenpairs of the projected matrix with the residuals of the wanted ones.
struct RitzPairs {
    eigen: SymmetricEigen,
    /// Estimates of `‖A v - λ v‖`, one for each wanted pair.
    residuals: Vec<f64>,
    /// Largest magnitude of a Ritz value.
    norm: f64,
    /// Largest residual of a converged pair.
    allowed: f64,
}

impl RitzPairs {
    fn largest_residual(&self) -> f64 {
        self.residuals.iter().copied().fold(0.0, f64::max)
    }

    fn have_converged(&self) -> bool {
        self.largest_residual() <= self.allowed
    }

    /// Whether these are the eigenvalues found before.
    fn confirm(&self, candidate: &[f64]) -> bool {
        let slack = 10.0 * self.allowed + CONFIRMATION * self.norm;
        let pairs = candidate.iter().zip(&self.eigen.values);
        candidate.len() == self.residuals.len()
            && pairs.into_iter().all(|(a, b)| (a - b).abs() <= slack)
    }

    fn not_converged<E: std::error::Error>(&self, restarts: usize) -> LanczosError<E> {
        LanczosError::NotConverged {
            converged: self
                .residuals
                .iter()
                .take_while(|x| **x <= self.allowed)
                .count(),
            components: self.residuals.len(),
            restarts,
            residual: self.largest_residual(),
            allowed: self.allowed,
        }
    }
}

#[cfg(test)]
mod tests;

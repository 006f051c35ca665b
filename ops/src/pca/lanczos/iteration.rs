//! The Krylov basis and its projected matrix, from one restart to the next.

use super::ritz::RitzPairs;
use super::{Eigenpairs, LanczosError, LanczosOptions, krylov_dimension};
use crate::linalg::symmetric_eigen;
use crate::pca::KrylovBasis;

/// Relative to the norm of the operator: a new direction shorter than this is rounding noise.
const BREAKDOWN: f64 = 16.0 * f64::EPSILON;
/// Least length of the part of a random vector, of entries of about 1, outside of the span of the basis.
const LEAST_DIRECTION: f64 = 1e-8;
/// Random vectors tried before giving up on one outside of the span of the basis.
const RANDOM_ATTEMPTS: usize = 4;

/// The state of the iteration: basis columns 0 to `kept - 1` are orthonormal, A maps them into their
/// span plus that of column `kept`, and column `kept` has length 1 and is orthogonal to them.
pub(super) struct Iteration<'a, B> {
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
    pub(super) fn new(basis: &'a mut B, options: &'a LanczosOptions) -> Self {
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
    pub(super) fn is_complete(&self) -> bool {
        self.dimension == self.basis.order()
    }

    /// Lanczos steps from column `kept` on until the projected matrix is full.
    pub(super) fn extend(&mut self) -> Result<(), LanczosError<B::Error>> {
        (self.kept..self.dimension).try_for_each(|column| self.step(column))
    }

    /// Applies the operator to `column`, records the projection and makes the rest the next column.
    fn step(&mut self, column: usize) -> Result<(), LanczosError<B::Error>> {
        let next = column + 1;
        self.basis.apply(column, next).map_err(LanczosError::Basis)?;
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
        let mut first = self.basis.inner_products(column, column).map_err(LanczosError::Basis)?;
        self.basis.subtract(column, &first).map_err(LanczosError::Basis)?;
        // Again, since once leaves rounding errors of the size of what was removed; now with the
        // column itself, whose square is off by what is still to be removed.
        let mut second = self.basis.inner_products(column, column + 1).map_err(LanczosError::Basis)?;
        let square = second.pop().unwrap_or(f64::NAN);
        self.basis.subtract(column, &second).map_err(LanczosError::Basis)?;
        let square = second.iter().fold(square, |square, x| square - x * x);
        for (sum, product) in first.iter_mut().zip(&second) {
            *sum += product;
        }
        let norm = if square > 0.0 { square.sqrt() } else { 0.0 };
        Ok((first, norm))
    }

    /// Enters a row into the projected matrix.
    fn record(&mut self, column: usize, coefficients: &[f64], norm: f64) -> Result<(), LanczosError<B::Error>> {
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
    pub(super) fn start_from_random(&mut self, column: usize) -> Result<(), LanczosError<B::Error>> {
        for _ in 0..RANDOM_ATTEMPTS {
            self.basis.randomize(column, self.next_seed).map_err(LanczosError::Basis)?;
            self.next_seed = self.next_seed.wrapping_add(1);
            let (_, norm) = self.orthogonalize(column)?;
            if norm > LEAST_DIRECTION && norm.is_finite() {
                return self.basis.divide(column, norm).map_err(LanczosError::Basis);
            }
        }
        Err(LanczosError::NoNewDirection { columns: column })
    }

    /// The eigenpairs of the projected matrix.
    pub(super) fn ritz_pairs(&self) -> Result<RitzPairs, LanczosError<B::Error>> {
        let eigen = symmetric_eigen(&self.projected, self.dimension).map_err(LanczosError::Projection)?;
        Ok(RitzPairs::new(eigen, self.residual_norm, self.options))
    }

    /// Keeps the wanted Ritz vectors and some more, and goes on with the residual vector.
    pub(super) fn restart(&mut self, ritz: &RitzPairs) -> Result<(), LanczosError<B::Error>> {
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
        self.basis.combine(columns, kept + 1, &coefficients).map_err(LanczosError::Basis)
    }

    /// Keeps the wanted Ritz vectors, which have converged, and goes on with a random vector.
    pub(super) fn restart_from_random(&mut self, ritz: &RitzPairs) -> Result<(), LanczosError<B::Error>> {
        let components = self.options.components;
        self.combine_ritz_vectors(ritz)?;
        self.keep(ritz, components);
        self.start_from_random(components)
    }

    fn combine_ritz_vectors(&mut self, ritz: &RitzPairs) -> Result<(), LanczosError<B::Error>> {
        let components = self.options.components;
        let coefficients = &ritz.eigen.vectors[..components * self.dimension];
        self.basis.combine(self.dimension, components, coefficients).map_err(LanczosError::Basis)
    }

    /// The projected matrix of the first `kept` Ritz vectors.
    fn keep(&mut self, ritz: &RitzPairs, kept: usize) {
        self.projected.fill(0.0);
        for (i, value) in ritz.eigen.values[..kept].iter().enumerate() {
            self.projected[i * self.dimension + i] = *value;
        }
        self.kept = kept;
    }

    /// Leaves the wanted Ritz vectors in the first columns of the basis.
    pub(super) fn finish(mut self, ritz: &RitzPairs, restarts: usize) -> Result<Eigenpairs, LanczosError<B::Error>> {
        self.combine_ritz_vectors(ritz)?;
        Ok(Eigenpairs {
            values: ritz.eigen.values[..self.options.components].to_vec(),
            restarts,
            residual: ritz.largest_residual(),
        })
    }
}

//! Ritz pairs: the eigenpairs of the projected matrix and how good they are.

use super::{LanczosError, LanczosOptions};
use crate::linalg::SymmetricEigen;

/// Relative to the norm of the operator: how far an eigenvalue found twice may move.
const CONFIRMATION: f64 = 1e3 * f64::EPSILON;

/// Eigenpairs of the projected matrix with the residuals of the wanted ones.
pub(super) struct RitzPairs {
    pub(super) eigen: SymmetricEigen,
    /// Estimates of `‖A v - λ v‖`, one for each wanted pair.
    residuals: Vec<f64>,
    /// Largest magnitude of a Ritz value.
    norm: f64,
    /// Largest residual of a converged pair.
    allowed: f64,
}

impl RitzPairs {
    /// The residual of a Ritz pair is a multiple of the vector that extends the basis, whose length
    /// before normalisation is `residual_norm`: the multiple is the last entry of the eigenvector.
    pub(super) fn new(eigen: SymmetricEigen, residual_norm: f64, options: &LanczosOptions) -> Self {
        let last = eigen.values.len() - 1;
        let norm = eigen.values.iter().fold(0.0_f64, |norm, value| norm.max(value.abs()));
        let residuals = (0..options.components).map(|i| residual_norm * eigen.vector(i)[last].abs()).collect();
        Self { eigen, residuals, norm, allowed: options.tolerance * norm }
    }

    /// Largest residual of a wanted pair.
    pub(super) fn largest_residual(&self) -> f64 {
        self.residuals.iter().copied().fold(0.0, f64::max)
    }

    /// Whether all wanted pairs are within the tolerance.
    pub(super) fn have_converged(&self) -> bool {
        self.largest_residual() <= self.allowed
    }

    /// Whether these are the eigenvalues found before.
    pub(super) fn confirm(&self, candidate: &[f64]) -> bool {
        let slack = 10.0 * self.allowed + CONFIRMATION * self.norm;
        let pairs = candidate.iter().zip(&self.eigen.values);
        candidate.len() == self.residuals.len() && pairs.into_iter().all(|(a, b)| (a - b).abs() <= slack)
    }

    /// The error that says how far the pairs are from convergence.
    pub(super) fn not_converged<E: std::error::Error>(&self, restarts: usize) -> LanczosError<E> {
        LanczosError::NotConverged {
            converged: self.residuals.iter().take_while(|x| **x <= self.allowed).count(),
            components: self.residuals.len(),
            restarts,
            residual: self.largest_residual(),
            allowed: self.allowed,
        }
    }
}

//! Dense linear algebra of small matrices on the host, in one fixed order of operations.
//!
//! Everything here is plain IEEE arithmetic (`+ - * / sqrt`) without fused operations, reassociated
//! sums or dispatch on the width of vector units, so the same input gives the same bits on every
//! machine. Large matrices stay on the device; what arrives here has an order of at most some
//! hundreds.

mod symmetric_eigen;
mod tridiagonal;

pub use symmetric_eigen::{SymmetricEigen, SymmetricEigenError, symmetric_eigen};

/// Inner product of two vectors of equal length, summed from the first entry to the last.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (x, y)| sum + x * y)
}

//! All eigenvalues and eigenvectors of a small dense symmetric matrix.

use thiserror::Error;

use super::tridiagonal::{NEGLIGIBLE, Tridiagonal, tridiagonalize};

/// QR steps allowed for each eigenvalue; two or three are the rule.
const STEPS_PER_EIGENVALUE: usize = 60;

/// Why a matrix has no eigen-decomposition here.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SymmetricEigenError {
    /// The slice does not hold a square matrix of the given order.
    #[error(
        "expected {order} x {order} entries of a symmetric matrix, got {length}: pass the whole matrix, row by row"
    )]
    WrongLength {
        /// Order that was asked for.
        order: usize,
        /// Length of the slice.
        length: usize,
    },
    /// An entry is NaN or infinite.
    #[error("entry ({row}, {column}) of the matrix is {value}: an eigen-decomposition needs finite entries")]
    NotFinite {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// The entry.
        value: f64,
    },
    /// The QR iteration did not settle.
    #[error("the QR iteration did not find eigenvalue {index} of {order}: check the matrix for overflow")]
    NotConverged {
        /// Position on the diagonal that was worked on.
        index: usize,
        /// Order of the matrix.
        order: usize,
    },
}

/// Eigenvalues and orthonormal eigenvectors of a symmetric matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct SymmetricEigen {
    /// Eigenvalues, descending.
    pub values: Vec<f64>,
    /// Order × order, row-major: **row** i is the eigenvector of `values[i]`, of length 1. Its sign
    /// is not normalised.
    pub vectors: Vec<f64>,
}

impl SymmetricEigen {
    /// The eigenvector of `values[index]`.
    pub fn vector(&self, index: usize) -> &[f64] {
        let order = self.values.len();
        &self.vectors[index * order..(index + 1) * order]
    }
}

/// Decomposes a symmetric matrix: Householder reduction to tridiagonal form, then the implicit QR
/// iteration with Wilkinson's shift (Golub and Van Loan, Matrix Computations, 4th edition,
/// algorithms 8.3.1 to 8.3.3).
///
/// `matrix` is order × order, row-major; only its lower triangle is read. Residuals
/// `‖A v - λ v‖` and deviations from orthogonality are a small multiple of the rounding unit
/// times `‖A‖`, so eigenvalues far below the largest one are exact in the absolute sense only.
/// The bits of the result depend on the input alone. Meant for orders of up to some hundreds: the
/// work grows with the third power.
///
/// # Errors
/// [`SymmetricEigenError::WrongLength`] if `matrix` has not order² entries,
/// [`SymmetricEigenError::NotFinite`] if an entry is NaN or infinite, and
/// [`SymmetricEigenError::NotConverged`] if the iteration does not settle.
pub fn symmetric_eigen(matrix: &[f64], order: usize) -> Result<SymmetricEigen, SymmetricEigenError> {
    if order.checked_mul(order) != Some(matrix.len()) {
        return Err(SymmetricEigenError::WrongLength { order, length: matrix.len() });
    }
    let largest = largest_magnitude(matrix, order)?;
    let scale = reciprocal_power_of_two(largest);
    let scaled = symmetric_copy(matrix, order, scale);
    let mut tridiagonal = tridiagonalize(scaled, order);
    diagonalize(&mut tridiagonal)?;
    Ok(sorted(&tridiagonal, scale))
}

/// Largest magnitude in the lower triangle.
fn largest_magnitude(matrix: &[f64], order: usize) -> Result<f64, SymmetricEigenError> {
    let mut largest = 0.0_f64;
    for row in 0..order {
        for column in 0..=row {
            let value = matrix[row * order + column];
            if !value.is_finite() {
                return Err(SymmetricEigenError::NotFinite { row, column, value });
            }
            largest = largest.max(value.abs());
        }
    }
    Ok(largest)
}

/// A power of two that brings `magnitude` to about 1: scaling by it is exact, and squares of scaled
/// entries neither overflow nor, where they matter, underflow.
fn reciprocal_power_of_two(magnitude: f64) -> f64 {
    let exponent = (magnitude.to_bits() >> 52).clamp(1, 2045);
    f64::from_bits((2046 - exponent) << 52)
}

/// The matrix times `scale`, with the upper triangle taken from the lower one.
fn symmetric_copy(matrix: &[f64], order: usize, scale: f64) -> Vec<f64> {
    let mut copy = vec![0.0; order * order];
    for row in 0..order {
        for column in 0..=row {
            let value = scale * matrix[row * order + column];
            copy[row * order + column] = value;
            copy[column * order + row] = value;
        }
    }
    copy
}

/// Drives the off-diagonal to zero; the rows then hold the eigenvectors.
fn diagonalize(tridiagonal: &mut Tridiagonal) -> Result<(), SymmetricEigenError> {
    let order = tridiagonal.diagonal.len();
    let mut steps_left = STEPS_PER_EIGENVALUE * order;
    let mut last = order.saturating_sub(1);
    while last > 0 {
        if is_negligible(tridiagonal, last - 1) {
            tridiagonal.off_diagonal[last - 1] = 0.0;
            last -= 1;
            continue;
        }
        if steps_left == 0 {
            return Err(SymmetricEigenError::NotConverged { index: last, order });
        }
        steps_left -= 1;
        let first = (0..last - 1).rev().find(|&i| is_negligible(tridiagonal, i)).map_or(0, |i| i + 1);
        qr_step(tridiagonal, first, last);
    }
    Ok(())
}

/// Whether the entry beside diagonal entries `i` and `i + 1` is below their rounding unit.
fn is_negligible(tridiagonal: &Tridiagonal, i: usize) -> bool {
    let neighbours = tridiagonal.diagonal[i].abs() + tridiagonal.diagonal[i + 1].abs();
    tridiagonal.off_diagonal[i].abs() <= f64::EPSILON * neighbours + NEGLIGIBLE
}

/// One implicit QR step on rows and columns `first` to `last`, both included.
fn qr_step(tridiagonal: &mut Tridiagonal, first: usize, last: usize) {
    let Tridiagonal { diagonal, off_diagonal, rows } = tridiagonal;
    let order = diagonal.len();
    let shift = wilkinson_shift(diagonal[last - 1], off_diagonal[last - 1], diagonal[last]);
    // The bulge: the entry outside of the three diagonals that the next rotation removes.
    let (mut kept, mut bulge) = (diagonal[first] - shift, off_diagonal[first]);
    for k in first..last {
        let (cosine, sine, length) = rotation(kept, bulge);
        if k > first {
            off_diagonal[k - 1] = length;
        }
        let (upper, beside, lower) = (diagonal[k], off_diagonal[k], diagonal[k + 1]);
        let difference = lower - upper;
        let moved = sine * (sine * difference + 2.0 * cosine * beside);
        diagonal[k] = upper + moved;
        diagonal[k + 1] = lower - moved;
        off_diagonal[k] = cosine * (sine * difference + cosine * beside) - sine * sine * beside;
        if k + 1 < last {
            bulge = sine * off_diagonal[k + 1];
            off_diagonal[k + 1] *= cosine;
        }
        kept = off_diagonal[k];
        rotate_rows(rows, order, k, cosine, sine);
    }
}

/// The eigenvalue of `[[a, b], [b, c]]` that is nearer to `c`.
fn wilkinson_shift(a: f64, b: f64, c: f64) -> f64 {
    let half = 0.5 * (a - c);
    let root = (half * half + b * b).sqrt().copysign(half);
    c - b * b / (half + root)
}

/// Cosine, sine and r of the plane rotation that maps (x, y) to (r, 0).
fn rotation(x: f64, y: f64) -> (f64, f64, f64) {
    let length = (x * x + y * y).sqrt();
    if length == 0.0 { (1.0, 0.0, 0.0) } else { (x / length, y / length, length) }
}

/// Rotates rows `k` and `k + 1`.
fn rotate_rows(rows: &mut [f64], order: usize, k: usize, cosine: f64, sine: f64) {
    let (head, tail) = rows.split_at_mut((k + 1) * order);
    let upper = &mut head[k * order..];
    for (x, y) in upper.iter_mut().zip(&mut tail[..order]) {
        (*x, *y) = (cosine * *x + sine * *y, cosine * *y - sine * *x);
    }
}

/// The eigenpairs, largest eigenvalue first, with the scaling undone.
fn sorted(tridiagonal: &Tridiagonal, scale: f64) -> SymmetricEigen {
    let order = tridiagonal.diagonal.len();
    let mut places: Vec<usize> = (0..order).collect();
    places.sort_by(|&i, &j| tridiagonal.diagonal[j].total_cmp(&tridiagonal.diagonal[i]));
    SymmetricEigen {
        values: places.iter().map(|&i| tridiagonal.diagonal[i] / scale).collect(),
        vectors: places.iter().flat_map(|&i| &tridiagonal.rows[i * order..(i + 1) * order]).copied().collect(),
    }
}

#[cfg(test)]
mod tests;

//! Householder reduction of a symmetric matrix to tridiagonal form.

use super::dot;

/// Relative to a matrix whose largest entry is about 1: what lies below changes no result.
pub(super) const NEGLIGIBLE: f64 = f64::EPSILON * f64::EPSILON;

/// The factors of `A = Qᵀ T Q`, T symmetric and tridiagonal, Q orthogonal.
pub(super) struct Tridiagonal {
    /// Diagonal of T.
    pub(super) diagonal: Vec<f64>,
    /// Entries (i, i + 1) of T; one fewer than the diagonal has.
    pub(super) off_diagonal: Vec<f64>,
    /// Q, order × order, row-major.
    pub(super) rows: Vec<f64>,
}

/// The reflection `I - factor · v vᵀ`; it is the identity where `factor` is 0.
struct Reflection {
    factor: f64,
    vector: Vec<f64>,
}

/// Reduces the symmetric `matrix` (order × order, row-major, both triangles filled, largest
/// magnitude about 1) to tridiagonal form.
///
/// Golub and Van Loan, Matrix Computations, 4th edition, algorithm 8.3.1.
pub(super) fn tridiagonalize(mut matrix: Vec<f64>, order: usize) -> Tridiagonal {
    let mut off_diagonal = Vec::with_capacity(order.saturating_sub(1));
    let mut reflections = Vec::with_capacity(order.saturating_sub(1));
    for k in 0..order.saturating_sub(1) {
        let (reflection, entry) = reflect_to_first(&matrix[k * order + k + 1..(k + 1) * order]);
        if reflection.factor != 0.0 {
            reflect_both_sides(&mut matrix, order, k + 1, &reflection);
        }
        off_diagonal.push(entry);
        reflections.push(reflection);
    }
    Tridiagonal {
        diagonal: (0..order).map(|i| matrix[i * order + i]).collect(),
        off_diagonal,
        rows: accumulate(&reflections, order),
    }
}

/// The reflection that maps `x` to a multiple of the first unit vector, and that multiple.
fn reflect_to_first(x: &[f64]) -> (Reflection, f64) {
    let tail = dot(&x[1..], &x[1..]);
    if tail <= NEGLIGIBLE * NEGLIGIBLE {
        let identity = Reflection { factor: 0.0, vector: Vec::new() };
        return (identity, x[0]);
    }
    // The sign that adds magnitudes, so that nothing cancels.
    let norm = (x[0] * x[0] + tail).sqrt().copysign(x[0]);
    let mut vector = x.to_vec();
    vector[0] += norm;
    let factor = 2.0 / dot(&vector, &vector);
    (Reflection { factor, vector }, -norm)
}

/// Replaces the trailing block B of the matrix, from row and column `first` on, by H B H.
fn reflect_both_sides(matrix: &mut [f64], order: usize, first: usize, reflection: &Reflection) {
    let v = &reflection.vector;
    let mut w: Vec<f64> =
        matrix.chunks_exact(order).skip(first).map(|row| reflection.factor * dot(&row[first..], v)).collect();
    let along = 0.5 * reflection.factor * dot(&w, v);
    for (entry, x) in w.iter_mut().zip(v) {
        *entry -= along * x;
    }
    for (i, row) in matrix.chunks_exact_mut(order).skip(first).enumerate() {
        for (j, entry) in row[first..].iter_mut().enumerate() {
            // Products first, then one sum: symmetric in i and j to the bit.
            *entry -= v[i] * w[j] + w[i] * v[j];
        }
    }
}

/// The product of the reflections, the last one leftmost. Reflection k acts on rows k + 1 and up.
fn accumulate(reflections: &[Reflection], order: usize) -> Vec<f64> {
    let mut rows = vec![0.0; order * order];
    for i in 0..order {
        rows[i * order + i] = 1.0;
    }
    for (k, reflection) in reflections.iter().enumerate().rev() {
        if reflection.factor == 0.0 {
            continue;
        }
        // Rows up to k are still those of the identity and lie outside of the reflection.
        for row in rows.chunks_exact_mut(order).skip(k + 1) {
            let row = &mut row[k + 1..];
            let along = reflection.factor * dot(row, &reflection.vector);
            for (entry, x) in row.iter_mut().zip(&reflection.vector) {
                *entry -= along * x;
            }
        }
    }
    rows
}

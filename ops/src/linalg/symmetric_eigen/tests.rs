use proptest::prelude::*;

use super::*;

fn frobenius(matrix: &[f64]) -> f64 {
    let largest = matrix.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    if largest == 0.0 {
        return 0.0;
    }
    largest * matrix.iter().map(|x| (x / largest).powi(2)).sum::<f64>().sqrt()
}

/// Largest `‖A v - λ v‖` over all pairs.
fn residual(matrix: &[f64], eigen: &SymmetricEigen) -> f64 {
    let order = eigen.values.len();
    (0..order).fold(0.0_f64, |worst, i| {
        let v = eigen.vector(i);
        let differences: Vec<f64> = matrix
            .chunks_exact(order)
            .zip(v)
            .map(|(row, x)| row.iter().zip(v).map(|(a, b)| a * b).sum::<f64>() - eigen.values[i] * x)
            .collect();
        worst.max(frobenius(&differences))
    })
}

/// Largest entry of `V Vᵀ - I`.
fn deviation_from_orthogonality(eigen: &SymmetricEigen) -> f64 {
    let order = eigen.values.len();
    let mut worst = 0.0_f64;
    for i in 0..order {
        for j in 0..=i {
            let product: f64 = eigen.vector(i).iter().zip(eigen.vector(j)).map(|(a, b)| a * b).sum();
            worst = worst.max((product - f64::from(u8::from(i == j))).abs());
        }
    }
    worst
}

fn assert_decomposes(matrix: &[f64], order: usize) -> SymmetricEigen {
    let eigen = symmetric_eigen(matrix, order).expect("finite and square");
    let norm = frobenius(matrix);
    let residual = residual(matrix, &eigen);
    assert!(residual <= 1e-13 * norm, "residual {residual:e} of norm {norm:e}");
    let deviation = deviation_from_orthogonality(&eigen);
    assert!(deviation <= 1e-13, "deviation from orthogonality {deviation:e}");
    assert!(eigen.values.is_sorted_by(|a, b| a >= b), "{:?}", eigen.values);
    eigen
}

fn assert_values(eigen: &SymmetricEigen, expected: &[f64], tolerance: f64) {
    assert_eq!(eigen.values.len(), expected.len());
    for (found, expected) in eigen.values.iter().zip(expected) {
        assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
    }
}

fn symmetric(order: usize, entry: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    (0..order * order)
        .map(|i| (i / order, i % order))
        .map(|(row, column)| entry(row.max(column), row.min(column)))
        .collect()
}

#[test]
fn the_empty_and_the_single_entry_matrix() {
    assert_eq!(symmetric_eigen(&[], 0).expect("empty").values, [] as [f64; 0]);
    let eigen = symmetric_eigen(&[-3.0], 1).expect("one entry");
    assert_eq!((eigen.values, eigen.vectors), (vec![-3.0], vec![1.0]));
}

#[test]
fn a_two_by_two_matrix() {
    let eigen = assert_decomposes(&[2.0, 1.0, 1.0, 2.0], 2);
    assert_values(&eigen, &[3.0, 1.0], 1e-15);
    let half = 0.5_f64.sqrt();
    assert!((eigen.vector(0)[0] * eigen.vector(0)[1] - half * half).abs() < 1e-15);
}

#[test]
fn the_second_difference_matrix_has_its_known_spectrum() {
    let order = 128;
    let matrix = symmetric(order, |i, j| match i - j {
        0 => 2.0,
        1 => -1.0,
        _ => 0.0,
    });
    let expected: Vec<f64> =
        (1..=order).rev().map(|i| 2.0 - 2.0 * (std::f64::consts::PI * i as f64 / (order + 1) as f64).cos()).collect();
    assert_values(&assert_decomposes(&matrix, order), &expected, 1e-14);
}

#[test]
fn a_diagonal_matrix_is_only_sorted() {
    let diagonal = [3.0, -7.0, 0.0, 11.0, 3.0];
    let matrix = symmetric(5, |i, j| if i == j { diagonal[i] } else { 0.0 });
    let eigen = assert_decomposes(&matrix, 5);
    assert_eq!(eigen.values, [11.0, 3.0, 3.0, 0.0, -7.0]);
}

#[test]
fn repeated_eigenvalues_keep_orthogonal_vectors() {
    let order = 60;
    let ones = assert_decomposes(&vec![1.0; order * order], order);
    let mut expected = vec![0.0; order];
    expected[0] = order as f64;
    assert_values(&ones, &expected, 1e-12);
    let zero = assert_decomposes(&vec![0.0; order * order], order);
    assert_values(&zero, &vec![0.0; order], 0.0);
}

#[test]
fn nearly_equal_pairs_of_wilkinsons_matrix() {
    let matrix = symmetric(21, |i, j| match i - j {
        0 => 10.0_f64 - i as f64,
        1 => 1.0,
        _ => 0.0,
    });
    let matrix: Vec<f64> = matrix.iter().enumerate().map(|(at, x)| if at % 22 == 0 { x.abs() } else { *x }).collect();
    let eigen = assert_decomposes(&matrix, 21);
    assert!((eigen.values[0] - 10.746_194_182_903_4).abs() < 1e-12);
    assert!((eigen.values[0] - eigen.values[1]).abs() < 1e-12);
}

#[test]
fn graded_matrices_and_extreme_scales() {
    let graded = symmetric(40, |i, j| 10.0_f64.powi(-((i + j) as i32)));
    assert_decomposes(&graded, 40);
    for scale in [1e-300, 1e-160, 1e160, 1e300] {
        let matrix = symmetric(30, |i, j| scale / (i + j + 1) as f64);
        let unscaled = symmetric(30, |i, j| 1.0 / (i + j + 1) as f64);
        let found = assert_decomposes(&matrix, 30).values[0] / scale;
        let expected = assert_decomposes(&unscaled, 30).values[0];
        assert!((found / expected - 1.0).abs() < 1e-14);
    }
}

#[test]
fn scaling_by_a_power_of_two_changes_no_bit_of_the_vectors() {
    let matrix = symmetric(17, |i, j| ((i * 7 + j * 3) % 11) as f64 - 4.0);
    let scaled: Vec<f64> = matrix.iter().map(|x| x * 1024.0).collect();
    let (a, b) = (assert_decomposes(&matrix, 17), assert_decomposes(&scaled, 17));
    assert_eq!(a.vectors, b.vectors);
    assert_eq!(a.values.iter().map(|x| x * 1024.0).collect::<Vec<_>>(), b.values);
}

#[test]
fn only_the_lower_triangle_is_read() {
    let eigen = symmetric_eigen(&[2.0, f64::NAN, 1.0, 2.0], 2).expect("lower triangle is finite");
    assert_values(&eigen, &[3.0, 1.0], 1e-15);
}

#[test]
fn bad_input_is_named() {
    assert_eq!(symmetric_eigen(&[1.0, 2.0], 2), Err(SymmetricEigenError::WrongLength { order: 2, length: 2 }));
    assert!(matches!(
        symmetric_eigen(&[1.0, 0.0, f64::NAN, 1.0], 2),
        Err(SymmetricEigenError::NotFinite { row: 1, column: 0, .. })
    ));
    assert!(matches!(
        symmetric_eigen(&[f64::INFINITY], 1),
        Err(SymmetricEigenError::NotFinite { row: 0, column: 0, .. })
    ));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_symmetric_matrix_is_decomposed(
        order in 1_usize..48,
        exponent in -8_i32..8,
        seeds in prop::collection::vec(-1.0_f64..1.0, 48 * 48),
    ) {
        // Powers spread the magnitudes: from a flat spectrum to one over many decades.
        let spread = |x: f64| x.abs().powi(exponent.abs() + 1).copysign(x);
        let matrix = symmetric(order, |i, j| spread(seeds[i * order + j]));
        let eigen = assert_decomposes(&matrix, order);
        let trace: f64 = (0..order).map(|i| matrix[i * order + i]).sum();
        let sum: f64 = eigen.values.iter().sum();
        prop_assert!((trace - sum).abs() <= 1e-12 * (1.0 + frobenius(&matrix)));
    }

    #[test]
    fn low_rank_has_no_more_eigenvalues_than_its_rank(
        order in 2_usize..40,
        factors in prop::collection::vec(-1.0_f64..1.0, 3 * 40),
    ) {
        let matrix = symmetric(order, |i, j| (0..3).map(|r| factors[r * 40 + i] * factors[r * 40 + j]).sum());
        let eigen = assert_decomposes(&matrix, order);
        for value in eigen.values.iter().skip(3) {
            prop_assert!(value.abs() <= 1e-13 * frobenius(&matrix));
        }
    }
}

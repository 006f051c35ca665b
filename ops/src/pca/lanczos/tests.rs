use proptest::prelude::*;

use super::*;
use crate::linalg::symmetric_eigen;

#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("the device is gone")]
struct DeviceGone;

/// The basis in host memory, the operator a function.
struct HostBasis<F> {
    order: usize,
    columns: Vec<Vec<f64>>,
    operator: F,
    applications_left: usize,
    random: fn(usize, u64) -> Vec<f64>,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

impl<F: Fn(&[f64]) -> Vec<f64>> HostBasis<F> {
    fn new(order: usize, components: usize, operator: F) -> Self {
        // Nothing may be taken from columns that were not written before.
        let columns = vec![vec![f64::NAN; order]; basis_columns(order, components)];
        Self { order, columns, operator, applications_left: usize::MAX, random }
    }
}

impl<F: Fn(&[f64]) -> Vec<f64>> KrylovBasis for HostBasis<F> {
    type Error = DeviceGone;

    fn order(&self) -> usize {
        self.order
    }

    fn randomize(&mut self, column: usize, seed: u64) -> Result<(), DeviceGone> {
        self.columns[column] = (self.random)(self.order, seed);
        Ok(())
    }

    fn apply(&mut self, from: usize, into: usize) -> Result<(), DeviceGone> {
        self.applications_left = self.applications_left.checked_sub(1).ok_or(DeviceGone)?;
        self.columns[into] = (self.operator)(&self.columns[from]);
        Ok(())
    }

    fn inner_products(&mut self, column: usize, count: usize) -> Result<Vec<f64>, DeviceGone> {
        let vector = &self.columns[column];
        Ok(self.columns[..count].iter().map(|other| dot(other, vector)).collect())
    }

    fn subtract(&mut self, column: usize, coefficients: &[f64]) -> Result<(), DeviceGone> {
        let (before, rest) = self.columns.split_at_mut(column);
        for (coefficient, other) in coefficients.iter().zip(before) {
            for (x, y) in rest[0].iter_mut().zip(other) {
                *x -= coefficient * *y;
            }
        }
        Ok(())
    }

    fn divide(&mut self, column: usize, divisor: f64) -> Result<(), DeviceGone> {
        self.columns[column].iter_mut().for_each(|x| *x /= divisor);
        Ok(())
    }

    fn combine(&mut self, columns: usize, combined: usize, coefficients: &[f64]) -> Result<(), DeviceGone> {
        assert_eq!(coefficients.len(), columns * combined);
        let old = self.columns.clone();
        for (new, coefficients) in self.columns.iter_mut().zip(coefficients.chunks_exact(columns)) {
            new.fill(0.0);
            for (coefficient, other) in coefficients.iter().zip(&old) {
                for (x, y) in new.iter_mut().zip(other) {
                    *x += coefficient * y;
                }
            }
        }
        self.columns[combined..].iter_mut().for_each(|column| column.fill(f64::NAN));
        Ok(())
    }
}

/// Numbers in [-1, 1) by the SplitMix64 generator.
fn random(length: usize, seed: u64) -> Vec<f64> {
    (0..length as u64)
        .map(|i| {
            let mut x = (seed << 32).wrapping_add(i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            ((x ^ (x >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        })
        .collect()
}

/// An operator with the given eigenvalues, whose eigenvectors mix all coordinates.
fn with_spectrum(spectrum: &[f64]) -> impl Fn(&[f64]) -> Vec<f64> + use<> {
    let spectrum = spectrum.to_vec();
    let mirrors: Vec<Vec<f64>> = (900..904).map(|seed| random(spectrum.len(), seed)).collect();
    let reflect = |mirror: &[f64], x: &mut [f64]| {
        let along = 2.0 * dot(mirror, x) / dot(mirror, mirror);
        x.iter_mut().zip(mirror).for_each(|(x, m)| *x -= along * m);
    };
    move |x| {
        let mut x = x.to_vec();
        mirrors.iter().for_each(|mirror| reflect(mirror, &mut x));
        x.iter_mut().zip(&spectrum).for_each(|(x, value)| *x *= value);
        mirrors.iter().rev().for_each(|mirror| reflect(mirror, &mut x));
        x
    }
}

fn dense(matrix: &[f64], order: usize) -> impl Fn(&[f64]) -> Vec<f64> {
    move |x| matrix.chunks_exact(order).map(|row| dot(row, x)).collect()
}

fn options(components: usize) -> LanczosOptions {
    LanczosOptions { components, ..LanczosOptions::default() }
}

/// Solves and checks residuals and orthonormality against the operator itself.
fn solve<F: Fn(&[f64]) -> Vec<f64>>(order: usize, components: usize, operator: F) -> (Eigenpairs, Vec<Vec<f64>>) {
    let mut basis = HostBasis::new(order, components, operator);
    let pairs = lanczos(&mut basis, &options(components)).expect("converges");
    let vectors = basis.columns[..components].to_vec();
    assert_eq!(pairs.values.len(), components);
    let norm = pairs.values[0].abs();
    for (i, (value, vector)) in pairs.values.iter().zip(&vectors).enumerate() {
        let image = (basis.operator)(vector);
        let rest: Vec<f64> = image.iter().zip(vector).map(|(y, x)| y - value * x).collect();
        let residual = dot(&rest, &rest).sqrt();
        assert!(residual <= 1e-13 * norm, "residual {residual:e} of pair {i}");
        for (j, other) in vectors[..=i].iter().enumerate() {
            let deviation = (dot(vector, other) - f64::from(u8::from(i == j))).abs();
            assert!(deviation <= 1e-13, "vectors {i} and {j}: {deviation:e}");
        }
    }
    (pairs, vectors)
}

fn assert_values(found: &[f64], expected: &[f64]) {
    let norm = expected[0].abs();
    for (i, (x, y)) in found.iter().zip(expected).enumerate() {
        assert!((x - y).abs() <= 1e-12 * norm, "eigenvalue {i} is {x} instead of {y}");
    }
}

/// Like the spectrum of log counts: some large eigenvalues, then a slowly falling tail.
fn slow_decay(order: usize) -> Vec<f64> {
    (0..order).map(|i| 40.0 / (1 + i * i) as f64 + 2.0 * (1.0 - i as f64 / order as f64)).collect()
}

#[test]
fn agrees_with_the_dense_decomposition() {
    let order = 300;
    let operator = with_spectrum(&slow_decay(order));
    let unit = |i| (0..order).map(|j| f64::from(u8::from(i == j))).collect::<Vec<_>>();
    let matrix: Vec<f64> = (0..order).flat_map(|i| operator(&unit(i))).collect();
    let oracle = symmetric_eigen(&matrix, order).expect("finite");
    let (pairs, vectors) = solve(order, 30, dense(&matrix, order));
    assert_values(&pairs.values, &oracle.values);
    for (i, vector) in vectors.iter().enumerate() {
        let cosine = dot(vector, oracle.vector(i)).abs();
        assert!((1.0 - cosine).abs() < 1e-12, "vector {i}: cosine {cosine}");
        let sign = dot(vector, oracle.vector(i)).signum();
        let apart = vector.iter().zip(oracle.vector(i)).map(|(x, y)| (x - sign * y).abs());
        assert!(apart.fold(0.0, f64::max) < 1e-10, "vector {i}");
    }
}

#[test]
fn a_slowly_decaying_spectrum_of_order_2000() {
    let spectrum = slow_decay(2000);
    let (pairs, _) = solve(2000, 50, with_spectrum(&spectrum));
    assert_values(&pairs.values, &spectrum);
}

#[test]
fn every_copy_of_repeated_eigenvalues_is_found() {
    let mut spectrum = slow_decay(500);
    for copies in [1..5, 10..13, 19..22] {
        let value = spectrum[copies.start];
        spectrum[copies].fill(value);
    }
    let (pairs, _) = solve(500, 20, with_spectrum(&spectrum));
    assert_values(&pairs.values, &spectrum);
}

#[test]
fn a_copy_is_found_even_if_all_else_converges_before_it_shows() {
    // Without a second Krylov space the copy at place 10 is passed over for place 11.
    for tail in [0.66, 0.86, 0.93] {
        let mut spectrum: Vec<f64> = (0..600).map(|i| tail * (1.0 - f64::from(i) / 600.0)).collect();
        let leading: Vec<f64> = (0..11).map(|i| 1.0 - 0.002 * f64::from(i)).collect();
        spectrum[..11].copy_from_slice(&leading);
        spectrum[9] = spectrum[8];
        let (pairs, _) = solve(600, 10, with_spectrum(&spectrum));
        assert_values(&pairs.values, &spectrum);
    }
}

#[test]
fn multiples_of_the_identity() {
    for value in [0.0, 3.0] {
        let (pairs, _) = solve(200, 7, |x: &[f64]| x.iter().map(|x| value * x).collect());
        assert_values(&pairs.values, &[value; 7]);
    }
}

#[test]
fn more_components_than_the_rank() {
    let mut spectrum = vec![0.0; 400];
    spectrum[..5].copy_from_slice(&[9.0, 4.0, 4.0, 1.0, 1e-6]);
    let (pairs, _) = solve(400, 20, with_spectrum(&spectrum));
    assert_values(&pairs.values, &spectrum);
}

#[test]
fn small_orders_and_all_components() {
    for (order, components) in [(1, 1), (2, 1), (2, 2), (30, 10), (30, 30), (128, 128), (129, 108)] {
        let spectrum = slow_decay(order);
        let (pairs, _) = solve(order, components, with_spectrum(&spectrum));
        assert_values(&pairs.values, &spectrum);
    }
}

#[test]
fn negative_eigenvalues_come_last() {
    let spectrum: Vec<f64> = (0..200).map(|i| 10.0 - f64::from(i)).collect();
    let (pairs, _) = solve(200, 15, with_spectrum(&spectrum));
    assert_values(&pairs.values, &spectrum);
}

#[test]
fn the_seed_decides_bits_but_not_values() {
    let spectrum = slow_decay(300);
    let solve = |seed| {
        let mut basis = HostBasis::new(300, 10, with_spectrum(&spectrum));
        let options = LanczosOptions { seed, ..options(10) };
        let pairs = lanczos(&mut basis, &options).expect("converges");
        (pairs.values, basis.columns[0].clone())
    };
    let (first, other) = (solve(1), solve(2));
    assert_eq!(first, solve(1));
    assert_ne!(first.1, other.1);
    assert_values(&first.0, &other.0);
}

#[test]
fn the_number_of_components_is_checked() {
    for (order, components, limit) in [(10, 0, 10), (10, 11, 10), (129, 109, 108), (0, 1, 0)] {
        let mut basis = HostBasis::new(order, components, |x: &[f64]| x.to_vec());
        assert_eq!(
            lanczos(&mut basis, &options(components)),
            Err(LanczosError::ComponentsOutOfRange { components, order, limit })
        );
    }
}

#[test]
fn no_convergence_names_the_residual() {
    let mut basis = HostBasis::new(2000, 50, with_spectrum(&slow_decay(2000)));
    let options = LanczosOptions { max_restarts: 1, ..LanczosOptions::default() };
    let Err(LanczosError::NotConverged { converged, components, restarts, residual, allowed }) =
        lanczos(&mut basis, &options)
    else {
        panic!("converged in one restart");
    };
    assert_eq!((components, restarts), (50, 1));
    assert!(converged < 50 && residual > allowed);
}

#[test]
fn values_that_are_not_finite_are_an_error() {
    for bad in [f64::NAN, f64::INFINITY] {
        let mut basis = HostBasis::new(50, 5, move |x: &[f64]| {
            let mut y = x.to_vec();
            y[7] = bad;
            y
        });
        assert_eq!(lanczos(&mut basis, &options(5)), Err(LanczosError::NotFinite { column: 0 }));
    }
}

#[test]
fn a_failure_of_the_device_is_passed_on() {
    let mut basis = HostBasis::new(500, 5, with_spectrum(&slow_decay(500)));
    basis.applications_left = 20;
    assert_eq!(lanczos(&mut basis, &options(5)), Err(LanczosError::Basis(DeviceGone)));
}

#[test]
fn random_vectors_that_are_not_random_are_an_error() {
    let mut basis = HostBasis::new(50, 5, |x: &[f64]| x.to_vec());
    basis.random = |order, _| vec![1.0; order];
    assert_eq!(lanczos(&mut basis, &options(5)), Err(LanczosError::NoNewDirection { columns: 1 }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_positive_semi_definite_spectrum(
        components in 1_usize..24,
        power in 0.0_f64..3.0,
        mut spectrum in prop::collection::vec(0.0_f64..10.0, 24..260),
    ) {
        spectrum.iter_mut().for_each(|value| *value = value.powf(power));
        spectrum.sort_by(|a, b| b.total_cmp(a));
        let (pairs, _) = solve(spectrum.len(), components, with_spectrum(&spectrum));
        assert_values(&pairs.values, &spectrum);
    }
}

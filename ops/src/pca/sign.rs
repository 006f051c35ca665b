//! The sign of a principal component, which the decomposition leaves open.

/// The factor (1 or -1) that makes the entry of largest magnitude positive; of equal magnitudes the
/// first entry decides. 1 for a component that is zero throughout or empty.
///
/// The rule of scikit-learn's `svd_flip` with `u_based_decision=False`, hence that of
/// `scanpy.pp.pca`: loadings **and** scores of the component are multiplied by the factor.
pub fn component_sign(loadings: impl IntoIterator<Item = f64>) -> f64 {
    let largest = loadings.into_iter().fold(0.0_f64, |largest, x| if x.abs() > largest.abs() { x } else { largest });
    if largest < 0.0 { -1.0 } else { 1.0 }
}

/// [`component_sign`] of every component of `loadings`, genes × `components`, row-major (scanpy's
/// `varm["PCs"]`). Entries after the last whole row are ignored.
pub fn component_signs(loadings: &[f64], components: usize) -> Vec<f64> {
    (0..components)
        .map(|component| {
            let rows = loadings.chunks_exact(components);
            component_sign(rows.map(|row| row[component]))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_magnitude_decides() {
        assert_eq!(component_sign([0.5, -0.8, 0.1]), -1.0);
        assert_eq!(component_sign([-0.5, 0.8, 0.1]), 1.0);
    }

    #[test]
    fn of_equal_magnitudes_the_first_decides() {
        assert_eq!(component_sign([0.1, -0.7, 0.7]), -1.0);
        assert_eq!(component_sign([0.1, 0.7, -0.7]), 1.0);
    }

    #[test]
    fn nothing_to_decide_keeps_the_sign() {
        assert_eq!(component_sign([0.0, -0.0]), 1.0);
        assert_eq!(component_sign([]), 1.0);
        assert_eq!(component_signs(&[], 0), [] as [f64; 0]);
    }

    #[test]
    fn components_are_columns() {
        let loadings = [0.1, -0.9, 0.3, /* gene 2 */ -0.6, 0.2, 0.4];
        assert_eq!(component_signs(&loadings, 3), [-1.0, -1.0, 1.0]);
    }
}

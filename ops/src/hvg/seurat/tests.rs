use super::*;

fn options(selection: Selection) -> SeuratOptions {
    SeuratOptions { selection, ..SeuratOptions::default() }
}

fn dispersions(means: &[f64], variances: &[f64], selection: Selection) -> SeuratDispersions {
    seurat_dispersions(means, variances, &options(selection)).expect("valid statistics")
}

fn assert_close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (x, y) in found.iter().zip(expected) {
        let equal = (x - y).abs() <= 1e-12 || (x.is_nan() && y.is_nan());
        assert!(equal, "{found:?} instead of {expected:?}");
    }
}

/// Three genes of mean about 1 with ln(v/m) = 1, 2 and 3, and one gene alone at a mean of 100.
fn by_hand() -> ([f64; 4], [f64; 4]) {
    let e = std::f64::consts::E;
    let means = [1.0, 1.0, 1.0, 100.0];
    (means, [e, e * e, e * e * e, 100.0 * 5.0])
}

#[test]
fn a_hand_checked_example() {
    let (means, variances) = by_hand();
    let genes = dispersions(&means, &variances, Selection::Top(2));
    let ln_2 = std::f64::consts::LN_2;
    assert_close(&genes.means, &[ln_2, ln_2, ln_2, 101.0_f64.ln()]);
    assert_close(&genes.dispersions, &[1.0, 2.0, 3.0, 5.0_f64.ln()]);
    // Mean 2 and standard deviation 1 in the first bin; the last gene has a bin of its own.
    assert_close(&genes.dispersions_norm, &[-1.0, 0.0, 1.0, 1.0]);
    assert_eq!(genes.highly_variable, [false, false, true, true]);
}

#[test]
fn ties_at_the_last_place_are_all_chosen() {
    let e = std::f64::consts::E;
    let variances = [e, e, e * e, e * e];
    let genes = dispersions(&[1.0; 4], &variances, Selection::Top(1));
    assert_eq!(genes.highly_variable, [false, false, true, true]);
}

#[test]
fn bounds_are_strict() {
    let (means, variances) = by_hand();
    let z = dispersions(&means, &variances, Selection::Top(1)).dispersions_norm[2];
    let within = |min_dispersion, max_mean| {
        let bounds = Bounds { min_dispersion, max_mean, ..Bounds::default() };
        dispersions(&means, &variances, Selection::Within(bounds)).highly_variable
    };
    assert_eq!(within(0.5, 3.0), [false, false, true, false]);
    assert_eq!(within(z, 3.0), [false; 4]);
    assert_eq!(within(z.next_down(), 3.0), [false, false, true, false]);
    assert_eq!(within(0.5, 2.0_f64.ln()), [false; 4]);
    assert_eq!(within(0.5, 5.0), [false, false, true, true]);
}

#[test]
fn an_undefined_dispersion_counts_as_zero_within_bounds() {
    let (means, mut variances) = by_hand();
    variances[1] = 0.0;
    let bounds = Bounds { min_dispersion: -0.5, max_dispersion: 0.5, ..Bounds::default() };
    let genes = dispersions(&means, &variances, Selection::Within(bounds));
    assert!(genes.dispersions_norm[1].is_nan());
    assert_eq!(genes.highly_variable, [false, true, false, false]);
}

#[test]
fn constant_genes_are_never_among_the_top() {
    let (means, mut variances) = by_hand();
    variances[2] = 0.0;
    let genes = dispersions(&means, &variances, Selection::Top(4));
    assert!(genes.dispersions[2].is_nan() && genes.dispersions_norm[2].is_nan());
    assert_eq!(genes.highly_variable, [true, true, false, true]);
}

#[test]
fn no_gene_is_chosen_when_all_are_constant() {
    let genes = dispersions(&[1.0, 2.0, 0.0], &[0.0; 3], Selection::Top(2));
    assert_eq!(genes.highly_variable, [false; 3]);
}

#[test]
fn a_gene_without_counts_gets_the_least_mean() {
    let (means, variances) = by_hand();
    let means = [0.0, means[1], means[2], means[3]];
    let genes = dispersions(&means, &[0.0, variances[1], variances[2], variances[3]], Selection::Top(1));
    assert_close(&genes.means[..1], &[1e-12]);
    assert!(genes.dispersions[0].is_nan());
}

#[test]
fn equal_means_share_one_bin() {
    let e = std::f64::consts::E;
    let genes = dispersions(&[1.0; 3], &[e, e * e, e * e * e], Selection::Top(1));
    assert_close(&genes.dispersions_norm, &[-1.0, 0.0, 1.0]);
}

#[test]
fn equal_dispersions_in_a_bin_have_no_normalised_value() {
    let genes = dispersions(&[1.0; 7], &[0.3; 7], Selection::Top(3));
    assert!(genes.dispersions_norm.iter().all(|z| z.is_nan()));
    assert_eq!(genes.highly_variable, [false; 7]);
}

#[test]
fn a_single_gene_has_a_normalised_dispersion_of_one() {
    let genes = dispersions(&[2.0], &[3.0], Selection::Top(1));
    assert_eq!(genes.dispersions_norm, [1.0]);
    assert_eq!(genes.highly_variable, [true]);
}

#[test]
fn bad_input_is_named() {
    let run = |means: &[f64], variances: &[f64], selection| {
        seurat_dispersions(means, variances, &options(selection)).expect_err("bad input")
    };
    let top = Selection::Top(1);
    assert_eq!(run(&[], &[], top), SeuratError::NoGenes);
    assert_eq!(run(&[1.0], &[1.0, 2.0], top), SeuratError::LengthMismatch { means: 1, variances: 2 });
    assert_eq!(run(&[1.0], &[1.0], Selection::Top(2)), SeuratError::TopGenesOutOfRange { n_top_genes: 2, genes: 1 });
    assert!(matches!(run(&[1.0], &[1.0], Selection::Top(0)), SeuratError::TopGenesOutOfRange { .. }));
    for mean in [f64::NAN, f64::INFINITY, -1.0] {
        assert!(matches!(run(&[1.0, mean], &[1.0, 1.0], top), SeuratError::InvalidMean { gene: 1, .. }));
    }
    for variance in [f64::NAN, f64::INFINITY, -1.0] {
        assert!(matches!(run(&[1.0, 1.0], &[variance, 1.0], top), SeuratError::InvalidVariance { gene: 0, .. }));
    }
    let no_bins = SeuratOptions { bins: 0, ..SeuratOptions::default() };
    assert_eq!(seurat_dispersions(&[1.0], &[1.0], &no_bins), Err(SeuratError::NoBins));
}

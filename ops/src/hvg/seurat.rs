//! Normalised dispersions of genes: scanpy's `highly_variable_genes(flavor="seurat")`.
//!
//! Satija et al., Spatial reconstruction of single-cell gene expression data, Nature Biotechnology
//! 33 (2015); scanpy 1.12.4, `preprocessing/_highly_variable_genes.py`.

use thiserror::Error;

use super::mean_bins::EqualWidthBins;
// Not those of the system's library, which differ between machines.
use warpcell_runtime::lang::maths::{ln_1p_f64 as ln_1p, ln_f64 as ln};

/// Stands for a mean of zero, so that the dispersion can be divided by it.
const LEAST_MEAN: f64 = 1e-12;

/// How the highly variable genes are chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Selection {
    /// The genes with the largest normalised dispersions: all that reach the one ranked at this
    /// place, so ties at the end give more genes. Genes without a dispersion are never chosen.
    Top(usize),
    /// Every gene within bounds.
    Within(Bounds),
}

/// Bounds on the columns of [`SeuratDispersions`]; a gene must lie strictly between them. An
/// undefined normalised dispersion counts as 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Lower bound of `means`.
    pub min_mean: f64,
    /// Upper bound of `means`.
    pub max_mean: f64,
    /// Lower bound of `dispersions_norm`.
    pub min_dispersion: f64,
    /// Upper bound of `dispersions_norm`.
    pub max_dispersion: f64,
}

impl Default for Bounds {
    /// The bounds that scanpy takes when none are given.
    fn default() -> Self {
        Self { min_mean: 0.0125, max_mean: 3.0, min_dispersion: 0.5, max_dispersion: f64::INFINITY }
    }
}

/// Parameters of [`seurat_dispersions`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeuratOptions {
    /// Number of bins of the mean within which dispersions are compared.
    pub bins: usize,
    /// Which genes are highly variable.
    pub selection: Selection,
}

impl Default for SeuratOptions {
    /// 20 bins and the default bounds, as in scanpy.
    fn default() -> Self {
        Self { bins: 20, selection: Selection::Within(Bounds::default()) }
    }
}

/// One entry for each gene, in the order of the input; the names are scanpy's columns of `var`.
#[derive(Debug, Clone, PartialEq)]
pub struct SeuratDispersions {
    /// `ln(1 + mean)`.
    pub means: Vec<f64>,
    /// `ln(variance / mean)`; NaN where the variance is 0.
    pub dispersions: Vec<f64>,
    /// Dispersions less their mean within the bin of `means`, over their standard deviation there;
    /// NaN where undefined. scanpy stores this column as f32.
    pub dispersions_norm: Vec<f64>,
    /// Whether the gene is chosen.
    pub highly_variable: Vec<bool>,
}

/// Why normalised dispersions can't be had.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SeuratError {
    /// There is no gene.
    #[error("no genes to choose highly variable ones from: check the filters that ran before (min_cells)")]
    NoGenes,
    /// Means and variances are not of the same genes.
    #[error("{means} means but {variances} variances: pass one of each for every gene")]
    LengthMismatch {
        /// Number of means.
        means: usize,
        /// Number of variances.
        variances: usize,
    },
    /// A mean is NaN, infinite, or not above -1.
    #[error(
        "the mean of gene {gene} is {value}: expected a finite mean of normalised counts; pass log1p data without NaN, not scaled data"
    )]
    InvalidMean {
        /// Position of the gene.
        gene: usize,
        /// The mean.
        value: f64,
    },
    /// A variance is NaN, infinite or negative.
    #[error(
        "the variance of gene {gene} is {value}: expected a finite variance; at least two cells without NaN are needed"
    )]
    InvalidVariance {
        /// Position of the gene.
        gene: usize,
        /// The variance.
        value: f64,
    },
    /// No bins were asked for.
    #[error("the number of bins is 0: ask for at least one (20 is the default)")]
    NoBins,
    /// The number of genes asked for is 0 or more than there are.
    #[error(
        "n_top_genes is {n_top_genes}, but there are {genes} genes: choose from 1 to {genes}, or filter fewer genes before"
    )]
    TopGenesOutOfRange {
        /// Number that was asked for.
        n_top_genes: usize,
        /// Number of genes.
        genes: usize,
    },
}

/// Computes normalised dispersions and chooses highly variable genes.
///
/// `means` and `variances` (divisor n - 1) are those of normalised counts **without** logarithm
/// (`expm1` of log1p data), one for each gene. With y = ln(v / m) and u = ln(1 + m), genes are put
/// into bins of equal width of u, and z = (y - mean of y in the bin) / (standard deviation of y in
/// the bin, divisor n - 1). The only gene of a bin has z = 1.
///
/// # Errors
/// A [`SeuratError`] if there are no genes or bins, the lengths differ, a mean is not finite or not
/// above -1, a variance is not finite or negative, or the number of top genes is 0 or exceeds the
/// number of genes.
pub fn seurat_dispersions(
    means: &[f64],
    variances: &[f64],
    options: &SeuratOptions,
) -> Result<SeuratDispersions, SeuratError> {
    validate(means, variances, options)?;
    let log_means: Vec<f64> = means.iter().map(|mean| ln_1p(at_least_some(*mean))).collect();
    let dispersions: Vec<f64> =
        means.iter().zip(variances).map(|(mean, variance)| log_dispersion(at_least_some(*mean), *variance)).collect();
    let dispersions_norm = normalize(&log_means, &dispersions, options.bins);
    let highly_variable = select(&log_means, &dispersions_norm, options.selection);
    Ok(SeuratDispersions { means: log_means, dispersions, dispersions_norm, highly_variable })
}

fn validate(means: &[f64], variances: &[f64], options: &SeuratOptions) -> Result<(), SeuratError> {
    let genes = means.len();
    if genes != variances.len() {
        return Err(SeuratError::LengthMismatch { means: genes, variances: variances.len() });
    }
    if genes == 0 {
        return Err(SeuratError::NoGenes);
    }
    if options.bins == 0 {
        return Err(SeuratError::NoBins);
    }
    if let Selection::Top(n_top_genes) = options.selection
        && !(1..=genes).contains(&n_top_genes)
    {
        return Err(SeuratError::TopGenesOutOfRange { n_top_genes, genes });
    }
    for (gene, (&mean, &variance)) in means.iter().zip(variances).enumerate() {
        if !(mean.is_finite() && mean > -1.0) {
            return Err(SeuratError::InvalidMean { gene, value: mean });
        }
        if !(variance.is_finite() && variance >= 0.0) {
            return Err(SeuratError::InvalidVariance { gene, value: variance });
        }
    }
    Ok(())
}

fn at_least_some(mean: f64) -> f64 {
    if mean == 0.0 { LEAST_MEAN } else { mean }
}

/// NaN for constant genes and for negative means.
fn log_dispersion(mean: f64, variance: f64) -> f64 {
    let dispersion = variance / mean;
    if dispersion > 0.0 { ln(dispersion) } else { f64::NAN }
}

fn normalize(log_means: &[f64], dispersions: &[f64], bin_count: usize) -> Vec<f64> {
    let bins = EqualWidthBins::over(log_means, bin_count);
    let bin_of: Vec<usize> = log_means.iter().map(|mean| bins.index(*mean)).collect();
    let mut moments = vec![Moments::default(); bin_count];
    for (bin, dispersion) in bin_of.iter().zip(dispersions) {
        if !dispersion.is_nan() {
            moments[*bin].add(*dispersion);
        }
    }
    bin_of.iter().zip(dispersions).map(|(bin, dispersion)| moments[*bin].standardize(*dispersion)).collect()
}

/// Running mean and sum of squared deviations.
///
/// Welford, Technometrics 4 (1962). Equal values give a deviation of exactly 0.
#[derive(Debug, Clone, Default)]
struct Moments {
    count: usize,
    mean: f64,
    squared_deviations: f64,
}

impl Moments {
    fn add(&mut self, value: f64) {
        self.count += 1;
        let deviation = value - self.mean;
        self.mean += deviation / self.count as f64;
        self.squared_deviations += deviation * (value - self.mean);
    }

    /// `value` in standard deviations from the mean. The only value of a bin has no deviation: as
    /// in scanpy it is divided by itself.
    fn standardize(&self, value: f64) -> f64 {
        if self.count < 2 {
            return value / self.mean;
        }
        let variance = self.squared_deviations / (self.count - 1) as f64;
        (value - self.mean) / variance.sqrt()
    }
}

fn select(log_means: &[f64], dispersions_norm: &[f64], selection: Selection) -> Vec<bool> {
    match selection {
        Selection::Top(count) => {
            let threshold = nth_largest(dispersions_norm, count);
            dispersions_norm.iter().map(|z| *z >= threshold).collect()
        }
        Selection::Within(bounds) => log_means
            .iter()
            .zip(dispersions_norm)
            .map(|(mean, z)| bounds.contain(*mean, if z.is_nan() { 0.0 } else { *z }))
            .collect(),
    }
}

impl Bounds {
    fn contain(&self, mean: f64, dispersion: f64) -> bool {
        let mean_fits = self.min_mean < mean && mean < self.max_mean;
        mean_fits && self.min_dispersion < dispersion && dispersion < self.max_dispersion
    }
}

/// The value at place `n` (from 1) of the descending order without NaN; the least value if there
/// are fewer.
fn nth_largest(values: &[f64], n: usize) -> f64 {
    let mut defined: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    defined.sort_by(|a, b| b.total_cmp(a));
    defined.get(n - 1).or(defined.last()).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests;

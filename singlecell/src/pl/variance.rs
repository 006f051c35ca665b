//! What each principal component explains.

use super::theme::{STRONG, panel, save};
use crate::Error;
use kuva::plot::scatter::ScatterPlot;
use kuva::prelude::Plot;
use std::path::Path;

/// The share of the variance for each component, on a logarithmic scale.
///
/// # Errors
/// The file can't be written.
pub fn pca_variance_ratio(path: &Path, ratios: &[f64]) -> Result<(), Error> {
    let numbered = ratios.iter().enumerate().map(|(component, ratio)| ((component + 1) as f64, *ratio));
    let points: Vec<(f64, f64)> = numbered.filter(|(_, ratio)| *ratio > 0.0 && ratio.is_finite()).collect();
    let explained: f64 = ratios.iter().sum();
    let title = format!("{} components explain {:.1} % of the variance", ratios.len(), explained * 100.0);
    let shown = if points.is_empty() { vec![(1.0, 1.0)] } else { points };
    let plots = vec![Plot::Scatter(ScatterPlot::new().with_data(shown).with_color(STRONG).with_size(3.0))];
    let layout = panel(&plots, &title, "principal component", "variance ratio").with_log_y().with_x_axis_min(0.0);
    save(path, vec![(plots, layout)], 640.0, 460.0)
}

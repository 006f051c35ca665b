//! Distributions of quality measures.

use super::theme::{LIMIT, STRONG, dropped, panel, save, thinned};
use crate::Error;
use kuva::plot::annotations::ReferenceLine;
use kuva::plot::violin::ViolinPlot;
use kuva::prelude::Plot;
use std::path::Path;

/// One measure of all cells.
pub struct Metric<'a> {
    /// Its name.
    pub name: &'a str,
    /// A value for each cell; those that are no numbers are left out and counted in the title.
    pub values: &'a [f64],
    /// Thresholds to draw.
    pub limits: Vec<f64>,
}

/// The most points drawn, and the most values the outline is computed from (at equal steps through the cells).
const POINTS: usize = 3_000;
const SAMPLE: usize = 50_000;

/// A violin for each metric, each with a scale of its own.
///
/// # Errors
/// The file can't be written.
pub fn violin(path: &Path, metrics: &[Metric<'_>]) -> Result<(), Error> {
    let panels = metrics.iter().map(violin_panel).collect();
    save(path, panels, 360.0, 420.0)
}

fn violin_panel(metric: &Metric<'_>) -> (Vec<Plot>, kuva::prelude::Layout) {
    let values: Vec<f64> = metric.values.iter().copied().filter(|value| value.is_finite()).collect();
    let left_out = metric.values.len() - values.len();
    let title = format!("{} cells{}", values.len(), dropped(left_out));
    // An outline of equal values has no width, and of none no place.
    let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
    let varies = values.iter().any(|value| *value > lowest);
    let shown = if values.is_empty() { vec![0.0] } else { thinned(&values, if varies { SAMPLE } else { POINTS }) };
    let mut plot = ViolinPlot::new().with_group(metric.name, shown.clone()).with_color(STRONG).with_width(60.0);
    if shown.len() <= POINTS {
        plot = plot.with_strip(0.25).with_overlay_size(1.2).with_overlay_color("#00000055");
    }
    let plots = vec![Plot::Violin(plot)];
    let mut layout = panel(&plots, &title, "", metric.name).with_y_axis_min(lowest.min(0.0));
    for limit in &metric.limits {
        layout = layout.with_reference_line(ReferenceLine::horizontal(*limit).with_color(LIMIT));
    }
    (plots, layout)
}

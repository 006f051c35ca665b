//! What all pictures share: size, colours, and how they are saved.

use crate::Error;
use crate::io::write_then_rename;
use kuva::backend::raster::RasterBackend;
use kuva::prelude::{Layout, Plot};
use kuva::render::figure::Figure;
use std::path::Path;

/// Pixels for each unit of the drawing.
const SCALE: f32 = 2.0;

/// The colour of what matters.
pub(super) const STRONG: &str = "#1f77b4";
/// The colour of what is beside it.
pub(super) const WEAK: &str = "#b8b8b8";
/// The colour of thresholds.
pub(super) const LIMIT: &str = "#d62728";

/// Thirty colours for categories, told apart also by most who see few colours: ten strong ones, ten light, ten dark.
pub(super) const CATEGORIES: [&str; 30] = [
    "#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf",
    "#aec7e8", "#ffbb78", "#98df8a", "#ff9896", "#c5b0d5", "#c49c94", "#f7b6d2", "#c7c7c7", "#dbdb8d", "#9edae5",
    "#0b3d66", "#99470a", "#145214", "#7a1516", "#4b2a6e", "#4a2a22", "#8a2a6a", "#3a3a3a", "#66660c", "#0a5f68",
];

/// The layout of one panel.
pub(super) fn panel(plots: &[Plot], title: &str, x: &str, y: &str) -> Layout {
    Layout::auto_from_plots(plots)
        .with_title(title)
        .with_x_label(x)
        .with_y_label(y)
        .with_title_size(15)
        .with_label_size(13)
        .with_tick_size(11)
        .with_show_grid(false)
}

/// Draws panels side by side and saves them.
pub(super) fn save(path: &Path, panels: Vec<(Vec<Plot>, Layout)>, width: f64, height: f64) -> Result<(), Error> {
    let count = panels.len();
    let (plots, layouts): (Vec<_>, Vec<_>) = panels.into_iter().unzip();
    let figure = Figure::new(1, count)
        .with_plots(plots)
        .with_layouts(layouts)
        .with_cell_size(width, height)
        .with_spacing(24.0)
        .with_padding(12.0)
        .with_keep_panel_legends();
    let bytes = RasterBackend::new()
        .with_scale(SCALE)
        .render_scene(&figure.render())
        .map_err(|problem| Error::Picture { path: path.into(), problem })?;
    write_then_rename(path, |temporary| {
        std::fs::write(temporary, &bytes).map_err(|source| Error::Io { path: path.into(), source })
    })
}

/// Pairs of finite values, and how many were left out.
pub(super) fn finite(x: &[f64], y: &[f64]) -> (Vec<(f64, f64)>, usize) {
    let all = x.iter().copied().zip(y.iter().copied());
    let points: Vec<(f64, f64)> = all.filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
    let dropped = x.len().min(y.len()) - points.len();
    (points, dropped)
}

/// A note on values that are no numbers, for a title.
pub(super) fn dropped(count: usize) -> String {
    if count == 0 { String::new() } else { format!(" ({count} without a value)") }
}

/// At most `count` of the values, at equal steps: the same on every run.
pub(super) fn thinned<T: Copy>(values: &[T], count: usize) -> Vec<T> {
    let step = values.len().div_ceil(count.max(1)).max(1);
    values.iter().copied().step_by(step).collect()
}

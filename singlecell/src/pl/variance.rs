//! What each principal component explains.

use super::axis::{Axis, Scale};
use super::canvas::Canvas;
use super::panel::{Panel, draw_title};
use super::theme::{FOOTER, HEADER, MARGIN, STRONG, WEAK, counted};
use crate::Error;
use std::path::Path;

const PANEL_WIDTH: f64 = 520.0;
const PANEL_HEIGHT: f64 = 330.0;

/// The share of the variance for each component, on a logarithmic scale; see [`pca_variance_ratio_scaled`].
///
/// # Errors
/// The file can't be written.
pub fn pca_variance_ratio(path: &Path, ratios: &[f64]) -> Result<(), Error> {
    pca_variance_ratio_scaled(path, ratios, Scale::Log)
}

/// The share of the variance (0 to 1) for each component, the first one first, as in scanpy's
/// `pl.pca_variance_ratio`.
///
/// Shares that are no numbers, and on a logarithmic scale those that are not above 0, are not drawn but counted.
///
/// # Errors
/// The file can't be written.
pub fn pca_variance_ratio_scaled(path: &Path, ratios: &[f64], scale: Scale) -> Result<(), Error> {
    let numbered = ratios.iter().enumerate().map(|(component, ratio)| ((component + 1) as f64, *ratio));
    let has_place = |ratio: f64| ratio.is_finite() && (scale == Scale::Linear || ratio > 0.0);
    let points: Vec<(f64, f64)> = numbered.filter(|(_, ratio)| has_place(*ratio)).collect();
    let y = Axis::around(points.iter().map(|(_, ratio)| *ratio), scale);
    let left = Panel::gutter(&y, PANEL_HEIGHT);
    let width = left + PANEL_WIDTH + MARGIN;
    let mut canvas = Canvas::new(width, HEADER + PANEL_HEIGHT + FOOTER);

    let explained = ratios.iter().filter(|ratio| ratio.is_finite()).fold(0.0, |sum, ratio| sum + ratio);
    let verb = if ratios.len() == 1 { "explains" } else { "explain" };
    let title = format!("{} {verb} {:.1} % of the variance", counted(ratios.len(), "component"), explained * 100.0);
    let note = match ratios.len() - points.len() {
        0 => String::new(),
        left_out => format!("not shown: {} without a place on this scale", counted(left_out, "component")),
    };
    draw_title(&mut canvas, left + PANEL_WIDTH / 2.0, &title, &note);
    let x = Axis::counting(ratios.len());
    let panel = Panel { left, top: HEADER, width: PANEL_WIDTH, height: PANEL_HEIGHT, x, y };
    panel.draw_x_axis(&mut canvas, "principal component");
    panel.draw_y_axis(&mut canvas, "variance ratio");
    let places: Vec<(f64, f64)> = points.into_iter().map(|point| panel.at(point)).collect();
    canvas.path(places.clone(), WEAK);
    canvas.discs(&places, 2.5, STRONG, 1.0);
    canvas.save(path)
}

//! Which genes were chosen, over mean and dispersion.

use super::axis::{Axis, Scale};
use super::canvas::Canvas;
use super::legend::{Entry, draw_row};
use super::panel::{Panel, draw_title};
use super::theme::{FOOTER, HEADER, MARGIN, STRONG, WEAK, counted, thousands};
use crate::Error;
use std::path::Path;

/// A gene in the picture.
#[derive(Clone, Copy, Debug)]
pub struct GenePoint {
    /// The mean of its expression.
    pub mean: f64,
    /// The dispersion of its expression.
    pub dispersion: f64,
    /// The dispersion, compared with genes of a like mean.
    pub dispersion_norm: f64,
    /// Whether it was chosen as highly variable.
    pub chosen: bool,
}

const PANEL_WIDTH: f64 = 330.0;
const PANEL_HEIGHT: f64 = 300.0;
/// The height of the legend between title and panels.
const LEGEND: f64 = 22.0;

/// Mean against normalised (left) and plain (right) dispersion, as in scanpy's `pl.highly_variable_genes`.
///
/// A gene is drawn in each panel for which it has finite values; the note counts the genes that are missing in one.
///
/// # Errors
/// The file can't be written.
pub fn highly_variable_genes(path: &Path, genes: &[GenePoint]) -> Result<(), Error> {
    let normalised = points(genes, |gene| gene.dispersion_norm);
    let plain = points(genes, |gene| gene.dispersion);
    let (y_normalised, y_plain) = (y_axis(&normalised), y_axis(&plain));
    let first = Panel::gutter(&y_normalised, PANEL_HEIGHT);
    let second = first + PANEL_WIDTH + Panel::gutter(&y_plain, PANEL_HEIGHT);
    let width = second + PANEL_WIDTH + MARGIN;
    let mut canvas = Canvas::new(width, HEADER + LEGEND + PANEL_HEIGHT + FOOTER);

    let chosen = genes.iter().filter(|gene| gene.chosen).count();
    let title = format!("{} of {} highly variable", thousands(chosen), counted(genes.len(), "gene"));
    let left_out = genes.len() - normalised.len().min(plain.len());
    let note = match left_out {
        0 => String::new(),
        _ => format!("not shown: {} without a mean or a dispersion", counted(left_out, "gene")),
    };
    draw_title(&mut canvas, width / 2.0, &title, &note);
    let entries = [Entry::new("highly variable genes", STRONG), Entry::new("other genes", WEAK)];
    draw_row(&mut canvas, width / 2.0, HEADER - 10.0, &entries);
    draw_panel(&mut canvas, first, y_normalised, &normalised, "dispersions of genes (normalized)");
    draw_panel(&mut canvas, second, y_plain, &plain, "dispersions of genes (not normalized)");
    canvas.save(path)
}

/// Mean, dispersion, and whether it was chosen.
type Point = (f64, f64, bool);

fn points(genes: &[GenePoint], dispersion: impl Fn(&GenePoint) -> f64) -> Vec<Point> {
    let all = genes.iter().map(|gene| (gene.mean, dispersion(gene), gene.chosen));
    all.filter(|(mean, dispersion, _)| mean.is_finite() && dispersion.is_finite()).collect()
}

fn y_axis(points: &[Point]) -> Axis {
    Axis::around(points.iter().map(|point| point.1), Scale::Linear)
}

fn draw_panel(canvas: &mut Canvas, left: f64, y: Axis, points: &[Point], name: &str) {
    let x = Axis::around(points.iter().map(|point| point.0), Scale::Linear);
    let panel = Panel { left, top: HEADER + LEGEND, width: PANEL_WIDTH, height: PANEL_HEIGHT, x, y };
    panel.draw_x_axis(canvas, "mean expressions of genes");
    panel.draw_y_axis(canvas, name);
    for (chosen, colour) in [(false, WEAK), (true, STRONG)] {
        let of_kind = points.iter().filter(|point| point.2 == chosen);
        let centres: Vec<(f64, f64)> = of_kind.map(|point| panel.at((point.0, point.1))).collect();
        canvas.discs(&centres, 1.2, colour, 1.0);
    }
}

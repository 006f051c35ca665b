//! Which genes were chosen, over mean and dispersion.

use super::theme::{STRONG, WEAK, dropped, finite, panel, save};
use crate::Error;
use kuva::plot::legend::LegendPosition;
use kuva::plot::scatter::ScatterPlot;
use kuva::prelude::{Layout, Plot};
use std::path::Path;

/// A gene in the picture.
#[derive(Clone, Copy, Debug)]
pub struct GenePoint {
    /// The mean.
    pub mean: f64,
    /// The dispersion.
    pub dispersion: f64,
    /// The dispersion, compared with genes of a like mean.
    pub dispersion_norm: f64,
    /// Whether it was chosen.
    pub chosen: bool,
}

/// Mean against normalised and plain dispersion, as scanpy's `pl.highly_variable_genes`.
///
/// # Errors
/// The file can't be written.
pub fn highly_variable_genes(path: &Path, genes: &[GenePoint]) -> Result<(), Error> {
    let normalised = gene_panel(genes, "dispersions of genes (normalized)", |gene| gene.dispersion_norm);
    let plain = gene_panel(genes, "dispersions of genes (not normalized)", |gene| gene.dispersion);
    save(path, vec![normalised, plain], 560.0, 460.0)
}

fn gene_panel(genes: &[GenePoint], label: &str, y: impl Fn(&GenePoint) -> f64) -> (Vec<Plot>, Layout) {
    let mut plots = Vec::new();
    let mut counts = (0, 0);
    for (chosen, colour, name) in [(false, WEAK, "other genes"), (true, STRONG, "highly variable genes")] {
        let of_kind: Vec<&GenePoint> = genes.iter().filter(|gene| gene.chosen == chosen).collect();
        let means: Vec<f64> = of_kind.iter().map(|gene| gene.mean).collect();
        let values: Vec<f64> = of_kind.iter().map(|gene| y(gene)).collect();
        let (points, left_out) = finite(&means, &values);
        counts = (counts.0 + points.len(), counts.1 + left_out);
        if !points.is_empty() {
            let name = format!("{name} ({})", points.len());
            let plot = ScatterPlot::new().with_data(points).with_color(colour).with_size(1.6).with_legend(name);
            plots.push(Plot::Scatter(plot));
        }
    }
    if plots.is_empty() {
        plots.push(Plot::Scatter(ScatterPlot::new().with_data(vec![(0.0, 0.0)]).with_size(0.0)));
    }
    let title = format!("{} genes{}", counts.0, dropped(counts.1));
    let layout =
        panel(&plots, &title, "mean expressions of genes", label).with_legend_position(LegendPosition::InsideTopRight);
    (plots, layout)
}

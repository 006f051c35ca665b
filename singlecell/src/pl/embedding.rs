//! Cells in a plane.

use super::theme::{CATEGORIES, STRONG, dropped, finite, panel, save};
use crate::Error;
use kuva::plot::ColorMap;
use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::plot::scatter::ScatterPlot;
use kuva::prelude::{Layout, Plot};
use std::path::Path;

/// What the colour of a cell says.
pub enum Colour<'a> {
    /// Nothing.
    Plain,
    /// A number.
    #[allow(missing_docs)]
    Continuous { name: &'a str, values: &'a [f64] },
    /// A category, by its code; codes without a category are not drawn.
    #[allow(missing_docs)]
    Categories { name: &'a str, codes: &'a [i32], names: &'a [String] },
}

/// A point for each cell.
///
/// # Errors
/// The file can't be written.
pub fn embedding(path: &Path, axes: [&str; 2], x: &[f64], y: &[f64], colour: &Colour<'_>) -> Result<(), Error> {
    let size = (40.0 / (x.len().max(1) as f64).sqrt()).clamp(0.5, 3.0);
    let (points, left_out) = finite(x, y);
    let title = format!("{} cells{}", points.len(), dropped(left_out));
    let (plots, legend) = match colour {
        Colour::Plain => (vec![scatter(points, size).with_color(STRONG).into()], None),
        Colour::Continuous { name, values } => continuous(x, y, name, values, size),
        Colour::Categories { name, codes, names } => categories(x, y, name, codes, names, size),
    };
    let mut layout = panel(&plots, &title, axes[0], axes[1]);
    if let Some((name, entries)) = legend {
        layout = with_legend(layout, &name, entries);
    }
    save(path, vec![(plots, layout)], 720.0, 560.0)
}

fn with_legend(layout: Layout, name: &str, entries: Vec<LegendEntry>) -> Layout {
    layout.with_legend_title(name).with_legend_entries(entries).with_legend_box(false)
}

fn scatter(points: Vec<(f64, f64)>, size: f64) -> ScatterPlot {
    let points = if points.is_empty() { vec![(0.0, 0.0)] } else { points };
    ScatterPlot::new().with_data(points).with_size(size)
}

type Drawn = (Vec<Plot>, Option<(String, Vec<LegendEntry>)>);

/// Colours from the 1st to the 99th percentile, so that a few extremes don't hide the rest.
fn continuous(x: &[f64], y: &[f64], name: &str, values: &[f64], size: f64) -> Drawn {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| sorted.get(((sorted.len().max(1) - 1) as f64 * share) as usize).copied().unwrap_or(0.0);
    let (low, high) = (at(0.01), at(0.99));
    let colour =
        |value: f64| ColorMap::Viridis.map(((value - low) / (high - low).max(f64::MIN_POSITIVE)).clamp(0.0, 1.0));
    let (mut points, mut colours) = (Vec::new(), Vec::new());
    for ((x, y), value) in x.iter().zip(y).zip(values) {
        if x.is_finite() && y.is_finite() && value.is_finite() {
            points.push((*x, *y));
            colours.push(colour(*value));
        }
    }
    let entries = [1.0, 0.75, 0.5, 0.25, 0.0].map(|share| {
        let value = low + (high - low) * share;
        entry(if (high - low) < 10.0 { format!("{value:.2}") } else { format!("{value:.0}") }, colour(value))
    });
    let plot = if points.is_empty() { scatter(points, 0.0) } else { scatter(points, size).with_colors(colours) };
    (vec![plot.into()], Some((name.to_string(), entries.to_vec())))
}

fn categories(x: &[f64], y: &[f64], name: &str, codes: &[i32], names: &[String], size: f64) -> Drawn {
    let (mut plots, mut entries): (Vec<Plot>, _) = (Vec::new(), Vec::new());
    for (category, label) in names.iter().enumerate() {
        let colour = CATEGORIES[category % CATEGORIES.len()];
        let of_category = (0..codes.len()).filter(|cell| codes[*cell] == category as i32);
        let (xs, ys): (Vec<f64>, Vec<f64>) = of_category.map(|cell| (x[cell], y[cell])).unzip();
        let (points, _) = finite(&xs, &ys);
        if !points.is_empty() {
            plots.push(scatter(points, size).with_color(colour).into());
            entries.push(entry(label.clone(), colour.to_string()));
        }
    }
    if plots.is_empty() {
        plots.push(scatter(Vec::new(), 0.0).into());
    }
    (plots, Some((name.to_string(), entries)))
}

fn entry(label: String, color: String) -> LegendEntry {
    LegendEntry { label, color, shape: LegendShape::Circle, dasharray: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pl::{GenePoint, Metric, highly_variable_genes, pca_variance_ratio, violin};

    /// Width and height from a PNG's header.
    fn png_size(path: &Path) -> (u32, u32) {
        let bytes = std::fs::read(path).unwrap();
        assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
        let word = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
        (word(16), word(20))
    }

    #[test]
    fn degenerate_input_gives_a_picture() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.png");
        for values in [vec![], vec![1.0], vec![2.0; 50], vec![f64::NAN, 1.0, 2.0, f64::INFINITY]] {
            violin(&path, &[Metric { name: "n", values: &values, limits: vec![1.5] }]).unwrap();
            let point =
                |value: &f64| GenePoint { mean: *value, dispersion: *value, dispersion_norm: 0.0, chosen: false };
            highly_variable_genes(&path, &values.iter().map(point).collect::<Vec<_>>()).unwrap();
            pca_variance_ratio(&path, &values).unwrap();
            let names: Vec<String> = (0..25).map(|k| format!("a rather long name of category {k}")).collect();
            let codes: Vec<i32> = (0..values.len() as i32).collect();
            for colour in [
                Colour::Plain,
                Colour::Continuous { name: "v", values: &values },
                Colour::Categories { name: "c", codes: &codes, names: &names },
            ] {
                embedding(&path, ["PC1", "PC2"], &values, &values, &colour).unwrap();
                let (width, height) = png_size(&path);
                assert!(width > 1000 && height > 800, "{width} x {height}");
            }
        }
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let error = pca_variance_ratio(&folder.path().join("absent/p.png"), &[0.5]).unwrap_err();
        assert!(error.to_string().contains("p.png"), "{error}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

//! What a run leaves: the data, pictures, and a summary.

use anyhow::{Context, Result};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use warpcell::data::{AnnData, Column, Frame, Uns};
use warpcell::pipeline::StepReport;
use warpcell::pl::{Colour, GenePoint, Metric, embedding, highly_variable_genes, pca_variance_ratio, violin};
use warpcell::{Error, io};

/// The output folder.
pub(crate) struct Folder {
    path: PathBuf,
    /// Whether this run has made it.
    made: bool,
}

impl Drop for Folder {
    /// A run that fails leaves no empty folder behind.
    fn drop(&mut self) {
        if self.made {
            // Refused if anything was written, and that is meant.
            let _ = std::fs::remove_dir(&self.path);
        }
    }
}

/// A column as floats; nothing if it isn't there.
fn column(frame: &Frame, name: &str) -> Vec<f64> {
    match frame.get(name) {
        Some(Column::Float64(values)) => values.clone(),
        Some(Column::Float32(values)) => values.iter().map(|value| f64::from(*value)).collect(),
        Some(Column::Int(values)) => values.iter().map(|value| *value as f64).collect(),
        _ => Vec::new(),
    }
}

impl Folder {
    /// Makes the folder, and sees that it can be written to.
    pub(crate) fn create(path: &Path) -> Result<Folder> {
        let made = !path.exists();
        let writable = std::fs::create_dir_all(path).and_then(|()| tempfile::tempfile_in(path).map(drop));
        let folder = Folder { path: path.into(), made };
        writable.with_context(|| {
            format!("the output folder {} can't be written; choose another with -o", path.display())
        })?;
        Ok(folder)
    }

    /// Writes data and pictures, and returns their names.
    pub(crate) fn write(&self, data: &AnnData, min_genes: u32) -> Result<Vec<String>> {
        io::h5ad::write(&self.path.join("result.h5ad"), data)?;
        let mut names = vec!["result.h5ad".to_string()];
        let mut picture = |name: &str, draw: &dyn Fn(&Path) -> Result<(), Error>| -> Result<()> {
            draw(&self.path.join(name))?;
            names.push(name.into());
            Ok(())
        };
        picture("qc_violin.png", &|path| qc_violin(path, data, min_genes))?;
        picture("highly_variable_genes.png", &|path| highly_variable_genes(path, &gene_points(&data.var)))?;
        picture("pca_variance_ratio.png", &|path| pca_variance_ratio(path, &ratios(data)))?;
        if data.obsm.get("X_pca").is_some_and(|scores| scores.n_cols >= 2) {
            picture("pca.png", &|path| first_components(path, data))?;
        }
        Ok(names)
    }

    /// Writes the summary as JSON, for programs.
    pub(crate) fn write_summary(&self, summary: &Summary) -> Result<()> {
        let path = self.path.join("summary.json");
        let text = serde_json::to_string_pretty(summary)?;
        std::fs::write(&path, text + "\n").with_context(|| format!("writing {}", path.display()))
    }
}

fn qc_violin(path: &Path, data: &AnnData, min_genes: u32) -> Result<(), Error> {
    let columns = ["n_genes_by_counts", "total_counts", "pct_counts_mt"].map(|name| (name, column(&data.obs, name)));
    let metrics: Vec<Metric<'_>> = columns
        .iter()
        .map(|(name, values)| {
            let limits = if *name == "n_genes_by_counts" { vec![f64::from(min_genes)] } else { Vec::new() };
            Metric { name, values, limits }
        })
        .collect();
    violin(path, &metrics)
}

fn gene_points(var: &Frame) -> Vec<GenePoint> {
    let Some(Column::Bool(chosen)) = var.get("highly_variable") else { return Vec::new() };
    let (means, dispersions) = (column(var, "means"), column(var, "dispersions"));
    let normalised = column(var, "dispersions_norm");
    let point = |gene: usize| GenePoint {
        mean: means[gene],
        dispersion: dispersions[gene],
        dispersion_norm: normalised[gene],
        chosen: chosen[gene],
    };
    (0..chosen.len()).map(point).collect()
}

fn ratios(data: &AnnData) -> Vec<f64> {
    match data.uns.get("pca") {
        Some(Uns::Map(pca)) => match pca.get("variance_ratio") {
            Some(Uns::Floats(ratios)) => ratios.clone(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The first two components, coloured by the cells' labels if the file has some, else by their sums.
fn first_components(path: &Path, data: &AnnData) -> Result<(), Error> {
    let Some(scores) = data.obsm.get("X_pca").filter(|scores| scores.n_cols >= 2) else { return Ok(()) };
    let axis = |component: usize| scores.column(component).into_iter().map(f64::from).collect::<Vec<f64>>();
    let labels = data.obs.columns().iter().find_map(|(name, column)| match column {
        Column::Categorical { codes, categories, .. } if (2..=30).contains(&categories.len()) => {
            Some((name, codes, categories))
        }
        _ => None,
    });
    let totals = column(&data.obs, "total_counts");
    let colour = match labels {
        Some((name, codes, names)) => Colour::Categories { name, codes, names },
        None => Colour::Continuous { name: "total_counts", values: &totals },
    };
    embedding(path, ["PC1", "PC2"], &axis(0), &axis(1), &colour)
}

/// What a run took and gave.
#[derive(Serialize)]
pub(crate) struct Summary {
    pub input: String,
    pub device: String,
    pub cells_in: usize,
    pub genes_in: usize,
    pub cells_out: usize,
    pub genes_out: usize,
    pub read_seconds: f64,
    pub steps: Vec<StepReport>,
    pub peak_device_bytes: u64,
    pub total_seconds: f64,
    pub digests: BTreeMap<String, String>,
    pub files: Vec<String>,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} on {}", self.input, self.device)?;
        writeln!(
            f,
            "{} cells x {} genes in, {} x {} out\n",
            self.cells_in, self.genes_in, self.cells_out, self.genes_out
        )?;
        writeln!(f, "{:<24} {:>9} {:>9}", "step", "seconds", "kernels")?;
        writeln!(f, "{:<24} {:>9.3} {:>9}", "read", self.read_seconds, "-")?;
        for step in &self.steps {
            writeln!(f, "{:<24} {:>9.3} {:>9}", step.name, step.seconds, step.launches)?;
        }
        let megabytes = self.peak_device_bytes as f64 / 1e6;
        writeln!(f, "{:<24} {:>9.3}   (most memory on the device: {megabytes:.0} MB)\n", "in all", self.total_seconds)?;
        writeln!(f, "digests, the same on every device:")?;
        for (name, digest) in &self.digests {
            writeln!(f, "  {name:<22} {digest}")?;
        }
        write!(f, "\nwritten: {}", self.files.join(", "))
    }
}

//! `warpcell run INPUT -o DIR`

use super::output;
use anyhow::{Context, Result};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use warpcell::io;
use warpcell::pipeline::{DeviceData, Options, Pipeline, digests};
use warpcell_runtime::Device;

#[derive(Args)]
pub(crate) struct Run {
    /// An .h5ad file, or a 10x folder with matrix.mtx, features.tsv and barcodes.tsv.
    input: PathBuf,
    /// The folder for the results; made if it is not there.
    #[arg(short, long)]
    output: PathBuf,
    /// `cpu`, `cuda`, `cuda:1`, or `auto` for the first CUDA device if there is one.
    #[arg(long, default_value = "auto", env = "WARPCELL_DEVICE")]
    device: String,
    /// Leave out cells with fewer genes.
    #[arg(long, default_value_t = 200)]
    min_genes: u32,
    /// Leave out genes in fewer cells.
    #[arg(long, default_value_t = 3)]
    min_cells: u32,
    /// The sum of each cell after normalisation; `median` for the median of the cells' sums.
    #[arg(long, default_value = "10000", value_parser = parse_target)]
    target_sum: Target,
    /// How many highly variable genes to choose.
    #[arg(long, default_value_t = 2000)]
    n_top_genes: usize,
    /// How many principal components to compute.
    #[arg(long, default_value_t = 50)]
    n_comps: usize,
    /// How many nearest neighbours to find, the cell itself included.
    #[arg(long, default_value_t = 15)]
    n_neighbors: usize,
}

#[derive(Clone, Copy, Debug)]
struct Target(Option<f64>);

fn parse_target(text: &str) -> Result<Target, String> {
    if text == "median" {
        return Ok(Target(None));
    }
    match text.parse::<f64>() {
        Ok(target) if target > 0.0 && target.is_finite() => Ok(Target(Some(target))),
        _ => Err("give a positive number, or `median`".into()),
    }
}

impl Run {
    pub(crate) fn run(self) -> Result<()> {
        // Before any work: the folder can be made and written to, and the device is there.
        let folder = output::Folder::create(&self.output)?;
        let device = Device::named(&self.device).with_context(|| format!("device `{}`", self.device))?;
        let start = Instant::now();
        let progress = spinner();
        progress.set_message(format!("reading {}", self.input.display()));
        let data = io::read(&self.input)?;
        let read_seconds = start.elapsed().as_secs_f64();
        let shape = [data.n_obs(), data.n_vars()];
        let mut data = DeviceData::upload(&device, data)?;
        let pipeline = Pipeline::standard(&self.options());
        let report = pipeline.run(&mut data, |step, number, count| {
            progress.set_message(format!("[{number}/{count}] {step}"));
        })?;
        progress.set_message("writing");
        let result = data.download()?;
        let written = folder.write(&result, self.min_genes)?;
        progress.finish_and_clear();
        let summary = output::Summary {
            input: self.input.display().to_string(),
            device: device.name(),
            cells_in: shape[0],
            genes_in: shape[1],
            cells_out: result.n_obs(),
            genes_out: result.n_vars(),
            read_seconds,
            steps: report.steps,
            peak_device_bytes: device.memory_used()?.1,
            total_seconds: start.elapsed().as_secs_f64(),
            digests: digests(&result),
            files: written,
        };
        folder.write_summary(&summary)?;
        println!("{summary}");
        Ok(())
    }

    fn options(&self) -> Options {
        Options {
            min_genes: self.min_genes,
            min_cells: self.min_cells,
            target_sum: self.target_sum.0,
            n_top_genes: self.n_top_genes,
            n_comps: self.n_comps,
            n_neighbors: self.n_neighbors,
        }
    }
}

/// Shown on a terminal only; quiet in a pipe.
fn spinner() -> ProgressBar {
    let progress = ProgressBar::new_spinner();
    // The template is a constant without errors.
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
        progress.set_style(style);
    }
    progress.enable_steady_tick(Duration::from_millis(120));
    progress
}

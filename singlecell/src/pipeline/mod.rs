//! Steps, and lists of steps.
//!
//! A [`Step`] works on a [`DeviceData`], whose matrix and arrays stay on the device from step to step. A step of another
//! crate is put into a [`Pipeline`] like those that are here:
//!
//! ```
//! use warpcell::Error;
//! use warpcell::pipeline::{DeviceData, Pipeline, Step};
//!
//! struct CountGenes;
//! impl Step for CountGenes {
//!     fn name(&self) -> &'static str {
//!         "count_genes"
//!     }
//!     fn run(&self, data: &mut DeviceData) -> Result<(), Error> {
//!         println!("{} genes", data.n_vars());
//!         Ok(())
//!     }
//! }
//!
//! let mut pipeline = Pipeline::standard(&Default::default());
//! pipeline.insert_after("filter_genes", CountGenes)?;
//! # Ok::<(), warpcell::Error>(())
//! ```

mod data;
mod digest;
mod report;

pub use data::{DeviceArray, DeviceData, DeviceGraph};
pub use digest::digests;
pub use report::{Report, StepReport};

use crate::Error;
use crate::pp;

/// One step.
pub trait Step {
    /// Its name, as scanpy has it.
    fn name(&self) -> &'static str;

    /// Checks what can be checked before any work is done.
    ///
    /// # Errors
    /// The step can't run on such data, whatever the steps before it do.
    fn check(&self, _data: &DeviceData) -> Result<(), Error> {
        Ok(())
    }

    /// Does its work.
    ///
    /// # Errors
    /// What is wrong with the data, and what to change; what the device reports.
    fn run(&self, data: &mut DeviceData) -> Result<(), Error>;
}

/// Parameters of the standard pipeline; the defaults are scanpy's.
#[derive(Clone, Debug)]
pub struct Options {
    /// Cells with fewer genes are left out.
    pub min_genes: u32,
    /// Genes in fewer cells are left out.
    pub min_cells: u32,
    /// The sum of each cell after normalisation; nothing for the median of the cells' sums.
    pub target_sum: Option<f64>,
    /// How many highly variable genes to choose.
    pub n_top_genes: usize,
    /// How many principal components to compute, at most.
    pub n_comps: usize,
    /// How many nearest neighbours to find, the cell itself included.
    pub n_neighbors: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { min_genes: 200, min_cells: 3, target_sum: Some(1e4), n_top_genes: 2000, n_comps: 50, n_neighbors: 15 }
    }
}

/// Steps in order.
pub struct Pipeline {
    steps: Vec<Box<dyn Step>>,
}

impl Pipeline {
    /// Quality control, filters, normalisation, highly variable genes, PCA, neighbours.
    pub fn standard(options: &Options) -> Pipeline {
        Pipeline {
            steps: vec![
                Box::new(pp::CalculateQcMetrics::default()),
                Box::new(pp::FilterCells { min_genes: options.min_genes }),
                Box::new(pp::FilterGenes { min_cells: options.min_cells }),
                Box::new(pp::NormalizeTotal { target_sum: options.target_sum }),
                Box::new(pp::Log1p),
                Box::new(pp::HighlyVariableGenes { n_top_genes: options.n_top_genes }),
                Box::new(pp::Pca { n_comps: options.n_comps }),
                Box::new(pp::Neighbors { n_neighbors: options.n_neighbors }),
            ],
        }
    }

    /// The names of the steps, in order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.steps.iter().map(|step| step.name())
    }

    /// Adds a step at the end.
    pub fn push(&mut self, step: impl Step + 'static) {
        self.steps.push(Box::new(step));
    }

    /// Puts a step behind the first one called `name`.
    ///
    /// # Errors
    /// There is no such step.
    pub fn insert_after(&mut self, name: &str, step: impl Step + 'static) -> Result<(), Error> {
        let place = self.steps.iter().position(|known| known.name() == name);
        let Some(place) = place else {
            let known: Vec<_> = self.names().collect();
            return Err(Error::Step {
                step: step.name(),
                problem: format!("there is no step `{name}` to put it after; there are {}", known.join(", ")),
            });
        };
        self.steps.insert(place + 1, Box::new(step));
        Ok(())
    }

    /// Runs all steps. `observe` is told of each before it starts, with its number and the number of steps.
    ///
    /// # Errors
    /// That of the first step that fails. All steps are checked before the first one runs.
    pub fn run(
        &self,
        data: &mut DeviceData,
        mut observe: impl FnMut(&'static str, usize, usize),
    ) -> Result<Report, Error> {
        for step in &self.steps {
            step.check(data)?;
        }
        let mut report = Report::default();
        for (number, step) in self.steps.iter().enumerate() {
            observe(step.name(), number + 1, self.steps.len());
            tracing::debug!(step = step.name(), "starts");
            let measured = report::measure(step.as_ref(), data)?;
            report.steps.push(measured);
        }
        Ok(report)
    }
}

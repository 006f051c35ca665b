//! `filter_cells` and `filter_genes`

use super::{integers, kept, upload};
use crate::Error;
use crate::data::Column;
use crate::pipeline::{DeviceData, Step};
use warpcell_ops::matrix::{select_columns, select_rows};
use warpcell_ops::stats::{Value, gene_sums};

/// Leaves out cells with few genes.
#[derive(Clone, Copy, Debug)]
pub struct FilterCells {
    /// The fewest genes of a cell that is kept.
    pub min_genes: u32,
}

impl Step for FilterCells {
    fn name(&self) -> &'static str {
        "filter_cells"
    }

    fn run(&self, data: &mut DeviceData) -> Result<(), Error> {
        let n_genes = integers(&data.obs, "n_genes_by_counts", self.name(), "calculate_qc_metrics")?.to_vec();
        let most = n_genes.iter().max().copied().unwrap_or(0);
        let cells: Vec<bool> = n_genes.iter().map(|n| *n >= i64::from(self.min_genes)).collect();
        if !cells.contains(&true) {
            let problem = format!(
                "no cell of {} has {} genes or more; the richest has {most}: lower min_genes",
                data.n_obs(),
                self.min_genes
            );
            return Err(Error::Step { step: self.name(), problem });
        }
        data.x = select_rows(&data.x, &*upload(data, &cells)?)?;
        data.obs = data.obs.select(&kept(&cells));
        data.obs.set("n_genes", Column::Int(kept(&cells).into_iter().map(|cell| n_genes[cell]).collect()));
        Ok(())
    }
}

/// Leaves out genes that few cells have.
#[derive(Clone, Copy, Debug)]
pub struct FilterGenes {
    /// The fewest cells of a gene that is kept.
    pub min_cells: u32,
}

impl Step for FilterGenes {
    fn name(&self) -> &'static str {
        "filter_genes"
    }

    fn run(&self, data: &mut DeviceData) -> Result<(), Error> {
        let counts = gene_sums(&data.device, &[&data.x], Value::Plain)?.count.download()?;
        let genes: Vec<bool> = counts.iter().map(|count| *count >= u64::from(self.min_cells)).collect();
        if !genes.contains(&true) {
            let most = counts.iter().max().copied().unwrap_or(0);
            let problem = format!(
                "no gene of {} is in {} cells or more; the most common is in {most}: lower min_cells",
                data.n_vars(),
                self.min_cells
            );
            return Err(Error::Step { step: self.name(), problem });
        }
        data.x = select_columns(&data.x, &*upload(data, &genes)?)?;
        data.var = data.var.select(&kept(&genes));
        data.var.set("n_cells", Column::Int(kept(&genes).into_iter().map(|gene| counts[gene] as i64).collect()));
        Ok(())
    }
}

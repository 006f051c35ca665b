//! `calculate_qc_metrics`

use crate::Error;
use crate::data::Column;
use crate::pipeline::{DeviceData, Step};
use warpcell_ops::qc::{cell_qc, subset_total, top_totals};
use warpcell_ops::stats::{Value, gene_sums};

/// Sums and numbers of genes for each cell, and of cells for each gene; the shares of mitochondrial (`mt`) and ribosomal
/// (`ribo`) genes, and of the most expressed ones.
#[derive(Clone, Debug)]
pub struct CalculateQcMetrics {
    /// `pct_counts_in_top_N_genes` for these N; those larger than the number of genes are left out.
    pub percent_top: Vec<usize>,
}

impl Default for CalculateQcMetrics {
    fn default() -> CalculateQcMetrics {
        CalculateQcMetrics { percent_top: vec![50, 100, 200, 500] }
    }
}

impl Step for CalculateQcMetrics {
    fn name(&self) -> &'static str {
        "calculate_qc_metrics"
    }

    fn run(&self, data: &mut DeviceData) -> Result<(), Error> {
        let cells = cell_qc(&data.x)?;
        let totals = cells.total.download()?;
        let n_genes: Vec<i64> = cells.n_genes.download()?.into_iter().map(i64::from).collect();
        let log = |values: &[f64]| values.iter().map(|value| ln_1p(*value)).collect::<Vec<f64>>();
        data.obs.set("log1p_n_genes_by_counts", float(n_genes.iter().map(|n| ln_1p(*n as f64))));
        data.obs.set("n_genes_by_counts", Column::Int(n_genes));
        data.obs.set("total_counts", Column::Float64(totals.clone()));
        data.obs.set("log1p_total_counts", Column::Float64(log(&totals)));
        let n_vars = data.n_vars();
        for n in self.percent_top.iter().filter(|n| **n <= n_vars) {
            let top = top_totals(&data.x, *n)?.download()?;
            data.obs.set(format!("pct_counts_in_top_{n}_genes"), float(percent(&top, &totals)));
        }
        for (name, matches) in [("mt", is_mitochondrial as fn(&str) -> bool), ("ribo", is_ribosomal)] {
            let flags: Vec<bool> = data.var.index.iter().map(|gene| matches(gene)).collect();
            let bytes: Vec<u8> = flags.iter().map(|flag| u8::from(*flag)).collect();
            let subset = subset_total(&data.x, &*data.device.upload(&bytes)?)?.download()?;
            data.var.set(name, Column::Bool(flags));
            data.obs.set(format!("total_counts_{name}"), Column::Float64(subset.clone()));
            data.obs.set(format!("log1p_total_counts_{name}"), Column::Float64(log(&subset)));
            data.obs.set(format!("pct_counts_{name}"), float(percent(&subset, &totals)));
        }
        self.genes(data)
    }
}

impl CalculateQcMetrics {
    fn genes(&self, data: &mut DeviceData) -> Result<(), Error> {
        let sums = gene_sums(&data.device, &[&data.x], Value::Plain)?;
        let (counts, totals) = (sums.count.download()?, sums.sum.download()?);
        let n = data.n_obs() as f64;
        let means: Vec<f64> = totals.iter().map(|total| total / n).collect();
        let var = &mut data.var;
        var.set("n_cells_by_counts", Column::Int(counts.iter().map(|count| *count as i64).collect()));
        var.set("log1p_mean_counts", float(means.iter().map(|mean| ln_1p(*mean))));
        var.set("mean_counts", Column::Float64(means));
        var.set("pct_dropout_by_counts", float(counts.iter().map(|count| 100.0 * (1.0 - *count as f64 / n))));
        var.set("log1p_total_counts", float(totals.iter().map(|total| ln_1p(*total))));
        var.set("total_counts", Column::Float64(totals));
        Ok(())
    }
}

/// The language's own function, so that the bits don't depend on the system's library.
fn ln_1p(value: f64) -> f64 {
    warpcell_runtime::lang::maths::ln_1p_f64(value)
}

fn float(values: impl Iterator<Item = f64>) -> Column {
    Column::Float64(values.collect())
}

/// 100 part / whole; NaN for an empty cell.
fn percent<'a>(parts: &'a [f64], wholes: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
    parts.iter().zip(wholes).map(|(part, whole)| 100.0 * (part / whole))
}

/// `MT-…`, in any case.
fn is_mitochondrial(gene: &str) -> bool {
    gene.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("MT-"))
}

/// `RPS1…` or `RPL1…`, in any case.
fn is_ribosomal(gene: &str) -> bool {
    let start = gene.get(..3).is_some_and(|start| ["RPS", "RPL"].iter().any(|known| start.eq_ignore_ascii_case(known)));
    start && gene[3..].starts_with(|next: char| next.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn genes_are_told_by_their_names() {
        assert!(is_mitochondrial("MT-CO1") && is_mitochondrial("mt-Nd1") && !is_mitochondrial("MTOR"));
        assert!(is_ribosomal("RPS27") && is_ribosomal("Rpl3") && !is_ribosomal("RPSA") && !is_ribosomal("RPLé"));
    }
}

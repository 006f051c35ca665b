//! `calculate_qc_metrics`

use crate::Error;
use crate::data::Column;
use crate::pipeline::{DeviceData, Step};
use warpcell_ops::qc::{cell_qc, gene_qc, log1p_of, log1p_of_counts, percent_of, subset_total, top_percent};

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
        let counts = cells.n_genes.download()?.into_iter().map(i64::from).collect();
        data.obs.set("log1p_n_genes_by_counts", Column::Float64(log1p_of_counts(&cells.n_genes)?.download()?));
        data.obs.set("n_genes_by_counts", Column::Int(counts));
        data.obs.set("total_counts", Column::Float64(cells.total.download()?));
        data.obs.set("log1p_total_counts", Column::Float64(log1p_of(&cells.total)?.download()?));
        let n_vars = data.n_vars();
        for n in self.percent_top.iter().filter(|n| **n <= n_vars) {
            let share = top_percent(&data.x, &cells.total, *n)?.download()?;
            data.obs.set(format!("pct_counts_in_top_{n}_genes"), Column::Float64(share));
        }
        for (name, matches) in [("mt", is_mitochondrial as fn(&str) -> bool), ("ribo", is_ribosomal)] {
            let flags: Vec<bool> = data.var.index.iter().map(|gene| matches(gene)).collect();
            let genes = data.device.upload(&flags.iter().map(|flag| u8::from(*flag)).collect::<Vec<u8>>())?;
            let total = subset_total(&data.x, &genes)?;
            data.var.set(name, Column::Bool(flags));
            data.obs.set(format!("total_counts_{name}"), Column::Float64(total.download()?));
            data.obs.set(format!("log1p_total_counts_{name}"), Column::Float64(log1p_of(&total)?.download()?));
            data.obs.set(format!("pct_counts_{name}"), Column::Float64(percent_of(&total, &cells.total)?.download()?));
        }
        genes(data)
    }
}

fn genes(data: &mut DeviceData) -> Result<(), Error> {
    let found = gene_qc(&data.x)?;
    // No more than there are cells.
    let counts = found.n_cells.download()?.into_iter().map(|count| count as i64).collect();
    data.var.set("n_cells_by_counts", Column::Int(counts));
    for (name, values) in [
        ("mean_counts", &found.mean),
        ("log1p_mean_counts", &found.log1p_mean),
        ("pct_dropout_by_counts", &found.pct_dropout),
        ("total_counts", &found.total),
        ("log1p_total_counts", &found.log1p_total),
    ] {
        data.var.set(name, Column::Float64(values.download()?));
    }
    Ok(())
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

//! Quality measures, filters, normalisation and highly variable genes against scanpy's, on real data.

mod common;

use common::{Counts, assert_near, flags, npy, shared, table};
use std::path::{Path, PathBuf};
use warpcell_ops::hvg::highly_variable_genes;
use warpcell_ops::hvg::seurat::{Selection, SeuratOptions};
use warpcell_ops::matrix::select;
use warpcell_ops::normalize::{log1p, median_of_positive, normalize_total};
use warpcell_ops::stats::{Value, gene_sums};
use warpcell_ops::{DeviceCsr, qc};
use warpcell_runtime::{DSlice, Device};

/// The counts and the folder of reference results of a data set.
fn data_set(name: &str) -> Option<(Counts, PathBuf)> {
    let results = shared(&format!("golden/{name}"))?;
    Some((Counts::read(&shared(&format!("data/counts/{name}.h5ad"))?), results))
}

/// The cells with at least 200 genes, and the genes in at least 3 of these.
fn filtered(counts: &DeviceCsr<f32>, results: &Path) -> DeviceCsr<f32> {
    let device = counts.device();
    let upload = |flags: &[u8]| device.upload(flags).unwrap();
    let n_genes = qc::cell_qc(counts).unwrap().n_genes.download().unwrap();
    let cells: Vec<u8> = n_genes.into_iter().map(|n| u8::from(n >= 200)).collect();
    assert_eq!(cells, flags(results.join("filter_cells_mask.npy")));
    let rich = select(counts, &upload(&cells), &upload(&vec![1; counts.n_cols])).unwrap();
    let n_cells = gene_sums(device, &[&rich], Value::Plain).unwrap().count.download().unwrap();
    let genes: Vec<u8> = n_cells.into_iter().map(|n| u8::from(n >= 3)).collect();
    assert_eq!(genes, flags(results.join("filter_genes_mask.npy")));
    select(&rich, &upload(&vec![1; rich.n_rows()]), &upload(&genes)).unwrap()
}

fn download(values: &DSlice<f64>) -> Vec<f64> {
    values.download().unwrap()
}

fn check_cells(counts: &Counts, matrix: &DeviceCsr<f32>, results: &Path) {
    let expected = table(results.join("qc_obs.csv.gz"));
    let same =
        |name: &str, found: &DSlice<f64>, tolerance| assert_near(name, &download(found), &expected[name], tolerance);
    let cells = qc::cell_qc(matrix).unwrap();
    let n_genes: Vec<f64> = cells.n_genes.download().unwrap().into_iter().map(f64::from).collect();
    assert_near("n_genes_by_counts", &n_genes, &expected["n_genes_by_counts"], 0.0);
    same("total_counts", &cells.total, 0.0);
    same("log1p_n_genes_by_counts", &qc::log1p_of_counts(&cells.n_genes).unwrap(), 1e-12);
    same("log1p_total_counts", &qc::log1p_of(&cells.total).unwrap(), 1e-12);
    for n in [50, 100, 200, 500] {
        let name = format!("pct_counts_in_top_{n}_genes");
        same(&name, &qc::top_percent(matrix, &cells.total, n).unwrap(), 1e-12);
    }
    let upper: Vec<String> = counts.genes.iter().map(|gene| gene.to_uppercase()).collect();
    let ribosomal = |gene: &str| {
        let number = gene.strip_prefix("RPS").or(gene.strip_prefix("RPL"));
        number.is_some_and(|number| number.starts_with(|letter: char| letter.is_ascii_digit()))
    };
    let mitochondrial = |gene: &str| gene.starts_with("MT-");
    for (name, chosen) in [("mt", &mitochondrial as &dyn Fn(&str) -> bool), ("ribo", &ribosomal)] {
        let genes: Vec<u8> = upper.iter().map(|gene| u8::from(chosen(gene))).collect();
        let total = qc::subset_total(matrix, &matrix.device().upload(&genes).unwrap()).unwrap();
        same(&format!("total_counts_{name}"), &total, 0.0);
        same(&format!("log1p_total_counts_{name}"), &qc::log1p_of(&total).unwrap(), 1e-12);
        same(&format!("pct_counts_{name}"), &qc::percent_of(&total, &cells.total).unwrap(), 1e-12);
    }
}

fn check_genes(matrix: &DeviceCsr<f32>, results: &Path) {
    let expected = table(results.join("qc_var.csv.gz"));
    let same = |name: &str, found: &DSlice<f64>| assert_near(name, &download(found), &expected[name], 1e-12);
    let genes = qc::gene_qc(matrix).unwrap();
    let n_cells: Vec<f64> = genes.n_cells.download().unwrap().into_iter().map(|n| n as f64).collect();
    assert_near("n_cells_by_counts", &n_cells, &expected["n_cells_by_counts"], 0.0);
    assert_near("total_counts", &download(&genes.total), &expected["total_counts"], 0.0);
    same("mean_counts", &genes.mean);
    same("log1p_mean_counts", &genes.log1p_mean);
    same("log1p_total_counts", &genes.log1p_total);
    same("pct_dropout_by_counts", &genes.pct_dropout);
}

/// Sums of cells and genes, against files whose names start with `name`.
fn check_sums(matrix: &DeviceCsr<f32>, results: &Path, name: &str, tolerance: f64) {
    let genes = gene_sums(matrix.device(), &[matrix], Value::Plain).unwrap().sum;
    let file = |what: &str| results.join(format!("{name}_{what}_sums.npy"));
    assert_near(name, &download(&genes), &npy(file("gene")), tolerance);
    if file("cell").exists() {
        assert_near(name, &download(&qc::cell_qc(matrix).unwrap().total), &npy(file("cell")), tolerance);
    }
}

/// Whole rows of the logarithms.
fn check_rows(matrix: &DeviceCsr<f32>, results: &Path) {
    let (indptr, indices) = (matrix.indptr.download().unwrap(), matrix.indices.download().unwrap());
    let data = matrix.data.download().unwrap();
    let name = ["rows50", "rows20"].into_iter().find(|name| results.join(format!("log1p_{name}.data.npy")).exists());
    let name = name.expect("whole rows are among the results");
    let part = |what: &str| npy(results.join(format!("log1p_{name}.{what}.npy")));
    let (starts, columns, values) = (part("indptr"), part("indices"), part("data"));
    for (number, row) in npy(results.join(format!("{name}.npy"))).into_iter().enumerate() {
        let found = indptr[row as usize] as usize..indptr[row as usize + 1] as usize;
        let expected = starts[number] as usize..starts[number + 1] as usize;
        let found_columns: Vec<f64> = indices[found.clone()].iter().map(|column| f64::from(*column)).collect();
        assert_eq!(found_columns, columns[expected.clone()]);
        let found_values: Vec<f64> = data[found].iter().map(|value| f64::from(*value)).collect();
        assert_near("log1p", &found_values, &values[expected], 2e-7);
    }
}

fn check_variable_genes(matrix: &DeviceCsr<f32>, results: &Path) {
    let expected = table(results.join("hvg_seurat.csv.gz"));
    let options = |selection| SeuratOptions { selection, ..SeuratOptions::default() };
    let find = |selection| highly_variable_genes(matrix.device(), &[matrix], None, &options(selection)).unwrap();
    let found = find(Selection::Top(2000));
    // Half a unit of `f32` in a logarithm below ln(1 + 10,000) = 9.2 is up to 9.2 / 2^24 = 5.5e-7 of what it came from.
    assert_near("means", &found.means, &expected["means"], 6e-7);
    for (found, expected) in found.dispersions_norm.iter().zip(&expected["dispersions_norm"]) {
        assert!((found - expected).abs() <= 1e-6 * expected.abs().max(1.0) || found.is_nan() && expected.is_nan());
    }
    let chosen: Vec<f64> = found.highly_variable.iter().map(|flag| f64::from(u8::from(*flag))).collect();
    assert_eq!(chosen, expected["highly_variable"]);
    let within: Vec<u8> = find(SeuratOptions::default().selection).highly_variable.into_iter().map(u8::from).collect();
    assert_eq!(within, flags(results.join("hvg_seurat_cutoff_mask.npy")));
}

fn check(name: &str) {
    let Some((counts, results)) = data_set(name) else { return };
    let device = Device::cpu();
    let all = counts.upload(&device);
    check_cells(&counts, &all, &results);
    check_genes(&all, &results);
    let mut by_median = filtered(&all, &results);
    let totals = qc::cell_qc(&by_median).unwrap().total;
    let median = median_of_positive(&totals).unwrap().expect("there are counts");
    normalize_total(&mut by_median, &totals, median).unwrap();
    check_sums(&by_median, &results, "norm_median", 1e-6);
    let mut matrix = filtered(&all, &results);
    normalize_total(&mut matrix, &totals, 1e4).unwrap();
    check_sums(&matrix, &results, "norm1e4", 2e-7);
    log1p(&mut matrix).unwrap();
    check_sums(&matrix, &results, "log1p", 2e-7);
    check_rows(&matrix, &results);
    check_variable_genes(&matrix, &results);
}

#[test]
fn human_blood_cells() {
    check("pbmc3k_counts");
}

#[test]
fn mouse_progenitors_of_four_batches() {
    check("mouse_hpc_4batch");
}

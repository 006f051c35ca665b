//! The whole pipeline against scanpy's results on real data: from the counts' file to the neighbours. The tolerances are
//! those of the results' own description for 32-bit data.

#[allow(dead_code)]
#[path = "../../ops/tests/common/mod.rs"]
mod common;

use common::{assert_near, flags, npy, shared, table};
use std::collections::BTreeSet;
use std::path::Path;
use warpcell::data::{AnnData, Column, Frame};
use warpcell::io;
use warpcell::pipeline::{DeviceData, Options, Pipeline};
use warpcell_runtime::Device;

fn column(frame: &Frame, name: &str) -> Vec<f64> {
    match frame.get(name) {
        Some(Column::Float64(values)) => values.clone(),
        Some(Column::Float32(values)) => values.iter().map(|value| f64::from(*value)).collect(),
        Some(Column::Int(values)) => values.iter().map(|value| *value as f64).collect(),
        other => panic!("column `{name}` is {other:?}"),
    }
}

/// The rows whose flag is 1.
fn kept(values: &[f64], flags: &[u8]) -> Vec<f64> {
    values.iter().zip(flags).filter(|(_, flag)| **flag == 1).map(|(value, _)| *value).collect()
}

fn check(name: &str) {
    let (Some(file), Some(golden)) = (shared(&format!("data/counts/{name}.h5ad")), shared(&format!("golden/{name}")))
    else {
        return;
    };
    let input = io::read(&file).unwrap();
    let mut data = DeviceData::upload(&Device::auto().unwrap(), input).unwrap();
    Pipeline::standard(&Options::default()).run(&mut data, |_, _, _| {}).unwrap();
    let result = data.download().unwrap();
    check_cells(&result, &golden);
    check_genes(&result, &golden);
    check_components(&result, &golden);
    check_neighbours(&result, &golden);
}

/// The quality measures of the cells that stay; they were computed before the filters.
fn check_cells(result: &AnnData, golden: &Path) {
    let (expected, cells) = (table(golden.join("qc_obs.csv.gz")), flags(golden.join("filter_cells_mask.npy")));
    for name in ["n_genes_by_counts", "total_counts", "total_counts_mt", "total_counts_ribo"] {
        assert_eq!(column(&result.obs, name), kept(&expected[name], &cells), "{name}");
    }
    let shares = ["pct_counts_mt", "pct_counts_ribo", "pct_counts_in_top_50_genes", "pct_counts_in_top_500_genes"];
    for name in shares.into_iter().chain(["log1p_total_counts", "log1p_n_genes_by_counts"]) {
        assert_near(name, &column(&result.obs, name), &kept(&expected[name], &cells), 1e-12);
    }
}

/// The same genes stay, and the same 2,000 are chosen.
fn check_genes(result: &AnnData, golden: &Path) {
    let expected = table(golden.join("hvg_seurat.csv.gz"));
    let Some(Column::Bool(chosen)) = result.var.get("highly_variable") else { panic!("no genes were chosen") };
    let chosen: Vec<f64> = chosen.iter().map(|flag| f64::from(u8::from(*flag))).collect();
    assert_eq!(chosen, expected["highly_variable"]);
    for (found, expected) in column(&result.var, "dispersions_norm").iter().zip(&expected["dispersions_norm"]) {
        // Stored in 32 bits, where neighbours of a value above 16 are 2e-6 apart.
        let near = (found - expected).abs() <= 1e-6 * expected.abs().max(1.0);
        assert!(near || (found.is_nan() && expected.is_nan()), "{found} {expected}");
    }
}

fn check_components(result: &AnnData, golden: &Path) {
    let expected = npy(golden.join("pca_scores.npy"));
    let scores = &result.obsm["X_pca"];
    assert_eq!(scores.data.len(), expected.len());
    for component in 0..50 {
        let of = |values: &dyn Fn(usize) -> f64| -> Vec<f64> {
            (0..scores.n_rows()).map(|cell| values(cell * 50 + component)).collect()
        };
        let (found, wanted) = (of(&|at| f64::from(scores.data[at])), of(&|at| expected[at]));
        let size = wanted.iter().fold(0f64, |size, value| size.max(value.abs()));
        let worst = found.iter().zip(&wanted).fold(0f64, |worst, (a, b)| worst.max((a - b).abs())) / size;
        let tolerance = match component {
            0 => 2e-6,
            1..10 => 1.5e-5,
            _ => 7e-4,
        };
        assert!(worst <= tolerance, "component {}: {worst:e}", component + 1);
    }
}

/// The same neighbours for all cells, but where another is as near to within the rounding of the scores.
fn check_neighbours(result: &AnnData, golden: &Path) {
    let (indices, distances) = (npy(golden.join("knn_indices.npy")), npy(golden.join("knn_distances.npy")));
    let scores = npy(golden.join("pca_scores.npy"));
    let graph = &result.obsp["distances"];
    for cell in 0..graph.n_rows() {
        let (found, lengths) = graph.row(cell);
        let range = cell * 15 + 1..(cell + 1) * 15;
        let expected: BTreeSet<u32> = indices[range.clone()].iter().map(|index| *index as u32).collect();
        let mut lengths: Vec<f64> = lengths.iter().map(|length| f64::from(*length)).collect();
        lengths.sort_by(f64::total_cmp);
        let farthest = distances[range.end - 1];
        assert_near("distances", &lengths, &distances[range], 1e-5);
        for other in found.iter().filter(|other| !expected.contains(other)) {
            let difference = |k: usize| scores[cell * 50 + k] - scores[*other as usize * 50 + k];
            let distance = (0..50).map(|k| difference(k).powi(2)).sum::<f64>().sqrt();
            assert!(
                distance <= farthest * (1.0 + 1e-5),
                "cell {cell} has {other} at {distance}, not within {farthest}"
            );
        }
    }
}

#[test]
fn human_blood_cells() {
    check("pbmc3k_counts");
}

#[test]
fn mouse_progenitors_of_four_batches() {
    check("mouse_hpc_4batch");
}

//! PCA and nearest neighbours against scanpy's results on real data, within the tolerances for `f32` data.

#[allow(dead_code, reason = "each test uses its part")]
mod common;

use common::{Counts, flags, npy, shared};
use std::collections::BTreeSet;
use std::path::Path;
use warpcell_ops::DeviceCsr;
use warpcell_ops::knn::nearest_neighbors;
use warpcell_ops::pca::pca;
use warpcell_runtime::Device;

const SETS: [&str; 2] = ["pbmc3k_counts", "mouse_hpc_4batch"];
const COMPONENTS: usize = 50;
/// Neighbours in the lists, the cell itself included.
const K: usize = 15;

/// How far a component may be off, relative to its largest entry.
fn tolerance(component: usize) -> f64 {
    match component {
        0 => 2e-6,
        1..10 => 1.5e-5,
        _ => 7e-4,
    }
}

#[test]
fn components_are_those_of_scanpy() {
    for set in SETS {
        let Some(golden) = shared(&format!("golden/{set}")) else { return };
        let Some(counts) = shared(&format!("data/counts/{set}.h5ad")) else { return };
        let read = |name: &str| npy(golden.join(name));
        let matrix = log_data(&Counts::read(&counts).upload(&Device::cpu()), &golden);
        let found = pca(&matrix, COMPONENTS).unwrap();
        let scores: Vec<f64> = found.scores.download().unwrap().into_iter().map(f64::from).collect();
        assert_columns(&scores, &read("pca_scores.npy"), set);
        assert_columns(&found.loadings, &read("pca_loadings.npy"), set);
        for (values, name) in [(found.variance, "pca_variance.npy"), (found.variance_ratio, "pca_variance_ratio.npy")] {
            common::assert_near(&format!("{set} {name}"), &values, &read(name), 1e-7);
        }
    }
}

/// The input of the golden PCA: filtered, `normalize_total(1e4)`, `log1p`, the highly variable genes.
fn log_data(counts: &DeviceCsr<f32>, golden: &Path) -> DeviceCsr<f32> {
    let (cells, genes) = (flags(golden.join("filter_cells_mask.npy")), flags(golden.join("filter_genes_mask.npy")));
    let filtered: Vec<usize> = (0..genes.len()).filter(|gene| genes[*gene] == 1).collect();
    // Which column each gene of the input becomes.
    let mut columns = vec![None; genes.len()];
    let variable = npy(golden.join("hv_genes.npy"));
    for (column, gene) in variable.iter().enumerate() {
        columns[filtered[*gene as usize]] = Some(column as u32);
    }
    let all_indptr = counts.indptr.download().unwrap();
    let (all_indices, all_data) = (counts.indices.download().unwrap(), counts.data.download().unwrap());
    let (mut indptr, mut indices, mut data) = (vec![0u64], Vec::new(), Vec::new());
    for cell in (0..cells.len()).filter(|cell| cells[*cell] == 1) {
        let row = || {
            let range = all_indptr[cell] as usize..all_indptr[cell + 1] as usize;
            range.map(|k| (all_indices[k] as usize, f64::from(all_data[k]))).filter(|(gene, _)| genes[*gene] == 1)
        };
        let total: f64 = row().map(|(_, count)| count).sum();
        for (gene, count) in row().filter(|(_, count)| *count != 0.0) {
            if let Some(column) = columns[gene] {
                indices.push(column);
                data.push((count * (1e4 / total)).ln_1p() as f32);
            }
        }
        indptr.push(indices.len() as u64);
    }
    DeviceCsr::upload(counts.device(), &indptr, &indices, &data, variable.len()).unwrap()
}

/// Whether each component is near the golden one, sign included.
fn assert_columns(found: &[f64], golden: &[f64], what: &str) {
    assert_eq!(found.len(), golden.len(), "{what}");
    for component in 0..COMPONENTS {
        let column = |values: &[f64]| values.iter().skip(component).step_by(COMPONENTS).copied().collect::<Vec<_>>();
        let (found, golden) = (column(found), column(golden));
        let largest = golden.iter().fold(0f64, |largest, value| largest.max(value.abs()));
        let error = found.iter().zip(&golden).fold(0f64, |error, (x, y)| error.max((x - y).abs()));
        assert!(error <= tolerance(component) * largest, "{what}, component {component}: {}", error / largest);
    }
}

#[test]
fn neighbours_are_those_of_scanpy() {
    for set in SETS {
        let Some(golden) = shared(&format!("golden/{set}")) else { return };
        let read = |name: &str| npy(golden.join(name));
        let (scores, indices, distances) = (read("pca_scores.npy"), read("knn_indices.npy"), read("knn_distances.npy"));
        let points: Vec<f32> = scores.iter().map(|score| *score as f32).collect();
        let found = nearest_neighbors(&Device::cpu().upload(&points).unwrap(), COMPONENTS, K).unwrap();
        let found_distances: Vec<f64> = found.distances.download().unwrap().into_iter().map(f64::from).collect();
        common::assert_near(set, &found_distances, &distances, 1e-5);
        let (found, lists) = (found.indices.download().unwrap(), indices.chunks(K));
        assert_eq!(found.len(), indices.len());
        for (cell, (found, golden)) in found.chunks(K).zip(lists).enumerate() {
            assert_eq!(found[0] as usize, cell);
            let golden: BTreeSet<usize> = golden.iter().map(|index| *index as usize).collect();
            let farthest = distances[cell * K + K - 1];
            for other in found.iter().map(|index| *index as usize).filter(|index| !golden.contains(index)) {
                // Another one must be as near, but for the rounding of the scores.
                let difference = |c| scores[cell * COMPONENTS + c] - scores[other * COMPONENTS + c];
                let distance = (0..COMPONENTS).map(|c| f64::powi(difference(c), 2)).sum::<f64>().sqrt();
                assert!(distance <= farthest * (1.0 + 1e-6), "{set}: cell {cell} has {other} at {distance}");
            }
        }
    }
}

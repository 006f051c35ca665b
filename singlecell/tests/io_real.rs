//! Real files: what is known of each.

use std::path::{Path, PathBuf};
use warpcell::data::Column;
use warpcell::io;

/// The folder of real data beside the workspace, where it is there.
fn data() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    if !folder.is_dir() {
        println!("skipped: {} is not there", folder.display());
    }
    folder.is_dir().then_some(folder)
}

#[test]
fn the_data_set_of_the_repository_holds_counts_with_labels() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/pbmc68k_reduced_counts.h5ad");
    let data = io::read(&path).unwrap();
    assert_eq!((data.n_obs(), data.n_vars()), (700, 765));
    assert!(data.x.is_whole() && data.x.first_non_count().is_none());
    let total: f64 = data.x.data.iter().map(|count| f64::from(*count)).sum();
    assert_eq!(total, 486_651.0);
    assert_eq!(data.obs.index[0], "AAAGCCTGGCTAAC-1");
    let Some(Column::Categorical { categories, .. }) = data.obs.get("bulk_labels") else { panic!("labels") };
    assert_eq!(categories.len(), 10);
}

#[test]
fn count_matrices_have_their_shapes_and_entries() {
    let Some(data) = data() else { return };
    for (file, shape, entries) in [
        ("pbmc3k_counts", [2638, 13714], Some(2_238_732)),
        ("pbmc3k_lognorm_seurat", [2638, 13714], Some(2_238_732)),
        ("pbmc3k_all2700_dense_i32", [2700, 7090], None),
        ("mouse_hpc_4batch", [6933, 28205], Some(6_075_561)),
        ("kang_ctrl_stim_2000_csc", [2000, 9015], Some(1_129_806)),
        ("mixology_dropseq_3lines", [225, 15127], Some(1_290_921)),
        ("perturbseq_eccite_20729", [20729, 299], Some(1_390_126)),
        ("celegans_l2", [5340, 5000], Some(324_187)),
        ("pbmc_tenx_250", [250, 32738], Some(229_372)),
        ("mixology_celseq2_3lines", [274, 28204], Some(1_954_979)),
        ("mouse_olfactory_bulb_st_dense", [262, 15928], None),
    ] {
        let found = io::read(&data.join(format!("counts/{file}.h5ad"))).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!([found.n_obs(), found.n_vars()], shape, "{file}");
        assert!(entries.is_none_or(|entries| found.x.nnz() == entries), "{file}: {} entries", found.x.nnz());
        assert_eq!(found.x.first_non_count(), None, "{file}");
    }
}

#[test]
fn h5_and_folder_of_one_run_hold_the_same() {
    let Some(data) = data() else { return };
    let tenx = data.join("tenx");
    for (h5, folder) in [
        ("visium_mouse_filtered_feature_bc_matrix.h5", "visium_mouse_mtx"),
        ("v3_filtered_feature_bc_matrix.h5", "v3_mtx"),
        ("v2_filtered_gene_bc_matrices.h5", "v2_mtx"),
    ] {
        let [h5, folder] =
            [h5, folder].map(|name| io::read(&tenx.join(name)).unwrap_or_else(|error| panic!("{error}")));
        assert!(h5 == folder, "{} x {}", h5.n_obs(), h5.n_vars());
    }
}

#[test]
fn files_of_other_kinds_are_named() {
    let Some(data) = data() else { return };
    for (file, expected) in [
        ("odd/h5mu_named_h5ad.h5ad", "this is a MuData file"),
        ("loom/retina.loom", "this is a loom file"),
        ("odd/anndata_v0.5.0.h5ad", "obs: is a table of an anndata before 0.7"),
        ("tenx/liger_ctrl.h5", "matrix/features/id: is missing"),
        ("tenx/brain_large_v2_no_barcodes.h5", "mm10/genes: is missing"),
        ("tenx/visium_mouse_tissue_positions.csv", "this is no HDF5 file"),
    ] {
        let error = io::read(&data.join(file)).expect_err(file).to_string();
        assert!(error.contains(expected) && error.contains(file), "{error}");
    }
}

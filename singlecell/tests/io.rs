//! Reading and writing files: real ones, old and new ones, and broken ones.

use std::path::{Path, PathBuf};
use warpcell::data::{AnnData, Column, Csr, Dense, Frame, Uns};
use warpcell::{Error, io};

/// The folder of reference data beside the workspace, where it is there.
fn shared() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    if !folder.is_dir() {
        println!("skipped: {} is not there", folder.display());
    }
    folder.is_dir().then_some(folder)
}

fn example() -> AnnData {
    let (x, _) = Csr::from_parts(vec![0, 2, 2, 3], &[0, 3, 1], vec![1.0, 2.5, 7.0], [3, 4]).unwrap();
    let mut obs = Frame::new(["c1", "c2", "ç3"].map(String::from).to_vec());
    obs.set("flag", Column::Bool(vec![true, false, true]));
    obs.set("count", Column::Int(vec![-1, 0, i64::MAX]));
    obs.set("small", Column::Float32(vec![0.5, f32::NAN, -0.0]));
    obs.set("large", Column::Float64(vec![1e300, 0.1, 2.0]));
    obs.set("name", Column::String(["a", "", "β"].map(String::from).to_vec()));
    let categories = vec!["low".into(), "high".into()];
    obs.set("level", Column::Categorical { codes: vec![1, -1, 0], categories, ordered: true });
    obs.set("maybe", Column::NullableInt { values: vec![1, 0, 3], missing: vec![false, true, false] });
    obs.set("perhaps", Column::NullableBool { values: vec![true, false, false], missing: vec![false, false, true] });
    let var = Frame::new((0..4).map(|gene| format!("g{gene}")).collect());
    let mut data = AnnData { x: x.clone(), obs, var, ..AnnData::default() };
    data.obsm.insert("X_pca".into(), Dense { data: vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0], n_cols: 2 });
    data.varm.insert("PCs".into(), Dense { data: vec![0.25; 8], n_cols: 2 });
    data.obsp
        .insert("distances".into(), Csr::from_dense(&[0.0, 1.0, 0.0, 1.0, 0.0, 2.0, 0.0, 2.0, 0.0], [3, 3]).unwrap());
    data.uns.insert("log1p".into(), Uns::from([]));
    data.uns.insert(
        "pca".into(),
        Uns::from([
            ("variance", Uns::Floats(vec![2.0, 1.0])),
            (
                "params",
                Uns::from([("zero_center", Uns::Int(1)), ("tol", Uns::Float(0.5)), ("mask", Uns::String("hv".into()))]),
            ),
            ("names", Uns::Strings(vec!["x".into(), "y".into()])),
        ]),
    );
    data
}

#[test]
fn what_is_written_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("example.h5ad");
    let data = example();
    io::h5ad::write(&path, &data).unwrap();
    let mut back = io::read(&path).unwrap();
    // NaN is not equal to itself.
    let Some(Column::Float32(values)) = back.obs.get("small") else { panic!("a column of floats") };
    assert!(values[1].is_nan());
    let values = vec![values[0], 0.0, values[2]];
    back.obs.set("small", Column::Float32(values));
    let mut expected = data;
    expected.obs.set("small", Column::Float32(vec![0.5, 0.0, -0.0]));
    assert_eq!(back, expected);
    // Nothing but the file is there.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_file_cut_off_anywhere_is_an_error_and_never_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("example.h5ad");
    io::h5ad::write(&path, &example()).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let cut = folder.path().join("cut.h5ad");
    for length in (0..bytes.len()).step_by(101) {
        std::fs::write(&cut, &bytes[..length]).unwrap();
        let error = io::read(&cut).expect_err("a part of a file");
        assert!(error.to_string().contains("cut.h5ad"), "{error}");
    }
}

#[test]
fn what_is_no_input_is_named_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let message = |path: &Path| io::read(path).expect_err("no input").to_string();
    assert!(message(&folder.path().join("absent.h5ad")).contains("absent.h5ad: No such file"));
    assert!(message(folder.path()).contains("holds no matrix.mtx"));
    let text = folder.path().join("text.h5ad");
    std::fs::write(&text, "gene,count\n").unwrap();
    assert!(message(&text).contains("no HDF5 file"));
    std::fs::write(&text, "").unwrap();
    assert!(message(&text).contains("is empty"));
}

#[test]
fn a_folder_that_is_not_there_is_an_error_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let error = io::h5ad::write(&folder.path().join("absent/out.h5ad"), &example()).unwrap_err();
    assert!(matches!(error, Error::Io { .. }), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

fn write_tenx(folder: &Path, matrix: &str) {
    std::fs::write(folder.join("matrix.mtx"), matrix).unwrap();
    std::fs::write(
        folder.join("features.tsv"),
        "E1\tA\tGene Expression\nE2\tB\tGene Expression\nE3\tA\tGene Expression\n",
    )
    .unwrap();
    std::fs::write(folder.join("barcodes.tsv"), "AAAC-1\nAAAG-1\n").unwrap();
}

#[test]
fn a_folder_of_10x_gives_cells_by_genes_with_unique_names() {
    let folder = tempfile::tempdir().unwrap();
    let header = "%%MatrixMarket matrix coordinate integer general\n%a comment\n3 2 3\n";
    write_tenx(folder.path(), &format!("{header}3 1 5\n1 2 7\n1 1 2\n"));
    let data = io::read(folder.path()).unwrap();
    assert_eq!(data.x, Csr::from_dense(&[2.0, 0.0, 5.0, 7.0, 0.0, 0.0], [2, 3]).unwrap());
    assert_eq!(data.obs.index, ["AAAC-1", "AAAG-1"]);
    assert_eq!(data.var.index, ["A", "B", "A-1"]);
    assert_eq!(data.var.get("gene_ids"), Some(&Column::String(["E1", "E2", "E3"].map(String::from).to_vec())));
    for (entries, expected) in [
        ("3 1 5\n1 2 x\n1 1 2\n", "line 5: `x` is no number"),
        ("3 1 5\n4 2 7\n1 1 2\n", "line 5: entry (4, 2) is outside of 3 x 2"),
        ("3 1 5\n", "ends after 1 of 3 entries"),
    ] {
        write_tenx(folder.path(), &format!("{header}{entries}"));
        let error = io::read(folder.path()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn real_files_are_read_with_their_shapes() {
    let Some(shared) = shared() else { return };
    for (file, shape, entries) in [
        ("counts/pbmc3k_counts.h5ad", [2638, 13714], 2_238_732),
        ("counts/pbmc3k_lognorm_seurat.h5ad", [2638, 13714], 2_238_732),
        ("counts/pbmc3k_all2700_dense_i32.h5ad", [2700, 7090], 0),
        ("counts/mouse_hpc_4batch.h5ad", [6933, 28205], 6_075_561),
        ("counts/kang_ctrl_stim_2000_csc.h5ad", [2000, 9015], 1_129_806),
        ("counts/perturbseq_eccite_20729.h5ad", [20729, 299], 1_390_126),
        ("counts/mouse_olfactory_bulb_st_dense.h5ad", [262, 15928], 0),
        ("tenx/visium_mouse_mtx", [2898, 19465], 1_069_459),
        ("tenx/unfiltered_83683_mtx", [83683, 36601], 670_199),
        ("tenx/v2_mtx", [12, 343], 12),
        ("tenx/int_ids_mtx", [5, 6], 3),
    ] {
        let data = io::read(&shared.join("data").join(file)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!([data.n_obs(), data.n_vars()], shape, "{file}");
        assert_eq!([data.obs.len(), data.var.len()], shape, "{file}");
        assert!(entries == 0 || data.x.nnz() == entries, "{file}: {} entries", data.x.nnz());
    }
}

#[test]
fn the_same_matrix_is_read_from_every_layout_of_current_anndata() {
    let Some(shared) = shared() else { return };
    for release in ["anndata_0.12.19", "anndata_0.13.4"] {
        let folder = shared.join("golden/formats").join(release);
        let mut read = 0;
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "h5ad") {
                continue;
            }
            match io::read(&path) {
                Ok(data) => {
                    assert_eq!((data.n_obs(), data.n_vars()), (data.obs.len(), data.var.len()));
                    read += 1;
                }
                // A file without X, or with one that is no matrix of numbers, says so.
                Err(error) => assert!(error.to_string().contains(": X"), "{error}"),
            }
        }
        assert!(read >= 5, "{release}: only {read} files could be read");
    }
}

#[test]
fn broken_files_are_errors_and_never_panics() {
    let Some(shared) = shared() else { return };
    let folder = shared.join("golden/formats/broken");
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let good = path.file_name().is_some_and(|name| name == "good.h5ad");
        if path.extension().is_some_and(|extension| extension == "h5ad") && !good {
            match io::read(&path) {
                Ok(_) => panic!("{} was read without an error", path.display()),
                Err(error) => println!("{error}"),
            }
        } else if path.is_dir() {
            println!("{}", io::read(&path).expect_err("a broken folder"));
        } else if good {
            io::read(&path).unwrap();
        }
    }
}

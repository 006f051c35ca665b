//! Damaged files give errors that say where and what to do: never a panic, never wrong numbers.

use std::path::{Path, PathBuf};
use warpcell::data::{AnnData, Column, Csr, Dense, Frame, Uns};
use warpcell::io;

fn broken() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/golden/formats/broken");
    if !folder.is_dir() {
        println!("skipped: {} is not there", folder.display());
    }
    folder.is_dir().then_some(folder)
}

#[test]
fn each_fault_is_named_with_its_place() {
    let Some(folder) = broken() else { return };
    for (file, expected) in [
        ("truncated_half.h5ad", "cut off"),
        ("truncated_last_1k.h5ad", "cut off"),
        ("not_hdf5.h5ad", "this is no HDF5 file"),
        ("empty.h5ad", "the file is empty"),
        ("indptr_not_monotone.h5ad", "X/indptr: indptr falls after row "),
        ("index_out_of_range.h5ad", "X/indices: index "),
        ("index_negative.h5ad", "X/indices: index -1 in row "),
        ("shape_mismatch_obs.h5ad", "X: the shape is "),
        ("missing_X.h5ad", "X: there is none, but it must hold the counts"),
        ("data_dtype_string.h5ad", "X/data: holds "),
        ("code_out_of_range.h5ad", "/codes: holds 7, but there are 3 categories"),
        ("missing_obs.h5ad", "obs: is missing"),
        ("column_length.h5ad", "obs/v: has "),
        ("indices_shorter_than_data.h5ad", "X/indptr: indptr ends at "),
        ("unknown_encoding.h5ad", "X: is encoded as `coo_matrix`"),
        ("mtx_bad_index", "matrix.mtx, line 4: entry (4, "),
        ("mtx_short", "the file ends after 2 of 4 entries"),
        ("mtx_barcode_count", "2 barcodes, but the tables have 3 and 3"),
    ] {
        let error = io::read(&folder.join(file)).expect_err(file).to_string();
        assert!(error.contains(file) && error.contains(expected), "{file}: {error}");
    }
    io::read(&folder.join("good.h5ad")).unwrap();
}

/// A small file with an element of each kind.
fn write_example(path: &Path) {
    let (x, _) = Csr::from_parts(vec![0, 2, 3], &[0, 2, 1], vec![1.0, 2.0, 3.0], [2, 3]).unwrap();
    let names = |prefix: &str, count: usize| Frame::new((0..count).map(|name| format!("{prefix}{name}")).collect());
    let mut data = AnnData { x, obs: names("c", 2), var: names("g", 3), ..AnnData::default() };
    let categories = vec!["a".into(), "b".into()];
    data.obs.set("kind", Column::Categorical { codes: vec![1, 0], categories, ordered: false });
    data.obs.set("flag", Column::NullableBool { values: vec![true, false], missing: vec![false, true] });
    data.var.set("mean", Column::Float64(vec![0.5, 1.5, 2.5]));
    data.obsm.insert("X_pca".into(), Dense { data: vec![1.0, 2.0, 3.0, 4.0], n_cols: 2 });
    data.uns.insert("neighbors".into(), Uns::from([("k", Uns::Int(15)), ("names", Uns::Strings(vec!["n".into()]))]));
    io::h5ad::write(path, &data).unwrap();
}

#[test]
fn a_file_cut_off_anywhere_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.h5ad");
    write_example(&whole);
    let bytes = std::fs::read(&whole).unwrap();
    let cut = folder.path().join("cut.h5ad");
    for length in (0..bytes.len()).step_by(401).chain(bytes.len() - 8..bytes.len()) {
        std::fs::write(&cut, &bytes[..length]).unwrap();
        let error = io::read(&cut).expect_err("a part of a file").to_string();
        assert!(error.contains("cut.h5ad"), "{length} bytes: {error}");
    }
}

#[test]
fn a_byte_changed_anywhere_is_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("changed.h5ad");
    write_example(&path);
    let bytes = std::fs::read(&path).unwrap();
    for place in (0..bytes.len()).step_by(397) {
        let mut changed = bytes.clone();
        changed[place] ^= 0xff;
        std::fs::write(&path, &changed).unwrap();
        // A value may be another one now, which no reader can tell; the parts fit together all the same.
        match io::read(&path) {
            Ok(data) => assert_eq!((data.n_obs(), data.n_vars()), (data.obs.len(), data.var.len())),
            Err(error) => assert!(error.to_string().contains("changed.h5ad"), "byte {place}: {error}"),
        }
    }
}

#[test]
fn a_compressed_table_cut_off_is_named_with_its_line() {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("matrix.mtx", "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 5\n");
    write("features.tsv", "E1\tA\tGene Expression\n");
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(b"AAAC-1\n").unwrap();
    let bytes = encoder.finish().unwrap();
    std::fs::write(folder.path().join("barcodes.tsv.gz"), &bytes[..bytes.len() - 4]).unwrap();
    let error = io::read(folder.path()).unwrap_err().to_string();
    assert!(error.contains("barcodes.tsv.gz, line ") && error.contains("cut off"), "{error}");
}

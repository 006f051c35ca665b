//! Files that several releases of anndata wrote, and other programs, against what is known to be in them.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use warpcell::data::{AnnData, Column, Csr, Frame};
use warpcell::io;

/// The folder of reference files beside the workspace, where it is there.
fn formats() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/golden/formats");
    if !folder.is_dir() {
        println!("skipped: {} is not there", folder.display());
    }
    folder.is_dir().then_some(folder)
}

fn json_file(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A number of the JSON files: special ones are texts there, and bools stand for 0 and 1.
fn number(value: &Value) -> f64 {
    match value {
        Value::Bool(flag) => f64::from(u8::from(*flag)),
        Value::String(text) => text.parse().unwrap(),
        other => other.as_f64().unwrap(),
    }
}

fn json_number(value: f64) -> Value {
    match value {
        value if value.is_nan() => json!("NaN"),
        value if value.is_infinite() => json!(if value > 0.0 { "Infinity" } else { "-Infinity" }),
        value => json!(value),
    }
}

/// All values of a matrix, row by row.
fn dense(csr: &Csr) -> Vec<f32> {
    let mut values = vec![0.0; csr.n_rows() * csr.n_cols];
    for row in 0..csr.n_rows() {
        let (columns, data) = csr.row(row);
        columns.iter().zip(data).for_each(|(column, value)| values[row * csr.n_cols + *column as usize] = *value);
    }
    values
}

fn assert_values(found: &[f32], expected: &Value, what: &str) {
    let rows = expected.as_array().unwrap();
    let expected: Vec<f64> = rows.iter().flat_map(|row| row.as_array().unwrap().iter().map(number)).collect();
    assert_eq!(found.len(), expected.len(), "{what}");
    for (place, (found, expected)) in found.iter().zip(&expected).enumerate() {
        let expected = *expected as f32;
        assert!(*found == expected || found.is_nan() && expected.is_nan(), "{what}, {place}: {found}, not {expected}");
    }
}

/// A column as the JSON files have it: a value a row, null where it is missing.
fn column_values(column: &Column) -> Vec<Value> {
    fn nullable<T: Copy + Into<Value>>(values: &[T], missing: &[bool]) -> Vec<Value> {
        values.iter().zip(missing).map(|(value, gone)| if *gone { Value::Null } else { (*value).into() }).collect()
    }
    match column {
        Column::Bool(values) => values.iter().map(|value| json!(value)).collect(),
        Column::Int(values) => values.iter().map(|value| json!(value)).collect(),
        Column::Float32(values) => values.iter().map(|value| json_number(f64::from(*value))).collect(),
        Column::Float64(values) => values.iter().map(|value| json_number(*value)).collect(),
        Column::String(values) => values.iter().map(|value| json!(value)).collect(),
        Column::Categorical { codes, categories, .. } => codes
            .iter()
            .map(|code| usize::try_from(*code).map_or(Value::Null, |code| json!(categories[code])))
            .collect(),
        Column::NullableInt { values, missing } => nullable(values, missing),
        Column::NullableBool { values, missing } => nullable(values, missing),
    }
}

fn expected_values(column: &Value) -> Vec<Value> {
    if column["dtype"] != "categorical" {
        return column["values"].as_array().unwrap().clone();
    }
    let categories = &column["categories"];
    let codes = column["codes"].as_array().unwrap().iter();
    codes.map(|code| code.as_u64().map_or(Value::Null, |code| categories[code as usize].clone())).collect()
}

/// The parser of JSON may be off by one in the last bit of a float.
fn assert_same(found: &[Value], expected: &[Value], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (row, (found, expected)) in found.iter().zip(expected).enumerate() {
        let same = match (found.as_f64(), expected.as_f64()) {
            (Some(a), Some(b)) => (a - b).abs() <= f64::EPSILON * b.abs(),
            _ => found == expected,
        };
        assert!(same, "{what}, row {row}: {found}, not {expected}");
    }
}

fn assert_frame(found: &Frame, expected: &Value, what: &str) {
    assert_eq!(json!(found.index), expected["index"], "{what}: index");
    let names: Vec<&String> = found.columns().iter().map(|(name, _)| name).collect();
    assert_eq!(json!(names), expected["columns"], "{what}: columns");
    for (name, column) in found.columns() {
        let expected = &expected["data"][name];
        assert_same(&column_values(column), &expected_values(expected), &format!("{what}/{name}"));
        if let (Column::Categorical { ordered, .. }, "categorical") = (column, expected["dtype"].as_str().unwrap()) {
            assert_eq!(json!(ordered), expected["ordered"], "{what}/{name}: ordered");
        }
    }
}

fn assert_data(found: &AnnData, expected: &Value, what: &str) {
    assert_eq!(json!([found.n_obs(), found.n_vars()]), expected["shape"], "{what}");
    assert_values(&dense(&found.x), &expected["X"]["values"], &format!("{what}: X"));
    assert_frame(&found.obs, &expected["obs"], &format!("{what}: obs"));
    assert_frame(&found.var, &expected["var"], &format!("{what}: var"));
    for (axis, arrays) in [("obsm", &found.obsm), ("varm", &found.varm)] {
        for (name, array) in arrays {
            assert_values(&array.data, &expected[axis][name]["values"], &format!("{what}: {axis}/{name}"));
        }
    }
    for (name, graph) in &found.obsp {
        assert_values(&dense(graph), &expected["obsp"][name]["values"], &format!("{what}: obsp/{name}"));
    }
}

#[test]
fn what_anndata_wrote_is_read_value_by_value() {
    let Some(formats) = formats() else { return };
    for (release, fewest) in [("0.7.8", 24), ("0.9.2", 4), ("0.11.4", 4), ("0.12.19", 25), ("0.13.4", 25)] {
        let folder = formats.join(format!("anndata_{release}"));
        let mut compared = 0;
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "h5ad") {
                continue;
            }
            let expected = json_file(&path.with_extension("json"));
            if expected["X"].is_null() {
                let error = io::read(&path).unwrap_err().to_string();
                assert!(error.contains("X: there is none"), "{error}");
                continue;
            }
            let found = io::read(&path).unwrap_or_else(|error| panic!("{error}"));
            assert_data(&found, &expected, &path.display().to_string());
            compared += 1;
        }
        assert!(compared >= fewest, "anndata {release}: only {compared} files");
    }
}

#[test]
fn everything_that_the_model_knows_is_read_from_the_full_file() {
    let Some(formats) = formats() else { return };
    for release in ["anndata_0.12.19", "anndata_0.13.4"] {
        let data = io::read(&formats.join(release).join("full_csr_f32.h5ad")).unwrap();
        assert_eq!(data.obsm.keys().collect::<Vec<_>>(), ["X_pca"]);
        assert_eq!(data.varm.keys().collect::<Vec<_>>(), ["PCs"]);
        assert_eq!(data.obsp.keys().collect::<Vec<_>>(), ["connectivities"]);
        let known = [
            "a_bool",
            "a_float",
            "a_string",
            "an_int",
            "empty_dict",
            "empty_string",
            "floats",
            "ints",
            "nested",
            "strings",
        ];
        assert_eq!(data.uns.keys().collect::<Vec<_>>(), known);
        assert_eq!(data.obs.columns().len(), 15);
    }
}

#[test]
fn files_of_anndata_before_0_7_are_refused_with_what_to_do() {
    let Some(formats) = formats() else { return };
    let error = io::read(&formats.join("anndata_0.6.22/full_csr_f32.h5ad")).unwrap_err().to_string();
    assert!(
        error.contains("obs: is a table of an anndata before 0.7; open the file with a current anndata"),
        "{error}"
    );
}

#[test]
fn filters_are_undone_or_named() {
    let Some(formats) = formats() else { return };
    let folder = formats.join("filters");
    let expected = json_file(&folder.join("expected.json"));
    for file in ["none", "gzip", "gzip9", "gzip_shuffle_fletcher32", "lzf", "libver_v110"] {
        let data = io::read(&folder.join(format!("{file}.h5ad"))).unwrap_or_else(|error| panic!("{error}"));
        assert_values(&dense(&data.x), &expected["cells_by_genes"], file);
        let expected = expected["obs"]["v"].as_array().unwrap();
        assert_same(&column_values(data.obs.get("v").unwrap()), expected, file);
    }
    let newest = io::read(&folder.join("libver_latest_gzip.h5ad")).unwrap_err().to_string();
    assert!(newest.contains("is stored in a way of HDF5 2"), "{newest}");
    let many = io::read(&folder.join("many_chunks.h5ad")).unwrap();
    assert_eq!(dense(&many.x), (0..3000).map(|value| value as f32).collect::<Vec<_>>());
    for (file, filter) in [
        ("zstd", "Zstandard"),
        ("lz4", "LZ4"),
        ("bitshuffle_lz4", "bitshuffle"),
        ("blosc_lz4", "Blosc"),
        ("blosc_zstd_shuffle", "Blosc"),
        ("blosc2", "Blosc2"),
    ] {
        let error = io::read(&folder.join(format!("{file}.h5ad"))).unwrap_err().to_string();
        let wanted =
            format!("is compressed with {filter}, which can't be read; open the file with anndata and write it again");
        assert!(error.contains(&wanted) && error.contains(&format!("{file}.h5ad")), "{error}");
    }
}

#[test]
fn one_matrix_is_read_from_every_layout_of_10x() {
    let Some(formats) = formats() else { return };
    let folder = formats.join("tenx");
    let expected = json_file(&folder.join("expected.json"));
    for name in expected["files"].as_object().unwrap().keys() {
        if name == "v2_two_genomes.h5" {
            let error = io::read(&folder.join(name)).unwrap_err().to_string();
            assert!(error.contains("several genomes (hg19, mm10)"), "{error}");
            continue;
        }
        let data = io::read(&folder.join(name)).unwrap_or_else(|error| panic!("{error}"));
        assert_values(&dense(&data.x), &expected["cells_by_genes"], name);
        assert_eq!(json!(data.obs.index), expected["barcodes"], "{name}");
        assert_eq!(json!(column_values(data.var.get("gene_ids").unwrap())), expected["gene_ids"], "{name}");
        // The names are made unique: the second GENE3 gets a suffix.
        let mut names: Vec<String> = serde_json::from_value(expected["gene_names"].clone()).unwrap();
        names[4] = "GENE3-1".into();
        assert_eq!(data.var.index, names, "{name}");
        if name.contains("v3") {
            let types = column_values(data.var.get("feature_types").unwrap());
            assert_eq!(json!(types), expected["feature_types"], "{name}");
        }
    }
}

//! The structure of written files is that of anndata's specification of on-disk formats: an encoding on every element, and
//! arrays of the types that every reader knows.

use hdf5_pure::{AttrValue, File, Group};
use std::collections::{BTreeMap, HashMap};
use warpcell::data::{AnnData, Column, Csr, Dense, Frame, Uns};
use warpcell::io;

fn example() -> AnnData {
    let x = Csr::from_dense(&[1.0, 0.0, 2.0, 0.0, 3.0, 0.0], [2, 3]).unwrap();
    let names = |names: &[&str]| Frame::new(names.iter().map(|name| name.to_string()).collect());
    let mut data = AnnData { x, obs: names(&["c0", "c1"]), var: names(&["g0", "g1", "g2"]), ..AnnData::default() };
    data.obs.set("flag", Column::Bool(vec![true, false]));
    data.obs.set("int", Column::Int(vec![1, 2]));
    data.obs.set("single", Column::Float32(vec![1.0, 2.0]));
    data.obs.set("double", Column::Float64(vec![1.0, 2.0]));
    data.obs.set("text", Column::String(vec!["x".into(), "ÿ".into()]));
    let categories = vec!["low".into(), "high".into()];
    data.obs.set("kind", Column::Categorical { codes: vec![-1, 1], categories, ordered: true });
    data.obs.set("maybe", Column::NullableInt { values: vec![1, 2], missing: vec![true, false] });
    data.obs.set("perhaps", Column::NullableBool { values: vec![true, false], missing: vec![true, false] });
    data.obsm.insert("X_pca".into(), Dense { data: vec![1.0, 2.0, 3.0, 4.0], n_cols: 2 });
    data.varm.insert("PCs".into(), Dense { data: vec![1.0, 2.0, 3.0], n_cols: 1 });
    data.obsp.insert("distances".into(), Csr::from_dense(&[0.0, 1.0, 1.0, 0.0], [2, 2]).unwrap());
    data.uns.insert("log1p".into(), Uns::from([]));
    data.uns.insert(
        "all".into(),
        Uns::from([
            ("bool", Uns::Bool(true)),
            ("int", Uns::Int(1)),
            ("float", Uns::Float(0.5)),
            ("string", Uns::String("s".into())),
            ("bools", Uns::Bools(vec![true])),
            ("ints", Uns::Ints(vec![1])),
            ("floats", Uns::Floats(vec![0.5])),
            ("strings", Uns::Strings(vec!["s".into()])),
        ]),
    );
    data
}

fn encoding(attributes: &HashMap<String, AttrValue>) -> String {
    let text = |name: &str| attributes.get(name).and_then(AttrValue::as_str).unwrap_or("none").to_string();
    format!("{} {}", text("encoding-type"), text("encoding-version"))
}

/// The encoding of every element, by path; for arrays their type and shape too.
fn elements(group: &Group, path: &str, out: &mut BTreeMap<String, String>) {
    for name in group.groups().unwrap() {
        let (child, path) = (group.group(&name).unwrap(), format!("{path}/{name}"));
        out.insert(path.clone(), encoding(&child.attrs().unwrap()));
        elements(&child, &path, out);
    }
    for name in group.datasets().unwrap() {
        let dataset = group.dataset(&name).unwrap();
        let (shape, dtype) = (dataset.shape().unwrap(), dataset.dtype().unwrap());
        out.insert(format!("{path}/{name}"), format!("{} {dtype} {shape:?}", encoding(&dataset.attrs().unwrap())));
    }
}

#[test]
fn every_element_has_its_encoding() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("example.h5ad");
    io::h5ad::write(&path, &example()).unwrap();
    let file = File::open(&path).unwrap();
    assert_eq!(encoding(&file.root().attrs().unwrap()), "anndata 0.1.0");
    let mut found = BTreeMap::new();
    elements(&file.root(), "", &mut found);
    let bools = "array 0.2.0 enum[FALSE, TRUE]";
    let expected = [
        ("/X", "csr_matrix 0.1.0".to_string()),
        ("/X/data", "array 0.2.0 f32 [3]".into()),
        ("/X/indices", "array 0.2.0 i32 [3]".into()),
        ("/X/indptr", "array 0.2.0 i32 [3]".into()),
        ("/layers", "dict 0.1.0".into()),
        ("/obs", "dataframe 0.2.0".into()),
        ("/obs/_index", "string-array 0.2.0 vlen_string [2]".into()),
        ("/obs/double", "array 0.2.0 f64 [2]".into()),
        ("/obs/flag", format!("{bools} [2]")),
        ("/obs/int", "array 0.2.0 i64 [2]".into()),
        ("/obs/kind", "categorical 0.2.0".into()),
        ("/obs/kind/categories", "string-array 0.2.0 vlen_string [2]".into()),
        ("/obs/kind/codes", "array 0.2.0 i32 [2]".into()),
        ("/obs/maybe", "nullable-integer 0.1.0".into()),
        ("/obs/maybe/mask", format!("{bools} [2]")),
        ("/obs/maybe/values", "array 0.2.0 i64 [2]".into()),
        ("/obs/perhaps", "nullable-boolean 0.1.0".into()),
        ("/obs/perhaps/mask", format!("{bools} [2]")),
        ("/obs/perhaps/values", format!("{bools} [2]")),
        ("/obs/single", "array 0.2.0 f32 [2]".into()),
        ("/obs/text", "string-array 0.2.0 vlen_string [2]".into()),
        ("/obsm", "dict 0.1.0".into()),
        ("/obsm/X_pca", "array 0.2.0 f32 [2, 2]".into()),
        ("/obsp", "dict 0.1.0".into()),
        ("/obsp/distances", "csr_matrix 0.1.0".into()),
        ("/obsp/distances/data", "array 0.2.0 f32 [2]".into()),
        ("/obsp/distances/indices", "array 0.2.0 i32 [2]".into()),
        ("/obsp/distances/indptr", "array 0.2.0 i32 [3]".into()),
        ("/uns", "dict 0.1.0".into()),
        ("/uns/all", "dict 0.1.0".into()),
        ("/uns/all/bool", "numeric-scalar 0.2.0 enum[FALSE, TRUE] []".into()),
        ("/uns/all/bools", format!("{bools} [1]")),
        ("/uns/all/float", "numeric-scalar 0.2.0 f64 []".into()),
        ("/uns/all/floats", "array 0.2.0 f64 [1]".into()),
        ("/uns/all/int", "numeric-scalar 0.2.0 i64 []".into()),
        ("/uns/all/ints", "array 0.2.0 i64 [1]".into()),
        ("/uns/all/string", "string 0.2.0 vlen_string []".into()),
        ("/uns/all/strings", "string-array 0.2.0 vlen_string [1]".into()),
        ("/uns/log1p", "dict 0.1.0".into()),
        ("/var", "dataframe 0.2.0".into()),
        ("/var/_index", "string-array 0.2.0 vlen_string [3]".into()),
        ("/varm", "dict 0.1.0".into()),
        ("/varm/PCs", "array 0.2.0 f32 [3, 1]".into()),
        ("/varp", "dict 0.1.0".into()),
    ];
    let expected: BTreeMap<String, String> = expected.map(|(path, text)| (path.to_string(), text)).into();
    assert_eq!(found, expected);
}

#[test]
fn frames_and_matrices_say_their_order_and_shape() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("example.h5ad");
    io::h5ad::write(&path, &example()).unwrap();
    let root = File::open(&path).unwrap().root();
    let attributes = |name: &str| root.group(name).unwrap().attrs().unwrap();
    let order = ["flag", "int", "single", "double", "text", "kind", "maybe", "perhaps"].map(String::from);
    assert_eq!(attributes("obs")["column-order"].as_strings(), Some(&order[..]));
    assert_eq!(attributes("obs")["_index"].as_str(), Some("_index"));
    assert_eq!(attributes("X")["shape"].to_i64s(), Some(vec![2, 3]));
    assert_eq!(attributes("obs/kind")["ordered"].as_i64(), Some(1));
}

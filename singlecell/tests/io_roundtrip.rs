//! What is written is read back as it was, whatever it is.

use proptest::prelude::*;
use proptest::{collection, sample};
use std::collections::BTreeMap;
use warpcell::data::{AnnData, Column, Csr, Dense, Frame, Uns};
use warpcell::{Error, io};

/// Texts without `\0`, which HDF5 takes for the end of a text.
fn text() -> impl Strategy<Value = String> {
    "[^\0]{0,12}"
}

/// A name that HDF5 can hold, and that is not the index's.
fn name() -> impl Strategy<Value = String> {
    "[^\0/]{1,8}".prop_filter("a name of its own", |name| name != "." && name != "_index")
}

/// A float that is equal to itself.
fn float() -> impl Strategy<Value = f64> {
    any::<f64>().prop_filter("no NaN", |value| !value.is_nan())
}

fn single() -> impl Strategy<Value = f32> {
    any::<f32>().prop_filter("no NaN", |value| !value.is_nan())
}

fn column(rows: usize) -> impl Strategy<Value = Column> {
    let flags = move || collection::vec(any::<bool>(), rows);
    let ints = move || collection::vec(any::<i64>(), rows);
    prop_oneof![
        flags().prop_map(Column::Bool),
        ints().prop_map(Column::Int),
        collection::vec(single(), rows).prop_map(Column::Float32),
        collection::vec(float(), rows).prop_map(Column::Float64),
        collection::vec(text(), rows).prop_map(Column::String),
        (collection::btree_set(text(), 0..5), any::<bool>()).prop_flat_map(move |(categories, ordered)| {
            let categories: Vec<String> = categories.into_iter().collect();
            let codes = collection::vec(-1..categories.len() as i32, rows);
            codes.prop_map(move |codes| Column::Categorical { codes, categories: categories.clone(), ordered })
        }),
        (ints(), flags()).prop_map(|(values, missing)| Column::NullableInt { values, missing }),
        (flags(), flags()).prop_map(|(values, missing)| Column::NullableBool { values, missing }),
    ]
}

fn frame(rows: usize) -> impl Strategy<Value = Frame> {
    let columns = collection::vec((name(), column(rows)), 0..6);
    (collection::vec(text(), rows), columns).prop_map(|(index, columns)| {
        let mut frame = Frame::new(index);
        columns.into_iter().for_each(|(name, column)| frame.set(name, column));
        frame
    })
}

fn matrix(rows: usize, columns: usize) -> impl Strategy<Value = Csr> {
    let value = prop_oneof![3 => Just(0f32), 1 => single()];
    collection::vec(value, rows * columns).prop_map(move |values| Csr::from_dense(&values, [rows, columns]).unwrap())
}

fn arrays(rows: usize) -> impl Strategy<Value = BTreeMap<String, Dense>> {
    let array = (1usize..4).prop_flat_map(move |n_cols| {
        collection::vec(single(), rows * n_cols).prop_map(move |data| Dense { data, n_cols })
    });
    // An array without rows has no number of columns of its own.
    collection::btree_map(name(), array, if rows == 0 { 0..1 } else { 0..3 })
}

fn uns() -> impl Strategy<Value = BTreeMap<String, Uns>> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Uns::Bool),
        any::<i64>().prop_map(Uns::Int),
        float().prop_map(Uns::Float),
        text().prop_map(Uns::String),
        collection::vec(any::<bool>(), 0..4).prop_map(Uns::Bools),
        collection::vec(any::<i64>(), 0..4).prop_map(Uns::Ints),
        collection::vec(float(), 0..4).prop_map(Uns::Floats),
        collection::vec(text(), 0..4).prop_map(Uns::Strings),
    ];
    let value = leaf.prop_recursive(3, 12, 4, |inner| collection::btree_map(name(), inner, 0..4).prop_map(Uns::Map));
    collection::btree_map(name(), value, 0..4)
}

fn data() -> impl Strategy<Value = AnnData> {
    (0usize..7, 0usize..7).prop_flat_map(|(cells, genes)| {
        let axes = (matrix(cells, genes), frame(cells), frame(genes));
        let graphs = collection::btree_map(name(), matrix(cells, cells), 0..2);
        (axes, arrays(cells), arrays(genes), graphs, uns()).prop_map(|((x, obs, var), obsm, varm, obsp, uns)| AnnData {
            x,
            obs,
            var,
            obsm,
            varm,
            obsp,
            uns,
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_data_is_read_back_as_it_was(data in data()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("any.h5ad");
        io::h5ad::write(&path, &data).unwrap();
        prop_assert_eq!(io::read(&path).unwrap(), data);
    }

    #[test]
    fn rows_in_any_order_give_the_same_matrix(
        values in collection::vec(prop_oneof![Just(0f32), (1..100u8).prop_map(f32::from)], 20),
        seed in any::<sample::Selector>(),
    ) {
        let expected = Csr::from_dense(&values, [4, 5]).unwrap();
        let (mut indptr, mut indices, mut data) = (vec![0u64], Vec::new(), Vec::new());
        for row in values.chunks_exact(5) {
            // Each value in two halves, and the columns in the order of a random rotation.
            let first = seed.select(0..5usize);
            for column in (first..5).chain(0..first).chain(0..5) {
                indices.push(column as i64);
                data.push(row[column] / 2.0);
            }
            indptr.push(data.len() as u64);
        }
        let (found, repairs) = Csr::from_parts(indptr, &indices, data, [4, 5]).unwrap();
        prop_assert_eq!(repairs.duplicates, 20);
        prop_assert_eq!(repairs.zeros, values.iter().filter(|value| **value == 0.0).count());
        prop_assert_eq!(found, expected);
    }
}

/// Two cells and one gene.
fn small() -> AnnData {
    let x = Csr::from_dense(&[1.0, 2.0], [2, 1]).unwrap();
    let [obs, var] = [vec!["a".into(), "b".into()], vec!["g".into()]].map(Frame::new);
    AnnData { x, obs, var, ..AnnData::default() }
}

#[test]
fn what_cannot_be_stored_is_refused_and_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.h5ad");
    io::h5ad::write(&path, &small()).unwrap();
    let refused = |change: &dyn Fn(&mut AnnData), expected: &str| {
        let mut data = small();
        change(&mut data);
        let error = io::h5ad::write(&path, &data).unwrap_err();
        assert!(matches!(error, Error::Element { .. }), "{error}");
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(io::read(&path).unwrap(), small());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    };
    refused(&|data| data.obs.set("a/b", Column::Int(vec![1, 2])), "obs: the name `a/b` can't be stored");
    refused(&|data| data.obs.set("", Column::Int(vec![1, 2])), "obs: the name `` can't be stored");
    refused(&|data| data.var.set("_index", Column::Int(vec![1])), "var/_index: is the name of the index");
    refused(&|data| data.var.index.clear(), "var: has 0 rows, but 1 are expected");
    let three = Dense { data: vec![0.0; 3], n_cols: 1 };
    refused(&|data| drop(data.obsm.insert("X".into(), three.clone())), "obsm/X: has 3 rows, but 2 are expected");
    refused(
        &|data| drop(data.obsp.insert("d".into(), small().x)),
        "obsp/d: has the shape [2, 1], but [2, 2] is expected",
    );
    let codes = Column::Categorical { codes: vec![0, 1], categories: vec!["only".into()], ordered: false };
    refused(&|data| data.obs.set("k", codes.clone()), "obs/k: has the code 1, but there are 1 categories");
    let nested = Uns::from([("x/y", Uns::Int(1))]);
    refused(&|data| drop(data.uns.insert("m".into(), nested.clone())), "uns/m: the name `x/y` can't be stored");
}

#[test]
fn a_folder_in_the_place_of_the_file_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let error = io::h5ad::write(folder.path(), &small()).unwrap_err().to_string();
    assert!(error.contains("is a folder"), "{error}");
}

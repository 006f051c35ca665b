//! Digests of results, for comparing devices and runs.

use crate::data::{AnnData, Column};
use std::collections::BTreeMap;
use xxhash_rust::xxh3::Xxh3;

/// A digest of each output, the same on every device: of the values' bits, with every NaN folded to one pattern.
pub fn digests(data: &AnnData) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    let mut add = |name: String, hash: Xxh3| out.insert(name, format!("{:016x}", hash.digest()));
    let mut x = Xxh3::new();
    data.x.indptr.iter().for_each(|value| x.update(&value.to_le_bytes()));
    data.x.indices.iter().for_each(|value| x.update(&value.to_le_bytes()));
    floats(&mut x, &data.x.data);
    add("X".into(), x);
    for (axis, frame) in [("obs", &data.obs), ("var", &data.var)] {
        let mut hash = Xxh3::new();
        for (name, column) in frame.columns() {
            hash.update(name.as_bytes());
            digest_column(&mut hash, column);
        }
        add(axis.into(), hash);
    }
    for (axis, arrays) in [("obsm", &data.obsm), ("varm", &data.varm)] {
        for (name, array) in arrays {
            let mut hash = Xxh3::new();
            floats(&mut hash, &array.data);
            add(format!("{axis}/{name}"), hash);
        }
    }
    for (name, graph) in &data.obsp {
        let mut hash = Xxh3::new();
        graph.indices.iter().for_each(|value| hash.update(&value.to_le_bytes()));
        floats(&mut hash, &graph.data);
        add(format!("obsp/{name}"), hash);
    }
    out
}

fn floats(hash: &mut Xxh3, values: &[f32]) {
    for value in values {
        let bits = if value.is_nan() { f32::NAN.to_bits() } else { value.to_bits() };
        hash.update(&bits.to_le_bytes());
    }
}

fn digest_column(hash: &mut Xxh3, column: &Column) {
    match column {
        Column::Float64(values) => {
            for value in values {
                let bits = if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() };
                hash.update(&bits.to_le_bytes());
            }
        }
        Column::Float32(values) => floats(hash, values),
        Column::Int(values) => values.iter().for_each(|value| hash.update(&value.to_le_bytes())),
        Column::Bool(values) => values.iter().for_each(|value| hash.update(&[u8::from(*value)])),
        Column::String(values) => values.iter().for_each(|value| hash.update(value.as_bytes())),
        Column::Categorical { codes, .. } => codes.iter().for_each(|code| hash.update(&code.to_le_bytes())),
        Column::NullableInt { values, .. } => values.iter().for_each(|value| hash.update(&value.to_le_bytes())),
        Column::NullableBool { values, .. } => values.iter().for_each(|value| hash.update(&[u8::from(*value)])),
    }
}

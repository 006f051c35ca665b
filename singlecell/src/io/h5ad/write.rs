//! Writing `.h5ad`, in the encodings that every anndata since 0.8 reads.

use crate::Error;
use crate::data::{AnnData, Column, Csr, Dense, Frame, Uns};
use crate::io::write_then_rename;
use hdf5_pure::{AttrValue, DatasetBuilder, EnumTypeBuilder, FileBuilder, GroupBuilder, make_i8_type};
use std::collections::BTreeMap;
use std::path::Path;

/// Writes an `.h5ad` file: whole, or not at all.
///
/// # Errors
/// The folder is missing or can't be written, or the disk is full.
pub fn write(path: &Path, data: &AnnData) -> Result<(), Error> {
    write_then_rename(path, |temporary| {
        let mut file = FileBuilder::new();
        file.set_attr("encoding-type", text("anndata"));
        file.set_attr("encoding-version", text("0.1.0"));
        let mut root = Root(file);
        root.group("X", |group| csr(group, &data.x));
        root.group("obs", |group| frame(group, &data.obs));
        root.group("var", |group| frame(group, &data.var));
        root.group("obsm", |group| arrays(group, &data.obsm));
        root.group("varm", |group| arrays(group, &data.varm));
        root.group("obsp", |group| graphs(group, &data.obsp));
        root.group("varp", |group| graphs(group, &BTreeMap::new()));
        root.group("layers", |group| graphs(group, &BTreeMap::new()));
        root.group("uns", |group| map(group, &data.uns));
        root.0.write(temporary).map_err(|error| failed(path, error))
    })
}

fn failed(path: &Path, error: hdf5_pure::Error) -> Error {
    match error {
        hdf5_pure::Error::Io(source) => Error::Io { path: path.into(), source },
        other => Error::Format { path: path.into(), problem: format!("can't be written: {other}") },
    }
}

struct Root(FileBuilder);

impl Root {
    fn group(&mut self, name: &str, fill: impl FnOnce(&mut GroupBuilder)) {
        let mut group = self.0.create_group(name);
        fill(&mut group);
        self.0.add_group(group.finish());
    }
}

fn subgroup(parent: &mut GroupBuilder, name: &str, fill: impl FnOnce(&mut GroupBuilder)) {
    let mut group = parent.create_group(name);
    fill(&mut group);
    parent.add_group(group.finish());
}

fn text(value: &str) -> AttrValue {
    AttrValue::VarLenString(value.into())
}

fn encode(group: &mut GroupBuilder, encoding: &str, version: &str) {
    group.set_attr("encoding-type", text(encoding));
    group.set_attr("encoding-version", text(version));
}

fn encoded<'d>(dataset: &'d mut DatasetBuilder, encoding: &str, version: &str) -> &'d mut DatasetBuilder {
    dataset.set_attr("encoding-type", text(encoding)).set_attr("encoding-version", text(version))
}

fn array(dataset: &mut DatasetBuilder) -> &mut DatasetBuilder {
    encoded(dataset, "array", "0.2.0")
}

/// 32-bit indices, and 64-bit pointers only where they are needed: readers accept both.
fn csr(group: &mut GroupBuilder, matrix: &Csr) {
    encode(group, "csr_matrix", "0.1.0");
    group.set_attr("shape", AttrValue::I64Array(vec![matrix.n_rows() as i64, matrix.n_cols as i64]));
    array(group.create_dataset("data").with_f32_data(&matrix.data));
    let indices: Vec<i32> = matrix.indices.iter().map(|index| *index as i32).collect();
    array(group.create_dataset("indices").with_i32_data(&indices));
    if matrix.nnz() < i32::MAX as usize {
        let pointers: Vec<i32> = matrix.indptr.iter().map(|pointer| *pointer as i32).collect();
        array(group.create_dataset("indptr").with_i32_data(&pointers));
    } else {
        let pointers: Vec<i64> = matrix.indptr.iter().map(|pointer| *pointer as i64).collect();
        array(group.create_dataset("indptr").with_i64_data(&pointers));
    }
}

fn frame(group: &mut GroupBuilder, frame: &Frame) {
    encode(group, "dataframe", "0.2.0");
    group.set_attr("_index", text("_index"));
    let order = frame.columns().iter().map(|(name, _)| name.clone()).collect();
    group.set_attr("column-order", AttrValue::VarLenStringArray(order));
    strings(group, "_index", &frame.index);
    for (name, values) in frame.columns() {
        column(group, name, values);
    }
}

fn strings(group: &mut GroupBuilder, name: &str, values: &[String]) {
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    let dataset = group.create_dataset(name);
    encoded(dataset.with_vlen_strings(&values), "string-array", "0.2.0");
}

fn bools(group: &mut GroupBuilder, name: &str, values: &[bool]) {
    let datatype = EnumTypeBuilder::with_base(make_i8_type()).i64_value("FALSE", 0).i64_value("TRUE", 1).build();
    // The two values above make a valid enumeration.
    let datatype = datatype.expect("an enumeration of FALSE and TRUE");
    let bytes = values.iter().map(|value| u8::from(*value)).collect();
    array(group.create_dataset(name).with_raw_data(datatype, bytes, values.len() as u64));
}

fn column(group: &mut GroupBuilder, name: &str, column: &Column) {
    match column {
        Column::Bool(values) => bools(group, name, values),
        Column::Int(values) => {
            array(group.create_dataset(name).with_i64_data(values));
        }
        Column::Float32(values) => {
            array(group.create_dataset(name).with_f32_data(values));
        }
        Column::Float64(values) => {
            array(group.create_dataset(name).with_f64_data(values));
        }
        Column::String(values) => strings(group, name, values),
        Column::Categorical { codes, categories, ordered } => subgroup(group, name, |group| {
            encode(group, "categorical", "0.2.0");
            group.set_attr("ordered", boolean(*ordered));
            array(group.create_dataset("codes").with_i32_data(codes));
            strings(group, "categories", categories);
        }),
        Column::NullableInt { values, missing } => subgroup(group, name, |group| {
            encode(group, "nullable-integer", "0.1.0");
            array(group.create_dataset("values").with_i64_data(values));
            bools(group, "mask", missing);
        }),
        Column::NullableBool { values, missing } => subgroup(group, name, |group| {
            encode(group, "nullable-boolean", "0.1.0");
            bools(group, "values", values);
            bools(group, "mask", missing);
        }),
    }
}

fn boolean(value: bool) -> AttrValue {
    AttrValue::U8(u8::from(value))
}

fn arrays(group: &mut GroupBuilder, arrays: &BTreeMap<String, Dense>) {
    encode(group, "dict", "0.1.0");
    for (name, values) in arrays {
        let shape = [values.n_rows() as u64, values.n_cols as u64];
        array(group.create_dataset(name).with_f32_data(&values.data).with_shape(&shape));
    }
}

fn graphs(group: &mut GroupBuilder, graphs: &BTreeMap<String, Csr>) {
    encode(group, "dict", "0.1.0");
    for (name, graph) in graphs {
        subgroup(group, name, |group| csr(group, graph));
    }
}

fn map(group: &mut GroupBuilder, entries: &BTreeMap<String, Uns>) {
    encode(group, "dict", "0.1.0");
    for (name, value) in entries {
        uns(group, name, value);
    }
}

fn uns(group: &mut GroupBuilder, name: &str, value: &Uns) {
    match value {
        Uns::Map(entries) => subgroup(group, name, |group| map(group, entries)),
        Uns::Strings(values) => strings(group, name, values),
        Uns::Floats(values) => {
            array(group.create_dataset(name).with_f64_data(values));
        }
        Uns::String(value) => {
            let dataset = group.create_dataset(name).with_vlen_strings(&[value]).with_shape(&[]);
            encoded(dataset, "string", "0.2.0");
        }
        Uns::Int(value) => {
            encoded(group.create_dataset(name).with_i64_data(&[*value]).with_shape(&[]), "numeric-scalar", "0.2.0");
        }
        Uns::Float(value) => {
            encoded(group.create_dataset(name).with_f64_data(&[*value]).with_shape(&[]), "numeric-scalar", "0.2.0");
        }
        Uns::Bool(value) => {
            bools(group, name, &[*value]);
        }
    }
}

//! What all elements have in common: the attributes that tell their encoding.

use hdf5_pure::{AttrValue, DatasetBuilder, Datatype, EnumTypeBuilder, GroupBuilder, make_i8_type};

/// A text, as h5py writes it.
pub(super) fn text(value: &str) -> AttrValue {
    AttrValue::VarLenString(value.into())
}

/// Marks a group.
pub(super) fn group(group: &mut GroupBuilder, encoding: &str, version: &str) {
    group.set_attr("encoding-type", text(encoding));
    group.set_attr("encoding-version", text(version));
}

/// Marks a dataset.
pub(super) fn dataset(dataset: &mut DatasetBuilder, encoding: &str, version: &str) {
    dataset.set_attr("encoding-type", text(encoding)).set_attr("encoding-version", text(version));
}

/// Marks a dataset of numbers.
pub(super) fn array(numbers: &mut DatasetBuilder) {
    dataset(numbers, "array", "0.2.0");
}

/// A group inside of another.
pub(super) fn subgroup(parent: &mut GroupBuilder, name: &str, fill: impl FnOnce(&mut GroupBuilder)) {
    let mut group = parent.create_group(name);
    fill(&mut group);
    parent.add_group(group.finish());
}

/// An array of texts.
pub(super) fn strings(group: &mut GroupBuilder, name: &str, values: &[String]) {
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    dataset(group.create_dataset(name).with_vlen_strings(&values), "string-array", "0.2.0");
}

/// An array of `bool`s.
pub(super) fn bools(group: &mut GroupBuilder, name: &str, values: &[bool]) {
    array(raw_bools(group.create_dataset(name), values));
}

/// `bool`s as h5py stores them: an enumeration of one byte.
pub(super) fn raw_bools<'d>(dataset: &'d mut DatasetBuilder, values: &[bool]) -> &'d mut DatasetBuilder {
    let bytes = values.iter().map(|value| u8::from(*value)).collect();
    dataset.with_raw_data(bool_type(), bytes, values.len() as u64)
}

fn bool_type() -> Datatype {
    let builder = EnumTypeBuilder::with_base(make_i8_type()).i64_value("FALSE", 0).i64_value("TRUE", 1);
    // Two different names with values that fit one byte.
    builder.build().expect("FALSE and TRUE make an enumeration")
}

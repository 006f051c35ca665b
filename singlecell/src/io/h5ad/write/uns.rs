//! `uns`

use super::{dict, encode};
use crate::data::Uns;
use hdf5_pure::{DatasetBuilder, GroupBuilder};

/// Adds a value to a group.
pub(super) fn write(parent: &mut GroupBuilder, name: &str, value: &Uns) {
    match value {
        Uns::Map(entries) => encode::subgroup(parent, name, |group| dict(group, entries, write)),
        Uns::Strings(values) => encode::strings(parent, name, values),
        Uns::Bools(values) => encode::bools(parent, name, values),
        Uns::Ints(values) => encode::array(parent.create_dataset(name).with_i64_data(values)),
        Uns::Floats(values) => encode::array(parent.create_dataset(name).with_f64_data(values)),
        Uns::String(value) => {
            let scalar = parent.create_dataset(name).with_vlen_strings(&[value]).with_shape(&[]);
            encode::dataset(scalar, "string", "0.2.0");
        }
        Uns::Bool(value) => number(encode::raw_bools(parent.create_dataset(name), &[*value])),
        Uns::Int(value) => number(parent.create_dataset(name).with_i64_data(&[*value])),
        Uns::Float(value) => number(parent.create_dataset(name).with_f64_data(&[*value])),
    }
}

/// Makes an array of one number a scalar.
fn number(one: &mut DatasetBuilder) {
    encode::dataset(one.with_shape(&[]), "numeric-scalar", "0.2.0");
}

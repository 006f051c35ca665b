//! Columns of a `dataframe`.

use super::encode::{array, bools, group, strings, subgroup};
use crate::data::Column;
use hdf5_pure::{AttrValue, GroupBuilder};

/// Adds a column to the group of its frame.
pub(super) fn write(frame: &mut GroupBuilder, name: &str, column: &Column) {
    match column {
        Column::Bool(values) => bools(frame, name, values),
        Column::Int(values) => array(frame.create_dataset(name).with_i64_data(values)),
        Column::Float32(values) => array(frame.create_dataset(name).with_f32_data(values)),
        Column::Float64(values) => array(frame.create_dataset(name).with_f64_data(values)),
        Column::String(values) => strings(frame, name, values),
        Column::Categorical { codes, categories, ordered } => subgroup(frame, name, |column| {
            group(column, "categorical", "0.2.0");
            column.set_attr("ordered", AttrValue::U8(u8::from(*ordered)));
            array(column.create_dataset("codes").with_i32_data(codes));
            strings(column, "categories", categories);
        }),
        Column::NullableInt { values, missing } => subgroup(frame, name, |column| {
            group(column, "nullable-integer", "0.1.0");
            array(column.create_dataset("values").with_i64_data(values));
            bools(column, "mask", missing);
        }),
        Column::NullableBool { values, missing } => subgroup(frame, name, |column| {
            group(column, "nullable-boolean", "0.1.0");
            bools(column, "values", values);
            bools(column, "mask", missing);
        }),
    }
}

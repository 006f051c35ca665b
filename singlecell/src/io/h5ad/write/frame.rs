//! `obs` and `var`.

use super::{column, encode};
use crate::data::Frame;
use hdf5_pure::{AttrValue, GroupBuilder};

/// The name of the array that holds the rows' names; no column can have it.
pub(super) const INDEX: &str = "_index";

/// Fills the group of a `dataframe`.
pub(super) fn write(group: &mut GroupBuilder, frame: &Frame) {
    encode::group(group, "dataframe", "0.2.0");
    group.set_attr("_index", encode::text(INDEX));
    let order = frame.columns().iter().map(|(name, _)| name.clone()).collect();
    group.set_attr("column-order", AttrValue::VarLenStringArray(order));
    encode::strings(group, INDEX, &frame.index);
    for (name, values) in frame.columns() {
        column::write(group, name, values);
    }
}

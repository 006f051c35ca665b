//! Matrices: `csr_matrix` and `array`.

use super::encode::{array, group, subgroup};
use crate::data::{Csr, Dense};
use hdf5_pure::{AttrValue, GroupBuilder};

/// Fills the group of a `csr_matrix`. Indices and pointers have 32 bits where that is enough: readers accept both.
pub(super) fn csr(matrix_group: &mut GroupBuilder, matrix: &Csr) {
    group(matrix_group, "csr_matrix", "0.1.0");
    matrix_group.set_attr("shape", AttrValue::I64Array(vec![matrix.n_rows() as i64, matrix.n_cols as i64]));
    array(matrix_group.create_dataset("data").with_f32_data(&matrix.data));
    whole_numbers(matrix_group, "indices", matrix.indices.iter().map(|index| i64::from(*index)), matrix.n_cols);
    // A position in a vector is below 2^63.
    whole_numbers(matrix_group, "indptr", matrix.indptr.iter().map(|pointer| *pointer as i64), matrix.nnz());
}

/// Numbers of which none is above `largest`.
fn whole_numbers(group: &mut GroupBuilder, name: &str, numbers: impl Iterator<Item = i64>, largest: usize) {
    let dataset = group.create_dataset(name);
    if i32::try_from(largest).is_ok() {
        array(dataset.with_i32_data(&numbers.map(|number| number as i32).collect::<Vec<i32>>()));
    } else {
        array(dataset.with_i64_data(&numbers.collect::<Vec<i64>>()));
    }
}

/// Adds a `csr_matrix` to a group.
pub(super) fn sparse(parent: &mut GroupBuilder, name: &str, matrix: &Csr) {
    subgroup(parent, name, |group| csr(group, matrix));
}

/// Adds a dense `array` to a group.
pub(super) fn dense(parent: &mut GroupBuilder, name: &str, values: &Dense) {
    let shape = [values.n_rows() as u64, values.n_cols as u64];
    array(parent.create_dataset(name).with_f32_data(&values.data).with_shape(&shape));
}

//! Matrices: CSR, CSC and dense, of any number type.

use super::node::Node;
use crate::Error;
use crate::data::{Csr, Dense, MatrixError, Repairs};

/// Reads a matrix as CSR of `f32`; `expected` is the shape that fits the annotations.
pub(super) fn read(node: &Node<'_>, expected: Option<[usize; 2]>) -> Result<Csr, Error> {
    let encoding = node.encoding();
    let (csr, repairs) = match (&*encoding, node.is_group()) {
        ("csr_matrix", true) | ("csc_matrix", true) => read_sparse(node, &encoding, expected)?,
        ("array" | "", false) => (read_dense_as_csr(node, expected)?, Repairs::default()),
        ("null", _) => return Err(node.error("is empty; the pipeline needs counts in X")),
        (other, _) => {
            return Err(node.error(format!(
                "is encoded as `{other}`; csr_matrix, csc_matrix and array can be read: open it with anndata and write it again"
            )));
        }
    };
    if repairs != Repairs::default() {
        tracing::info!(
            "{encoding}: sorted {} rows, summed {} duplicates, dropped {} stored zeros",
            repairs.unsorted_rows,
            repairs.duplicates,
            repairs.zeros
        );
    }
    Ok(csr)
}

fn check_shape(node: &Node<'_>, found: [usize; 2], expected: Option<[usize; 2]>) -> Result<(), Error> {
    match expected {
        Some(expected) if expected != found => Err(node.matrix_error(MatrixError::Shape { found, expected })),
        _ => Ok(()),
    }
}

fn read_sparse(node: &Node<'_>, encoding: &str, expected: Option<[usize; 2]>) -> Result<(Csr, Repairs), Error> {
    let shape = node.numbers("shape").filter(|shape| shape.len() == 2 && shape.iter().all(|size| *size >= 0));
    let Some(shape) = shape else {
        return Err(node.error("has no attribute `shape` of two numbers; the file is damaged"));
    };
    let shape = [shape[0] as usize, shape[1] as usize];
    check_shape(node, shape, expected)?;
    let indptr = pointers(&node.child("indptr")?)?;
    let indices = node.child("indices")?.i64s()?;
    let (values, exact) = node.child("data")?.f32s()?;
    if !exact {
        tracing::info!("values were rounded to 32-bit floats");
    }
    let result = if encoding == "csr_matrix" {
        Csr::from_parts(indptr, &indices, values, shape)
    } else {
        Csr::from_csc(indptr, &indices, &values, shape)
    };
    result.map_err(|error| node.matrix_error(error))
}

fn pointers(node: &Node<'_>) -> Result<Vec<u64>, Error> {
    let pointers = node.i64s()?;
    pointers
        .into_iter()
        .map(|pointer| u64::try_from(pointer).map_err(|_| node.error(format!("holds {pointer}, which is no position"))))
        .collect()
}

fn read_dense_as_csr(node: &Node<'_>, expected: Option<[usize; 2]>) -> Result<Csr, Error> {
    let (values, shape) = dense(node)?;
    check_shape(node, shape, expected)?;
    Csr::from_dense(&values, shape).map_err(|error| node.matrix_error(error))
}

fn dense(node: &Node<'_>) -> Result<(Vec<f32>, [usize; 2]), Error> {
    let shape = node.shape()?;
    let [rows, columns] = shape[..] else {
        return Err(node.error(format!("has {} dimensions, where two are expected", shape.len())));
    };
    Ok((node.f32s()?.0, [rows as usize, columns as usize]))
}

/// Reads an array of `obsm` or `varm`.
pub(super) fn read_dense(node: &Node<'_>) -> Result<Dense, Error> {
    if node.is_group() {
        return Err(node.error(format!("is encoded as `{}`, where an array is expected", node.encoding())));
    }
    let (data, [rows, n_cols]) = dense(node)?;
    if rows.checked_mul(n_cols) != Some(data.len()) {
        return Err(node.matrix_error(MatrixError::Dense { values: data.len(), rows, columns: n_cols }));
    }
    Ok(Dense { data, n_cols })
}

//! Matrices: `csr_matrix`, `csc_matrix` and `array`, of any type of numbers.

use crate::Error;
use crate::data::{Csr, Dense, MatrixError, Repairs};
use crate::io::hdf5::{Indices, Node};

/// Reads a matrix as CSR of `f32`; `shape` is the one that fits the annotations.
pub(super) fn read(node: &Node<'_>, shape: [usize; 2]) -> Result<Csr, Error> {
    let (csr, repairs) = match (&*node.encoding(), node.is_group()) {
        ("csr_matrix", true) => read_csr(node, shape)?,
        ("csc_matrix", true) => read_csc(node, shape)?,
        ("array" | "", false) => (read_dense_as_csr(node, shape)?, Repairs::default()),
        (other, _) => {
            return Err(node.error(format!(
                "is encoded as `{other}`; csr_matrix, csc_matrix and array can be read: open the file with anndata, convert the matrix and write it again"
            )));
        }
    };
    if repairs != Repairs::default() {
        tracing::info!(
            "{}: sorted {} rows, summed {} duplicates, dropped {} stored zeros",
            node.place(),
            repairs.unsorted_rows,
            repairs.duplicates,
            repairs.zeros
        );
    }
    Ok(csr)
}

fn read_csr(node: &Node<'_>, shape: [usize; 2]) -> Result<(Csr, Repairs), Error> {
    check_sparse_shape(node, shape)?;
    let (indptr, values) = (pointers(node)?, values(&node.child("data")?)?);
    let csr = match node.child("indices")?.indices()? {
        Indices::Narrow(indices) => Csr::from_parts(indptr, &indices, values, shape),
        Indices::Wide(indices) => Csr::from_parts(indptr, &indices, values, shape),
    };
    csr.map_err(|error| node.matrix_error(error))
}

fn read_csc(node: &Node<'_>, shape: [usize; 2]) -> Result<(Csr, Repairs), Error> {
    check_sparse_shape(node, shape)?;
    let (indptr, values) = (pointers(node)?, values(&node.child("data")?)?);
    let csr = match node.child("indices")?.indices()? {
        Indices::Narrow(indices) => Csr::from_csc(indptr, &indices, &values, shape),
        Indices::Wide(indices) => Csr::from_csc(indptr, &indices, &values, shape),
    };
    csr.map_err(|error| node.matrix_error(error))
}

fn check_sparse_shape(node: &Node<'_>, expected: [usize; 2]) -> Result<(), Error> {
    let sizes =
        |name| node.numbers(name)?.into_iter().map(|size| usize::try_from(size).ok()).collect::<Option<Vec<_>>>();
    match sizes("shape").as_deref() {
        Some(&[rows, columns]) => check_shape(node, [rows, columns], expected),
        _ => Err(node.error("has no attribute `shape` of two numbers; the file is damaged")),
    }
}

fn check_shape(node: &Node<'_>, found: [usize; 2], expected: [usize; 2]) -> Result<(), Error> {
    if found == expected { Ok(()) } else { Err(node.matrix_error(MatrixError::Shape { found, expected })) }
}

/// Values as `f32`. Says so if that rounds them.
fn values(node: &Node<'_>) -> Result<Vec<f32>, Error> {
    let (values, exact) = node.f32s()?;
    if !exact {
        tracing::warn!("{}: values were rounded to 32-bit floats", node.place());
    }
    Ok(values)
}

fn pointers(node: &Node<'_>) -> Result<Vec<u64>, Error> {
    let node = node.child("indptr")?;
    let position = |pointer| {
        u64::try_from(pointer)
            .map_err(|_| node.error(format!("holds {pointer}, which is no position; the file is damaged")))
    };
    node.i64s()?.into_iter().map(position).collect()
}

fn read_dense_as_csr(node: &Node<'_>, expected: [usize; 2]) -> Result<Csr, Error> {
    check_shape(node, dense_shape(node)?, expected)?;
    Csr::from_dense(&values(node)?, expected).map_err(|error| node.matrix_error(error))
}

fn dense_shape(node: &Node<'_>) -> Result<[usize; 2], Error> {
    let shape = node.shape()?;
    match shape[..] {
        // A size beyond `usize` is beyond memory, and differs from what the annotations say.
        [rows, columns] => Ok([rows, columns].map(|size| usize::try_from(size).unwrap_or(usize::MAX))),
        _ => Err(node.error(format!("has {} dimensions, where two are expected", shape.len()))),
    }
}

/// Reads an array of `obsm` or `varm`, of as many rows as the annotations have.
pub(super) fn read_dense(node: &Node<'_>, rows: usize) -> Result<Dense, Error> {
    if node.is_group() {
        return Err(node.error(format!("is encoded as `{}`, where an array is expected", node.encoding())));
    }
    let [found, n_cols] = dense_shape(node)?;
    check_shape(node, [found, n_cols], [rows, n_cols])?;
    if n_cols == 0 {
        return Err(node.error("has no columns"));
    }
    let data = values(node)?;
    if rows.checked_mul(n_cols) != Some(data.len()) {
        return Err(node.matrix_error(MatrixError::Dense { values: data.len(), rows, columns: n_cols }));
    }
    Ok(Dense { data, n_cols })
}

//! What can go wrong in an operation.

/// What can go wrong in an operation.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A kernel, or the device.
    #[error(transparent)]
    Runtime(#[from] warpcell_runtime::Error),

    /// The parts of a sparse matrix don't fit together.
    #[error("not a CSR matrix: {problem}; sort the columns of each row and sum duplicates before the upload")]
    Csr {
        /// What is wrong, and where.
        problem: String,
    },

    /// An argument of an operation is out of its range.
    #[error("{operation}: {problem}")]
    Argument {
        /// The operation.
        operation: &'static str,
        /// What is wrong, and what to pass instead.
        problem: String,
    },
}

//! What can go wrong, and what to do about it.

use crate::data::MatrixError;
use std::path::PathBuf;

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The system refuses a file or folder.
    #[error("{}: {source}; check the path and the rights", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },

    /// The input is of no known kind.
    #[error("{}: {problem}", path.display())]
    Format {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong, and what to do.
        problem: String,
    },

    /// A part of an .h5ad file is missing or damaged, or of a kind that can't be read.
    #[error("{}: {element}: {problem}", path.display())]
    Element {
        /// The file.
        path: PathBuf,
        /// The path inside of it.
        element: String,
        /// What is wrong, and what to do.
        problem: String,
    },

    /// The parts of a matrix don't fit together.
    #[error("{}: {element}: {source}; the file is damaged, write it again from its origin", path.display())]
    Matrix {
        /// The file.
        path: PathBuf,
        /// The path inside of it.
        element: String,
        /// What is wrong.
        source: MatrixError,
    },

    /// A line of a text file can't be read.
    #[error("{}, line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        problem: String,
    },

    /// A step of the pipeline can't go on.
    #[error("step `{step}`: {problem}")]
    Step {
        /// The step.
        step: &'static str,
        /// What is wrong, and what to change.
        problem: String,
    },

    /// A picture can't be made.
    #[error("picture {}: {problem}", path.display())]
    Picture {
        /// The picture's file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },

    /// An operation.
    #[error(transparent)]
    Ops(Box<warpcell_ops::Error>),

    /// A kernel, or the device.
    #[error(transparent)]
    Runtime(Box<warpcell_runtime::Error>),
}

// Boxed: these two are several times the size of the others, and every result would pay for them.
impl From<warpcell_ops::Error> for Error {
    fn from(error: warpcell_ops::Error) -> Error {
        Error::Ops(Box::new(error))
    }
}

impl From<warpcell_runtime::Error> for Error {
    fn from(error: warpcell_runtime::Error) -> Error {
        Error::Runtime(Box::new(error))
    }
}

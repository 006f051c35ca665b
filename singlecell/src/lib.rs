//! Single-cell RNA analysis on CUDA devices and the CPU, with the same bits on both.
//!
//! [`io::read`] reads an `.h5ad` file or a 10x folder into an [`AnnData`](data::AnnData).

pub mod data;
mod error;
pub mod io;
pub mod pipeline;
pub mod pl;
pub mod pp;

pub use error::Error;

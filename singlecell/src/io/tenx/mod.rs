//! Files of 10x Genomics: `.h5`, and folders with a Matrix Market file of features x barcodes and two tables.

mod files;
mod h5;
mod lines;
mod matrix;
mod tables;

pub use h5::read_h5;
pub(super) use h5::{is_h5, read_root};

use crate::Error;
use crate::data::AnnData;
use files::Files;
use std::path::Path;

/// Reads a folder that holds `matrix.mtx`, `features.tsv` (or `genes.tsv`) and `barcodes.tsv`, each plain or with `.gz`,
/// all with the same prefix if they have one (`GSM1_matrix.mtx.gz`). Where a folder holds several, give the path of the
/// matrix instead of the folder. The genes' symbols are the names of `var`, made unique as scanpy does; `gene_ids` and
/// `feature_types` are columns.
///
/// # Errors
/// A file is missing, or a line of it can't be read; the message names file and line.
pub fn read_mtx(path: &Path) -> Result<AnnData, Error> {
    let files = if path.is_dir() { Files::in_folder(path)? } else { Files::of_matrix(path)? };
    let obs = tables::read_barcodes(&files.barcodes)?;
    let var = tables::read_features(&files.features)?;
    let x = matrix::read(&files.matrix, [obs.len(), var.len()])?;
    Ok(AnnData { x, obs, var, ..AnnData::default() })
}

//! Readers and writers.

pub mod h5ad;
mod hdf5;
mod replace;
pub mod tenx;

pub(crate) use replace::write_then_rename;

use crate::Error;
use crate::data::AnnData;
use std::path::Path;

/// Reads what `path` is: an `.h5ad` file, a `.h5` file of Cell Ranger, or a folder of 10x with `matrix.mtx` (or the path
/// of that).
///
/// # Errors
/// There is nothing, or nothing that can be read; the message names the file, the place in it, and what to do.
pub fn read(path: &Path) -> Result<AnnData, Error> {
    let metadata = std::fs::metadata(path).map_err(|source| Error::Io { path: path.into(), source })?;
    if metadata.is_dir() || is_matrix_market(path) {
        return tenx::read_mtx(path);
    }
    match hdf5_pure::is_hdf5(path) {
        Ok(true) => {
            hdf5::with_root(path, |root| if tenx::is_h5(root) { tenx::read_root(root) } else { h5ad::read_root(root) })
        }
        Ok(false) => Err(Error::Format { path: path.into(), problem: not_hdf5(metadata.len()).to_string() }),
        Err(source) => Err(Error::Io { path: path.into(), source }),
    }
}

fn is_matrix_market(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".mtx") || name.ends_with(".mtx.gz")
}

fn not_hdf5(bytes: u64) -> &'static str {
    if bytes == 0 {
        "the file is empty; copy or download it again"
    } else {
        "this is no HDF5 file, so no .h5ad; give an .h5ad file, a .h5 file of Cell Ranger, or a folder that holds matrix.mtx, features.tsv and barcodes.tsv"
    }
}

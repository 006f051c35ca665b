//! HDF5 files: opening them, and walking through them with the path of each place at hand for messages.

mod filters;
mod node;
mod values;

pub(super) use node::Node;
pub(super) use values::Indices;

use crate::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Opens a file and reads from its root.
///
/// # Errors
/// The file can't be opened, or what `read` reports.
pub(super) fn with_root<T>(path: &Path, read: impl FnOnce(&Node<'_>) -> Result<T, Error>) -> Result<T, Error> {
    // The HDF5 library is young: should it panic on a damaged file, that is an error like others.
    catch_unwind(AssertUnwindSafe(|| {
        let file = open(path)?;
        read(&Node::root(path, &file))
    }))
    .unwrap_or_else(|_| {
        let problem = "the HDF5 structure is damaged; copy or download the file again".into();
        Err(Error::Format { path: path.into(), problem })
    })
}

fn open(path: &Path) -> Result<hdf5_pure::File, Error> {
    let file = hdf5_pure::File::open_streaming(path).map_err(|error| Error::Format {
        path: path.into(),
        problem: format!(
            "the HDF5 file can't be opened, it is damaged or cut off ({error}); copy or download it again"
        ),
    })?;
    check_length(path, &file)?;
    Ok(file)
}

/// The superblock says how long the file is; what was cut off behind may still look whole.
fn check_length(path: &Path, file: &hdf5_pure::File) -> Result<(), Error> {
    let expected = file.superblock().eof_address;
    let found = std::fs::metadata(path).map_err(|source| Error::Io { path: path.into(), source })?.len();
    if found < expected {
        return Err(Error::Format {
            path: path.into(),
            problem: format!("the file is cut off: it has {found} of {expected} bytes; copy or download it again"),
        });
    }
    Ok(())
}

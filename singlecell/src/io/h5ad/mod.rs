//! `.h5ad`: anndata's files.

mod frame;
mod matrix;
mod node;
mod uns;
mod write;

pub use write::write;

use crate::Error;
use crate::data::{AnnData, Csr, Dense, Frame};
use node::Node;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Reads an `.h5ad` file of anndata 0.8 or later. `layers` and `raw` are not read yet, and what is unknown in `uns`,
/// `obsm`, `varm` and `obsp` is left out with a warning.
///
/// # Errors
/// The file can't be opened, or its matrix or annotations are damaged or of an unknown kind.
pub fn read(path: &Path) -> Result<AnnData, Error> {
    // The HDF5 library is young: should it panic on a damaged file, that is an error like others.
    match catch_unwind(AssertUnwindSafe(|| read_file(path))) {
        Ok(result) => result,
        Err(_) => Err(Error::Format {
            path: path.into(),
            problem: "the HDF5 structure is damaged; copy or download the file again".into(),
        }),
    }
}

fn read_file(path: &Path) -> Result<AnnData, Error> {
    let file = hdf5_pure::File::open_streaming(path).map_err(|error| Error::Format {
        path: path.into(),
        problem: format!(
            "the HDF5 file can't be opened, it is damaged or cut off ({error}); copy or download it again"
        ),
    })?;
    check_length(path, &file)?;
    let root = Node::root(path, &file);
    let obs = frame::read(&root.child("obs")?)?;
    let var = frame::read(&root.child("var")?)?;
    let x = matrix::read(&root.child("X")?, Some([obs.len(), var.len()]))?;
    let (obsm, varm) = (arrays(&root, "obsm", &obs), arrays(&root, "varm", &var));
    let obsp = graphs(&root, obs.len());
    let uns = root.child("uns").map(|node| uns::read(&node)).unwrap_or_default();
    for name in ["layers", "raw", "varp"] {
        if root.child(name).is_ok_and(|node| node.has_children()) {
            tracing::warn!("{}: `{name}` is not read yet and will not be in the output", path.display());
        }
    }
    Ok(AnnData { x, obs, var, obsm: obsm?, varm: varm?, obsp: obsp?, uns })
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

/// The dense arrays of `obsm` or `varm`.
fn arrays(root: &Node<'_>, name: &str, axis: &Frame) -> Result<BTreeMap<String, Dense>, Error> {
    let mut out = BTreeMap::new();
    let Ok(node) = root.child(name) else { return Ok(out) };
    for key in node.children() {
        let child = node.child(&key)?;
        match matrix::read_dense(&child) {
            Ok(array) if array.n_rows() == axis.len() => {
                out.insert(key, array);
            }
            Ok(array) => {
                let problem = format!("has {} rows, but there are {}; the file is damaged", array.n_rows(), axis.len());
                return Err(child.error(problem));
            }
            Err(error) => tracing::warn!("left out: {error}"),
        }
    }
    Ok(out)
}

fn graphs(root: &Node<'_>, n_obs: usize) -> Result<BTreeMap<String, Csr>, Error> {
    let mut out = BTreeMap::new();
    let Ok(node) = root.child("obsp") else { return Ok(out) };
    for key in node.children() {
        let child = node.child(&key)?;
        match matrix::read(&child, Some([n_obs, n_obs])) {
            Ok(graph) => {
                out.insert(key, graph);
            }
            Err(error) => tracing::warn!("left out: {error}"),
        }
    }
    Ok(out)
}

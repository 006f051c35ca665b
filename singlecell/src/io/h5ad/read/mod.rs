//! Reading `.h5ad`.

mod column;
mod frame;
mod matrix;
mod uns;

use crate::Error;
use crate::data::{AnnData, Csr, Dense};
use crate::io::hdf5::{Node, with_root};
use std::collections::BTreeMap;
use std::path::Path;

/// Reads an `.h5ad` file of anndata 0.7 or later. `layers`, `raw` and `varp` are not read yet, and what is unknown in
/// `uns`, `obsm`, `varm` and `obsp` is left out with a warning.
///
/// # Errors
/// The file can't be opened, or its matrix or annotations are damaged or of an unknown kind.
pub fn read(path: &Path) -> Result<AnnData, Error> {
    with_root(path, read_root)
}

pub(in crate::io) fn read_root(root: &Node<'_>) -> Result<AnnData, Error> {
    check_kind(root)?;
    let obs = frame::read(&root.child("obs")?)?;
    let var = frame::read(&root.child("var")?)?;
    let x = read_x(root, [obs.len(), var.len()])?;
    let obsm = arrays(root, "obsm", obs.len())?;
    let varm = arrays(root, "varm", var.len())?;
    let obsp = graphs(root, "obsp", obs.len())?;
    let uns = root.child("uns").map(|node| uns::read(&node)).unwrap_or_default();
    for name in ["layers", "raw", "varp"] {
        if root.child(name).is_ok_and(|node| !node.children().is_empty()) {
            tracing::warn!("left out: {}{name} is not read yet", root.place());
        }
    }
    Ok(AnnData { x, obs, var, obsm, varm, obsp, uns })
}

/// Names the kinds of files that are easily taken for an `.h5ad`.
fn check_kind(root: &Node<'_>) -> Result<(), Error> {
    let problem = if root.has("mod") {
        "this is a MuData file (.h5mu) of several modalities; write the one you want, with mudata: `data.mod[\"rna\"].write_h5ad(...)`"
    } else if root.has("row_attrs") {
        "this is a loom file, which can't be read; convert it, with anndata: `anndata.io.read_loom(...).write_h5ad(...)`"
    } else if !root.has("obs") && !root.has("var") {
        "this is an HDF5 file without `obs` and `var`, so no .h5ad; convert it with the program that it is from"
    } else {
        return Ok(());
    };
    Err(root.error(problem))
}

fn read_x(root: &Node<'_>, shape: [usize; 2]) -> Result<Csr, Error> {
    if root.has("X") {
        let x = root.child("X")?;
        if x.encoding() != "null" {
            return matrix::read(&x, shape);
        }
    }
    Err(root.error("X: there is none, but it must hold the counts; with anndata: `adata.X = adata.layers[\"counts\"]`"))
}

/// The dense arrays of `obsm` or `varm`.
fn arrays(root: &Node<'_>, name: &str, rows: usize) -> Result<BTreeMap<String, Dense>, Error> {
    let mut out = BTreeMap::new();
    for child in children(root, name)? {
        match child.and_then(|(key, node)| Ok((key, matrix::read_dense(&node, rows)?))) {
            Ok((key, array)) => {
                out.insert(key, array);
            }
            Err(error) => tracing::warn!("left out: {error}"),
        }
    }
    Ok(out)
}

/// The matrices of `obsp`.
fn graphs(root: &Node<'_>, name: &str, size: usize) -> Result<BTreeMap<String, Csr>, Error> {
    let mut out = BTreeMap::new();
    for child in children(root, name)? {
        match child.and_then(|(key, node)| Ok((key, matrix::read(&node, [size, size])?))) {
            Ok((key, graph)) => {
                out.insert(key, graph);
            }
            Err(error) => tracing::warn!("left out: {error}"),
        }
    }
    Ok(out)
}

/// A member of a group with its name, or why it can't be reached.
type Child<'f> = Result<(String, Node<'f>), Error>;

/// The members of the group `name`; none if there is no such group.
fn children<'f>(root: &Node<'f>, name: &str) -> Result<Vec<Child<'f>>, Error> {
    if !root.has(name) {
        return Ok(Vec::new());
    }
    let node = root.child(name)?;
    Ok(node.children().into_iter().map(|key| node.child(&key).map(|child| (key, child))).collect())
}

//! Writing `.h5ad`, in the encodings that every anndata since 0.8 reads.

mod check;
mod column;
mod encode;
mod frame;
mod matrix;
mod uns;

use crate::Error;
use crate::data::AnnData;
use crate::io::write_then_rename;
use hdf5_pure::{FileBuilder, GroupBuilder};
use std::collections::BTreeMap;
use std::path::Path;

/// Writes an `.h5ad` file: whole, or not at all.
///
/// # Errors
/// The parts of `data` don't fit together or have names that can't be stored; the folder is missing or can't be written,
/// or the disk is full.
pub fn write(path: &Path, data: &AnnData) -> Result<(), Error> {
    check::check(path, data)?;
    write_then_rename(path, |temporary| {
        file(data).write(temporary).map_err(|error| match error {
            hdf5_pure::Error::Io(source) => Error::Io { path: path.into(), source },
            other => Error::Format { path: path.into(), problem: format!("can't be written: {other}") },
        })
    })
}

/// The whole file.
fn file(data: &AnnData) -> FileBuilder {
    let mut file = FileBuilder::new();
    file.set_attr("encoding-type", encode::text("anndata"));
    file.set_attr("encoding-version", encode::text("0.1.0"));
    add(&mut file, "X", |group| matrix::csr(group, &data.x));
    add(&mut file, "obs", |group| frame::write(group, &data.obs));
    add(&mut file, "var", |group| frame::write(group, &data.var));
    add(&mut file, "obsm", |group| dict(group, &data.obsm, matrix::dense));
    add(&mut file, "varm", |group| dict(group, &data.varm, matrix::dense));
    add(&mut file, "obsp", |group| dict(group, &data.obsp, matrix::sparse));
    add(&mut file, "varp", empty);
    add(&mut file, "layers", empty);
    add(&mut file, "uns", |group| dict(group, &data.uns, uns::write));
    file
}

fn add(file: &mut FileBuilder, name: &str, fill: impl FnOnce(&mut GroupBuilder)) {
    let mut group = file.create_group(name);
    fill(&mut group);
    file.add_group(group.finish());
}

fn empty(group: &mut GroupBuilder) {
    encode::group(group, "dict", "0.1.0");
}

/// A `dict`, whose members `write` writes.
fn dict<T>(group: &mut GroupBuilder, members: &BTreeMap<String, T>, write: fn(&mut GroupBuilder, &str, &T)) {
    empty(group);
    for (name, member) in members {
        write(group, name, member);
    }
}

//! What is checked before anything is written: the parts fit together, and their names can be stored.

use super::frame::INDEX;
use crate::Error;
use crate::data::{AnnData, Column, Frame, Uns};
use std::collections::BTreeMap;
use std::path::Path;

/// Reports the first part that can't be written.
pub(super) fn check(path: &Path, data: &AnnData) -> Result<(), Error> {
    let result = frame("obs", &data.obs, data.n_obs())
        .and_then(|()| frame("var", &data.var, data.n_vars()))
        .and_then(|()| members("obsm", &data.obsm, |array| rows(array.n_rows(), data.n_obs())))
        .and_then(|()| members("varm", &data.varm, |array| rows(array.n_rows(), data.n_vars())))
        .and_then(|()| members("obsp", &data.obsp, |graph| square([graph.n_rows(), graph.n_cols], data.n_obs())))
        .and_then(|()| map("uns", &data.uns));
    result.map_err(|(element, problem)| Error::Element { path: path.into(), element, problem })
}

/// An element and what is wrong with it.
type Problem = (String, String);

fn frame(element: &str, frame: &Frame, expected: usize) -> Result<(), Problem> {
    rows(frame.len(), expected).map_err(|problem| (element.to_string(), problem))?;
    for (column_name, column) in frame.columns() {
        name(element, column_name)?;
        let fail = |problem: String| Err((format!("{element}/{column_name}"), problem));
        if column_name == INDEX {
            return fail("is the name of the index, which no column can have; rename the column".into());
        }
        if let Err(problem) = values(column) {
            return fail(problem);
        }
    }
    Ok(())
}

/// The parts of a column fit together.
fn values(column: &Column) -> Result<(), String> {
    match column {
        Column::Categorical { codes, categories, .. } => {
            let known = |code: &i32| *code == -1 || usize::try_from(*code).is_ok_and(|code| code < categories.len());
            match codes.iter().find(|code| !known(code)) {
                Some(code) => Err(format!("has the code {code}, but there are {} categories", categories.len())),
                None => Ok(()),
            }
        }
        Column::NullableInt { missing, .. } | Column::NullableBool { missing, .. } => rows(missing.len(), column.len()),
        _ => Ok(()),
    }
}

fn members<T>(
    element: &str,
    members: &BTreeMap<String, T>,
    check: impl Fn(&T) -> Result<(), String>,
) -> Result<(), Problem> {
    members.iter().try_for_each(|(key, member)| {
        name(element, key)?;
        check(member).map_err(|problem| (format!("{element}/{key}"), problem))
    })
}

fn map(element: &str, entries: &BTreeMap<String, Uns>) -> Result<(), Problem> {
    entries.iter().try_for_each(|(key, value)| {
        name(element, key)?;
        match value {
            Uns::Map(entries) => map(&format!("{element}/{key}"), entries),
            _ => Ok(()),
        }
    })
}

/// HDF5 takes `/` for a group and `.` for the group itself.
fn name(element: &str, name: &str) -> Result<(), Problem> {
    if name.is_empty() || name == "." || name.contains(['/', '\0']) {
        return Err((
            element.into(),
            format!("the name `{name}` can't be stored in HDF5; it must not be empty or hold `/`: rename it"),
        ));
    }
    Ok(())
}

fn rows(found: usize, expected: usize) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("has {found} rows, but {expected} are expected")) }
}

fn square(found: [usize; 2], size: usize) -> Result<(), String> {
    if found == [size, size] {
        Ok(())
    } else {
        Err(format!("has the shape {found:?}, but {:?} is expected", [size, size]))
    }
}

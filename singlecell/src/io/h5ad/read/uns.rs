//! `uns`: what can be read of it.

use crate::Error;
use crate::data::Uns;
use crate::io::hdf5::Node;
use hdf5_pure::DType;
use std::collections::BTreeMap;

/// Groups can be linked into themselves, so that there is no end.
const MAX_DEPTH: usize = 32;

/// Reads a `dict`. What is of an unknown kind is left out with a warning.
pub(super) fn read(node: &Node<'_>) -> BTreeMap<String, Uns> {
    let mut out = BTreeMap::new();
    for name in node.children() {
        match node.child(&name).and_then(|child| value(&child)) {
            Ok(Some(value)) => {
                out.insert(name, value);
            }
            Ok(None) => {}
            Err(error) => tracing::warn!("left out: {error}"),
        }
    }
    out
}

/// A value, or nothing where `None` is stored.
fn value(node: &Node<'_>) -> Result<Option<Uns>, Error> {
    match (&*node.encoding(), node.is_group()) {
        ("null", _) => Ok(None),
        ("dict" | "", true) if node.depth() > MAX_DEPTH => Err(node.error("is nested too deeply")),
        ("dict" | "", true) => Ok(Some(Uns::Map(read(node)))),
        (other, true) => Err(node.error(format!("is encoded as `{other}`, which can't be read yet"))),
        (_, false) => match node.shape()?.len() {
            0 => scalar(node).map(Some),
            1 => array(node).map(Some),
            dimensions => Err(node.error(format!("has {dimensions} dimensions, which can't be read yet"))),
        },
    }
}

fn scalar(node: &Node<'_>) -> Result<Uns, Error> {
    let value = match array(node)? {
        Uns::Bools(values) => values.first().copied().map(Uns::Bool),
        Uns::Ints(values) => values.first().copied().map(Uns::Int),
        Uns::Floats(values) => values.first().copied().map(Uns::Float),
        Uns::Strings(values) => values.into_iter().next().map(Uns::String),
        _ => None,
    };
    value.ok_or_else(|| node.error("holds no value"))
}

fn array(node: &Node<'_>) -> Result<Uns, Error> {
    Ok(match node.dtype()? {
        DType::String | DType::VariableLengthString => Uns::Strings(node.strings()?),
        DType::Enum(_) => Uns::Bools(node.bools()?),
        DType::F32 | DType::F64 | DType::Other(_) => Uns::Floats(node.f64s()?),
        _ => Uns::Ints(node.i64s()?),
    })
}

//! `uns`: what can be read of it.

use super::node::Node;
use crate::Error;
use crate::data::Uns;
use hdf5_pure::DType;
use std::collections::BTreeMap;

/// Reads a map. What is of an unknown kind is left out with a warning.
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

fn value(node: &Node<'_>) -> Result<Option<Uns>, Error> {
    if node.is_group() {
        return match &*node.encoding() {
            "dict" | "" => Ok(Some(Uns::Map(read(node)))),
            other => Err(node.error(format!("is encoded as `{other}`, which can't be read yet"))),
        };
    }
    if node.encoding() == "null" {
        return Ok(None);
    }
    let scalar = node.shape()?.is_empty();
    let dtype = node.dtype()?;
    Ok(Some(match dtype {
        DType::String | DType::VariableLengthString => {
            let mut strings = node.strings()?;
            if scalar { Uns::String(strings.pop().unwrap_or_default()) } else { Uns::Strings(strings) }
        }
        DType::Enum(_) if scalar => Uns::Bool(node.bools()?.first().copied().unwrap_or(false)),
        DType::F32 | DType::F64 if scalar => Uns::Float(node.f64s()?.first().copied().unwrap_or(f64::NAN)),
        _ if scalar => Uns::Int(node.i64s()?.first().copied().unwrap_or(0)),
        _ if node.shape()?.len() == 1 => Uns::Floats(node.f64s()?),
        _ => return Err(node.error("has several dimensions, which can't be read yet")),
    }))
}

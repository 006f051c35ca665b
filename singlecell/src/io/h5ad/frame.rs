//! `obs` and `var`.

use super::node::Node;
use crate::Error;
use crate::data::{Column, Frame};
use hdf5_pure::DType;

/// Reads a frame. A column of an unknown kind is left out with a warning.
pub(super) fn read(node: &Node<'_>) -> Result<Frame, Error> {
    if !node.is_group() {
        return Err(
            node.error("is a table of an anndata before 0.7; open the file with a current anndata and write it again")
        );
    }
    let index_name = node.text("_index").unwrap_or_else(|| "_index".into());
    let index = texts(&node.child(&index_name)?)?;
    let mut frame = Frame::new(index);
    let order = node.texts("column-order").unwrap_or_else(|| {
        node.children().into_iter().filter(|name| *name != index_name && name != "__categories").collect()
    });
    for name in order {
        let child = node.child(&name)?;
        let Some(column) = column(&child)? else { continue };
        if column.len() != frame.len() {
            let problem =
                format!("has {} values, but there are {} names; the file is damaged", column.len(), frame.len());
            return Err(child.error(problem));
        }
        frame.set(name, column);
    }
    Ok(frame)
}

/// Texts, as `string-array` or as `nullable-string-array`.
fn texts(node: &Node<'_>) -> Result<Vec<String>, Error> {
    if node.is_group() {
        return match &*node.encoding() {
            "nullable-string-array" => node.child("values")?.strings(),
            other => Err(node.error(format!("is encoded as `{other}`, where texts are expected"))),
        };
    }
    if node.is_text() {
        return node.strings();
    }
    // Names that are numbers.
    Ok(node.i64s()?.iter().map(i64::to_string).collect())
}

/// Reads a column, or nothing if it is of an unknown kind.
fn column(node: &Node<'_>) -> Result<Option<Column>, Error> {
    if node.is_group() {
        return grouped(node, &node.encoding());
    }
    Ok(Some(match node.dtype()? {
        DType::F32 => Column::Float32(node.f32s()?.0),
        DType::F64 => Column::Float64(node.f64s()?),
        DType::Enum(_) => Column::Bool(node.bools()?),
        DType::String | DType::VariableLengthString => Column::String(node.strings()?),
        _ => Column::Int(node.i64s()?),
    }))
}

fn grouped(node: &Node<'_>, encoding: &str) -> Result<Option<Column>, Error> {
    Ok(Some(match encoding {
        "categorical" => categorical(node)?,
        "nullable-integer" => {
            Column::NullableInt { values: node.child("values")?.i64s()?, missing: node.child("mask")?.bools()? }
        }
        "nullable-boolean" => {
            Column::NullableBool { values: node.child("values")?.bools()?, missing: node.child("mask")?.bools()? }
        }
        "nullable-string-array" => Column::String(node.child("values")?.strings()?),
        other => {
            let problem = format!("is a column encoded as `{other}`, which can't be read yet");
            tracing::warn!("left out: {}", node.error(problem));
            return Ok(None);
        }
    }))
}

fn categorical(node: &Node<'_>) -> Result<Column, Error> {
    let codes_node = node.child("codes")?;
    let categories = category_names(&node.child("categories")?)?;
    let codes: Vec<i32> = codes_node
        .i64s()?
        .into_iter()
        .map(|code| match i32::try_from(code) {
            Ok(small) if small >= -1 && (small as i64) < categories.len() as i64 => Ok(small),
            _ => Err(codes_node.error(format!("holds {code}, but there are {} categories", categories.len()))),
        })
        .collect::<Result<_, _>>()?;
    Ok(Column::Categorical { codes, categories, ordered: node.flag("ordered").unwrap_or(false) })
}

/// Categories as texts, whatever they are.
fn category_names(node: &Node<'_>) -> Result<Vec<String>, Error> {
    if node.is_group() || node.is_text() {
        return texts(node);
    }
    Ok(match node.dtype()? {
        DType::F32 | DType::F64 => node.f64s()?.iter().map(f64::to_string).collect(),
        DType::Enum(_) => node.bools()?.iter().map(bool::to_string).collect(),
        _ => node.i64s()?.iter().map(i64::to_string).collect(),
    })
}

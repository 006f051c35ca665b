//! Columns of a `dataframe`.

use crate::Error;
use crate::data::Column;
use crate::io::hdf5::Node;
use hdf5_pure::DType;
use std::collections::BTreeMap;

/// Where anndata 0.7 kept the categories of all columns of a frame.
const OLD_CATEGORIES: &str = "__categories";

/// Reads the column called `name` of `frame`.
pub(super) fn read(node: &Node<'_>, frame: &Node<'_>, name: &str) -> Result<Column, Error> {
    if node.is_group() {
        return encoded(node);
    }
    if frame.has(OLD_CATEGORIES) && frame.child(OLD_CATEGORIES)?.has(name) {
        let categories = frame.child(OLD_CATEGORIES)?.child(name)?;
        let ordered = categories.flag("ordered").unwrap_or(false);
        let (codes, categories) = codes(node, &categories)?;
        return Ok(Column::Categorical { codes, categories, ordered });
    }
    Ok(match node.dtype()? {
        DType::F32 => Column::Float32(node.f32s()?.0),
        DType::F64 | DType::Other(_) => Column::Float64(node.f64s()?),
        DType::Enum(_) => Column::Bool(node.bools()?),
        DType::String | DType::VariableLengthString => Column::String(node.strings()?),
        _ => Column::Int(node.i64s()?),
    })
}

/// A column of several arrays, by anndata's name for its encoding.
fn encoded(node: &Node<'_>) -> Result<Column, Error> {
    match &*node.encoding() {
        "categorical" => {
            let (codes, categories) = codes(&node.child("codes")?, &node.child("categories")?)?;
            Ok(Column::Categorical { codes, categories, ordered: node.flag("ordered").unwrap_or(false) })
        }
        "nullable-integer" => {
            let values = node.child("values")?.i64s()?;
            Ok(Column::NullableInt { missing: mask(node, values.len())?, values })
        }
        "nullable-boolean" => {
            let values = node.child("values")?.bools()?;
            Ok(Column::NullableBool { missing: mask(node, values.len())?, values })
        }
        "nullable-string-array" => {
            let values = node.child("values")?.strings()?;
            Ok(nullable_strings(mask(node, values.len())?, values))
        }
        other => Err(node.error(format!(
            "is a column encoded as `{other}`, which can't be read; remove it and write the file again, with anndata: `del adata.obs[...]`"
        ))),
    }
}

/// The flags of the missing values.
fn mask(node: &Node<'_>, len: usize) -> Result<Vec<bool>, Error> {
    let child = node.child("mask")?;
    let missing = child.bools()?;
    if missing.len() != len {
        let problem = format!("has {} flags for {len} values; the file is damaged", missing.len());
        return Err(child.error(problem));
    }
    Ok(missing)
}

/// Codes and categories; each code is -1 or that of a category.
fn codes(codes_node: &Node<'_>, categories: &Node<'_>) -> Result<(Vec<i32>, Vec<String>), Error> {
    let categories = category_names(categories)?;
    let small = |code| match i32::try_from(code) {
        Ok(small) if small >= -1 && i64::from(small) < categories.len() as i64 => Ok(small),
        _ => Err(codes_node.error(format!(
            "holds {code}, but there are {} categories; the file is damaged, write it again from its origin",
            categories.len()
        ))),
    };
    let codes = codes_node.i64s()?.into_iter().map(small).collect::<Result<_, _>>()?;
    Ok((codes, categories))
}

/// Texts, of which some may be missing: as categories in order of appearance where one is, since a text can't be.
fn nullable_strings(missing: Vec<bool>, values: Vec<String>) -> Column {
    if !missing.contains(&true) {
        return Column::String(values);
    }
    let mut categories = Vec::new();
    let mut known = BTreeMap::new();
    let mut code_of = |text: String| {
        *known.entry(text).or_insert_with_key(|text: &String| {
            categories.push(text.clone());
            // A column of 2^31 different texts doesn't fit memory.
            categories.len() as i32 - 1
        })
    };
    let codes = values.into_iter().zip(missing).map(|(text, gone)| if gone { -1 } else { code_of(text) }).collect();
    Column::Categorical { codes, categories, ordered: false }
}

/// The names of rows: texts, or numbers as texts.
pub(super) fn names(node: &Node<'_>) -> Result<Vec<String>, Error> {
    if !node.is_group() {
        return category_names(node);
    }
    match &*node.encoding() {
        "nullable-string-array" => {
            let values = node.child("values")?.strings()?;
            match mask(node, values.len())?.iter().position(|gone| *gone) {
                Some(row) => Err(node.error(format!("has no name for row {row}; give each row a name"))),
                None => Ok(values),
            }
        }
        "categorical" => {
            let (codes, categories) = codes(&node.child("codes")?, &node.child("categories")?)?;
            let name = |code: i32| usize::try_from(code).ok().map(|code| categories[code].clone());
            let named: Option<Vec<String>> = codes.into_iter().map(name).collect();
            named.ok_or_else(|| node.error("has rows without a name; give each row a name"))
        }
        other => Err(node.error(format!("is encoded as `{other}`, where texts are expected"))),
    }
}

/// Categories as texts, written as Python does, whatever they are.
fn category_names(node: &Node<'_>) -> Result<Vec<String>, Error> {
    if node.is_group() {
        return names(node);
    }
    Ok(match node.dtype()? {
        DType::String | DType::VariableLengthString => node.strings()?,
        DType::F32 | DType::F64 => node.f64s()?.iter().map(|value| format!("{value:?}")).collect(),
        DType::Enum(_) => node.bools()?.into_iter().map(|flag| if flag { "True" } else { "False" }.into()).collect(),
        _ => node.i64s()?.iter().map(i64::to_string).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_gaps_become_categories() {
        let texts = |values: [&str; 4]| values.map(String::from).to_vec();
        let full = nullable_strings(vec![false; 4], texts(["b", "a", "b", ""]));
        assert_eq!(full, Column::String(texts(["b", "a", "b", ""])));
        let gaps = nullable_strings(vec![false, false, false, true], texts(["b", "a", "b", "?"]));
        let categories = vec!["b".to_string(), "a".to_string()];
        assert_eq!(gaps, Column::Categorical { codes: vec![0, 1, 0, -1], categories, ordered: false });
    }
}

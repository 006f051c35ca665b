//! Unstructured annotations.

use std::collections::BTreeMap;

/// A value of `uns`.
#[derive(Clone, Debug, PartialEq)]
pub enum Uns {
    /// A `bool`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A text.
    String(String),
    /// An array of `bool`s.
    Bools(Vec<bool>),
    /// An array of integers.
    Ints(Vec<i64>),
    /// An array of floats.
    Floats(Vec<f64>),
    /// An array of texts.
    Strings(Vec<String>),
    /// More of these by name.
    Map(BTreeMap<String, Uns>),
}

impl<const N: usize> From<[(&str, Uns); N]> for Uns {
    fn from(entries: [(&str, Uns); N]) -> Uns {
        Uns::Map(entries.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
    }
}

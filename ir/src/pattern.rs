//! Patterns, and what they are used in.

use crate::{Block, Expr, Literal, Slot};
use serde::{Deserialize, Serialize};

/// A pattern. What it is matched against gives its types.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Pattern {
    /// `_`
    Wild,
    /// `name` or `name @ pattern`
    Binding { name: String, slot: Slot, pattern: Option<Box<Pattern>> },
    /// `3`, or a constant or variant by its path.
    Value(PatternValue),
    /// `1..=9`
    Range { start: Option<PatternValue>, end: Option<PatternValue>, inclusive: bool },
    /// `(a, b)`, `Point { x, y }`: patterns of fields by name.
    Fields(Vec<(String, Pattern)>),
    /// `[a, b]`
    Elements(Vec<Pattern>),
    /// `Some(a)`
    Some(Box<Pattern>),
    /// `None`
    None,
    /// `a | b`
    Or(Vec<Pattern>),
}

/// A value in a pattern.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum PatternValue {
    Literal(Literal),
    /// By its number among the function's constants.
    Constant(u32),
}

/// An arm of a `match`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Arm {
    pub pattern: Pattern,
    pub guard: Option<Expr>,
    pub body: Block,
}

/// A condition of an `if` or `while`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Condition {
    /// It is true.
    Holds(Expr),
    /// `let pattern = value`
    Let { pattern: Pattern, value: Expr },
}

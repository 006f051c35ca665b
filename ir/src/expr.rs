//! Expressions.

use crate::{Arm, Condition, LoopId, SiteId, Slot, Stmt};
use serde::{Deserialize, Serialize};

/// A literal, with the bits of every type it may turn out to have (so that no rounding happens twice).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Literal {
    /// `true` or `false`.
    Bool(bool),
    /// An integer; it may turn out to be of any integer type. Negated literals are folded in.
    Int(i128),
    /// A float, as the bits of the nearest `f32` and the nearest `f64`.
    #[allow(missing_docs)]
    Float { f32_bits: u32, f64_bits: u64 },
}

/// An operator with two operands of one type (but for shifts).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl BinaryOp {
    /// Whether the result is a `bool`.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum UnaryOp {
    Neg,
    Not,
}

/// Statements and the value they end with.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Block {
    /// In order.
    pub statements: Vec<Stmt>,
    /// The last expression without a semicolon.
    pub value: Option<Box<Expr>>,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Expr {
    /// A parameter or local, by its unique name.
    Local(String),
    Literal {
        slot: Slot,
        value: Literal,
    },
    /// A constant path, by its number among the function's constants; rustc evaluates it.
    Constant(u32),
    Unary {
        op: UnaryOp,
        /// The function that a struct's operator is.
        operator: Slot,
        operand: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        /// The function that a struct's operator is.
        operator: Slot,
        left: Box<Expr>,
        right: Box<Expr>,
        /// Where an integer division by zero is reported.
        site: SiteId,
    },
    /// `&&`
    And(Box<Expr>, Box<Expr>),
    /// `||`
    Or(Box<Expr>, Box<Expr>),
    Cast {
        operand: Box<Expr>,
        slot: Slot,
    },
    /// `base[index]`
    Index {
        base: Box<Expr>,
        index: Box<Expr>,
        site: SiteId,
    },
    /// `base.name`; a part of a tuple has a number as its name.
    Field {
        base: Box<Expr>,
        name: String,
    },
    /// `*reference`
    Deref(Box<Expr>),
    /// `&base[start..end]`
    Part {
        base: Box<Expr>,
        start: Option<Box<Expr>>,
        end: Option<Box<Expr>>,
        mutable: bool,
        site: SiteId,
    },
    /// `&mut place`
    Address(Box<Expr>),
    /// A call of a device function, method or intrinsic; the slot answers which.
    Call {
        slot: Slot,
        arguments: Vec<Expr>,
        site: SiteId,
    },
    If {
        slot: Slot,
        /// All of them hold; a `let` binds for those behind it and for `then`.
        conditions: Vec<Condition>,
        then: Block,
        otherwise: Option<Block>,
    },
    Match {
        slot: Slot,
        subject: Box<Expr>,
        arms: Vec<Arm>,
    },
    Block {
        slot: Slot,
        /// The block's number, if a `break` names its label.
        label: Option<LoopId>,
        block: Block,
    },
    /// `loop { … break value; }`
    Loop {
        slot: Slot,
        label: LoopId,
        body: Block,
    },
    /// `(a, b)`; the slot answers the tuple's type.
    Tuple {
        slot: Slot,
        elements: Vec<Expr>,
    },
    /// `Point { x: 1.0, ..base }`; the slot answers the struct's type.
    Struct {
        slot: Slot,
        fields: Vec<(String, Expr)>,
        base: Option<Box<Expr>>,
    },
    /// `Some(value)` or `None`; the slot answers the option's type.
    Option {
        slot: Slot,
        value: Option<Box<Expr>>,
    },
    /// `[a, b, c]`; the slot answers the array's type.
    Array {
        slot: Slot,
        elements: Vec<Expr>,
    },
    /// `[value; N]`; the slot answers the array's type.
    Repeat {
        slot: Slot,
        value: Box<Expr>,
    },
}

//! Statements.

use crate::{BinaryOp, Block, Condition, Expr, LoopId, Pattern, SiteId, Slot};
use serde::{Deserialize, Serialize};

/// What a `for` runs over: `start..end`, `start..=end`, and `.rev()` and `.step_by(n)` of these.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// The first value.
    pub start: Expr,
    /// The end.
    pub end: Expr,
    /// Whether the end is run too (`..=`).
    pub inclusive: bool,
    /// Whether it runs backwards.
    pub reversed: bool,
    /// `step_by`'s argument, which must not be 0.
    pub step: Option<Expr>,
    /// Where a step of 0 is reported.
    pub site: SiteId,
}

/// How often a `for` is written out, as a hint to the compiler of the device's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unroll {
    /// `#[unroll]`: as a whole.
    Whole,
    /// `#[unroll(n)]`: so many turns at a time; 1 is not at all.
    Turns(u32),
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Stmt {
    /// `let name = value;` or `let name: T;`
    Let {
        name: String,
        slot: Slot,
        value: Option<Expr>,
    },
    /// `let pattern = value else { otherwise };`
    LetPattern {
        pattern: Pattern,
        value: Expr,
        otherwise: Option<Block>,
    },
    /// `let name = shared::<T>();`
    Shared {
        name: String,
        slot: Slot,
    },
    /// `let name = shared_slice::<T>(len);`, the shared slice of that number.
    SharedSlice {
        name: String,
        slot: Slot,
        number: u32,
    },
    /// `place = value;`
    Assign {
        place: Expr,
        value: Expr,
    },
    /// `place += value;` and its like.
    AssignOp {
        op: BinaryOp,
        place: Expr,
        value: Expr,
        site: SiteId,
        /// The function that a struct's operator is.
        operator: Slot,
    },
    /// An expression whose value is dropped.
    Expr(Expr),
    While {
        label: LoopId,
        conditions: Vec<Condition>,
        body: Block,
    },
    For {
        label: LoopId,
        name: String,
        slot: Slot,
        range: Box<Range>,
        unroll: Option<Unroll>,
        body: Block,
    },
    /// Waiting for other threads starts here.
    StartWaiting,
    /// One turn of waiting for other threads; the site is where a wait without end is reported.
    Wait(SiteId),
    Break {
        /// Which loop or block it leaves.
        target: LoopId,
        value: Option<Expr>,
    },
    Continue {
        target: LoopId,
    },
    Return(Option<Expr>),
    /// `println!` and its like; the slot answers how the arguments become text.
    Print {
        slot: Slot,
        /// To the standard error instead of the standard output.
        to_stderr: bool,
        arguments: Vec<Expr>,
    },
    /// `panic!` and its like, which end the thread; the slot answers how the arguments become the message.
    Panic {
        slot: Slot,
        arguments: Vec<Expr>,
        site: SiteId,
    },
}

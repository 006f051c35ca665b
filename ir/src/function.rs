//! A whole function.

use crate::{Block, Slot};
use serde::{Deserialize, Serialize};

/// A parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Param {
    /// Its unique name.
    pub name: String,
    /// Answers its type; of a `&mut T`, that of `T`.
    pub slot: Slot,
    /// Whether it is a `&mut T`.
    pub by_reference: bool,
    /// Of a slice: each thread provably touches its own element only.
    pub own: bool,
}

/// What can go wrong at a [`Site`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SiteKind {
    /// An index that is not below the length.
    Index,
    /// A range that is not inside `0..=len`.
    Range,
    /// An integer divisor of 0, or `MIN / -1`.
    Division,
    /// `step_by(0)`.
    Step,
    /// Threads that wait for what the others never reach.
    Wait,
    /// An integer result that does not fit its type; it wraps, and only checked runs report it.
    Overflow,
    /// A call, which may wait or touch memory.
    Call,
    /// A failed assertion, or `panic!` and its like.
    Panic,
}

/// A place in the Rust source where a thread can fault.
///
/// The emitted text names sites by number only: with lines in it, any edit above a kernel would compile it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// What can go wrong there.
    pub kind: SiteKind,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The source text of what is indexed or divided, for the message.
    pub text: String,
}

/// A kernel or device function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Function {
    /// The Rust name.
    pub name: String,
    /// The Rust file, as rustc names it.
    pub file: String,
    /// In order.
    pub params: Vec<Param>,
    /// Answers the result's type.
    pub result: Slot,
    /// The body.
    pub body: Block,
    /// Where its threads can fault, by number.
    pub sites: Vec<Site>,
    /// Whether it is a kernel that waits for the other blocks of its grid.
    pub grid_barrier: bool,
    /// Locals and parameters that may be assigned after their declaration.
    pub assigned: Vec<String>,
}

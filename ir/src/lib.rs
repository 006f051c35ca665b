//! The model of a kernel: what `#[gpu_kernel]` and `#[gpu_fn]` write and what the CUDA emitter reads.
//!
//! The macro knows the *shape* of a body and nothing of its types; rustc knows the types and nothing of CUDA. So the
//! macro stores the shape as a [`Function`] (encoded into a byte string of the compiled crate) and leaves every type
//! open as a [`Slot`]; at run time rustc's answers fill the slots and the runtime puts both together into CUDA C.
//!
//! Every local has a unique name here: shadowing is resolved by the macro.

mod expr;
mod function;
mod pattern;
mod stmt;
mod ty;

pub use expr::{BinaryOp, Block, Expr, Literal, UnaryOp};
pub use function::{Function, Param, Site, SiteKind};
pub use pattern::{Arm, Condition, Pattern, PatternValue};
pub use stmt::{Range, Stmt, Unroll};
pub use ty::{Field, Scalar, Struct, Type};

/// The number of a question to rustc: a type, or the instance of a called function.
pub type Slot = u32;

/// The number of a loop or labelled block in its function.
pub type LoopId = u32;

/// The number of a place in the source where a thread can fault; see [`Site`].
pub type SiteId = u32;

/// The most values that a panic's message can have.
pub const PANIC_VALUES: usize = 16;

/// The bytes of `function`, for a byte string in generated code.
pub fn encode(function: &Function) -> Vec<u8> {
    // Only sequences of unknown length can fail to serialise; the model has none.
    postcard::to_allocvec(function).expect("a kernel model serialises")
}

/// The function that [`encode`] wrote.
///
/// # Errors
/// The bytes come from another version of this crate, or are damaged.
pub fn decode(bytes: &[u8]) -> Result<Function, postcard::Error> {
    postcard::from_bytes(bytes)
}

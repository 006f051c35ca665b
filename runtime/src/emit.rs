//! CUDA C from the shape of a kernel and rustc's answers.
//!
//! The text is concrete: no templates, no overloads, no `auto`. Each access that can fault and each call stands in a
//! statement of its own, in Rust's order of evaluation.

mod aggregate;
mod builder;
mod control;
mod expr;
mod function;
mod operator;
mod output;
mod pattern;
mod place;
mod types;

pub use builder::Builder;
pub(crate) use builder::{Emitted, PrintInfo, SiteInfo};
pub(crate) use types::identifier;

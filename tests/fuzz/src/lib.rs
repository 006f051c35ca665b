//! Differential fuzzing of the kernel language: random kernels, whose results must be equal on every target.
//!
//! [`generate`] makes kernels from a seed. [`package`] writes them as a crate, so that they go through the macros as any
//! kernel does, and has cargo build it; the program of such a crate is [`batch::main`], which runs its kernels on the CPU
//! (phases, base instructions, futures), as the emitted C compiled by the host's C++ compiler ([`host`]), and on a CUDA
//! device. [`reduce`] makes a kernel that differs smaller. [`planted`] are errors of the emitter that the kernels must
//! find.
//!
//! Kernels have one right result by construction: a thread writes elements of its own, or of shared memory between two
//! barriers; atomics are such that their order doesn't matter; loops are bounded; indices and divisors are in range;
//! which NaN an operation gives is never looked at.

pub mod batch;
pub mod generate;
pub mod host;
pub mod inputs;
pub mod package;
pub mod planted;
pub mod program;
pub mod random;
pub mod reduce;
pub mod scalar;

/// What a generated module needs.
pub mod kernel_prelude {
    pub use crate::batch::{Entry, Output, Run};
    pub use crate::program::ParamKind;
    pub use crate::scalar::Scalar;
    pub use warpcell_runtime::prelude::*;
    pub use warpcell_runtime::{Error, KernelInfo};
}

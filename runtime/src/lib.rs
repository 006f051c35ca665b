//! Kernels written in Rust, run on CUDA devices and on the CPU with the same bits.
//!
//! ```
//! use warpcell_runtime::prelude::*;
//!
//! #[gpu_kernel]
//! fn vector_add(a: &[f32], b: &[f32], c: &mut [f32]) {
//!     let i = global_id();
//!     if i < c.len() {
//!         c[i] = a[i] + b[i];
//!     }
//! }
//!
//! # fn main() -> Result<(), warpcell_runtime::Error> {
//! let device = Device::auto()?;
//! let (a, b) = (device.upload(&[1.0, 2.0, 3.0])?, device.upload(&[10.0, 20.0, 30.0])?);
//! let mut c = device.zeros::<f32>(3)?;
//! vector_add(&a, &b, &mut c).threads(3).launch()?;
//! assert_eq!(c.download()?, [11.0, 22.0, 33.0]);
//! # Ok(())
//! # }
//! ```
//!
//! The language is described in [`lang`].

extern crate self as warpcell_runtime;

mod buffer;
mod cpu;
pub mod cuda;
mod cuda_device;
mod device;
mod emit;
mod error;
mod kernel;
pub mod lang;
mod launch;
mod output;

pub use buffer::{Buffer, DSlice, View, ViewMut};
pub use cpu::{CpuOptions, InstructionSet};
pub use device::{Device, KernelTime, Occupancy};
pub use error::{Error, Fault, FaultKind};
pub use kernel::{KernelAttributes, KernelInfo};
pub use launch::{Dim3, Launch};
pub use warpcell_macros::{GpuType, gpu_fn, gpu_impl, gpu_kernel, gpu_trait};

/// What a file with kernels needs: `use warpcell_runtime::prelude::*;`
pub mod prelude {
    pub use crate::lang::*;
    pub use crate::{Buffer, DSlice, Device, Launch, gpu_fn, gpu_impl, gpu_kernel, gpu_trait};
    pub use warpcell_macros::GpuType;
}

/// What generated code calls. Not for use by hand: some of it relies on what the macros have proved.
#[doc(hidden)]
pub mod __private {
    pub use crate::buffer::DSlice;
    pub use crate::cpu::*;
    pub use crate::emit::Builder;
    pub use crate::error::Error;
    pub use crate::kernel::{Kernel, KernelAttributes, KernelInfo, checked_block};
    pub use crate::lang::Atomic;
    pub use crate::lang::operator::*;
    pub use crate::lang::{
        Answers, Call, Elem, Function, Group, Own, Slot, Value, add, any, ask, bind, constant, div, formatted,
        last_message, message, methods, mul, neg, own_ref, own_slice, rem, see, see_type, shl, shr, sub,
    };
    pub use crate::lang::{Callable, Callee, ConstantValue, GpuFn1, GpuFn2, GpuFn3, GpuFn4, GpuType, struct_type};
    pub use crate::launch::{Launch, Plan, checked_add, checked_div, checked_mul, checked_rem, checked_sub};
    pub use warpcell_ir::{SiteKind, Type};
}

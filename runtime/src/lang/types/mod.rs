//! The types a kernel can use.
//!
//! | trait | types | where |
//! | --- | --- | --- |
//! | [`Primitive`] | integers, floats, `bool` | operators, atomics, shuffles |
//! | [`GpuType`] | primitives, arrays, structs and enums with `#[derive(GpuType)]` | buffers, shared memory, parameters of kernels |
//! | [`Value`] | those, tuples and `Option` | locals, parameters and results of device functions |

mod memory;
mod primitive;
mod value;

pub use memory::{Atomic, Elem, Own, Shared, own_ref, own_slice};
pub use primitive::Primitive;
pub use value::{GpuType, Value, struct_type};

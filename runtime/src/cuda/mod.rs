//! The CUDA layer: owned handles and typed errors over the driver API and NVRTC.
//!
//! Both libraries are loaded when first used, so one binary runs on machines with and without CUDA. Everything a
//! [`Context`] does is ordered on its one stream; a thread that calls in gets the context made current.
//!
//! | CUDA | here |
//! | --- | --- |
//! | device ordinal and attributes | [`DeviceInfo`] |
//! | primary context, stream and memory pool | [`Context`] |
//! | `cuMemAllocAsync`, copies, memset | [`Allocation`] |
//! | program text to CUBIN or PTX | [`Nvrtc`] |
//! | module and function | [`Module`], [`Function`] |
//! | event | [`Event`] |

mod context;
mod cubin;
mod driver;
mod error;
mod event;
mod function;
mod memory;
mod module;
mod nvrtc;
mod pool;
mod resources;
mod version;

pub use context::Context;
pub use driver::{DeviceInfo, devices, driver_version};
pub use error::CudaError;
pub use event::Event;
pub use function::{Function, FunctionAttributes};
pub use memory::Allocation;
pub use module::Module;
pub use nvrtc::{Nvrtc, Target};
pub use resources::Resources;
pub(crate) use resources::read as read_resources;
pub use version::CudaVersion;

//! What is known of a kernel.

use crate::cpu::CpuForms;
use crate::emit::{Builder, Emitted};
use crate::error::Error;
use crate::lang::Function;
use std::any::TypeId;

/// What the macro implements for a kernel.
pub trait Kernel: Function {
    /// The kernel's name.
    const NAME: &'static str;
    /// Its CPU forms.
    fn cpu() -> CpuForms;
}

/// A kernel, with its type parameters chosen: its text, and its CPU forms.
#[derive(Clone, Copy)]
pub struct KernelInfo {
    name: &'static str,
    id: TypeId,
    emit: fn() -> Result<Emitted, String>,
    cpu: fn() -> CpuForms,
}

impl KernelInfo {
    /// That of `K`.
    #[doc(hidden)]
    pub fn of<K: Kernel>() -> KernelInfo {
        KernelInfo { name: K::NAME, id: TypeId::of::<K>(), emit: Builder::kernel::<K>, cpu: K::cpu }
    }

    /// The kernel's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The name of the `extern "C"` function in the text.
    pub fn entry(&self) -> String {
        crate::emit::identifier(self.name)
    }

    /// The CUDA C that NVRTC compiles. The same on every run.
    ///
    /// # Errors
    /// Device functions that call each other in a circle.
    pub fn cuda_source(&self) -> Result<String, Error> {
        Ok(self.emitted()?.source)
    }

    pub(crate) fn emitted(&self) -> Result<Emitted, Error> {
        (self.emit)().map_err(|cycle| Error::Recursion { kernel: self.name, cycle })
    }

    pub(crate) fn id(&self) -> TypeId {
        self.id
    }

    pub(crate) fn cpu(&self) -> CpuForms {
        (self.cpu)()
    }

    /// Whether the CPU runs it as phases (or plain loops); else as one future a thread.
    pub fn runs_in_phases(&self) -> bool {
        self.cpu().phases.is_some()
    }
}

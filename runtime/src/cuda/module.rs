//! Compiled code on the device.

use std::ffi::CString;
use std::sync::Arc;

use cudarc::driver::sys::{self, CUmodule, CUresult};

use super::context::Context;
use super::cubin;
use super::driver::check;
use super::error::CudaError;
use super::function::Function;

/// A CUBIN loaded into a context. The functions taken from it keep it loaded.
#[derive(Debug)]
pub struct Module {
    context: Arc<Context>,
    handle: CUmodule,
}

// SAFETY: the handle is only passed to the driver API, which may be called from any thread.
unsafe impl Send for Module {}
// SAFETY: as for `Send`; nothing is written after construction.
unsafe impl Sync for Module {}

impl Module {
    /// Loads a CUBIN made for the context's device.
    ///
    /// # Errors
    /// [`CudaError::DamagedCubin`] if `cubin` isn't a whole one, [`CudaError::Driver`] if the driver refuses it, above
    /// all for another architecture.
    pub fn load(context: &Arc<Context>, cubin: &[u8]) -> Result<Arc<Self>, CudaError> {
        cubin::check_whole(cubin)?;
        context.make_current()?;
        let mut handle = std::ptr::null_mut();
        // SAFETY: the image was checked to be whole, and the driver copies what it needs of it; writes one handle
        // through a valid pointer.
        check("cuModuleLoadData", unsafe { sys::cuModuleLoadData(&mut handle, cubin.as_ptr().cast()) })?;
        Ok(Arc::new(Self { context: Arc::clone(context), handle }))
    }

    /// The kernel `name`, as it is called in the CUBIN.
    ///
    /// # Errors
    /// [`CudaError::NoSuchKernel`] if the module holds none of that name.
    pub fn function(self: &Arc<Self>, name: &str) -> Result<Function, CudaError> {
        const NOT_FOUND: u32 = CUresult::CUDA_ERROR_NOT_FOUND as u32;
        let missing = || CudaError::NoSuchKernel { name: name.to_owned() };
        let symbol = CString::new(name).map_err(|_| missing())?;
        self.context.make_current()?;
        let mut handle = std::ptr::null_mut();
        // SAFETY: the module is loaded and the name a C string; writes one handle through a valid pointer.
        let status = unsafe { sys::cuModuleGetFunction(&mut handle, self.handle, symbol.as_ptr()) };
        match check("cuModuleGetFunction", status) {
            Err(CudaError::Driver { code: NOT_FOUND, .. }) => Err(missing()),
            Err(error) => Err(error),
            // SAFETY: the handle was just taken from this module.
            Ok(()) => unsafe { Function::new(Arc::clone(self), name, handle) },
        }
    }

    /// The context it is loaded into.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        let unload = || {
            // Kernels of the module may still run, and unloading does not wait for them on every driver.
            self.context.synchronize()?;
            // SAFETY: the module is loaded, no function of it is left, and no kernel of it runs.
            check("cuModuleUnload", unsafe { sys::cuModuleUnload(self.handle) })
        };
        if let Err(error) = unload() {
            tracing::debug!("{error}");
        }
    }
}

//! A kernel of a loaded module: what it needs, and its launch.

use std::ffi::{c_int, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use cudarc::driver::sys::{self, CUfunction, CUfunction_attribute};

use super::context::Context;
use super::driver::check;
use super::error::CudaError;
use super::module::Module;

/// What the compiler gave a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionAttributes {
    /// Registers of each thread.
    pub registers: u32,
    /// Shared memory declared in the kernel, in bytes a block.
    pub static_shared_bytes: u32,
    /// Local memory (spilled registers and local arrays), in bytes a thread.
    pub local_bytes: u32,
    /// Most threads a block of it can have, by its registers and launch bounds.
    pub max_threads_per_block: u32,
    /// Most dynamic shared memory a launch of it can have, in bytes a block.
    pub max_dynamic_shared_bytes: u32,
}

/// A kernel of a [`Module`], which it keeps loaded.
#[derive(Debug)]
pub struct Function {
    module: Arc<Module>,
    name: String,
    handle: CUfunction,
    attributes: FunctionAttributes,
    /// Dynamic shared memory a launch may ask for now, in bytes; raised once to the device's limit when needed.
    dynamic_shared_limit: AtomicU32,
}

// SAFETY: the handle is only passed to the driver API, which may be called from any thread.
unsafe impl Send for Function {}
// SAFETY: as for `Send`; the only field written after construction is atomic.
unsafe impl Sync for Function {}

impl Function {
    /// # Safety
    /// `handle` must have been taken from `module`, whose context must be current.
    pub(super) unsafe fn new(module: Arc<Module>, name: &str, handle: CUfunction) -> Result<Self, CudaError> {
        use CUfunction_attribute::*;
        let attribute = |attribute| {
            let mut value = 0;
            // SAFETY: by the contract above the handle is valid; writes one int through a valid pointer.
            check("cuFuncGetAttribute", unsafe { sys::cuFuncGetAttribute(&mut value, attribute, handle) })?;
            Ok::<_, CudaError>(value.unsigned_abs())
        };
        let static_shared_bytes = attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?;
        let optin = module.context().info().shared_bytes_per_block_optin;
        let attributes = FunctionAttributes {
            registers: attribute(CU_FUNC_ATTRIBUTE_NUM_REGS)?,
            static_shared_bytes,
            max_dynamic_shared_bytes: optin.saturating_sub(static_shared_bytes),
            local_bytes: attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?,
            max_threads_per_block: attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
        };
        let dynamic_shared_limit = AtomicU32::new(attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)?);
        Ok(Self { module, name: name.to_owned(), handle, attributes, dynamic_shared_limit })
    }

    /// The kernel's name in its module.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the compiler gave the kernel.
    pub fn attributes(&self) -> FunctionAttributes {
        self.attributes
    }

    /// The context it runs in.
    pub fn context(&self) -> &Arc<Context> {
        self.module.context()
    }

    /// Blocks of `block_threads` threads and `shared_bytes` of dynamic shared memory that a multiprocessor can hold at a
    /// time.
    ///
    /// # Errors
    /// [`CudaError::SharedMemory`] if a block can't have that much, [`CudaError::Driver`].
    pub fn blocks_per_multiprocessor(&self, block_threads: u32, shared_bytes: u32) -> Result<u32, CudaError> {
        self.context().make_current()?;
        self.allow_shared(shared_bytes)?;
        let mut blocks = 0;
        let threads = c_int::try_from(block_threads).unwrap_or(c_int::MAX);
        // SAFETY: the function is valid and its context current; writes one int through a valid pointer.
        let status = unsafe {
            sys::cuOccupancyMaxActiveBlocksPerMultiprocessor(&mut blocks, self.handle, threads, shared_bytes as usize)
        };
        check("cuOccupancyMaxActiveBlocksPerMultiprocessor", status)?;
        Ok(blocks.unsigned_abs())
    }

    /// Gives the kernel to the stream, with `grid` blocks of `block` threads (x, y, z) and `shared_bytes` of dynamic
    /// shared memory a block. Does not wait; a failure while it runs comes from a later call that waits.
    ///
    /// # Errors
    /// [`CudaError::SharedMemory`] if a block can't have that much, [`CudaError::Driver`] for a geometry that the
    /// device or the kernel does not allow.
    ///
    /// # Safety
    /// `params` must hold one pointer for each parameter of the kernel, in order, each to a value of that parameter's
    /// type, readable during the call. Whatever the kernel reaches through them must be valid for what it does with
    /// it until it has run.
    pub unsafe fn launch(
        &self,
        grid: [u32; 3],
        block: [u32; 3],
        shared_bytes: u32,
        params: &mut [*mut c_void],
    ) -> Result<(), CudaError> {
        self.context().make_current()?;
        self.allow_shared(shared_bytes)?;
        let ([gx, gy, gz], [bx, by, bz]) = (grid, block);
        let (stream, params) = (self.context().stream(), params.as_mut_ptr());
        // SAFETY: function and stream are alive and their context current; the driver copies the parameters before it
        // returns; the rest is the caller's promise.
        let status = unsafe {
            let no_extra = std::ptr::null_mut();
            sys::cuLaunchKernel(self.handle, gx, gy, gz, bx, by, bz, shared_bytes, stream, params, no_extra)
        };
        check("cuLaunchKernel", status)
    }

    /// As [`launch`](Self::launch), with all blocks resident at a time, so that they may wait for one another. The
    /// grid may have at most [`blocks_per_multiprocessor`](Self::blocks_per_multiprocessor) blocks for each
    /// multiprocessor.
    ///
    /// # Errors
    /// As [`launch`](Self::launch); a grid too large gives [`CudaError::Driver`].
    ///
    /// # Safety
    /// As [`launch`](Self::launch).
    pub unsafe fn launch_cooperative(
        &self,
        grid: [u32; 3],
        block: [u32; 3],
        shared_bytes: u32,
        params: &mut [*mut c_void],
    ) -> Result<(), CudaError> {
        self.context().make_current()?;
        self.allow_shared(shared_bytes)?;
        let ([gx, gy, gz], [bx, by, bz]) = (grid, block);
        let (stream, params) = (self.context().stream(), params.as_mut_ptr());
        // SAFETY: as in `launch`.
        let status = unsafe {
            sys::cuLaunchCooperativeKernel(self.handle, gx, gy, gz, bx, by, bz, shared_bytes, stream, params)
        };
        check("cuLaunchCooperativeKernel", status)
    }

    /// Raises the kernel's limit of dynamic shared memory if `requested` is above it. The limit is raised to all the
    /// device has, so that two threads that launch at a time can't lower each other's.
    fn allow_shared(&self, requested: u32) -> Result<(), CudaError> {
        if requested <= self.dynamic_shared_limit.load(Ordering::Relaxed) {
            return Ok(());
        }
        let available = self.attributes.max_dynamic_shared_bytes;
        if requested > available {
            return Err(CudaError::SharedMemory { kernel: self.name.clone(), requested, available });
        }
        let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        let limit = c_int::try_from(available).unwrap_or(c_int::MAX);
        // SAFETY: the function is valid and its context current.
        check("cuFuncSetAttribute", unsafe { sys::cuFuncSetAttribute(self.handle, attribute, limit) })?;
        self.dynamic_shared_limit.store(available, Ordering::Relaxed);
        Ok(())
    }
}

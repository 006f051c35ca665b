//! Device memory, allocated, copied and freed in the order of the context's stream.

use std::mem::MaybeUninit;
use std::sync::Arc;

use cudarc::driver::sys::{self, CUresult};

use super::context::Context;
use super::driver::check;
use super::error::CudaError;

/// Bytes of device memory. Dropping it frees them after all work given to the stream before.
///
/// The methods that write take `&self`: the bytes are not host memory, and the stream orders all access to them.
#[derive(Debug)]
pub struct Allocation {
    context: Arc<Context>,
    ptr: u64,
    bytes: usize,
}

impl Allocation {
    /// Allocates `bytes` uninitialised bytes, aligned to 256. No bytes at all need no call and have address 0.
    ///
    /// # Errors
    /// [`CudaError::OutOfMemory`] if they aren't free even after the context's pool was trimmed.
    pub fn alloc(context: &Arc<Context>, bytes: usize) -> Result<Self, CudaError> {
        let context = Arc::clone(context);
        if bytes == 0 {
            return Ok(Self { context, ptr: 0, bytes });
        }
        context.make_current()?;
        let ptr = match request(&context, bytes) {
            Err(error) if is_out_of_memory(&error) => retry_trimmed(&context, bytes)?,
            answer => answer?,
        };
        Ok(Self { context, ptr, bytes })
    }

    /// The device address; 0 if the allocation is empty.
    pub fn ptr(&self) -> u64 {
        self.ptr
    }

    /// The size in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The context it belongs to.
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// Copies `source` to the bytes from `offset` on, and waits for it.
    ///
    /// # Errors
    /// [`CudaError::OutOfBounds`] if it doesn't fit, [`CudaError::Driver`] also for earlier work on the stream.
    pub fn copy_from_host(&self, offset: usize, source: &[MaybeUninit<u8>]) -> Result<(), CudaError> {
        let Some(place) = self.range(offset, source.len())? else {
            return Ok(());
        };
        self.context.make_current()?;
        // SAFETY: `place` has room for `source.len()` bytes; `source` stays borrowed until the stream is synchronised
        // below, also if it is pinned memory, which the driver reads asynchronously.
        let status =
            unsafe { sys::cuMemcpyHtoDAsync_v2(place, source.as_ptr().cast(), source.len(), self.context.stream()) };
        check("cuMemcpyHtoDAsync", status)?;
        self.context.count_to_device(source.len());
        self.context.synchronize()
    }

    /// Copies the bytes from `offset` on to `destination`, and waits for it and for all earlier work on the stream.
    ///
    /// # Errors
    /// [`CudaError::OutOfBounds`] if there are fewer, [`CudaError::Driver`] also for earlier work on the stream.
    pub fn copy_to_host(&self, offset: usize, destination: &mut [MaybeUninit<u8>]) -> Result<(), CudaError> {
        let Some(place) = self.range(offset, destination.len())? else {
            return Ok(());
        };
        let (to, bytes) = (destination.as_mut_ptr(), destination.len());
        self.context.make_current()?;
        // SAFETY: `place` has `bytes` bytes; `destination` stays borrowed until the stream is synchronised below.
        let status = unsafe { sys::cuMemcpyDtoHAsync_v2(to.cast(), place, bytes, self.context.stream()) };
        check("cuMemcpyDtoHAsync", status)?;
        self.context.count_to_host(bytes);
        self.context.synchronize()
    }

    /// Copies `bytes` bytes from `source_offset` of `source` to the bytes from `offset` on, in stream order.
    ///
    /// # Errors
    /// [`CudaError::OutOfBounds`], [`CudaError::OverlappingCopy`] within one allocation, and
    /// [`CudaError::DifferentContexts`] if `source` belongs to another context.
    pub fn copy_from_device(
        &self,
        offset: usize,
        source: &Allocation,
        source_offset: usize,
        bytes: usize,
    ) -> Result<(), CudaError> {
        if !Arc::ptr_eq(&self.context, &source.context) {
            return Err(CudaError::DifferentContexts);
        }
        let (to, from) = (self.range(offset, bytes)?, source.range(source_offset, bytes)?);
        let (Some(to), Some(from)) = (to, from) else {
            return Ok(());
        };
        if to.abs_diff(from) < bytes as u64 {
            return Err(CudaError::OverlappingCopy { from: source_offset, to: offset, bytes });
        }
        self.context.make_current()?;
        // SAFETY: both ranges lie in live allocations of this context and don't overlap; both are freed, if at all,
        // later on the same stream.
        let status = unsafe { sys::cuMemcpyDtoDAsync_v2(to, from, bytes, self.context.stream()) };
        check("cuMemcpyDtoDAsync", status)
    }

    /// Sets `bytes` bytes from `offset` on to zero, in stream order.
    ///
    /// # Errors
    /// [`CudaError::OutOfBounds`] if there are fewer.
    pub fn fill_zero(&self, offset: usize, bytes: usize) -> Result<(), CudaError> {
        let Some(place) = self.range(offset, bytes)? else {
            return Ok(());
        };
        self.context.make_current()?;
        // SAFETY: the range lies in this live allocation, which is freed, if at all, later on the same stream.
        check("cuMemsetD8Async", unsafe { sys::cuMemsetD8Async(place, 0, bytes, self.context.stream()) })
    }

    /// The address of `offset` if `bytes` bytes follow it; none if there is nothing to do.
    fn range(&self, offset: usize, bytes: usize) -> Result<Option<u64>, CudaError> {
        match offset.checked_add(bytes) {
            Some(end) if end <= self.bytes => Ok((bytes > 0).then(|| self.ptr + offset as u64)),
            _ => Err(CudaError::OutOfBounds { offset, bytes, allocated: self.bytes }),
        }
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        if self.ptr == 0 {
            return;
        }
        let free = || {
            self.context.make_current()?;
            // SAFETY: allocated from the context's pool on this stream, freed once, after all work on it.
            check("cuMemFreeAsync", unsafe { sys::cuMemFreeAsync(self.ptr, self.context.stream()) })
        };
        if let Err(error) = free() {
            tracing::debug!("{error}");
        }
    }
}

/// Asks the pool of `context`, which must be current.
fn request(context: &Context, bytes: usize) -> Result<u64, CudaError> {
    let mut ptr = 0;
    // SAFETY: pool and stream are alive; writes one address through a valid pointer.
    let status = unsafe { sys::cuMemAllocFromPoolAsync(&mut ptr, bytes, context.pool(), context.stream()) };
    check("cuMemAllocFromPoolAsync", status)?;
    Ok(ptr)
}

/// Asks once more after the pool, whose free memory may be in too small pieces, was given back.
fn retry_trimmed(context: &Context, requested: usize) -> Result<u64, CudaError> {
    context.trim_pool()?;
    match request(context, requested) {
        Err(error) if is_out_of_memory(&error) => {
            let (free, total) = context.mem_info()?;
            Err(CudaError::OutOfMemory { requested, free, total })
        }
        answer => answer,
    }
}

fn is_out_of_memory(error: &CudaError) -> bool {
    const CODE: u32 = CUresult::CUDA_ERROR_OUT_OF_MEMORY as u32;
    matches!(error, CudaError::Driver { code: CODE, .. })
}

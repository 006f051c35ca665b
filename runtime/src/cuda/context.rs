//! A device made ready for work: its primary context, one stream and one memory pool.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cudarc::driver::sys::{self, CUcontext, CUdevice, CUmemoryPool, CUstream, CUstream_flags};

use super::driver::{self, DeviceInfo, check};
use super::error::CudaError;
use super::pool::Pool;

/// A device's primary context with one stream, on which all its work is ordered, and one memory pool.
///
/// It may be used from several threads: each call makes it current on the calling thread, and calls are ordered on
/// the stream as they come.
#[derive(Debug)]
pub struct Context {
    info: DeviceInfo,
    to_device: AtomicU64,
    to_host: AtomicU64,
    // Dropped in this order: the stream and the pool before the context they live in.
    stream: Stream,
    pool: Pool,
    primary: PrimaryContext,
}

// SAFETY: the driver API may be called from any thread and with one handle from several at a time (CUDA Driver API,
// "Context management": contexts are not bound to a thread); the handles are only ever passed to it.
unsafe impl Send for Context {}
// SAFETY: as for `Send`; the counters are atomic, and the rest is never written after construction.
unsafe impl Sync for Context {}

impl Context {
    /// Retains the primary context of device `index`, with a stream and a memory pool of its own.
    ///
    /// # Errors
    /// Those of [`devices`](super::devices), and [`CudaError::NoSuchDevice`].
    pub fn new(index: usize) -> Result<Arc<Self>, CudaError> {
        let (device, info) = driver::open(index)?;
        let primary = PrimaryContext::retain(device)?;
        primary.make_current()?;
        let pool = Pool::new(device)?;
        let stream = Stream::new()?;
        let (to_device, to_host) = (AtomicU64::new(0), AtomicU64::new(0));
        Ok(Arc::new(Self { info, to_device, to_host, stream, pool, primary }))
    }

    /// What the driver says of the device.
    pub fn info(&self) -> &DeviceInfo {
        &self.info
    }

    /// Waits until everything given to the stream is done.
    ///
    /// # Errors
    /// [`CudaError::Driver`], also for a failure of the work that was waited for.
    pub fn synchronize(&self) -> Result<(), CudaError> {
        self.make_current()?;
        // SAFETY: the stream is alive and its context current.
        check("cuStreamSynchronize", unsafe { sys::cuStreamSynchronize(self.stream()) })
    }

    /// Bytes that can be allocated, and bytes the device has in all. What the pool holds unused counts as free.
    ///
    /// # Errors
    /// [`CudaError::Driver`].
    pub fn mem_info(&self) -> Result<(usize, usize), CudaError> {
        self.make_current()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: a context is current; writes two usize through valid pointers.
        check("cuMemGetInfo", unsafe { sys::cuMemGetInfo_v2(&mut free, &mut total) })?;
        let unused = self.pool.reserved()?.saturating_sub(self.pool.used()?);
        Ok((free + usize::try_from(unused).unwrap_or(0), total))
    }

    /// Bytes that allocations of this context hold now, and the most they held at a time since the start or the last
    /// [`reset_peak_memory`](Self::reset_peak_memory). The pool rounds sizes up.
    ///
    /// # Errors
    /// [`CudaError::Driver`].
    pub fn memory_used(&self) -> Result<(u64, u64), CudaError> {
        Ok((self.pool.used()?, self.pool.peak()?))
    }

    /// Lets the peak of [`memory_used`](Self::memory_used) start again from what is used now.
    ///
    /// # Errors
    /// [`CudaError::Driver`].
    pub fn reset_peak_memory(&self) -> Result<(), CudaError> {
        self.pool.reset_peak()
    }

    /// Bytes copied so far from the host to the device, and from the device to the host.
    pub fn transferred(&self) -> (u64, u64) {
        (self.to_device.load(Ordering::Relaxed), self.to_host.load(Ordering::Relaxed))
    }

    pub(super) fn count_to_device(&self, bytes: usize) {
        self.to_device.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(super) fn count_to_host(&self, bytes: usize) {
        self.to_host.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(super) fn make_current(&self) -> Result<(), CudaError> {
        self.primary.make_current()
    }

    pub(super) fn stream(&self) -> CUstream {
        self.stream.0
    }

    pub(super) fn pool(&self) -> CUmemoryPool {
        self.pool.handle()
    }

    /// Waits for the stream, so that frees on it are done, and gives the pool's unused memory back to the device.
    pub(super) fn trim_pool(&self) -> Result<(), CudaError> {
        self.synchronize()?;
        self.pool.trim()
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // Frees may still be under way, and the pool is destroyed next.
        if let Err(error) = self.synchronize() {
            tracing::debug!("{error}");
        }
    }
}

#[derive(Debug)]
struct PrimaryContext {
    device: CUdevice,
    handle: CUcontext,
}

impl PrimaryContext {
    fn retain(device: CUdevice) -> Result<Self, CudaError> {
        let mut handle = std::ptr::null_mut();
        // SAFETY: the device is valid; writes one handle through a valid pointer.
        check("cuDevicePrimaryCtxRetain", unsafe { sys::cuDevicePrimaryCtxRetain(&mut handle, device) })?;
        Ok(Self { device, handle })
    }

    fn make_current(&self) -> Result<(), CudaError> {
        // SAFETY: the context is retained until `self` is dropped.
        check("cuCtxSetCurrent", unsafe { sys::cuCtxSetCurrent(self.handle) })
    }
}

impl Drop for PrimaryContext {
    fn drop(&mut self) {
        // SAFETY: retained once by `retain`, released once here.
        let status = unsafe { sys::cuDevicePrimaryCtxRelease_v2(self.device) };
        if let Err(error) = check("cuDevicePrimaryCtxRelease", status) {
            tracing::debug!("{error}");
        }
    }
}

#[derive(Debug)]
struct Stream(CUstream);

impl Stream {
    /// A stream of the current context that does not wait for the legacy default stream.
    fn new() -> Result<Self, CudaError> {
        let mut handle = std::ptr::null_mut();
        let flags = CUstream_flags::CU_STREAM_NON_BLOCKING as u32;
        // SAFETY: a context is current; writes one handle through a valid pointer.
        check("cuStreamCreate", unsafe { sys::cuStreamCreate(&mut handle, flags) })?;
        Ok(Self(handle))
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: the stream is alive, and nothing uses it after this.
        if let Err(error) = check("cuStreamDestroy", unsafe { sys::cuStreamDestroy_v2(self.0) }) {
            tracing::debug!("{error}");
        }
    }
}

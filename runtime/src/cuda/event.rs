//! Points in a stream, and the time between them.

use std::sync::Arc;

use cudarc::driver::sys::{self, CUevent, CUevent_flags};

use super::context::Context;
use super::driver::check;
use super::error::CudaError;

/// A point in a context's stream, with its time.
#[derive(Debug)]
pub struct Event {
    context: Arc<Context>,
    handle: CUevent,
}

// SAFETY: the handle is only passed to the driver API, which may be called from any thread.
unsafe impl Send for Event {}
// SAFETY: as for `Send`; nothing is written after construction.
unsafe impl Sync for Event {}

impl Event {
    /// An event that has not been recorded.
    ///
    /// # Errors
    /// [`CudaError::Driver`].
    pub fn new(context: &Arc<Context>) -> Result<Self, CudaError> {
        context.make_current()?;
        let mut handle = std::ptr::null_mut();
        let flags = CUevent_flags::CU_EVENT_DEFAULT as u32;
        // SAFETY: a context is current; writes one handle through a valid pointer.
        check("cuEventCreate", unsafe { sys::cuEventCreate(&mut handle, flags) })?;
        Ok(Self { context: Arc::clone(context), handle })
    }

    /// Moves the event behind all work given to the stream so far.
    ///
    /// # Errors
    /// [`CudaError::Driver`].
    pub fn record(&self) -> Result<(), CudaError> {
        self.context.make_current()?;
        // SAFETY: event and stream are alive and of the same context.
        check("cuEventRecord", unsafe { sys::cuEventRecord(self.handle, self.context.stream()) })
    }

    /// Waits for `stop` and gives the milliseconds from `start` to it, to about half a microsecond.
    ///
    /// # Errors
    /// [`CudaError::Driver`] if one of the two was never recorded, and for a failure of the work before them.
    pub fn elapsed_ms(start: &Event, stop: &Event) -> Result<f32, CudaError> {
        stop.context.make_current()?;
        // SAFETY: the event is alive.
        check("cuEventSynchronize", unsafe { sys::cuEventSynchronize(stop.handle) })?;
        let mut milliseconds = 0.0;
        // SAFETY: both events are alive; writes one float through a valid pointer.
        let status = unsafe { sys::cuEventElapsedTime(&mut milliseconds, start.handle, stop.handle) };
        check("cuEventElapsedTime", status)?;
        Ok(milliseconds)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: the event is alive, and nothing uses it after this; the context is kept by `self`.
        if let Err(error) = check("cuEventDestroy", unsafe { sys::cuEventDestroy_v2(self.handle) }) {
            tracing::debug!("{error}");
        }
    }
}

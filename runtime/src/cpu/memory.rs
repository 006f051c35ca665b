//! Buffers of the CPU backend.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

/// Zeroed memory, aligned for any instruction set.
pub struct HostMemory {
    pointer: NonNull<u8>,
    layout: Layout,
}

// SAFETY: it owns its memory, and every access goes through a borrow of the buffer that owns it.
unsafe impl Send for HostMemory {}
// SAFETY: as above.
unsafe impl Sync for HostMemory {}

const ALIGNMENT: usize = 64;

impl HostMemory {
    /// `bytes` zero bytes, or nothing if the system has no more.
    pub fn zeroed(bytes: usize) -> Option<HostMemory> {
        let layout = Layout::from_size_align(bytes.max(1), ALIGNMENT).ok()?;
        // SAFETY: the layout's size is at least 1.
        let pointer = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        Some(HostMemory { pointer, layout })
    }

    /// Its first byte.
    pub fn pointer(&self) -> *mut u8 {
        self.pointer.as_ptr()
    }
}

impl Drop for HostMemory {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout in `zeroed`, and freed once.
        unsafe { dealloc(self.pointer.as_ptr(), self.layout) }
    }
}

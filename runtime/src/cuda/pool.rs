//! The memory pool of a context.

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use cudarc::driver::sys::{self, CUdevice, CUmemPool_attribute, CUmemPoolProps, CUmemoryPool};

use super::driver::check;
use super::error::CudaError;

/// A stream-ordered memory pool. It keeps freed memory for the next allocation until it is trimmed; it is not the
/// device's default pool, so that other libraries in the process keep their own settings and figures.
#[derive(Debug)]
pub(super) struct Pool(CUmemoryPool);

impl Pool {
    /// A pool on `device`, whose context must be current.
    pub(super) fn new(device: CUdevice) -> Result<Self, CudaError> {
        // SAFETY: the struct holds integers, enums with a variant 0 and a pointer; zeros are valid, and the driver
        // wants the reserved bytes zero.
        let mut properties: CUmemPoolProps = unsafe { MaybeUninit::zeroed().assume_init() };
        properties.allocType = sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED;
        properties.location.type_ = sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE;
        properties.location.id = device as c_int;
        let mut pool = std::ptr::null_mut();
        // SAFETY: reads the properties and writes one handle, through valid pointers.
        check("cuMemPoolCreate", unsafe { sys::cuMemPoolCreate(&mut pool, &properties) })?;
        let pool = Self(pool);
        // By default a pool gives everything back at each synchronisation, and asks again for the next allocation.
        pool.set(CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, u64::MAX)?;
        Ok(pool)
    }

    pub(super) fn handle(&self) -> CUmemoryPool {
        self.0
    }

    /// Gives memory that no allocation holds back to the device.
    pub(super) fn trim(&self) -> Result<(), CudaError> {
        // SAFETY: the pool is alive.
        check("cuMemPoolTrimTo", unsafe { sys::cuMemPoolTrimTo(self.0, 0) })
    }

    /// Bytes that allocations hold now.
    pub(super) fn used(&self) -> Result<u64, CudaError> {
        self.get(CUmemPool_attribute::CU_MEMPOOL_ATTR_USED_MEM_CURRENT)
    }

    /// Most bytes that allocations held at a time, since the start or the last [`Pool::reset_peak`].
    pub(super) fn peak(&self) -> Result<u64, CudaError> {
        self.get(CUmemPool_attribute::CU_MEMPOOL_ATTR_USED_MEM_HIGH)
    }

    pub(super) fn reset_peak(&self) -> Result<(), CudaError> {
        // 0 is the only value the driver accepts here.
        self.set(CUmemPool_attribute::CU_MEMPOOL_ATTR_USED_MEM_HIGH, 0)
    }

    /// Bytes that the pool has taken from the device, used or not.
    pub(super) fn reserved(&self) -> Result<u64, CudaError> {
        self.get(CUmemPool_attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)
    }

    /// `attribute` must be one whose value is a `cuuint64_t`.
    fn get(&self, attribute: CUmemPool_attribute) -> Result<u64, CudaError> {
        let mut value = 0u64;
        let place: *mut c_void = (&raw mut value).cast();
        // SAFETY: the pool is alive, and the attributes read above are `cuuint64_t`.
        check("cuMemPoolGetAttribute", unsafe { sys::cuMemPoolGetAttribute(self.0, attribute, place) })?;
        Ok(value)
    }

    /// `attribute` must be one whose value is a `cuuint64_t`.
    fn set(&self, attribute: CUmemPool_attribute, mut value: u64) -> Result<(), CudaError> {
        let place: *mut c_void = (&raw mut value).cast();
        // SAFETY: the pool is alive, and the attributes set above are `cuuint64_t`.
        check("cuMemPoolSetAttribute", unsafe { sys::cuMemPoolSetAttribute(self.0, attribute, place) })
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // SAFETY: the pool is alive, and nothing uses it after this.
        if let Err(error) = check("cuMemPoolDestroy", unsafe { sys::cuMemPoolDestroy(self.0) }) {
            tracing::debug!("{error}");
        }
    }
}

//! Memory of a device.

use crate::device::{Device, Memory};
use crate::error::Error;
use crate::lang::GpuType;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut, Range};
use std::sync::Arc;

/// Bytes of a buffer, whatever their type.
#[derive(Clone)]
pub(crate) struct Part {
    memory: Arc<Memory>,
    device: Device,
    pub(crate) offset: usize,
    pub(crate) len: usize,
}

impl Part {
    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    pub(crate) fn memory(&self) -> &Memory {
        &self.memory
    }
}

/// Elements on a device: what a kernel takes. A [`Buffer`] derefs to it, as `Vec<T>` to `[T]`.
pub struct DSlice<T> {
    part: Part,
    element: PhantomData<T>,
}

impl<T: GpuType> DSlice<T> {
    pub(crate) fn part(&self) -> &Part {
        &self.part
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.part.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.part.device
    }

    /// A part, to be read.
    ///
    /// # Panics
    /// If the range is not inside `0..len`, as for slices.
    pub fn slice(&self, range: Range<usize>) -> View<'_, T> {
        View { slice: self.sub(range), borrowed: PhantomData }
    }

    /// A part, to be written.
    ///
    /// # Panics
    /// If the range is not inside `0..len`, as for slices.
    pub fn slice_mut(&mut self, range: Range<usize>) -> ViewMut<'_, T> {
        ViewMut { slice: self.sub(range), borrowed: PhantomData }
    }

    fn sub(&self, range: Range<usize>) -> DSlice<T> {
        assert!(
            range.start <= range.end && range.end <= self.len(),
            "the range {range:?} is out of a buffer of {} elements",
            self.len()
        );
        let offset = self.part.offset + range.start * size_of::<T>();
        DSlice { part: Part { offset, len: range.len(), ..self.part.clone() }, element: PhantomData }
    }

    /// The elements, on the host. Waits for the kernels that write them.
    ///
    /// # Errors
    /// What the device reports; the fault of a kernel launched before.
    pub fn download(&self) -> Result<Vec<T>, Error> {
        let mut host = vec![T::unset(); self.len()];
        self.copy_to(&mut host)?;
        Ok(host)
    }

    /// Copies the elements to the host. Waits for the kernels that write them.
    ///
    /// # Errors
    /// Another length; what the device reports; the fault of a kernel launched before.
    pub fn copy_to(&self, host: &mut [T]) -> Result<(), Error> {
        self.check_length(host.len())?;
        self.part.device.copy_to_host(&self.part, bytes_of_mut(host))
    }

    /// Copies elements from the host.
    ///
    /// # Errors
    /// Another length; what the device reports.
    pub fn copy_from(&mut self, host: &[T]) -> Result<(), Error> {
        self.check_length(host.len())?;
        self.part.device.copy_from_host(&self.part, bytes_of(host))
    }

    /// Copies elements from another buffer of the same device.
    ///
    /// # Errors
    /// Another length; what the device reports.
    pub fn copy_from_device(&mut self, other: &DSlice<T>) -> Result<(), Error> {
        self.check_length(other.len())?;
        self.part.device.copy_on_device(&other.part, &self.part, size_of::<T>() * other.len())
    }

    /// Sets every byte to 0.
    ///
    /// # Errors
    /// What the device reports.
    pub fn fill_zero(&mut self) -> Result<(), Error> {
        self.part.device.fill_zero(&self.part, size_of::<T>() * self.len())
    }

    fn check_length(&self, host: usize) -> Result<(), Error> {
        if host == self.len() { Ok(()) } else { Err(Error::LengthMismatch { buffer: self.len(), host }) }
    }
}

/// Elements that a device owns.
pub struct Buffer<T> {
    slice: DSlice<T>,
}

impl<T: GpuType> Buffer<T> {
    pub(crate) fn new(device: &Device, memory: Memory, len: usize) -> Buffer<T> {
        let part = Part { memory: Arc::new(memory), device: device.clone(), offset: 0, len };
        Buffer { slice: DSlice { part, element: PhantomData } }
    }
}

/// A part of a buffer, to be read.
pub struct View<'a, T> {
    slice: DSlice<T>,
    borrowed: PhantomData<&'a T>,
}

/// A part of a buffer, to be written.
pub struct ViewMut<'a, T> {
    slice: DSlice<T>,
    borrowed: PhantomData<&'a mut T>,
}

macro_rules! derefs {
    ($($ty:ty),*) => {$(
        impl<T> Deref for $ty {
            type Target = DSlice<T>;
            fn deref(&self) -> &DSlice<T> {
                &self.slice
            }
        }
    )*};
}
derefs!(Buffer<T>, View<'_, T>, ViewMut<'_, T>);

impl<T> DerefMut for Buffer<T> {
    fn deref_mut(&mut self) -> &mut DSlice<T> {
        &mut self.slice
    }
}
impl<T> DerefMut for ViewMut<'_, T> {
    fn deref_mut(&mut self) -> &mut DSlice<T> {
        &mut self.slice
    }
}

/// The bytes; those between the fields of a struct hold nothing in particular.
fn bytes_of<T: GpuType>(host: &[T]) -> &[MaybeUninit<u8>] {
    // SAFETY: any byte, also one that holds nothing, is a `MaybeUninit<u8>`.
    unsafe { std::slice::from_raw_parts(host.as_ptr().cast(), size_of_val(host)) }
}

fn bytes_of_mut<T: GpuType>(host: &mut [T]) -> &mut [MaybeUninit<u8>] {
    // SAFETY: the caller only copies bytes of a buffer of the same type here, so they are values of it (kernels write
    // `bool`s as 0 or 1, and enums as one of their variants).
    unsafe { std::slice::from_raw_parts_mut(host.as_mut_ptr().cast(), size_of_val(host)) }
}

//! Launches.

use crate::buffer::{DSlice, Part};
use crate::device::Device;
use crate::error::Error;
use crate::kernel::{Kernel, KernelInfo};
use crate::lang::GpuType;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

/// Threads in a block, where a launch does not say.
const DEFAULT_BLOCK: usize = 256;

/// The most threads a block can have.
const MAX_BLOCK: usize = 1024;

/// A size in up to three dimensions: `n`, `(x, y)` or `(x, y, z)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dim3(pub [usize; 3]);

impl From<usize> for Dim3 {
    fn from(x: usize) -> Dim3 {
        Dim3([x, 1, 1])
    }
}
impl From<(usize, usize)> for Dim3 {
    fn from((x, y): (usize, usize)) -> Dim3 {
        Dim3([x, y, 1])
    }
}
impl From<(usize, usize, usize)> for Dim3 {
    fn from((x, y, z): (usize, usize, usize)) -> Dim3 {
        Dim3([x, y, z])
    }
}

/// An argument of a launch.
pub(crate) enum LaunchArgument {
    /// A part of a buffer.
    Slice(Part),
    /// A value.
    Value(ValueBytes),
}

/// The bytes of a value, aligned for any type a kernel can use.
pub(crate) struct ValueBytes(Box<[MaybeUninit<u64>]>);

impl ValueBytes {
    fn of<T: GpuType>(value: T) -> ValueBytes {
        const { assert!(align_of::<T>() <= align_of::<u64>()) };
        let mut words = vec![MaybeUninit::uninit(); size_of::<T>().div_ceil(8).max(1)].into_boxed_slice();
        // SAFETY: the words are as many bytes as the value has at least, and aligned for it.
        unsafe { words.as_mut_ptr().cast::<T>().write(value) };
        ValueBytes(words)
    }

    /// Its first byte.
    pub(crate) fn pointer(&self) -> *const u8 {
        self.0.as_ptr().cast()
    }
}

/// A kernel with its arguments, made by calling the kernel. Nothing runs until [`launch`](Launch::launch).
#[must_use = "a launch does nothing until `.launch()` is called"]
pub struct Launch<'a> {
    kernel: KernelInfo,
    arguments: Vec<LaunchArgument>,
    grid: Option<[usize; 3]>,
    block: Option<[usize; 3]>,
    threads: Option<usize>,
    device: Option<Device>,
    borrowed: PhantomData<&'a mut ()>,
}

impl<'a> Launch<'a> {
    /// A launch of `K`; generated code adds the arguments.
    #[doc(hidden)]
    pub fn new<K: Kernel>() -> Launch<'a> {
        Launch {
            kernel: KernelInfo::of::<K>(),
            arguments: Vec::new(),
            grid: None,
            block: None,
            threads: None,
            device: None,
            borrowed: PhantomData,
        }
    }

    #[doc(hidden)]
    pub fn slice<T: GpuType>(mut self, slice: &'a DSlice<T>) -> Launch<'a> {
        self.arguments.push(LaunchArgument::Slice(slice.part().clone()));
        self
    }

    #[doc(hidden)]
    pub fn slice_mut<T: GpuType>(mut self, slice: &'a mut DSlice<T>) -> Launch<'a> {
        self.arguments.push(LaunchArgument::Slice(slice.part().clone()));
        self
    }

    #[doc(hidden)]
    pub fn value<T: GpuType>(mut self, value: T) -> Launch<'a> {
        self.arguments.push(LaunchArgument::Value(ValueBytes::of(value)));
        self
    }

    /// At least `count` threads in one dimension: as many blocks as it takes. Threads from `count` on must be kept out by
    /// the kernel, as in CUDA. None at all is allowed and runs nothing.
    pub fn threads(mut self, count: usize) -> Launch<'a> {
        self.threads = Some(count);
        self
    }

    /// The number of blocks.
    pub fn grid(mut self, grid: impl Into<Dim3>) -> Launch<'a> {
        self.grid = Some(grid.into().0);
        self
    }

    /// The number of threads in a block; 256 where nothing is said.
    pub fn block(mut self, block: impl Into<Dim3>) -> Launch<'a> {
        self.block = Some(block.into().0);
        self
    }

    /// The device, for a kernel without buffers.
    pub fn on(mut self, device: &Device) -> Launch<'a> {
        self.device = Some(device.clone());
        self
    }

    /// Runs the kernel. The CPU is done when this returns; a CUDA device goes on in the order of its stream, and a fault
    /// is reported by the next copy to the host or [`Device::synchronize`].
    ///
    /// # Errors
    /// A geometry no device can run; buffers of different devices; what the device reports; on the CPU, a fault.
    pub fn launch(self) -> Result<(), Error> {
        let (grid, block) = self.geometry()?;
        let device = self.find_device()?;
        if grid.contains(&0) {
            return Ok(());
        }
        device.run(&self.kernel, &self.arguments, grid, block)
    }

    fn geometry(&self) -> Result<([usize; 3], [usize; 3]), Error> {
        let kernel = self.kernel.name();
        let block = self.block.unwrap_or([DEFAULT_BLOCK, 1, 1]);
        let size: usize = block.iter().product();
        if size == 0 || size > MAX_BLOCK || block[2] > 64 {
            return Err(Error::Limit {
                kernel,
                what: if size == 0 { "the block size (which must not be 0)" } else { "the block size" },
                value: size as u64,
                limit: MAX_BLOCK as u64,
                help: "use `.block(256)` and more blocks",
            });
        }
        let grid = match (self.grid, self.threads) {
            (Some(grid), _) => grid,
            (None, Some(threads)) => [threads.div_ceil(size), 1, 1],
            (None, None) => [1, 1, 1],
        };
        for (what, value, limit) in [
            ("the grid's x", grid[0], i32::MAX as usize),
            ("the grid's y", grid[1], 65_535),
            ("the grid's z", grid[2], 65_535),
        ] {
            if value > limit {
                return Err(Error::Limit {
                    kernel,
                    what,
                    value: value as u64,
                    limit: limit as u64,
                    help: "let each thread do more, in a loop with a step of `global_size()`",
                });
            }
        }
        Ok((grid, block))
    }

    fn find_device(&self) -> Result<Device, Error> {
        let kernel = self.kernel.name();
        let mut device = self.device.clone();
        for argument in &self.arguments {
            let LaunchArgument::Slice(part) = argument else { continue };
            match &device {
                None => device = Some(part.device().clone()),
                Some(known) if known.is_same(part.device()) => {}
                Some(_) => {
                    return Err(Error::Device {
                        kernel,
                        problem: "its buffers are on different devices; upload all of them to one device",
                    });
                }
            }
        }
        device.ok_or(Error::Device { kernel, problem: "it has no buffers, so name its device with `.on(&device)`" })
    }
}

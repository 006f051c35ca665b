//! Launches.

mod checked;
mod geometry;
mod plan;

use crate::buffer::{DSlice, Part};
use crate::device::Device;
use crate::error::Error;
use crate::kernel::{Kernel, KernelInfo};
use crate::lang::GpuType;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

pub use checked::{checked_add, checked_div, checked_mul, checked_rem, checked_sub};
pub use geometry::Dim3;
pub(crate) use geometry::Geometry;
pub use plan::Plan;
pub(crate) use plan::SharedSlice;

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

/// What generated code says of a launch before it.
type Planned<'a> = Box<dyn FnOnce(&mut Plan) + Send + 'a>;

/// A kernel with its arguments, made by calling the kernel. Nothing runs until [`launch`](Launch::launch).
#[must_use = "a launch does nothing until `.launch()` is called"]
pub struct Launch<'a> {
    kernel: KernelInfo,
    arguments: Vec<LaunchArgument>,
    grid: Option<[usize; 3]>,
    block: Option<[usize; 3]>,
    threads: Option<usize>,
    shared_memory: Option<usize>,
    cooperative: bool,
    /// The kernel's requirements and the lengths of its shared slices.
    planned: Option<Planned<'a>>,
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
            shared_memory: None,
            cooperative: false,
            planned: None,
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

    #[doc(hidden)]
    pub fn planned(mut self, plan: impl FnOnce(&mut Plan) + Send + 'a) -> Launch<'a> {
        self.planned = Some(Box::new(plan));
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

    /// The number of threads in a block; without it what the kernel requires (`#[gpu_kernel(block = 128)]`), else 256.
    pub fn block(mut self, block: impl Into<Dim3>) -> Launch<'a> {
        self.block = Some(block.into().0);
        self
    }

    /// The size of the slice that the kernel's `dynamic_shared::<T>()` is, in bytes: CUDA's third launch argument.
    pub fn shared_memory(mut self, bytes: usize) -> Launch<'a> {
        self.shared_memory = Some(bytes);
        self
    }

    /// All blocks are on the device at a time, so that they may wait for each other through memory. A kernel that calls
    /// `sync_grid()` is launched like that without being asked.
    pub fn cooperative(mut self) -> Launch<'a> {
        self.cooperative = true;
        self
    }

    /// The device, for a kernel without buffers.
    pub fn on(mut self, device: &Device) -> Launch<'a> {
        self.device = Some(device.clone());
        self
    }

    /// Runs the kernel; a grid of no blocks runs nothing. The CPU is done when this returns; a CUDA device goes on in the order of its stream, and a fault
    /// is reported by the next copy to the host or [`Device::synchronize`].
    ///
    /// # Errors
    /// A geometry or more shared memory than the device can run; another block size than the kernel requires, or a
    /// requirement that does not hold; buffers of different devices; what the device reports; on the CPU, a fault.
    pub fn launch(mut self) -> Result<(), Error> {
        let device = self.find_device()?;
        let geometry = self.geometry(&device)?;
        if geometry.grid.contains(&0) {
            return Ok(());
        }
        if geometry.cooperative {
            let limit = device.resident(&self.kernel, &geometry)?;
            geometry::check_resident(self.kernel.name(), &geometry, limit)?;
        }
        device.run(&self.kernel, &self.arguments, &geometry)
    }

    /// The sizes of the launch, checked, and the kernel's own requirements.
    fn geometry(&mut self, device: &Device) -> Result<Geometry, Error> {
        let (kernel, attributes) = (self.kernel.name(), self.kernel.attributes());
        let block = geometry::block(kernel, self.block, attributes.block)?;
        let geometry = Geometry {
            grid: geometry::grid(kernel, self.grid, self.threads, block)?,
            block,
            static_shared: self.kernel.cpu().static_shared,
            dynamic_shared: 0,
            slices: Vec::new(),
            cooperative: self.cooperative || self.kernel.cpu().grid_barrier,
        };
        let mut plan = Plan::new(kernel, geometry, self.shared_memory);
        if let Some(planned) = self.planned.take() {
            planned(&mut plan);
        }
        let geometry = plan.finish()?;
        geometry::check_shared(kernel, &geometry, device.shared_limit())?;
        Ok(geometry)
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

//! Devices: what memory and launches are on.

use crate::buffer::{Buffer, Part};
use crate::cpu::{Args, Argument, CpuOptions, HostMemory};
use crate::cuda;
use crate::cuda_device::CudaDevice;
use crate::error::{Error, Fault};
use crate::kernel::KernelInfo;
use crate::lang::GpuType;
use crate::launch::{Dim3, Geometry, LaunchArgument};
use crate::output::Output;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A CUDA device or the CPU. Cheap to clone; all clones are the same device.
#[derive(Clone)]
pub struct Device(Arc<Inner>);

enum Inner {
    Cpu(CpuDevice),
    Cuda(Box<CudaDevice>),
}

/// The CPU as a device.
struct CpuDevice {
    options: CpuOptions,
    counters: Arc<Counters>,
    profile: Mutex<Option<Vec<(&'static str, f64)>>>,
    output: Output,
}

/// The time that a kernel took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KernelTime {
    /// The kernel's name.
    pub kernel: &'static str,
    /// How often it was launched.
    pub launches: u64,
    /// In all, in milliseconds.
    pub milliseconds: f64,
}

/// How well a kernel fills a multiprocessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Blocks that a multiprocessor holds at a time.
    pub blocks: u32,
    /// Their threads.
    pub threads: u32,
    /// Threads that a multiprocessor could hold.
    pub max_threads: u32,
}

impl KernelTime {
    /// One entry a kernel, in the order of their first launches.
    pub(crate) fn summed(launches: Vec<(&'static str, f64)>) -> Vec<KernelTime> {
        let mut times: Vec<KernelTime> = Vec::new();
        for (kernel, milliseconds) in launches {
            match times.iter_mut().find(|time| time.kernel == kernel) {
                Some(time) => {
                    time.launches += 1;
                    time.milliseconds += milliseconds;
                }
                None => times.push(KernelTime { kernel, launches: 1, milliseconds }),
            }
        }
        times
    }
}

/// What a device has done so far.
#[derive(Default)]
pub(crate) struct Counters {
    launches: AtomicU64,
    used: AtomicU64,
    peak: AtomicU64,
}

/// Memory of a device.
pub(crate) enum Memory {
    Host { memory: HostMemory, bytes: u64, counters: Arc<Counters> },
    Cuda(cuda::Allocation),
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Memory::Host { bytes, counters, .. } = self {
            counters.used.fetch_sub(*bytes, Relaxed);
        }
    }
}

impl Device {
    /// The device that `WARPCELL_DEVICE` names (`cpu`, `cuda`, `cuda:1`); without it, the first CUDA device if the driver
    /// and NVRTC are there, else the CPU. [`name`](Device::name) says which.
    ///
    /// # Errors
    /// The variable names no device, or one that can't be used.
    pub fn auto() -> Result<Device, Error> {
        match std::env::var("WARPCELL_DEVICE") {
            Ok(value) if !value.is_empty() => Device::named(&value),
            _ => match Device::cuda(0) {
                Ok(device) => Ok(device),
                Err(reason) => {
                    tracing::info!("running on the CPU: {reason}");
                    Ok(Device::cpu())
                }
            },
        }
    }

    /// The device called `cpu`, `cuda`, `cuda:1`, or `auto`.
    ///
    /// # Errors
    /// There is no such name, or the device can't be used.
    pub fn named(name: &str) -> Result<Device, Error> {
        let unknown = || Error::DeviceVariable { value: name.to_string() };
        match name {
            "cpu" => Ok(Device::cpu()),
            "cuda" => Device::cuda(0),
            "auto" => Ok(Device::cuda(0).unwrap_or_else(|_| Device::cpu())),
            _ => {
                let index = name.strip_prefix("cuda:").and_then(|index| index.parse().ok()).ok_or_else(unknown)?;
                Device::cuda(index)
            }
        }
    }

    /// The CPU.
    pub fn cpu() -> Device {
        Device::cpu_with(CpuOptions::default())
    }

    /// The CPU, run in a particular way; for tests.
    pub fn cpu_with(options: CpuOptions) -> Device {
        Device(Arc::new(Inner::Cpu(CpuDevice {
            options,
            counters: Arc::default(),
            profile: Mutex::default(),
            output: Output::default(),
        })))
    }

    /// A CUDA device.
    ///
    /// # Errors
    /// What is missing: the driver, the device, NVRTC; and what to do.
    pub fn cuda(index: usize) -> Result<Device, Error> {
        Ok(Device(Arc::new(Inner::Cuda(Box::new(CudaDevice::new(index)?)))))
    }

    /// What it is, for people.
    pub fn name(&self) -> String {
        match &*self.0 {
            Inner::Cpu(_) => format!("CPU ({} threads)", rayon::current_num_threads()),
            Inner::Cuda(cuda) => cuda.name(),
        }
    }

    /// Whether it is a CUDA device.
    pub fn is_cuda(&self) -> bool {
        matches!(&*self.0, Inner::Cuda(_))
    }

    /// Where what kernels print goes.
    pub(crate) fn output(&self) -> &Output {
        match &*self.0 {
            Inner::Cpu(cpu) => &cpu.output,
            Inner::Cuda(cuda) => cuda.output(),
        }
    }

    /// Whether both are the same device.
    pub fn is_same(&self, other: &Device) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// A buffer with these elements.
    ///
    /// # Errors
    /// Out of memory; what the device reports.
    pub fn upload<T: GpuType>(&self, host: &[T]) -> Result<Buffer<T>, Error> {
        let mut buffer = self.allocate(host.len())?;
        buffer.copy_from(host)?;
        Ok(buffer)
    }

    /// A buffer of `len` zeros.
    ///
    /// # Errors
    /// Out of memory; what the device reports.
    pub fn zeros<T: GpuType>(&self, len: usize) -> Result<Buffer<T>, Error> {
        let mut buffer = self.allocate(len)?;
        // Memory of the CPU backend comes zeroed.
        if self.is_cuda() {
            buffer.fill_zero()?;
        }
        Ok(buffer)
    }

    /// A buffer of `len` elements of no particular values (on the CPU they are 0).
    ///
    /// # Errors
    /// Out of memory; what the device reports.
    pub fn allocate<T: GpuType>(&self, len: usize) -> Result<Buffer<T>, Error> {
        let bytes = len.checked_mul(size_of::<T>()).ok_or(Error::OutOfMemory { requested: usize::MAX })?;
        let memory = match &*self.0 {
            Inner::Cpu(cpu) => cpu.allocate(bytes)?,
            Inner::Cuda(cuda) => {
                let memory = cuda.allocate(bytes)?;
                if !T::ANY_BITS {
                    // Not every byte is a `bool`.
                    memory.fill_zero(0, bytes)?;
                }
                Memory::Cuda(memory)
            }
        };
        Ok(Buffer::new(self, memory, len))
    }

    /// Waits until all that was launched is done.
    ///
    /// # Errors
    /// The fault of a kernel launched before; what the device reports.
    pub fn synchronize(&self) -> Result<(), Error> {
        match &*self.0 {
            Inner::Cpu(_) => Ok(()),
            Inner::Cuda(cuda) => cuda.synchronize(),
        }
    }

    /// Runs `work` and measures it: by events on a CUDA device's stream, else by the clock.
    ///
    /// # Errors
    /// Those of `work`; what the device reports.
    pub fn timed<R>(&self, work: impl FnOnce() -> Result<R, Error>) -> Result<(R, f64), Error> {
        match &*self.0 {
            Inner::Cpu(_) => {
                let start = Instant::now();
                let result = work()?;
                Ok((result, start.elapsed().as_secs_f64() * 1e3))
            }
            Inner::Cuda(cuda) => cuda.timed(work),
        }
    }

    /// Runs `work` and measures each kernel it launches: by events on a CUDA device's stream, else by the clock.
    ///
    /// # Errors
    /// Those of `work`; what the device reports.
    pub fn profiled<R>(&self, work: impl FnOnce() -> Result<R, Error>) -> Result<(R, Vec<KernelTime>), Error> {
        match &*self.0 {
            Inner::Cpu(cpu) => {
                *cpu.profile.lock().unwrap_or_else(PoisonError::into_inner) = Some(Vec::new());
                let result = work();
                let times = cpu.profile.lock().unwrap_or_else(PoisonError::into_inner).take();
                Ok((result?, KernelTime::summed(times.unwrap_or_default())))
            }
            Inner::Cuda(cuda) => cuda.profiled(work),
        }
    }

    /// The number of kernels launched so far.
    pub fn launches(&self) -> u64 {
        match &*self.0 {
            Inner::Cpu(cpu) => cpu.counters.launches.load(Relaxed),
            Inner::Cuda(cuda) => cuda.launches(),
        }
    }

    /// The bytes of buffers now, and the most there were at once.
    ///
    /// # Errors
    /// What the device reports.
    pub fn memory_used(&self) -> Result<(u64, u64), Error> {
        match &*self.0 {
            Inner::Cpu(cpu) => Ok((cpu.counters.used.load(Relaxed), cpu.counters.peak.load(Relaxed))),
            Inner::Cuda(cuda) => cuda.memory_used(),
        }
    }

    /// The bytes copied so far to the device and to the host; on the CPU nothing crosses a bus.
    pub fn transferred(&self) -> (u64, u64) {
        match &*self.0 {
            Inner::Cpu(_) => (0, 0),
            Inner::Cuda(cuda) => cuda.transferred(),
        }
    }

    /// Registers, shared and local memory of a kernel as compiled for this device; nothing on the CPU.
    ///
    /// # Errors
    /// It does not compile.
    pub fn attributes(&self, kernel: &KernelInfo) -> Result<Option<cuda::FunctionAttributes>, Error> {
        match &*self.0 {
            Inner::Cpu(_) => Ok(None),
            Inner::Cuda(cuda) => cuda.attributes(kernel).map(Some),
        }
    }

    /// How many blocks of `kernel` the device can hold at a time, each of `block` threads and with `dynamic_shared` bytes of
    /// shared slices: the largest grid of a cooperative launch. 1,024 on the CPU.
    ///
    /// # Errors
    /// The kernel does not compile, or no block can have that much shared memory.
    pub fn resident_blocks(
        &self,
        kernel: &KernelInfo,
        block: impl Into<Dim3>,
        dynamic_shared: usize,
    ) -> Result<usize, Error> {
        self.resident(kernel, &Geometry::of_block(block.into().0, dynamic_shared))
    }

    pub(crate) fn resident(&self, kernel: &KernelInfo, geometry: &Geometry) -> Result<usize, Error> {
        match &*self.0 {
            Inner::Cpu(_) => Ok(crate::cpu::MAX_RESIDENT_BLOCKS),
            Inner::Cuda(cuda) => cuda.resident_blocks(kernel, geometry),
        }
    }

    /// The most shared memory that a block can have, in bytes.
    pub fn shared_limit(&self) -> usize {
        match &*self.0 {
            Inner::Cpu(_) => crate::cpu::ARENA_BYTES,
            Inner::Cuda(cuda) => cuda.shared_limit(),
        }
    }

    /// How well blocks of `block` threads and `dynamic_shared` bytes of shared slices fill a multiprocessor; nothing on the
    /// CPU.
    ///
    /// # Errors
    /// The kernel does not compile, or no block can have that much shared memory.
    pub fn occupancy(
        &self,
        kernel: &KernelInfo,
        block: impl Into<Dim3>,
        dynamic_shared: usize,
    ) -> Result<Option<Occupancy>, Error> {
        match &*self.0 {
            Inner::Cpu(_) => Ok(None),
            Inner::Cuda(cuda) => {
                let geometry = Geometry::of_block(block.into().0, dynamic_shared);
                cuda.occupancy(kernel, &geometry).map(Some)
            }
        }
    }

    pub(crate) fn run(
        &self,
        kernel: &KernelInfo,
        arguments: &[LaunchArgument],
        geometry: &Geometry,
    ) -> Result<(), Error> {
        match &*self.0 {
            Inner::Cpu(cpu) => cpu.run(kernel, arguments, geometry),
            Inner::Cuda(cuda) => cuda.run(kernel, arguments, geometry),
        }
    }

    pub(crate) fn copy_to_host(&self, part: &Part, host: &mut [MaybeUninit<u8>]) -> Result<(), Error> {
        match (&*self.0, part.memory()) {
            (_, Memory::Host { .. }) => {
                // SAFETY: the part is inside its memory, which the caller borrows; the lengths were compared.
                unsafe { std::ptr::copy_nonoverlapping(host_pointer(part).cast(), host.as_mut_ptr(), host.len()) };
                Ok(())
            }
            (Inner::Cuda(cuda), Memory::Cuda(memory)) => cuda.copy_to_host(memory, part.offset, host),
            (Inner::Cpu(_), Memory::Cuda(_)) => unreachable!("a buffer's memory is of its device's kind"),
        }
    }

    pub(crate) fn copy_from_host(&self, part: &Part, host: &[MaybeUninit<u8>]) -> Result<(), Error> {
        match part.memory() {
            Memory::Host { .. } => {
                // SAFETY: the part is inside its memory, which the caller borrows exclusively; the lengths were compared.
                unsafe { std::ptr::copy_nonoverlapping(host.as_ptr(), host_pointer(part).cast(), host.len()) };
                Ok(())
            }
            Memory::Cuda(memory) => Ok(memory.copy_from_host(part.offset, host)?),
        }
    }

    pub(crate) fn copy_on_device(&self, from: &Part, to: &Part, bytes: usize) -> Result<(), Error> {
        match (from.memory(), to.memory()) {
            (Memory::Host { .. }, Memory::Host { .. }) => {
                // SAFETY: both parts are inside their memories and of this length; `to` is borrowed exclusively, so they
                // don't overlap.
                unsafe { std::ptr::copy_nonoverlapping(host_pointer(from), host_pointer(to), bytes) };
                Ok(())
            }
            (Memory::Cuda(source), Memory::Cuda(target)) => {
                Ok(target.copy_from_device(to.offset, source, from.offset, bytes)?)
            }
            _ => Err(Error::Device {
                kernel: "copy_from_device",
                problem: "the buffers are on different devices; download and upload instead",
            }),
        }
    }

    pub(crate) fn fill_zero(&self, part: &Part, bytes: usize) -> Result<(), Error> {
        match part.memory() {
            Memory::Host { .. } => {
                // SAFETY: the part is inside its memory, which the caller borrows exclusively.
                unsafe { std::ptr::write_bytes(host_pointer(part), 0, bytes) };
                Ok(())
            }
            Memory::Cuda(memory) => Ok(memory.fill_zero(part.offset, bytes)?),
        }
    }
}

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name())
    }
}

/// The first byte of a part of host memory.
fn host_pointer(part: &Part) -> *mut u8 {
    match part.memory() {
        // SAFETY: a part's offset is inside its memory.
        Memory::Host { memory, .. } => unsafe { memory.pointer().add(part.offset) },
        Memory::Cuda(_) => unreachable!("only called for host memory"),
    }
}

impl CpuDevice {
    fn allocate(&self, bytes: usize) -> Result<Memory, Error> {
        let memory = HostMemory::zeroed(bytes).ok_or(Error::OutOfMemory { requested: bytes })?;
        let used = self.counters.used.fetch_add(bytes as u64, Relaxed) + bytes as u64;
        self.counters.peak.fetch_max(used, Relaxed);
        Ok(Memory::Host { memory, bytes: bytes as u64, counters: self.counters.clone() })
    }

    fn run(&self, kernel: &KernelInfo, arguments: &[LaunchArgument], geometry: &Geometry) -> Result<(), Error> {
        self.counters.launches.fetch_add(1, Relaxed);
        let passed = arguments.iter().map(|argument| match argument {
            LaunchArgument::Slice(part) => Argument::Slice { pointer: host_pointer(part), len: part.len },
            LaunchArgument::Value(value) => Argument::Value(value.pointer()),
        });
        // SAFETY: the launch borrows the buffers until it is done, exclusively where the kernel writes; the launch
        // function's signature gives each argument the type of its parameter.
        let args = unsafe { Args::new(passed.collect()) };
        let start = Instant::now();
        let room = self.output.capacity_words()?;
        let outcome = crate::cpu::run(&kernel.cpu(), self.options, &args, geometry, room);
        let last = outcome.fault.as_ref().map(|fault| (fault.block_rank as u64, fault.rank as u64));
        self.output.write(kernel.name(), outcome.printed, last);
        if let Some(fault) = outcome.fault {
            return Err(Fault::on_cpu(kernel.name(), &fault).into());
        }
        if let Some(profile) = &mut *self.profile.lock().unwrap_or_else(PoisonError::into_inner) {
            profile.push((kernel.name(), start.elapsed().as_secs_f64() * 1e3));
        }
        Ok(())
    }
}

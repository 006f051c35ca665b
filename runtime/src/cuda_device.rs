//! A CUDA device: compiles kernels for its architecture, launches them on its stream, and reports their faults.

mod printed;

use crate::cuda::{Allocation, Context, CudaError, Event, Function, FunctionAttributes, Module, Nvrtc, Target};
use crate::device::{KernelTime, Memory, Occupancy};
use crate::emit::{PrintInfo, SiteInfo};
use crate::error::{Error, Fault};
use crate::kernel::KernelInfo;
use crate::launch::{Geometry, LaunchArgument};
use crate::output::Output;
use printed::PrintBuffer;
use std::any::TypeId;
use std::collections::{HashMap, VecDeque};
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(crate) struct CudaDevice {
    context: Arc<Context>,
    nvrtc: &'static Nvrtc,
    kernels: Mutex<HashMap<(TypeId, Shape), Arc<Compiled>>>,
    /// Where a faulting thread leaves its traces: `wc_record` of the prelude.
    record: Allocation,
    /// Launches that may still fault, or have printed.
    log: Mutex<VecDeque<Launched>>,
    output: Output,
    next_launch: AtomicU64,
    /// The events around each launch, while these are measured.
    profile: Mutex<Option<Vec<Timed>>>,
}

/// A kernel's name, and the events before and behind its launch.
type Timed = (&'static str, Event, Event);

/// Whether a launch has one dimension: such launches are compiled apart, as their indices are cheaper.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Shape {
    OneDimension,
    Any,
}

impl Shape {
    fn of(grid: [usize; 3], block: [usize; 3]) -> Shape {
        let flat = |dims: [usize; 3]| dims[1] == 1 && dims[2] == 1;
        if flat(grid) && flat(block) { Shape::OneDimension } else { Shape::Any }
    }
}

/// A kernel on this device.
struct Compiled {
    name: &'static str,
    function: Function,
    sites: Vec<SiteInfo>,
    prints: Vec<PrintInfo>,
}

/// What is remembered of a launch: to name its fault, and to read what it has printed.
struct Launched {
    number: u64,
    kernel: Arc<Compiled>,
    grid: [usize; 3],
    block: [usize; 3],
    printed: Option<PrintBuffer>,
}

/// The most launches of kernels that print which can wait for being read, as each has its buffer.
const MAX_PRINTING: usize = 8;

/// The size of `wc_record`, and the positions of its parts.
mod record {
    /// That of the fault, with the values of its message.
    pub(super) const BYTES: usize = WORDS + warpcell_ir::PANIC_VALUES * 8;
    /// The state of a cooperative launch behind it.
    pub(super) const GRID: usize = BYTES;
    pub(super) const GRID_BYTES: usize = 16;
    pub(super) const SITE: usize = 4;
    pub(super) const LAUNCH: usize = 8;
    pub(super) const BLOCK: usize = 16;
    pub(super) const THREAD: usize = 24;
    pub(super) const INDEX: usize = 32;
    pub(super) const LENGTH: usize = 40;
    pub(super) const WORDS: usize = 48;
}

impl CudaDevice {
    pub(crate) fn new(index: usize) -> Result<CudaDevice, CudaError> {
        let context = Context::new(index)?;
        let nvrtc = Nvrtc::load()?;
        let record = Allocation::alloc(&context, record::GRID + record::GRID_BYTES)?;
        let device = CudaDevice {
            context,
            nvrtc,
            kernels: Mutex::default(),
            record,
            log: Mutex::default(),
            output: Output::default(),
            next_launch: AtomicU64::new(0),
            profile: Mutex::default(),
        };
        device.clear_record()?;
        Ok(device)
    }

    pub(crate) fn name(&self) -> String {
        let info = self.context.info();
        let (major, minor) = info.compute_capability;
        format!("{} (compute capability {major}.{minor})", info.name)
    }

    pub(crate) fn output(&self) -> &Output {
        &self.output
    }

    pub(crate) fn allocate(&self, bytes: usize) -> Result<Allocation, CudaError> {
        Allocation::alloc(&self.context, bytes)
    }

    pub(crate) fn occupancy(&self, kernel: &KernelInfo, geometry: &Geometry) -> Result<Occupancy, Error> {
        let compiled = self.compiled(kernel, Shape::of(geometry.grid, geometry.block))?;
        let limit = |bytes: usize| u32::try_from(bytes).unwrap_or(u32::MAX);
        let (threads, shared) = (limit(geometry.threads_per_block()), limit(geometry.dynamic_shared));
        let blocks = compiled.function.blocks_per_multiprocessor(threads, shared)?;
        let max_threads = self.context.info().max_threads_per_multiprocessor;
        Ok(Occupancy { blocks, threads: blocks * threads, max_threads })
    }

    pub(crate) fn resident_blocks(&self, kernel: &KernelInfo, geometry: &Geometry) -> Result<usize, Error> {
        let blocks = self.occupancy(kernel, geometry)?.blocks;
        Ok(blocks as usize * self.context.info().multiprocessors as usize)
    }

    pub(crate) fn shared_limit(&self) -> usize {
        self.context.info().shared_bytes_per_block_optin as usize
    }

    pub(crate) fn launches(&self) -> u64 {
        self.next_launch.load(Relaxed)
    }

    pub(crate) fn memory_used(&self) -> Result<(u64, u64), Error> {
        Ok(self.context.memory_used()?)
    }

    pub(crate) fn transferred(&self) -> (u64, u64) {
        self.context.transferred()
    }

    pub(crate) fn attributes(&self, kernel: &KernelInfo) -> Result<FunctionAttributes, Error> {
        Ok(self.compiled(kernel, Shape::OneDimension)?.function.attributes())
    }

    /// The kernel, compiled at its first use.
    fn compiled(&self, kernel: &KernelInfo, shape: Shape) -> Result<Arc<Compiled>, Error> {
        let key = (kernel.id(), shape);
        if let Some(compiled) = lock(&self.kernels).get(&key) {
            return Ok(compiled.clone());
        }
        let emitted = kernel.emitted()?;
        let (major, minor) = self.context.info().compute_capability;
        let options = kernel.options(shape == Shape::OneDimension);
        let cubin = self.nvrtc.compile(kernel.name(), &emitted.source, Target::Cubin { major, minor }, &options)?;
        let function = Module::load(&self.context, &cubin)?.function(&kernel.entry())?;
        let compiled =
            Arc::new(Compiled { name: kernel.name(), function, sites: emitted.sites, prints: emitted.prints });
        lock(&self.kernels).insert(key, compiled.clone());
        Ok(compiled)
    }

    pub(crate) fn run(
        &self,
        kernel: &KernelInfo,
        arguments: &[LaunchArgument],
        geometry: &Geometry,
    ) -> Result<(), Error> {
        let (grid, block) = (geometry.grid, geometry.block);
        let compiled = self.compiled(kernel, Shape::of(grid, block))?;
        let number = self.next_launch.fetch_add(1, Relaxed);
        let words: Vec<[u64; 2]> = arguments.iter().map(slice_words).collect();
        let printed = self.print_buffer(&compiled)?;
        // `wc_env` of the prelude; kernels that don't print have its first two parts only.
        let [prints_to, capacity] = printed.as_ref().map_or([0; 2], PrintBuffer::environment);
        let environment = [self.record.ptr(), number, prints_to, capacity];
        // Where each shared slice starts, and its length.
        let shared: Vec<[u64; 2]> =
            geometry.slices.iter().map(|slice| [slice.offset as u64, slice.len as u64]).collect();
        let mut pointers = parameters(arguments, &words);
        pointers.push(environment.as_ptr().cast_mut().cast());
        pointers.extend(shared.as_flattened().iter().map(pointer));
        lock(&self.log).push_back(Launched { number, kernel: compiled.clone(), grid, block, printed });
        let dims = |dims: [usize; 3]| dims.map(|dim| dim as u32); // The launch has checked the limits.
        let shared = geometry.dynamic_shared as u32; // As well.
        // SAFETY: the parameters are those of the kernel's signature, which the launch function took its arguments from;
        // the buffers live until the stream is done with them (they are freed in stream order).
        let mut launch = || unsafe {
            if geometry.cooperative {
                self.record.fill_zero(record::GRID, record::GRID_BYTES)?;
                compiled.function.launch_cooperative(dims(grid), dims(block), shared, &mut pointers)
            } else {
                compiled.function.launch(dims(grid), dims(block), shared, &mut pointers)
            }
        };
        let Some(profile) = &mut *lock(&self.profile) else { return Ok(launch()?) };
        let (start, stop) = (Event::new(&self.context)?, Event::new(&self.context)?);
        start.record()?;
        launch()?;
        stop.record()?;
        profile.push((compiled.name, start, stop));
        Ok(())
    }

    /// A buffer for a launch of `kernel`, if it prints.
    fn print_buffer(&self, kernel: &Compiled) -> Result<Option<PrintBuffer>, Error> {
        if kernel.prints.is_empty() {
            return Ok(None);
        }
        if self.waiting_prints() >= MAX_PRINTING {
            self.synchronize()?;
        }
        Ok(Some(PrintBuffer::new(&self.context, self.output.capacity_words()?)?))
    }

    fn waiting_prints(&self) -> usize {
        lock(&self.log).iter().filter(|launched| launched.printed.is_some()).count()
    }

    pub(crate) fn profiled<R>(&self, work: impl FnOnce() -> Result<R, Error>) -> Result<(R, Vec<KernelTime>), Error> {
        *lock(&self.profile) = Some(Vec::new());
        let result = work();
        let events = lock(&self.profile).take().unwrap_or_default();
        let result = result?;
        self.synchronize()?;
        let times = events
            .iter()
            .map(|(kernel, start, stop)| Ok((*kernel, f64::from(Event::elapsed_ms(start, stop)?))))
            .collect::<Result<_, CudaError>>()?;
        Ok((result, KernelTime::summed(times)))
    }

    pub(crate) fn copy_to_host(
        &self,
        memory: &Allocation,
        offset: usize,
        host: &mut [MaybeUninit<u8>],
    ) -> Result<(), Error> {
        memory.copy_to_host(offset, host)?;
        self.finish()
    }

    pub(crate) fn synchronize(&self) -> Result<(), Error> {
        self.context.synchronize()?;
        self.finish()
    }

    pub(crate) fn timed<R>(&self, work: impl FnOnce() -> Result<R, Error>) -> Result<(R, f64), Error> {
        let (start, stop) = (Event::new(&self.context)?, Event::new(&self.context)?);
        start.record()?;
        let result = work()?;
        stop.record()?;
        self.synchronize()?;
        Ok((result, f64::from(Event::elapsed_ms(&start, &stop)?)))
    }

    /// Writes what the launches so far have printed, all of which are done, and reports their lowest fault.
    fn finish(&self) -> Result<(), Error> {
        if lock(&self.log).is_empty() {
            return Ok(());
        }
        let mut bytes = [MaybeUninit::new(0u8); record::BYTES];
        self.record.copy_to_host(0, &mut bytes)?;
        // SAFETY: all of them were initialised above.
        let bytes = bytes.map(|byte| unsafe { byte.assume_init() });
        let log = std::mem::take(&mut *lock(&self.log));
        let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        let (block, thread) = (word(record::BLOCK), word(record::THREAD));
        let faulty = log.iter().find(|launched| launched.number == word(record::LAUNCH));
        if faulty.is_some() {
            self.clear_record()?;
        }
        for launched in &log {
            if let Some(printed) = &launched.printed {
                let last = faulty.filter(|faulty| faulty.number == launched.number).map(|_| (block, thread));
                self.output.write(launched.kernel.name, printed.read(&launched.kernel.prints)?, last);
            }
        }
        let Some(Launched { kernel, grid, block: block_dims, .. }) = faulty else { return Ok(()) };
        let site = u32::from_le_bytes(bytes[record::SITE..record::SITE + 4].try_into().expect("four bytes"));
        let words: Vec<u64> = (0..warpcell_ir::PANIC_VALUES).map(|number| word(record::WORDS + 8 * number)).collect();
        Err(Error::from(Fault::on_cuda(
            kernel.name,
            &kernel.sites[site as usize],
            position(block, *grid),
            position(thread, *block_dims),
            [word(record::INDEX), word(record::LENGTH)],
            &words,
        )))
    }

    /// No fault: every launch number is below this one.
    fn clear_record(&self) -> Result<(), CudaError> {
        let mut bytes = [0xff; record::BYTES];
        bytes[..8].fill(0);
        self.record.copy_from_host(0, &bytes.map(MaybeUninit::new))
    }
}

impl Drop for CudaDevice {
    /// What was printed and not read yet is not lost.
    fn drop(&mut self) {
        if self.waiting_prints() > 0
            && let Err(error) = self.synchronize()
        {
            tracing::warn!("{error}");
        }
    }
}

/// The pointer and the length of a slice.
fn slice_words(argument: &LaunchArgument) -> [u64; 2] {
    let LaunchArgument::Slice(part) = argument else { return [0; 2] };
    let Memory::Cuda(memory) = part.memory() else {
        unreachable!("the launch has checked that its buffers are on this device")
    };
    [memory.ptr() + part.offset as u64, part.len as u64]
}

/// Where the values of the kernel's parameters are: a pointer and a length for each slice.
fn parameters(arguments: &[LaunchArgument], words: &[[u64; 2]]) -> Vec<*mut c_void> {
    let mut pointers = Vec::with_capacity(arguments.len() * 2 + 1);
    for (argument, words) in arguments.iter().zip(words) {
        match argument {
            LaunchArgument::Slice(_) => pointers.extend(words.iter().map(pointer)),
            LaunchArgument::Value(value) => pointers.push(value.pointer().cast_mut().cast()),
        }
    }
    pointers
}

/// Where a parameter's value is, which CUDA only reads.
fn pointer<T>(value: &T) -> *mut c_void {
    std::ptr::from_ref(value).cast_mut().cast()
}

/// Number `rank` of a box of `dims`, `x` fastest.
fn position(rank: u64, dims: [usize; 3]) -> [usize; 3] {
    let rank = rank as usize; // Numbers of threads and blocks fit.
    [rank % dims[0], rank / dims[0] % dims[1], rank / (dims[0] * dims[1])]
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // No panic can happen while one of these is locked that would leave it half changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

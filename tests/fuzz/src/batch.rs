//! What the program of a generated crate does: runs its kernels on every target and reports where results differ.

use crate::host::HostLibrary;
use crate::inputs::{self, Element};
use crate::program::ParamKind;
use crate::scalar::Scalar;
use anyhow::{Context, Result, ensure};
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use warpcell_runtime::cuda::{Nvrtc, Target as Image};
use warpcell_runtime::{Buffer, CpuOptions, Device, Error, InstructionSet, KernelInfo, Launch};

/// A kernel of the batch.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// The seed of its arguments' values.
    pub seed: u64,
    /// Blocks.
    pub grid: [usize; 3],
    /// Threads in a block.
    pub block: [usize; 3],
    /// Its parameters.
    pub params: &'static [(Scalar, ParamKind)],
    /// The kernel.
    pub kernel: fn() -> KernelInfo,
    /// Launches it.
    pub launch: fn(&Run<'_>) -> Result<Output, Error>,
}

/// One launch of a kernel.
pub struct Run<'a> {
    entry: &'a Entry,
    device: &'a Device,
}

impl Run<'_> {
    /// Parameter `number`, a value.
    pub fn value<T: Element>(&self, number: usize) -> T {
        T::of(self.entry.values(number)[0])
    }

    /// Parameter `number`, a slice on the device.
    ///
    /// # Errors
    /// The device has no memory for it.
    pub fn buffer<T: Element>(&self, number: usize) -> Result<Buffer<T>, Error> {
        let values: Vec<T> = self.entry.values(number).into_iter().map(T::of).collect();
        self.device.upload(&values)
    }

    /// Launches with the kernel's geometry.
    ///
    /// # Errors
    /// What the launch reports.
    pub fn launch(&self, launch: Launch<'_>) -> Result<(), Error> {
        let ([x, y, z], [a, b, c]) = (self.entry.grid, self.entry.block);
        launch.grid((x, y, z)).block((a, b, c)).launch()
    }
}

/// What a kernel has written: for each writable slice its elements' bits, with every NaN folded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output(Vec<Vec<u64>>);

impl Output {
    /// With another slice.
    #[must_use]
    pub fn with<T: Element>(mut self, values: &[T]) -> Output {
        self.0.push(values.iter().map(|value| value.folded()).collect());
        self
    }

    /// Where two outputs differ first.
    fn difference(&self, other: &Output) -> Option<String> {
        for (slice, (ours, theirs)) in self.0.iter().zip(&other.0).enumerate() {
            let place = (0..ours.len().max(theirs.len())).find(|place| ours.get(*place) != theirs.get(*place));
            if let Some(place) = place {
                let (ours, theirs) = (ours[place], theirs[place]);
                return Some(format!("output {slice} at {place}: {ours:#x} and {theirs:#x}"));
            }
        }
        None
    }
}

impl Entry {
    /// The bits of parameter `number`.
    fn values(&self, number: usize) -> Vec<u64> {
        let (ty, kind) = self.params[number];
        let count = match kind {
            ParamKind::Value => 1,
            ParamKind::Input(count) | ParamKind::Output(count) => count,
        };
        inputs::values(ty, self.seed, number, count)
    }

    fn on_host(&self, library: &HostLibrary) -> Result<Output, String> {
        let mut arguments: Vec<_> =
            self.params.iter().enumerate().map(|(at, (ty, kind))| (*ty, *kind, self.values(at))).collect();
        library.run(self.name, self.grid, self.block, &mut arguments)?;
        let outputs = arguments.iter().filter(|(_, kind, _)| matches!(kind, ParamKind::Output(_)));
        Ok(Output(outputs.map(|(ty, _, bits)| bits.iter().map(|bits| inputs::folded(*ty, *bits)).collect()).collect()))
    }
}

/// Where a kernel can run.
enum Target {
    Device(Device),
    Host(HostLibrary),
}

impl Target {
    /// `phases`, `base`, `futures`, `cuda`, or `host=LIBRARY`.
    fn named(name: &str) -> Result<Target> {
        let base = Some(InstructionSet::Base);
        Ok(match name.split_once('=') {
            Some(("host", library)) => Target::Host(HostLibrary::open(library.as_ref())?),
            _ => Target::Device(match name {
                "phases" => Device::cpu(),
                "base" => Device::cpu_with(CpuOptions { instruction_set: base, ..CpuOptions::default() }),
                "futures" => Device::cpu_with(CpuOptions { futures: true, ..CpuOptions::default() }),
                "cuda" => Device::cuda(0)?,
                _ => {
                    anyhow::bail!("no target is called {name}; there are phases, base, futures, cuda and host=LIBRARY")
                }
            }),
        })
    }

    fn run(&self, entry: &Entry) -> Result<Output, String> {
        match self {
            Target::Device(device) => (entry.launch)(&Run { entry, device }).map_err(|error| error.to_string()),
            Target::Host(library) => entry.on_host(library),
        }
    }
}

/// Runs the kernels of a batch.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Writes each kernel's CUDA C into a folder.
    Emit {
        /// The folder.
        folder: PathBuf,
    },
    /// Compiles each kernel to a CUBIN of sm_90. Needs NVRTC and no GPU.
    Compile,
    /// Runs each kernel on the targets and compares.
    Run {
        /// The targets: phases, base, futures, cuda, host=LIBRARY. The first is what the others are compared with.
        #[arg(required = true)]
        targets: Vec<String>,
        /// Which part of the kernels, so that several processes can share them.
        #[arg(long, default_value_t = 0)]
        part: usize,
        /// Into how many parts the kernels are divided.
        #[arg(long, default_value_t = 1)]
        parts: usize,
    },
}

/// How a line of the report starts that names a kernel whose results differ.
pub const DIFFERENT: &str = "different: ";
/// How a line of the report starts that names the kernel that runs next.
pub const RUNNING: &str = "running: ";

/// The program of a generated crate.
///
/// # Errors
/// Results that differ, after all kernels have run; what keeps kernels from running.
pub fn main(entries: &[&Entry]) -> Result<()> {
    match Arguments::parse().command {
        Command::Emit { folder } => emit(entries, &folder),
        Command::Compile => compile(entries),
        Command::Run { targets, part, parts } => {
            let entries: Vec<&Entry> = entries.iter().copied().skip(part).step_by(parts.max(1)).collect();
            run(&entries, &targets)
        }
    }
}

fn emit(entries: &[&Entry], folder: &std::path::Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    for entry in entries {
        std::fs::write(folder.join(format!("{}.cu", entry.name)), (entry.kernel)().cuda_source()?)?;
    }
    Ok(())
}

fn compile(entries: &[&Entry]) -> Result<()> {
    let nvrtc = Nvrtc::load()?;
    for entry in entries {
        let source = (entry.kernel)().cuda_source()?;
        nvrtc
            .compile(entry.name, &source, Image::Cubin { major: 9, minor: 0 }, &[])
            .with_context(|| format!("{} for sm_90", entry.name))?;
    }
    println!("{} kernels compiled", entries.len());
    Ok(())
}

fn run(entries: &[&Entry], names: &[String]) -> Result<()> {
    let targets = names.iter().map(|name| Target::named(name)).collect::<Result<Vec<_>>>()?;
    let (mut different, mut phases) = (0, 0);
    for entry in entries {
        println!("{RUNNING}{}", entry.name);
        let outputs: Vec<_> = targets.iter().map(|target| target.run(entry)).collect();
        let problems: Vec<String> = outputs
            .iter()
            .zip(names)
            .filter_map(|(output, name)| {
                let problem = match (&outputs[0], output) {
                    (_, Err(error)) => Some(error.clone()),
                    (Ok(first), Ok(output)) => output.difference(first),
                    (Err(_), Ok(_)) => None,
                };
                problem.map(|problem| format!("{name}: {problem}"))
            })
            .collect();
        if !problems.is_empty() {
            different += 1;
            println!("{DIFFERENT}{}: {}", entry.name, problems.join("; ").replace('\n', " "));
        }
        phases += usize::from((entry.kernel)().runs_in_phases());
    }
    println!("{} kernels on {}, {phases} in phases, {different} different", entries.len(), names.join(", "));
    ensure!(different == 0, "{different} kernels gave different results");
    Ok(())
}

//! What is known of a kernel.

use crate::cpu::CpuForms;
use crate::cuda::{self, Nvrtc, Resources, Target};
use crate::emit::{Builder, Emitted};
use crate::error::Error;
use crate::lang::Function;
use std::any::TypeId;

/// What `#[gpu_kernel(…)]` says of how a kernel is compiled and launched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelAttributes {
    /// `block = (32, 8)`: the block's size in every launch.
    pub block: Option<[usize; 3]>,
    /// `min_blocks = 2`: so many blocks must fit on a multiprocessor.
    pub min_blocks: Option<u32>,
    /// `max_registers = 64`: the most registers of a thread.
    pub max_registers: Option<u32>,
    /// `fast_math`: CUDA's fast arithmetic. The bits differ from the CPU's.
    pub fast_math: bool,
}

impl KernelAttributes {
    /// The qualifier of the kernel in the text. CUDA allows no launch bounds beside a limit of registers.
    pub(crate) fn launch_bounds(&self) -> String {
        let Some(block) = self.block.filter(|_| self.max_registers.is_none()) else { return String::new() };
        let threads: usize = block.iter().product();
        let blocks = self.min_blocks.map(|blocks| format!(", {blocks}")).unwrap_or_default();
        format!("__launch_bounds__({threads}{blocks}) ")
    }

    /// NVRTC's options for the kernel.
    pub(crate) fn options(&self) -> Vec<String> {
        let mut options: Vec<String> = Vec::new();
        options.extend(self.max_registers.map(|most| format!("--maxrregcount={most}")));
        if self.fast_math {
            options.extend(FAST_MATH.map(str::to_string));
        }
        options
    }
}

/// What `--use_fast_math` stands for, but for the functions it replaces, which no kernel calls; given after the options
/// of every compilation, these override them.
const FAST_MATH: [&str; 4] = ["--fmad=true", "--ftz=true", "--prec-div=false", "--prec-sqrt=false"];

/// A block's size as an attribute gives it, checked when the kernel is compiled.
#[doc(hidden)]
pub const fn checked_block(block: [usize; 3]) -> [usize; 3] {
    let [x, y, z] = block;
    assert!(x > 0 && y > 0 && z > 0, "a block has at least one thread");
    assert!(x <= 1024 && y <= 1024 && z <= 64 && x * y * z <= 1024, "a block has at most 1024 threads, and 64 along z");
    block
}

/// What the macro implements for a kernel.
pub trait Kernel: Function {
    /// The kernel's name.
    const NAME: &'static str;
    /// Its attributes.
    const ATTRIBUTES: KernelAttributes;
    /// Its CPU forms.
    fn cpu() -> CpuForms;
}

/// A kernel, with its type parameters chosen: its text, and its CPU forms.
#[derive(Clone, Copy)]
pub struct KernelInfo {
    name: &'static str,
    id: TypeId,
    emit: fn() -> Result<Emitted, String>,
    cpu: fn() -> CpuForms,
    attributes: KernelAttributes,
}

impl KernelInfo {
    /// That of `K`.
    #[doc(hidden)]
    pub fn of<K: Kernel>() -> KernelInfo {
        KernelInfo {
            name: K::NAME,
            id: TypeId::of::<K>(),
            emit: Builder::kernel::<K>,
            cpu: K::cpu,
            attributes: K::ATTRIBUTES,
        }
    }

    /// The kernel's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The name of the `extern "C"` function in the text.
    pub fn entry(&self) -> String {
        crate::emit::identifier(self.name)
    }

    /// The CUDA C that NVRTC compiles. The same on every run.
    ///
    /// # Errors
    /// Device functions that call each other in a circle.
    pub fn cuda_source(&self) -> Result<String, Error> {
        Ok(self.emitted()?.source)
    }

    /// The part of [`cuda_source`](Self::cuda_source) that is the kernel's own: its types, device functions and itself.
    ///
    /// # Errors
    /// As [`cuda_source`](Self::cuda_source).
    pub fn own_cuda_source(&self) -> Result<String, Error> {
        let Emitted { source, prelude_len, .. } = self.emitted()?;
        Ok(source[prelude_len..].trim_start().to_string())
    }

    /// What NVRTC makes of it for a compute capability, such as (9, 0), and a launch of one dimension: PTX. Needs no GPU.
    ///
    /// # Errors
    /// There is no NVRTC, or it does not know the capability; those of [`cuda_source`](Self::cuda_source).
    pub fn ptx(&self, capability: (u32, u32)) -> Result<String, Error> {
        let (major, minor) = capability;
        let text = self.compile(Target::Ptx { major, minor })?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// What NVRTC makes of it for a compute capability, such as (9, 0), and a launch of one dimension: machine code, an ELF
    /// file. Needs no GPU.
    ///
    /// # Errors
    /// As [`ptx`](Self::ptx).
    pub fn cubin(&self, capability: (u32, u32)) -> Result<Vec<u8>, Error> {
        let (major, minor) = capability;
        self.compile(Target::Cubin { major, minor })
    }

    /// Registers, local memory (so spills) and shared arrays for a compute capability, read from the
    /// [`cubin`](Self::cubin). Needs no GPU; nothing if this version of CUDA's files is not known.
    ///
    /// # Errors
    /// As [`ptx`](Self::ptx).
    pub fn resources(&self, capability: (u32, u32)) -> Result<Option<Resources>, Error> {
        Ok(cuda::read_resources(&self.cubin(capability)?, &self.entry()))
    }

    fn compile(&self, target: Target) -> Result<Vec<u8>, Error> {
        let (source, options) = (self.cuda_source()?, self.options(true));
        Ok(Nvrtc::load()?.compile(self.name, &source, target, &options)?)
    }

    /// NVRTC's options, for launches of one dimension or any. Those of one dimension have indices that cost less; see the
    /// prelude.
    pub fn options(&self, one_dimension: bool) -> Vec<String> {
        let mut options = self.attributes.options();
        if one_dimension {
            options.push("--define-macro=WC_ONE_DIMENSION".into());
        }
        options
    }

    /// What its attribute says.
    pub fn attributes(&self) -> &KernelAttributes {
        &self.attributes
    }

    pub(crate) fn emitted(&self) -> Result<Emitted, Error> {
        (self.emit)().map_err(|cycle| Error::Recursion { kernel: self.name, cycle })
    }

    pub(crate) fn id(&self) -> TypeId {
        self.id
    }

    pub(crate) fn cpu(&self) -> CpuForms {
        (self.cpu)()
    }

    /// Whether the CPU runs it as phases (or plain loops); else as one future a thread.
    pub fn runs_in_phases(&self) -> bool {
        self.cpu().phases.is_some()
    }
}

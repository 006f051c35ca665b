//! What can go wrong at run time, and what to do about it.

use crate::cpu::Faulted;
use crate::emit::SiteInfo;
use std::fmt;
use warpcell_ir::SiteKind;

/// What can go wrong at run time.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A thread of a kernel did what Rust does not allow. The buffers the kernel writes hold unspecified values; the
    /// device goes on working.
    #[error(transparent)]
    Fault(Box<Fault>),

    /// CUDA is missing something, or failed.
    #[error(transparent)]
    Cuda(Box<crate::cuda::CudaError>),

    /// The system has no more memory for a buffer of the CPU backend.
    #[error(
        "out of memory: a buffer of {requested} bytes was asked for; use smaller chunks, or a machine with more memory"
    )]
    OutOfMemory {
        /// Bytes asked for.
        requested: usize,
    },

    /// A copy between a buffer and a host slice of another length.
    #[error("a buffer of {buffer} elements can't be copied to or from {host} elements; make both the same length")]
    LengthMismatch {
        /// Elements of the buffer.
        buffer: usize,
        /// Elements on the host.
        host: usize,
    },

    /// A launch whose buffers are on different devices, or that has none and names no device.
    #[error("kernel `{kernel}`: {problem}")]
    Device {
        /// The kernel.
        kernel: &'static str,
        /// What is wrong, and what to do.
        problem: &'static str,
    },

    /// A launch that no device can run.
    #[error("kernel `{kernel}`: {what} is {value}, but at most {limit} is possible; {help}")]
    Limit {
        /// The kernel.
        kernel: &'static str,
        /// Which measure of the launch.
        what: &'static str,
        /// Its value.
        value: u64,
        /// The limit.
        limit: u64,
        /// What to do.
        help: &'static str,
    },

    /// A launch with another block size than the kernel requires.
    #[error(
        "kernel `{kernel}` requires blocks of {} threads, but the launch has {}; leave `.block(…)` out",
        dims(required),
        dims(found)
    )]
    BlockSize {
        /// The kernel.
        kernel: &'static str,
        /// What its attribute says.
        required: [usize; 3],
        /// What the launch says.
        found: [usize; 3],
    },

    /// A launch whose arguments don't meet a requirement of the kernel.
    #[error("kernel `{kernel}` requires {condition}{}", but(values))]
    Requirement {
        /// The kernel.
        kernel: &'static str,
        /// The condition, as it is written.
        condition: &'static str,
        /// What it depends on, and the values.
        values: Vec<(&'static str, String)>,
    },

    /// Device functions that call each other in a circle.
    #[error("kernel `{kernel}`: device functions can't be recursive: {cycle}; write it as a loop")]
    Recursion {
        /// The kernel.
        kernel: &'static str,
        /// The functions of the circle.
        cycle: String,
    },

    /// `WARPCELL_PRINT_BUFFER` is no size.
    #[error("WARPCELL_PRINT_BUFFER is `{value}`; set it to a number of bytes, such as 16777216, or remove it")]
    PrintBuffer {
        /// What it is set to.
        value: String,
    },

    /// `WARPCELL_DEVICE` names no device.
    #[error("WARPCELL_DEVICE is `{value}`; set it to `cpu`, `cuda` or `cuda:1`, or remove it")]
    DeviceVariable {
        /// What it is set to.
        value: String,
    },
}

impl Error {
    /// A block with more shared memory than the device has for it.
    pub(crate) fn shared_memory(kernel: &'static str, value: u64, limit: u64) -> Error {
        let (what, help) = ("the shared memory of a block, in bytes,", "use smaller arrays, or let a block do less");
        Error::Limit { kernel, what, value, limit, help }
    }
}

/// `256`, `32 x 8` or `4 x 4 x 4`.
fn dims(dims: &[usize; 3]) -> String {
    match dims {
        [x, 1, 1] => x.to_string(),
        [x, y, 1] => format!("{x} x {y}"),
        [x, y, z] => format!("{x} x {y} x {z}"),
    }
}

/// `, but a.len() is 3 and b.len() is 4`
fn but(values: &[(&'static str, String)]) -> String {
    let values: Vec<String> = values.iter().map(|(name, value)| format!("{name} is {value}")).collect();
    match values.split_last() {
        None => ", which does not hold".to_string(),
        Some((last, [])) => format!(", but {last}"),
        Some((last, rest)) => format!(", but {} and {last}", rest.join(", ")),
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Error {
        Error::Fault(Box::new(fault))
    }
}

impl From<crate::cuda::CudaError> for Error {
    fn from(error: crate::cuda::CudaError) -> Error {
        Error::Cuda(Box::new(error))
    }
}

/// A fault of one thread: the lowest (block, thread) of those recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kernel.
    pub kernel: &'static str,
    /// The Rust source file, as rustc names it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// `blockIdx`
    pub block: [usize; 3],
    /// `threadIdx`
    pub thread: [usize; 3],
    /// What happened.
    pub what: FaultKind,
}

/// What a faulting thread did.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// It used an index that is not below the length.
    Index {
        /// The source text of what was indexed.
        array: String,
        /// The index.
        index: u64,
        /// The length.
        length: u64,
    },
    /// It took a part that is not inside the slice.
    Range {
        /// The source text of what was sliced.
        array: String,
        /// The bound that is wrong.
        bound: u64,
        /// The length.
        length: u64,
    },
    /// It divided by zero, or the smallest integer by -1.
    Division {
        /// The source text of the divisor.
        divisor: String,
    },
    /// It stepped through a range by 0.
    Step,
    /// An integer result did not fit its type. Only checked runs report it; elsewhere integers wrap.
    Overflow {
        /// The source text of the expression.
        expression: String,
    },
    /// An assertion failed, or it reached `panic!` or its like.
    Panic {
        /// The message, as Rust words it: `assertion failed: x > 0`.
        message: String,
    },
    /// Threads wait for what the others of the block never reach.
    Wait {
        /// How many threads wait.
        waiting: u64,
        /// How many the block has.
        threads: u64,
    },
}

impl std::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kernel `{}`", self.kernel)?;
        if self.line > 0 {
            write!(f, ", {}:{}:{}", self.file, self.line, self.column)?;
        }
        let [bx, by, bz] = self.block;
        let [tx, ty, tz] = self.thread;
        write!(f, ": {} (block [{bx}, {by}, {bz}], thread [{tx}, {ty}, {tz}])", self.what)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultKind::Index { array, index, length } => {
                write!(f, "index {index} is out of bounds of `{array}`, which has {length} elements")
            }
            FaultKind::Range { array, bound, length } => {
                write!(f, "the bound {bound} is out of range of `{array}`, which has {length} elements")
            }
            FaultKind::Division { divisor } => {
                write!(f, "division by `{divisor}`, which is zero (or -1, and the dividend the smallest integer)")
            }
            FaultKind::Step => f.write_str("`step_by` of 0"),
            FaultKind::Overflow { expression } => write!(
                f,
                "integer overflow in `{expression}`; if it is meant to wrap, write `wrapping_add` or the like"
            ),
            FaultKind::Panic { message } => f.write_str(message),
            FaultKind::Wait { waiting, threads } => write!(
                f,
                "{waiting} of {threads} threads wait for what never comes: a barrier or warp operation that the others don't \
                 reach, or a value that no running thread writes; let all threads of the block reach the barrier, and wait \
                 for values of this or an earlier block only"
            ),
        }
    }
}

impl FaultKind {
    pub(crate) fn new(kind: SiteKind, text: &str, index: u64, length: u64) -> FaultKind {
        match kind {
            SiteKind::Index => FaultKind::Index { array: text.to_string(), index, length },
            SiteKind::Range => FaultKind::Range { array: text.to_string(), bound: index, length },
            SiteKind::Division => FaultKind::Division { divisor: text.to_string() },
            SiteKind::Step => FaultKind::Step,
            SiteKind::Wait | SiteKind::Call => FaultKind::Wait { waiting: index, threads: length },
            SiteKind::Panic => FaultKind::Panic { message: text.to_string() },
            SiteKind::Overflow => FaultKind::Overflow { expression: text.to_string() },
        }
    }
}

impl Fault {
    /// A fault on the CPU.
    pub(crate) fn on_cpu(kernel: &'static str, fault: &Faulted) -> Fault {
        let site = fault.site;
        Fault {
            kernel,
            file: site.file.to_string(),
            line: site.line,
            column: site.column,
            block: fault.block,
            thread: fault.thread,
            what: FaultKind::new(site.kind, fault.message.as_deref().unwrap_or(site.text), fault.index, fault.length),
        }
    }

    /// A fault on a CUDA device. `words` are the values of a panic's message.
    pub(crate) fn on_cuda(
        kernel: &'static str,
        site: &SiteInfo,
        block: [usize; 3],
        thread: [usize; 3],
        [index, length]: [u64; 2],
        words: &[u64],
    ) -> Fault {
        let message = site.message.as_ref().map(|message| (message.format)(words));
        Fault {
            kernel,
            file: site.file.clone(),
            line: site.line,
            column: site.column,
            block,
            thread,
            what: FaultKind::new(site.kind, message.as_deref().unwrap_or(&site.text), index, length),
        }
    }
}

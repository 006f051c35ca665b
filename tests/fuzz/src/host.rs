//! The emitted C on the host: compiled as C++ with shims for what CUDA has built in, and loaded as a library.
//!
//! A block's threads are fibers of one thread of the operating system, switched where they wait (see `host_cuda.hpp`).

use crate::program::ParamKind;
use crate::scalar::Scalar;
use anyhow::{Context, Result, bail, ensure};
use libloading::Library;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// The shims.
const SHIMS: &str = include_str!("host_cuda.hpp");

/// The C++ compiler: that of `CXX`, or the first of `c++`, `g++`, `clang++` that runs.
///
/// # Errors
/// There is none.
pub fn compiler() -> Result<OsString> {
    let named = std::env::var_os("CXX").into_iter();
    let candidates = named.chain(["c++", "g++", "clang++"].map(OsString::from));
    let works = |name: &OsString| Command::new(name).arg("--version").output().is_ok_and(|run| run.status.success());
    candidates.into_iter().find(works).context(
        "no C++ compiler was found, so the emitted C can't run on the host; install g++ or clang++, or set CXX",
    )
}

/// A translation unit for the host's compiler, in its parts.
#[derive(Clone, Debug)]
pub struct Unit {
    /// What every kernel's text starts with.
    pub prelude: String,
    /// The kernels, each in a namespace.
    pub kernels: String,
}

impl Unit {
    /// That of the kernels in `sources`, given as name and CUDA C.
    pub fn new(sources: &[(String, String)]) -> Unit {
        let texts: Vec<&str> = sources.iter().map(|(_, text)| text.as_str()).collect();
        let prelude = common_start(&texts);
        let mut kernels = String::new();
        for (name, text) in sources {
            // Writing to a string can't fail.
            let _ = write!(kernels, "namespace of_{name} {{\n{}\n}}\n", &text[prelude.len()..]);
            let _ = writeln!(kernels, "HOST_ENTRY({name})");
        }
        Unit { prelude: prelude.to_string(), kernels }
    }

    /// All of it, with the shims.
    pub fn text(&self) -> String {
        format!("{SHIMS}\n{}\n{}", self.prelude, self.kernels)
    }
}

/// What all texts start with, up to a blank line: the part that every kernel's text has.
fn common_start<'a>(texts: &[&'a str]) -> &'a str {
    let Some(first) = texts.first() else { return "" };
    let same = |text: &&str| first.bytes().zip(text.bytes()).take_while(|(a, b)| a == b).count();
    let length = texts.iter().map(same).min().unwrap_or(0);
    let end = first.as_bytes()[..length].windows(2).rposition(|pair| pair == b"\n\n").map_or(0, |at| at + 2);
    &first[..end]
}

/// Compiles `unit` into the library `to`.
///
/// # Errors
/// There is no compiler, or it does not take the text: then something of CUDA has no shim.
pub fn compile(unit: &Unit, to: &Path) -> Result<()> {
    let source = to.with_extension("cpp");
    std::fs::write(&source, unit.text())?;
    let run = Command::new(compiler()?)
        .args(["-std=c++17", "-O1", "-w", "-fPIC", "-shared", "-ffp-contract=off", "-fno-strict-aliasing"])
        .arg("-o")
        .args([to, &source])
        .output()?;
    let errors = String::from_utf8_lossy(&run.stderr);
    let first: Vec<&str> = errors.lines().filter(|line| line.contains("error")).take(10).collect();
    ensure!(
        run.status.success(),
        "the host's compiler refuses {} (a built-in of CUDA may need a shim in host_cuda.hpp):\n{}",
        source.display(),
        first.join("\n")
    );
    Ok(())
}

/// A compiled batch.
pub struct HostLibrary(Library);

/// How a run on the host ended; as in `host_cuda.hpp`.
#[repr(C)]
#[derive(Default)]
struct Outcome {
    /// 0: well, 1: a fault, 2: all threads wait.
    status: u32,
    site: u32,
    block: u64,
    thread: u64,
}

/// The kernels' entry in the library: words of arguments, grid, block.
type HostEntry = unsafe extern "C" fn(*const u64, *const u32, *const u32, *mut Outcome);

/// An argument: its type, what is passed, and its elements' bits.
pub type Argument = (Scalar, ParamKind, Vec<u64>);

impl HostLibrary {
    /// Loads what [`compile`] wrote.
    ///
    /// # Errors
    /// It can't be loaded.
    pub fn open(path: &Path) -> Result<HostLibrary> {
        // SAFETY: the library is one that `compile` wrote; it has no initialisers but those of C++'s own library.
        let library = unsafe { Library::new(path) };
        Ok(HostLibrary(library.with_context(|| format!("loading {}", path.display()))?))
    }

    /// Runs the kernel `name`; the arguments' elements are then what it left.
    ///
    /// # Errors
    /// A fault, threads that wait for ever, or no such kernel.
    pub fn run(
        &self,
        name: &str,
        grid: [usize; 3],
        block: [usize; 3],
        arguments: &mut [Argument],
    ) -> Result<(), String> {
        let mut memory: Vec<Vec<u64>> = arguments.iter().map(|(ty, _, bits)| packed(*ty, bits)).collect();
        let mut words = Vec::new();
        for ((_, kind, bits), memory) in arguments.iter().zip(&mut memory) {
            match kind {
                ParamKind::Value => words.push(bits[0]),
                ParamKind::Input(_) | ParamKind::Output(_) => {
                    words.extend([memory.as_mut_ptr() as u64, bits.len() as u64]);
                }
            }
        }
        let mut outcome = Outcome::default();
        let (grid, block) = (grid.map(|size| size as u32), block.map(|size| size as u32));
        // SAFETY: `HOST_ENTRY` declares the symbol with this type. The words are those of the kernel's signature, which
        // both sides have from the generated module; the memory is as long as said and lives until the call returns.
        unsafe {
            let entry = self.0.get::<HostEntry>(format!("host_{name}\0").as_bytes()).map_err(|e| e.to_string())?;
            entry(words.as_ptr(), grid.as_ptr(), block.as_ptr(), &mut outcome);
        }
        for ((ty, _, bits), memory) in arguments.iter_mut().zip(&memory) {
            *bits = unpacked(*ty, memory, bits.len());
        }
        match outcome.status {
            0 => Ok(()),
            1 => Err(format!("a fault at site {}, block {}, thread {}", outcome.site, outcome.block, outcome.thread)),
            _ => Err("all threads wait".to_string()),
        }
    }
}

/// Bytes of a `ty`.
fn width(ty: Scalar) -> usize {
    (ty.bits() as usize).div_ceil(8)
}

/// Elements as they lie in memory, in words so that they are aligned.
fn packed(ty: Scalar, bits: &[u64]) -> Vec<u64> {
    let bytes: Vec<u8> = bits.iter().flat_map(|bits| bits.to_le_bytes().into_iter().take(width(ty))).collect();
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    bytes.chunks(8).map(word).chain([0]).collect()
}

fn unpacked(ty: Scalar, memory: &[u64], count: usize) -> Vec<u64> {
    let bytes: Vec<u8> = memory.iter().flat_map(|word| word.to_le_bytes()).collect();
    let element = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    bytes.chunks(width(ty)).take(count).map(element).collect()
}

/// Reads the sources that a batch has emitted into `folder`.
///
/// # Errors
/// They are not there.
pub fn emitted(folder: &Path, names: &[String]) -> Result<Vec<(String, String)>> {
    let mut sources = Vec::new();
    for name in names {
        let path = folder.join(format!("{name}.cu"));
        let Ok(text) = std::fs::read_to_string(&path) else { bail!("{} was not emitted", path.display()) };
        sources.push((name.clone(), text));
    }
    Ok(sources)
}

//! NVRTC, CUDA's run-time compiler: found, loaded, and asked for CUBIN or PTX.

mod binding;
mod program;
mod search;

use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use binding::{Binding, COMPILATION_FAILED};
use program::Program;

use super::driver;
use super::error::CudaError;
use super::version::CudaVersion;

/// Options of every compilation. Floating point is IEEE and never contracted, as in Rust; functions without a
/// qualifier are device functions; a function that isn't called is no reason for a warning (177).
const OPTIONS: [&str; 7] = [
    "--fmad=false",
    "--ftz=false",
    "--prec-div=true",
    "--prec-sqrt=true",
    "--std=c++17",
    "--device-as-default-execution-space",
    "--diag-suppress=177",
];

/// What to compile for, by compute capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// Machine code for devices of this compute capability, an ELF file.
    Cubin {
        /// 9 in 9.0.
        major: u32,
        /// 0 in 9.0.
        minor: u32,
    },
    /// Text in NVIDIA's virtual instruction set for this compute capability.
    Ptx {
        /// 9 in 9.0.
        major: u32,
        /// 0 in 9.0.
        minor: u32,
    },
}

/// The loaded compiler.
#[derive(Debug)]
pub struct Nvrtc {
    binding: Binding,
    path: PathBuf,
    version: CudaVersion,
    architectures: Vec<u32>,
    compiling: Mutex<()>,
}

impl Nvrtc {
    /// Finds and loads NVRTC, once for the process. It is looked for in
    /// 1. the file or folder that WARPCELL_NVRTC names; nothing else is searched if it is set,
    /// 2. the toolkits of CUDA_HOME, CUDA_PATH and `/usr/local/cuda*`,
    /// 3. the Python environments of VIRTUAL_ENV, CONDA_PREFIX, each `python3` on the path, and `~/.local`,
    /// 4. the loader's own path.
    ///
    /// One that is newer than the driver is passed over.
    ///
    /// # Errors
    /// [`CudaError::NvrtcMissing`] if there is none, [`CudaError::NvrtcUnusable`] or [`CudaError::DriverTooOld`] if
    /// there is but not for here.
    pub fn load() -> Result<&'static Self, CudaError> {
        static NVRTC: OnceLock<Result<Nvrtc, CudaError>> = OnceLock::new();
        let find =
            || search::first_usable(&search::places(|name| std::env::var_os(name)), driver::driver_version().ok());
        NVRTC.get_or_init(find).as_ref().map_err(Clone::clone)
    }

    /// The library: a file, or a name that the loader found.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The version of CUDA it belongs to.
    pub fn version(&self) -> CudaVersion {
        self.version
    }

    /// Compiles CUDA C++ text, which may include no files. `name` is what its errors call it; `options` come after
    /// the ones always given (IEEE arithmetic without contraction, C++17), and override them.
    ///
    /// A CUBIN is made for `target` itself, or for the nearest lower minor number that this NVRTC knows. PTX is
    /// UTF-8 text without a terminating zero.
    ///
    /// # Errors
    /// [`CudaError::Compile`] with the compiler's log if the text is wrong, [`CudaError::UnknownArchitecture`] if this
    /// NVRTC doesn't know the target, [`CudaError::Nvrtc`] for a wrong option.
    pub fn compile(&self, name: &str, source: &str, target: Target, options: &[String]) -> Result<Vec<u8>, CudaError> {
        let c_string = |text: &str| {
            let wrong =
                |_| CudaError::Compile { kernel: name.to_owned(), log: "the text holds a zero byte".to_owned() };
            CString::new(text).map_err(wrong)
        };
        let architecture = self.architecture_option(target)?;
        let fixed = OPTIONS.into_iter().chain([architecture.as_str()]);
        let options = fixed.chain(options.iter().map(String::as_str)).map(c_string).collect::<Result<Vec<_>, _>>()?;
        let (program_name, source) = (c_string(name)?, c_string(source)?);

        // The lock guards no data, so a panic elsewhere leaves nothing broken behind it.
        let _compiling = self.compiling.lock().unwrap_or_else(PoisonError::into_inner);
        let program = Program::new(&self.binding, &program_name, &source)?;
        let compiled = program.compile(&options);
        let log = program.log()?;
        compiled.map_err(|error| explain(error, name, &log))?;
        if !log.is_empty() {
            tracing::debug!("kernel `{name}`: {log}");
        }
        match target {
            Target::Cubin { .. } => program.cubin(),
            Target::Ptx { .. } => program.ptx(),
        }
    }

    /// Loads the library `path` and asks what it is.
    fn open(path: &Path) -> Result<Self, CudaError> {
        let unusable = |reason: String| CudaError::NvrtcUnusable { path: path.to_path_buf(), reason };
        let binding = Binding::load(path).map_err(|error| unusable(error.to_string()))?;
        let (major, minor) = binding.version()?;
        let architectures = binding.architectures()?;
        let (path, version) = (path.to_path_buf(), CudaVersion { major, minor });
        Ok(Self { binding, path, version, architectures, compiling: Mutex::new(()) })
    }

    /// Code made for one minor number runs on the higher ones of its major number (CUDA C++ Programming Guide,
    /// "Binary compatibility").
    fn architecture_option(&self, target: Target) -> Result<String, CudaError> {
        let (kind, major, minor) = match target {
            Target::Cubin { major, minor } => ("sm", major, minor),
            Target::Ptx { major, minor } => ("compute", major, minor),
        };
        let architecture = 10 * major + minor;
        let family = 10 * major..=architecture;
        match self.architectures.iter().filter(|known| family.contains(known)).max() {
            Some(nearest) => Ok(format!("--gpu-architecture={kind}_{nearest}")),
            None => Err(CudaError::UnknownArchitecture {
                architecture,
                known: self.architectures.clone(),
                version: self.version,
                path: self.path.clone(),
            }),
        }
    }
}

/// Adds the log to a failed compilation of the program `name`.
fn explain(error: CudaError, name: &str, log: &str) -> CudaError {
    match error {
        CudaError::Nvrtc { code: COMPILATION_FAILED, .. } => {
            CudaError::Compile { kernel: name.to_owned(), log: log.to_owned() }
        }
        CudaError::Nvrtc { call, code, text } if !log.is_empty() => {
            CudaError::Nvrtc { call, code, text: format!("{text}: {log}") }
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AXPB: &str = r#"
extern "C" __global__ void axpb(const float *a, const float *b, const float *c, float *d) {
    d[threadIdx.x] = a[threadIdx.x] * b[threadIdx.x] + c[threadIdx.x];
}"#;

    /// The compiler, or nothing with a word about it: these tests need no GPU, but NVRTC.
    fn nvrtc() -> Option<&'static Nvrtc> {
        Nvrtc::load().inspect_err(|error| println!("not tested: {error}")).ok()
    }

    fn ptx(nvrtc: &Nvrtc, options: &[String]) -> String {
        let text = nvrtc.compile("axpb", AXPB, Target::Ptx { major: 9, minor: 0 }, options).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn a_kernel_compiles_to_a_whole_cubin_for_each_generation() {
        let Some(nvrtc) = nvrtc() else { return };
        for (major, minor) in [(7, 5), (8, 0), (9, 0), (12, 0)] {
            let cubin = nvrtc.compile("axpb", AXPB, Target::Cubin { major, minor }, &[]).unwrap();
            super::super::cubin::check_whole(&cubin).unwrap();
            assert!(super::super::cubin::check_whole(&cubin[..cubin.len() - 1]).is_err());
        }
    }

    #[test]
    fn ptx_is_text_for_the_architecture_that_holds_the_kernel() {
        let Some(nvrtc) = nvrtc() else { return };
        let text = ptx(nvrtc, &[]);
        assert!(text.contains(".target sm_90") && text.contains(".entry axpb("), "{text}");
        assert!(!text.contains('\0'));
    }

    #[test]
    fn a_product_and_a_sum_are_not_contracted_unless_asked_for() {
        let Some(nvrtc) = nvrtc() else { return };
        let strict = ptx(nvrtc, &[]);
        assert!(strict.contains("mul.f32") || strict.contains("mul.rn.f32"), "{strict}");
        assert!(!strict.contains("fma.") && !strict.contains(".ftz"), "{strict}");
        assert!(ptx(nvrtc, &["--fmad=true".to_owned()]).contains("fma.rn.f32"));
    }

    #[test]
    fn a_wrong_text_gives_the_line_and_its_text() {
        let Some(nvrtc) = nvrtc() else { return };
        let source = "extern \"C\" __global__ void broken(int *a) {\n    a[0] = missing + 1;\n}\n";
        let target = Target::Cubin { major: 9, minor: 0 };
        let error = nvrtc.compile("broken", source, target, &[]).unwrap_err();
        let CudaError::Compile { kernel, log } = &error else { panic!("{error}") };
        assert_eq!(kernel, "broken");
        assert!(log.contains("broken(2): error") && log.contains("\n      a[0] = missing + 1;\n"), "{log}");
    }

    #[test]
    fn a_wrong_option_is_no_fault_of_the_text() {
        let Some(nvrtc) = nvrtc() else { return };
        let target = Target::Cubin { major: 9, minor: 0 };
        let error = nvrtc.compile("axpb", AXPB, target, &["--no-such-option".to_owned()]).unwrap_err();
        assert!(matches!(&error, CudaError::Nvrtc { call: "nvrtcCompileProgram", .. }), "{error}");
        assert!(error.to_string().contains("--no-such-option"), "{error}");
    }

    #[test]
    fn a_text_with_a_zero_byte_is_refused() {
        let Some(nvrtc) = nvrtc() else { return };
        let error = nvrtc.compile("axpb", "int a;\0", Target::Ptx { major: 9, minor: 0 }, &[]).unwrap_err();
        assert!(matches!(error, CudaError::Compile { .. }), "{error}");
    }

    #[test]
    fn an_unknown_minor_number_takes_the_nearest_lower_one_and_an_unknown_major_is_refused() {
        let Some(nvrtc) = nvrtc() else { return };
        let option = |major, minor| nvrtc.architecture_option(Target::Cubin { major, minor });
        assert_eq!(option(9, 7).unwrap(), "--gpu-architecture=sm_90");
        let error = option(3, 5).unwrap_err();
        assert!(matches!(error, CudaError::UnknownArchitecture { architecture: 35, .. }), "{error}");
    }

    #[test]
    fn threads_may_compile_at_a_time() {
        let Some(nvrtc) = nvrtc() else { return };
        let expected = ptx(nvrtc, &[]);
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| ptx(nvrtc, &[]))).collect();
            for thread in threads {
                assert_eq!(thread.join().unwrap(), expected);
            }
        });
    }
}

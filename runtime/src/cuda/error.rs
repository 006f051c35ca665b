//! What can go wrong between here and the device, and what to do about it.

use std::path::PathBuf;

use super::version::CudaVersion;

/// An error of the CUDA layer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CudaError {
    /// No CUDA driver library on this machine.
    #[error(
        "no CUDA driver on this machine (libcuda.so.1 was not found): install the NVIDIA driver, or use the CPU device"
    )]
    DriverMissing,

    /// The installed driver is older than what has to run on it.
    #[error(
        "the NVIDIA driver is made for CUDA {driver}, and CUDA {needed} is needed: install a newer NVIDIA driver{}",
        .nvrtc.as_ref().map_or_else(String::new, |path| format!(
            ", or, in place of {}, an NVRTC that fits this one: `pip install {}`", path.display(), .driver.nvrtc_package()
        ))
    )]
    DriverTooOld {
        /// Newest CUDA the driver supports.
        driver: CudaVersion,
        /// Oldest CUDA that would do.
        needed: CudaVersion,
        /// The NVRTC whose code the driver is too old for; none if the driver is too old for this library itself.
        nvrtc: Option<PathBuf>,
    },

    /// No usable NVRTC library in any of the places where it may lie.
    #[error(
        "no NVRTC (CUDA's run-time compiler): {}, or set WARPCELL_NVRTC=/path/to/libnvrtc.so{}",
        install_nvrtc(*.driver), list_searched(.searched)
    )]
    NvrtcMissing {
        /// Files and names that were tried, in order, and folders that held none.
        searched: Vec<PathBuf>,
        /// Newest CUDA the driver supports, if there is a driver.
        driver: Option<CudaVersion>,
    },

    /// A library that was found as NVRTC can't be used.
    #[error("{} can't be used as NVRTC: {reason}; set WARPCELL_NVRTC to another libnvrtc.so", .path.display())]
    NvrtcUnusable {
        /// The library.
        path: PathBuf,
        /// What the loader says.
        reason: String,
    },

    /// NVRTC doesn't know the device's architecture.
    #[error("NVRTC {version} ({}) can't compile for sm_{architecture} (it knows {}): install {}", .path.display(),
        list_architectures(.known), if .known.iter().all(|known| known < .architecture) {
            "a newer one, or set WARPCELL_NVRTC to it"
        } else {
            "an older one, `pip install nvidia-cuda-nvrtc-cu12`, or set WARPCELL_NVRTC to it"
        })]
    UnknownArchitecture {
        /// 10 × major + minor of the compute capability asked for.
        architecture: u32,
        /// Architectures this NVRTC knows, ascending.
        known: Vec<u32>,
        /// NVRTC's version.
        version: CudaVersion,
        /// Where that NVRTC lies.
        path: PathBuf,
    },

    /// The text of a kernel doesn't compile.
    #[error("kernel `{kernel}` does not compile:\n{log}")]
    Compile {
        /// The program's name as given to the compiler.
        kernel: String,
        /// The compiler's log.
        log: String,
    },

    /// A call into NVRTC failed for another reason than the kernel's text.
    #[error("{call} failed: {text} (code {code})")]
    Nvrtc {
        /// The function of NVRTC.
        call: &'static str,
        /// Its `nvrtcResult`.
        code: i32,
        /// NVRTC's name for the code.
        text: String,
    },

    /// The driver works and sees no device.
    #[error("the CUDA driver sees no device: check `nvidia-smi` and CUDA_VISIBLE_DEVICES, or use the CPU device")]
    NoDevice,

    /// The index is beyond the devices there are.
    #[error("there is no CUDA device {index}: this machine has {count}, numbered from 0")]
    NoSuchDevice {
        /// The index asked for.
        index: usize,
        /// Number of devices.
        count: usize,
    },

    /// The device has too little memory free, also after its pool was trimmed.
    #[error(
        "out of device memory: {} asked for, {} of {} free; work on fewer rows at a time, or free the memory other \
         programs hold (see `nvidia-smi`)",
        human_bytes(*.requested as u64), human_bytes(*.free as u64), human_bytes(*.total as u64)
    )]
    OutOfMemory {
        /// Bytes asked for.
        requested: usize,
        /// Bytes free on the device.
        free: usize,
        /// Bytes the device has.
        total: usize,
    },

    /// A copy or fill reaches beyond the allocation.
    #[error("bytes {offset}..{offset}+{bytes} are outside of an allocation of {allocated} bytes")]
    OutOfBounds {
        /// First byte.
        offset: usize,
        /// Number of bytes.
        bytes: usize,
        /// Size of the allocation.
        allocated: usize,
    },

    /// Source and destination of a copy overlap.
    #[error("a copy of {bytes} bytes within one allocation overlaps itself: from byte {from} to byte {to}")]
    OverlappingCopy {
        /// First byte read.
        from: usize,
        /// First byte written.
        to: usize,
        /// Number of bytes.
        bytes: usize,
    },

    /// Source and destination of a copy belong to different contexts.
    #[error("a copy between the allocations of two contexts: copy through the host instead")]
    DifferentContexts,

    /// The image isn't a whole CUBIN.
    #[error("not a whole CUBIN ({bytes} bytes): {reason}; compile the kernel again")]
    DamagedCubin {
        /// Size of the image.
        bytes: usize,
        /// What is wrong with it.
        reason: &'static str,
    },

    /// The module holds no such kernel.
    #[error("the module holds no kernel named `{name}`: kernels need `extern \"C\" __global__`")]
    NoSuchKernel {
        /// The name asked for.
        name: String,
    },

    /// A launch asks for more shared memory than a block can have.
    #[error(
        "kernel `{kernel}` was launched with {requested} bytes of dynamic shared memory, and a block can have \
         {available} on this device: make the tile smaller"
    )]
    SharedMemory {
        /// The kernel.
        kernel: String,
        /// Bytes asked for, beside the kernel's static shared memory.
        requested: u32,
        /// Bytes left beside the kernel's static shared memory.
        available: u32,
    },

    /// A call into the driver failed.
    #[error("{call} failed: {text} (code {code})")]
    Driver {
        /// The function of the driver API. For an error of a kernel that ran before, the call that noticed it.
        call: &'static str,
        /// Its `CUresult`.
        code: u32,
        /// The driver's name and description of the code.
        text: String,
    },
}

fn install_nvrtc(driver: Option<CudaVersion>) -> String {
    match driver {
        Some(version) => format!("`pip install {}` (the driver is made for CUDA {version})", version.nvrtc_package()),
        None => "`pip install nvidia-cuda-nvrtc` for a driver of CUDA 13, `pip install nvidia-cuda-nvrtc-cu12` for \
                 one of CUDA 12"
            .to_owned(),
    }
}

fn list_searched(searched: &[PathBuf]) -> String {
    if searched.is_empty() {
        return String::new();
    }
    let lines: String = searched.iter().map(|path| format!("\n  {}", path.display())).collect();
    format!("\nlooked for it here:{lines}")
}

fn list_architectures(known: &[u32]) -> String {
    known.iter().map(|architecture| format!("sm_{architecture}")).collect::<Vec<_>>().join(", ")
}

/// Bytes in the largest binary unit that leaves at least one: `1.5 GiB`.
fn human_bytes(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1024 {
        return format!("{bytes} bytes");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = UNITS[0];
    for next in &UNITS[1..] {
        if value < 1024.0 {
            break;
        }
        value /= 1024.0;
        unit = next;
    }
    format!("{value:.1} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUDA_12: CudaVersion = CudaVersion { major: 12, minor: 4 };
    const CUDA_13: CudaVersion = CudaVersion { major: 13, minor: 0 };

    #[test]
    fn a_missing_nvrtc_names_the_package_for_the_driver_and_where_it_looked() {
        let missing = |driver| {
            CudaError::NvrtcMissing { searched: vec![PathBuf::from("/usr/local/cuda/lib64")], driver }.to_string()
        };
        assert!(missing(Some(CUDA_12)).contains("`pip install nvidia-cuda-nvrtc-cu12`"));
        assert!(missing(Some(CUDA_13)).contains("`pip install nvidia-cuda-nvrtc`"));
        let unknown = missing(None);
        assert!(unknown.contains("nvidia-cuda-nvrtc-cu12") && unknown.contains("WARPCELL_NVRTC="), "{unknown}");
        assert!(unknown.ends_with("\n  /usr/local/cuda/lib64"), "{unknown}");
    }

    #[test]
    fn a_driver_too_old_for_nvrtc_offers_the_older_nvrtc() {
        let path = PathBuf::from("/env/libnvrtc.so.13");
        let error = CudaError::DriverTooOld { driver: CUDA_12, needed: CUDA_13, nvrtc: Some(path) }.to_string();
        assert!(error.contains("CUDA 12.4") && error.contains("CUDA 13.0"), "{error}");
        assert!(error.contains("/env/libnvrtc.so.13") && error.contains("nvidia-cuda-nvrtc-cu12"), "{error}");
    }

    #[test]
    fn out_of_memory_gives_all_three_figures() {
        let error = CudaError::OutOfMemory { requested: 3 << 30, free: 1536 << 20, total: 140 << 30 }.to_string();
        assert!(error.contains("3.0 GiB asked for, 1.5 GiB of 140.0 GiB free"), "{error}");
    }

    #[test]
    fn an_architecture_newer_than_nvrtc_asks_for_a_newer_one_and_an_older_for_an_older() {
        let unknown = |architecture| {
            let (known, path) = (vec![75, 80, 90], PathBuf::from("libnvrtc.so.13"));
            CudaError::UnknownArchitecture { architecture, known, version: CUDA_13, path }.to_string()
        };
        assert!(unknown(120).contains("install a newer one"));
        assert!(unknown(61).contains("install an older one"));
    }

    #[test]
    fn bytes_are_written_in_the_unit_that_fits() {
        assert_eq!(human_bytes(1023), "1023 bytes");
        assert_eq!(human_bytes(1024), "1.0 KiB");
        assert_eq!(human_bytes(1 << 20), "1.0 MiB");
        assert_eq!(human_bytes(5 << 41), "10.0 TiB");
    }
}

//! The functions of NVRTC that are used, looked up in a library loaded at run time.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::Path;

use libloading::Library;

use super::super::error::CudaError;

/// `nvrtcResult`.
pub(super) type Status = c_int;
/// `nvrtcProgram`.
pub(super) type ProgramHandle = *mut c_void;
/// The functions that give the size of a result, and those that write it.
pub(super) type SizeOf = unsafe extern "C" fn(ProgramHandle, *mut usize) -> Status;
pub(super) type WriteTo = unsafe extern "C" fn(ProgramHandle, *mut c_char) -> Status;
type CreateProgram = unsafe extern "C" fn(
    *mut ProgramHandle,
    *const c_char,
    *const c_char,
    c_int,
    *const *const c_char,
    *const *const c_char,
) -> Status;

/// `NVRTC_SUCCESS`.
const SUCCESS: Status = 0;
/// `NVRTC_ERROR_COMPILATION`: the text has errors, which the log tells.
pub(super) const COMPILATION_FAILED: Status = 6;

/// NVRTC's functions, with the types of `nvrtc.h` (the same in CUDA 12 and 13).
#[derive(Debug)]
pub(super) struct Binding {
    pub(super) create_program: CreateProgram,
    pub(super) destroy_program: unsafe extern "C" fn(*mut ProgramHandle) -> Status,
    pub(super) compile_program: unsafe extern "C" fn(ProgramHandle, c_int, *const *const c_char) -> Status,
    pub(super) log_size: SizeOf,
    pub(super) log: WriteTo,
    pub(super) cubin_size: SizeOf,
    pub(super) cubin: WriteTo,
    pub(super) ptx_size: SizeOf,
    pub(super) ptx: WriteTo,
    version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> Status,
    architecture_count: unsafe extern "C" fn(*mut c_int) -> Status,
    architectures: unsafe extern "C" fn(*mut c_int) -> Status,
    error_string: unsafe extern "C" fn(Status) -> *const c_char,
    /// Keeps the functions loaded.
    _library: Library,
}

impl Binding {
    /// Loads the library `path`, a file or a name for the loader's own search.
    pub(super) fn load(path: &Path) -> Result<Self, libloading::Error> {
        // SAFETY: NVRTC's initialisers rely on nothing of this process.
        let library = unsafe { Library::new(path)? };
        // SAFETY: each function has the type that nvrtc.h declares for its name.
        unsafe {
            Ok(Self {
                create_program: *library.get(b"nvrtcCreateProgram\0")?,
                destroy_program: *library.get(b"nvrtcDestroyProgram\0")?,
                compile_program: *library.get(b"nvrtcCompileProgram\0")?,
                log_size: *library.get(b"nvrtcGetProgramLogSize\0")?,
                log: *library.get(b"nvrtcGetProgramLog\0")?,
                cubin_size: *library.get(b"nvrtcGetCUBINSize\0")?,
                cubin: *library.get(b"nvrtcGetCUBIN\0")?,
                ptx_size: *library.get(b"nvrtcGetPTXSize\0")?,
                ptx: *library.get(b"nvrtcGetPTX\0")?,
                version: *library.get(b"nvrtcVersion\0")?,
                architecture_count: *library.get(b"nvrtcGetNumSupportedArchs\0")?,
                architectures: *library.get(b"nvrtcGetSupportedArchs\0")?,
                error_string: *library.get(b"nvrtcGetErrorString\0")?,
                _library: library,
            })
        }
    }

    /// Makes a status code a `Result`; `call` names the function that gave it.
    pub(super) fn check(&self, call: &'static str, code: Status) -> Result<(), CudaError> {
        if code == SUCCESS {
            return Ok(());
        }
        // SAFETY: gives a static string for every code (nvrtc.h).
        let text = unsafe { CStr::from_ptr((self.error_string)(code)) };
        Err(CudaError::Nvrtc { call, code, text: text.to_string_lossy().into_owned() })
    }

    /// Major and minor version.
    pub(super) fn version(&self) -> Result<(u32, u32), CudaError> {
        let (mut major, mut minor) = (0, 0);
        // SAFETY: writes two ints through valid pointers.
        self.check("nvrtcVersion", unsafe { (self.version)(&mut major, &mut minor) })?;
        Ok((major.unsigned_abs(), minor.unsigned_abs()))
    }

    /// The architectures it knows, ascending: 90 for sm_90.
    pub(super) fn architectures(&self) -> Result<Vec<u32>, CudaError> {
        let mut count = 0;
        // SAFETY: writes one int through a valid pointer.
        self.check("nvrtcGetNumSupportedArchs", unsafe { (self.architecture_count)(&mut count) })?;
        let mut known = vec![0 as c_int; usize::try_from(count).unwrap_or(0)];
        // SAFETY: writes `count` ints to a buffer of that many.
        self.check("nvrtcGetSupportedArchs", unsafe { (self.architectures)(known.as_mut_ptr()) })?;
        Ok(known.into_iter().map(c_int::unsigned_abs).collect())
    }
}

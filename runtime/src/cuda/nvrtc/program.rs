//! One program given to NVRTC.

use std::ffi::{CStr, CString, c_char, c_int};

use super::super::error::CudaError;
use super::binding::{Binding, ProgramHandle, SizeOf, WriteTo};

/// A program of NVRTC, destroyed when dropped. NVRTC's lock must be held as long as it exists.
pub(super) struct Program<'a> {
    nvrtc: &'a Binding,
    handle: ProgramHandle,
}

impl<'a> Program<'a> {
    pub(super) fn new(nvrtc: &'a Binding, name: &CStr, source: &CStr) -> Result<Self, CudaError> {
        let mut handle = std::ptr::null_mut();
        let none = std::ptr::null();
        // SAFETY: NVRTC copies the two strings; there are no headers, so their lists may be null; writes one handle
        // through a valid pointer.
        let status = unsafe { (nvrtc.create_program)(&mut handle, source.as_ptr(), name.as_ptr(), 0, none, none) };
        nvrtc.check("nvrtcCreateProgram", status)?;
        Ok(Self { nvrtc, handle })
    }

    /// Compiles the program; the log says what a failure is about.
    pub(super) fn compile(&self, options: &[CString]) -> Result<(), CudaError> {
        let options: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
        let count = c_int::try_from(options.len()).unwrap_or(c_int::MAX);
        // SAFETY: the program is alive; `options` holds `count` C strings that live during the call.
        let status = unsafe { (self.nvrtc.compile_program)(self.handle, count, options.as_ptr()) };
        self.nvrtc.check("nvrtcCompileProgram", status)
    }

    /// The compiler's log, empty if it had nothing to say.
    pub(super) fn log(&self) -> Result<String, CudaError> {
        let sizes = ("nvrtcGetProgramLogSize", self.nvrtc.log_size);
        let bytes = self.read(sizes, ("nvrtcGetProgramLog", self.nvrtc.log))?;
        Ok(String::from_utf8_lossy(without_terminator(&bytes)).trim_end().to_owned())
    }

    /// The machine code; there is some only if the program was compiled for a real architecture.
    pub(super) fn cubin(&self) -> Result<Vec<u8>, CudaError> {
        self.read(("nvrtcGetCUBINSize", self.nvrtc.cubin_size), ("nvrtcGetCUBIN", self.nvrtc.cubin))
    }

    /// The PTX text, without the terminating zero.
    pub(super) fn ptx(&self) -> Result<Vec<u8>, CudaError> {
        let bytes = self.read(("nvrtcGetPTXSize", self.nvrtc.ptx_size), ("nvrtcGetPTX", self.nvrtc.ptx))?;
        Ok(without_terminator(&bytes).to_vec())
    }

    fn read(&self, size: (&'static str, SizeOf), write: (&'static str, WriteTo)) -> Result<Vec<u8>, CudaError> {
        let mut bytes = 0;
        // SAFETY: the program is alive; writes one size through a valid pointer.
        self.nvrtc.check(size.0, unsafe { (size.1)(self.handle, &mut bytes) })?;
        let mut buffer = vec![0u8; bytes];
        // SAFETY: the program is alive; writes as many bytes as it said to a buffer of that size.
        self.nvrtc.check(write.0, unsafe { (write.1)(self.handle, buffer.as_mut_ptr().cast()) })?;
        Ok(buffer)
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        // SAFETY: created by `new`, destroyed once, here.
        let status = unsafe { (self.nvrtc.destroy_program)(&mut self.handle) };
        if let Err(error) = self.nvrtc.check("nvrtcDestroyProgram", status) {
            tracing::debug!("{error}");
        }
    }
}

fn without_terminator(bytes: &[u8]) -> &[u8] {
    bytes.strip_suffix(&[0]).unwrap_or(bytes)
}

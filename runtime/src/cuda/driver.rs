//! The driver: whether it is there, which version it is, and the devices it sees.

use std::ffi::{CStr, c_char, c_int};
use std::sync::OnceLock;

use cudarc::driver::sys::{self, CUdevice, CUdevice_attribute, CUresult};

use super::error::CudaError;
use super::version::CudaVersion;

/// Oldest CUDA whose driver has every call made here and runs what NVRTC 12 makes.
const OLDEST_DRIVER: CudaVersion = CudaVersion { major: 12, minor: 0 };

/// What the driver says of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// The device's number, from 0, among those the driver shows (see CUDA_VISIBLE_DEVICES).
    pub index: usize,
    /// Its name, such as `NVIDIA H200`.
    pub name: String,
    /// Compute capability, major and minor: (9, 0) is architecture sm_90.
    pub compute_capability: (u32, u32),
    /// Global memory, in bytes.
    pub total_memory: usize,
    /// Number of multiprocessors.
    pub multiprocessors: u32,
    /// Shared memory a block can have without asking, in bytes.
    pub shared_bytes_per_block: u32,
    /// Shared memory a block can have if the kernel asks for it, in bytes.
    pub shared_bytes_per_block_optin: u32,
    /// Most threads in a block.
    pub max_threads_per_block: u32,
    /// Most threads resident on a multiprocessor.
    pub max_threads_per_multiprocessor: u32,
    /// Threads in a warp.
    pub warp_size: u32,
    /// Highest clock rate of the multiprocessors, in kHz.
    pub clock_rate_khz: u32,
}

/// The devices of this machine, in the driver's order.
///
/// # Errors
/// [`CudaError::DriverMissing`], [`CudaError::DriverTooOld`] or [`CudaError::NoDevice`] where CUDA can't be used, and
/// [`CudaError::Driver`] for any other failure.
pub fn devices() -> Result<Vec<DeviceInfo>, CudaError> {
    (0..device_count()?).map(device_info).collect()
}

/// The newest CUDA that the installed driver supports.
///
/// # Errors
/// [`CudaError::DriverMissing`] or [`CudaError::DriverTooOld`].
pub fn driver_version() -> Result<CudaVersion, CudaError> {
    static VERSION: OnceLock<Result<CudaVersion, CudaError>> = OnceLock::new();
    VERSION.get_or_init(probe).clone()
}

/// The handle of device `index` and what is known of it.
pub(super) fn open(index: usize) -> Result<(CUdevice, DeviceInfo), CudaError> {
    let count = device_count()?;
    if index >= count {
        return Err(CudaError::NoSuchDevice { index, count });
    }
    Ok((device_handle(index)?, device_info(index)?))
}

/// Makes a status code a `Result`; `call` names the function that gave it.
pub(super) fn check(call: &'static str, status: CUresult) -> Result<(), CudaError> {
    match status {
        CUresult::CUDA_SUCCESS => Ok(()),
        CUresult::CUDA_ERROR_NO_DEVICE => Err(CudaError::NoDevice),
        _ => Err(CudaError::Driver { call, code: status as u32, text: describe(status) }),
    }
}

fn describe(status: CUresult) -> String {
    // SAFETY: both functions write a pointer to a string that lives as long as the library, or null for an unknown
    // code, through a valid pointer (Driver API, section Error Handling).
    let text = |lookup: unsafe fn(CUresult, *mut *const c_char) -> CUresult| unsafe {
        let mut text = std::ptr::null();
        lookup(status, &mut text);
        if text.is_null() { "unknown error".into() } else { CStr::from_ptr(text).to_string_lossy() }
    };
    format!("{}: {}", text(sys::cuGetErrorName), text(sys::cuGetErrorString))
}

fn probe() -> Result<CudaVersion, CudaError> {
    // cudarc panics at the first call if the library is absent.
    // SAFETY: loading the driver library runs its initialisers, which rely on nothing of this process.
    if !unsafe { sys::is_culib_present() } {
        return Err(CudaError::DriverMissing);
    }
    let mut number = 0;
    // SAFETY: writes one int through a valid pointer; allowed before cuInit.
    check("cuDriverGetVersion", unsafe { sys::cuDriverGetVersion(&mut number) })?;
    let driver = CudaVersion::from_driver_number(number);
    if driver < OLDEST_DRIVER {
        return Err(CudaError::DriverTooOld { driver, needed: OLDEST_DRIVER, nvrtc: None });
    }
    Ok(driver)
}

fn device_count() -> Result<usize, CudaError> {
    static INITIALISED: OnceLock<Result<(), CudaError>> = OnceLock::new();
    driver_version()?;
    // SAFETY: the library is present, and 0 is the only value the flags may have.
    INITIALISED.get_or_init(|| check("cuInit", unsafe { sys::cuInit(0) })).clone()?;
    let mut count = 0;
    // SAFETY: the driver is initialised; writes one int through a valid pointer.
    check("cuDeviceGetCount", unsafe { sys::cuDeviceGetCount(&mut count) })?;
    match usize::try_from(count) {
        Ok(0) | Err(_) => Err(CudaError::NoDevice),
        Ok(count) => Ok(count),
    }
}

/// `index` must be below [`device_count`], which also initialises the driver.
fn device_handle(index: usize) -> Result<CUdevice, CudaError> {
    let mut device = 0;
    // The cast is exact: the driver counts devices in a c_int.
    // SAFETY: the driver is initialised; writes one handle through a valid pointer.
    check("cuDeviceGet", unsafe { sys::cuDeviceGet(&mut device, index as c_int) })?;
    Ok(device)
}

fn device_info(index: usize) -> Result<DeviceInfo, CudaError> {
    use CUdevice_attribute::*;
    let device = device_handle(index)?;
    let attribute = |attribute| device_attribute(device, attribute);
    let mut total_memory = 0;
    // SAFETY: `device` is a valid handle; writes one usize through a valid pointer.
    check("cuDeviceTotalMem", unsafe { sys::cuDeviceTotalMem_v2(&mut total_memory, device) })?;
    Ok(DeviceInfo {
        index,
        name: device_name(device)?,
        compute_capability: (
            attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        ),
        total_memory,
        multiprocessors: attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        shared_bytes_per_block: attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)?,
        shared_bytes_per_block_optin: attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?,
        max_threads_per_block: attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
        max_threads_per_multiprocessor: attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR)?,
        warp_size: attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE)?,
        clock_rate_khz: attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE)?,
    })
}

fn device_attribute(device: CUdevice, attribute: CUdevice_attribute) -> Result<u32, CudaError> {
    let mut value = 0;
    // SAFETY: `device` is a valid handle; writes one int through a valid pointer.
    check("cuDeviceGetAttribute", unsafe { sys::cuDeviceGetAttribute(&mut value, attribute, device) })?;
    Ok(value.unsigned_abs())
}

fn device_name(device: CUdevice) -> Result<String, CudaError> {
    let mut name = [0u8; 256];
    // SAFETY: writes at most `name.len()` bytes, the terminating zero included, to a buffer of that size.
    check("cuDeviceGetName", unsafe {
        sys::cuDeviceGetName(name.as_mut_ptr().cast::<c_char>(), name.len() as c_int, device)
    })?;
    Ok(CStr::from_bytes_until_nul(&name).unwrap_or_default().to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_driver_the_error_says_what_to_install() {
        match devices() {
            Err(error @ CudaError::DriverMissing) => {
                assert!(error.to_string().contains("install the NVIDIA driver"), "{error}");
            }
            answer => println!("a driver is present, it answers {answer:?}"),
        }
    }

    #[test]
    fn every_device_has_warps_multiprocessors_and_memory() {
        for device in devices().unwrap_or_default() {
            assert_eq!(device.warp_size, 32, "{device:?}");
            assert!(device.multiprocessors > 0 && device.total_memory > 1 << 28, "{device:?}");
            assert!(device.shared_bytes_per_block_optin >= device.shared_bytes_per_block, "{device:?}");
        }
    }
}

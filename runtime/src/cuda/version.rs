//! Versions of CUDA as the driver and NVRTC report them.

use std::fmt;

/// A version of CUDA, ordered by major and then minor number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CudaVersion {
    /// 12 in CUDA 12.8.
    pub major: u32,
    /// 8 in CUDA 12.8.
    pub minor: u32,
}

impl CudaVersion {
    /// Decodes the driver's single number, 1000 × major + 10 × minor (`cuDriverGetVersion`).
    pub(super) fn from_driver_number(number: i32) -> Self {
        let number = number.unsigned_abs();
        Self { major: number / 1000, minor: number % 1000 / 10 }
    }

    /// The PyPI package that holds an NVRTC which a driver of this version can use.
    pub(super) fn nvrtc_package(self) -> &'static str {
        if self.major <= 12 { "nvidia-cuda-nvrtc-cu12" } else { "nvidia-cuda-nvrtc" }
    }
}

impl fmt::Display for CudaVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_drivers_number_is_decoded() {
        assert_eq!(CudaVersion::from_driver_number(12080), CudaVersion { major: 12, minor: 8 });
        assert_eq!(CudaVersion::from_driver_number(13000).to_string(), "13.0");
    }

    #[test]
    fn versions_are_ordered_by_major_number_first() {
        assert!(CudaVersion { major: 12, minor: 9 } < CudaVersion { major: 13, minor: 0 });
    }

    #[test]
    fn the_package_goes_by_the_major_number() {
        assert_eq!(CudaVersion { major: 12, minor: 2 }.nvrtc_package(), "nvidia-cuda-nvrtc-cu12");
        assert_eq!(CudaVersion { major: 13, minor: 0 }.nvrtc_package(), "nvidia-cuda-nvrtc");
    }
}

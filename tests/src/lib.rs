//! Kernels and checks that run on any device: `cargo test` runs them on the forms of the CPU backend, the program
//! `gpu_check` on the CPU and on a CUDA device, where the bits must be equal.

pub mod bench;
pub mod data;
pub mod language;
pub mod ops;

use warpcell_runtime::{Device, Error, KernelInfo};

/// The sizes at which every kernel is tried: around warps and blocks, and many blocks.
pub const SIZES: [usize; 8] = [0, 1, 31, 32, 33, 255, 257, 1_000_003];

/// A check that runs on any device.
pub struct Case {
    /// What it is called.
    pub name: &'static str,
    /// The kernel it is about.
    pub kernel: fn() -> KernelInfo,
    /// Runs it at a size, checks the result against plain Rust, and returns what was computed.
    pub run: fn(&Device, usize) -> Result<Output, Error>,
}

/// What a check computed, with every NaN folded to one pattern.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output(Vec<u8>);

impl Output {
    /// A digest of all of it.
    pub fn digest(&self) -> u64 {
        xxhash_rust::xxh3::xxh3_64(&self.0)
    }

    /// Nothing yet.
    pub fn new() -> Output {
        Output::default()
    }

    /// Appends values.
    pub fn with<T: Folded>(mut self, values: &[T]) -> Output {
        for value in values {
            self.0.extend_from_slice(&value.folded().to_le_bytes());
        }
        self
    }
}

/// A value whose bits are compared, after NaN folding: which NaN an operation gives is not promised.
pub trait Folded: Copy {
    /// The bits.
    fn folded(self) -> u64;
}
macro_rules! folded {
    ($($ty:ty)*) => {$( impl Folded for $ty { fn folded(self) -> u64 { self as u64 } } )*};
}
folded!(bool u8 u16 u32 u64 usize i8 i16 i32 i64);
impl Folded for f32 {
    fn folded(self) -> u64 {
        u64::from(if self.is_nan() { f32::NAN.to_bits() } else { self.to_bits() })
    }
}
impl Folded for f64 {
    fn folded(self) -> u64 {
        if self.is_nan() { f64::NAN.to_bits() } else { self.to_bits() }
    }
}

/// Compares what a device computed with what plain Rust says, bit for bit after NaN folding.
///
/// # Panics
/// At the first difference.
#[track_caller]
pub fn assert_same<T: Folded + std::fmt::Debug>(what: &str, found: &[T], expected: &[T]) {
    assert_eq!(found.len(), expected.len(), "{what}: length");
    for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(found.folded() == expected.folded(), "{what} at {place}: found {found:?}, expected {expected:?}");
    }
}

/// Every check of the language.
pub fn cases() -> Vec<Case> {
    language::cases()
}

/// Every kernel of the workspace.
pub fn all_kernels() -> Vec<KernelInfo> {
    [bench::kernels(), language::kernels(), warpcell_ops::kernels()].concat()
}

/// The code of the README, which the documentation tests compile and run.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

//! The elementary functions, written in the kernel language itself: one source for both sides, so the bits are the same
//! on the CPU and on a GPU. In kernels `ln`, `ln_1p`, `exp` and `exp_m1` are methods: `x.ln()`; the others are called by
//! their names: `maths::log2_f32(x)`.
//!
//! None of them branches and f32 is computed in f32, so that loops over them become vector instructions on the CPU, and
//! GPUs with little f64 hardware are not slowed down. Subnormal numbers, infinities, zeros and NaN are treated as in
//! Rust's `std`.
//!
//! | function | worst error found, f32 | f64 |
//! | --- | --- | --- |
//! | `ln` | 0.842 ulp | 0.894 ulp |
//! | `ln_1p` | 0.890 ulp | 0.948 ulp |
//! | `log2` | 0.925 ulp | 0.965 ulp |
//! | `log10` | 0.929 ulp | 0.821 ulp |
//! | `exp` | 0.892 ulp | 0.894 ulp |
//! | `exp2` | 0.879 ulp | 0.863 ulp |
//! | `exp_m1` | 0.952 ulp | 0.945 ulp |
//!
//! The errors are those of a sweep over every f32 of magnitude 2⁻¹⁶ to 144 and a seventh of all others, against f64, and
//! over 10 million f64 of all bit patterns and as many in each critical interval, against a type with 64 bits of
//! significand. The tests here repeat a part of it.

mod exp;
mod ln;
mod log2_log10;

pub use exp::*;
pub use ln::*;
pub use log2_log10::*;

#[cfg(test)]
mod tests;

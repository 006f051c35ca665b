//! The elementary functions, written in the kernel language itself: one source for both sides, so the bits are the same
//! on the CPU and on a GPU. In kernels they are methods of Rust's names: `x.ln()`, `y.atan2(x)`, `x.log(base)`. The host
//! gets the same bits from the functions here: `maths::ln_f64(x)`.
//!
//! f32 is computed in f32, but for `log`, so that GPUs with little f64 hardware are not slowed down. None of the functions
//! branches, so that loops over them become vector instructions on the CPU, but for `sin`, `cos` and `tan`: beyond 2¹⁷ (f32)
//! or 2³⁰ (f64) their angle needs many more digits of π, and a branch spares the others that. Subnormal numbers,
//! infinities, zeros and NaN are treated as in Rust's `std`.
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
//! The errors up to `exp_m1` are those of a sweep over every f32 of magnitude 2⁻¹⁶ to 144 and a seventh of all others,
//! and over 10 million f64 of all bit patterns and as many in each critical interval. Those from `sin` on are of a sweep
//! over every 31st f32 and, of each type, the neighbours of the multiples of π/4, and over 10 million f64, a thirteenth of
//! them of all bit patterns and the others in critical intervals: around 1/2, 1 and the multiples of π/4, to 1, 2, 20, 712
//! and 2³⁰, and tiny ones. The reference for f32 is f64, and for f64 a type with 64 bits of significand. The tests here
//! repeat a part of it.

mod arc;
mod exp;
mod hyperbolic;
mod inverse_hyperbolic;
mod ln;
mod log;
mod log2_log10;
mod reduction;
mod sin_cos_tan;

pub use arc::*;
pub use exp::*;
pub use hyperbolic::*;
pub use inverse_hyperbolic::*;
pub use ln::*;
pub use log::*;
pub use log2_log10::*;
pub use sin_cos_tan::*;

#[cfg(test)]
mod tests;

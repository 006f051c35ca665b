//! The elementary functions, written in the kernel language itself: one source for both sides, so the bits are the same
//! on the CPU and on a GPU. In kernels they are methods: `x.ln()`.
//!
//! | function | worst error found, f64 | f32 (computed in f64, rounded once) |
//! | --- | --- | --- |
//! | `ln` | 0.77 ulp | 0.50 ulp |
//! | `ln_1p` | 0.79 ulp | 0.50 ulp |
//! | `exp` | below 1 ulp | 0.50 ulp |
//! | `exp_m1` | 0.75 ulp | 0.50 ulp |
//!
//! The errors are those of the tests of this module: 200,000 arguments of all sizes against twice the precision, and for
//! f32 every 4,099th bit pattern against f64. Denormals, infinities, zeros and
//! NaN are treated as in Rust's `std`.

mod exp;
mod ln;

pub use exp::*;
pub use ln::*;

#[cfg(test)]
mod tests;

//! Floats: roots, rounding and classes.

use super::Method;
use crate::cpu::{Mode, Thread};
use crate::emit::Builder;
use crate::lang::probe::{Call, Callable, Callee, any};
use crate::lang::types::Value;

methods! {
    /// `x.sqrt()`, correctly rounded.
    Sqrt __gpu_sqrt __cpu_sqrt (x) -> Self {
        f32 => x.sqrt(), "sqrtf({0})";
        f64 => x.sqrt(), "sqrt({0})";
    }
    /// `x.mul_add(a, b)`: `x * a + b`, rounded once.
    MulAdd __gpu_mul_add __cpu_mul_add (x, a: Self, b: Self) -> Self {
        f32 => x.mul_add(a, b), "fmaf({0}, {1}, {2})";
        f64 => x.mul_add(a, b), "fma({0}, {1}, {2})";
    }
    /// `x.floor()`
    Floor __gpu_floor __cpu_floor (x) -> Self {
        f32 => x.floor(), "floorf({0})";
        f64 => x.floor(), "floor({0})";
    }
    /// `x.ceil()`
    Ceil __gpu_ceil __cpu_ceil (x) -> Self {
        f32 => x.ceil(), "ceilf({0})";
        f64 => x.ceil(), "ceil({0})";
    }
    /// `x.trunc()`
    Trunc __gpu_trunc __cpu_trunc (x) -> Self {
        f32 => x.trunc(), "truncf({0})";
        f64 => x.trunc(), "trunc({0})";
    }
    /// `x.round_ties_even()`
    RoundTiesEven __gpu_round_ties_even __cpu_round_ties_even (x) -> Self {
        f32 => x.round_ties_even(), "rintf({0})";
        f64 => x.round_ties_even(), "rint({0})";
    }
    /// `x.is_nan()`
    IsNan __gpu_is_nan __cpu_is_nan (x) -> bool {
        f32 => x.is_nan(), "wc_is_nan_f32({0})";
        f64 => x.is_nan(), "wc_is_nan_f64({0})";
    }
    /// `x.is_finite()`
    IsFinite __gpu_is_finite __cpu_is_finite (x) -> bool {
        f32 => x.is_finite(), "wc_is_finite_f32({0})";
        f64 => x.is_finite(), "wc_is_finite_f64({0})";
    }
}

//! Methods of integers and floats alike.

use super::Method;
use crate::cpu::{Mode, Thread};
use crate::emit::Builder;
use crate::lang::probe::{Call, Callable, Callee, any};
use crate::lang::types::Value;

methods! {
    /// `x.abs()`; of the smallest integer it wraps.
    Abs __gpu_abs __cpu_abs (x) -> Self {
        f32 => x.abs(), "fabsf({0})";
        f64 => x.abs(), "fabs({0})";
        i32 => x.wrapping_abs(), "wc_abs_i32({0})";
        i64 => x.wrapping_abs(), "wc_abs_i64({0})";
    }
    /// `x.min(y)`; of floats, NaN is ignored and -0 is below +0.
    Min __gpu_min __cpu_min (x, y: Self) -> Self {
        f32 => min_f32(x, y), "wc_min_f32({0}, {1})";
        f64 => min_f64(x, y), "wc_min_f64({0}, {1})";
        i32 => x.min(y), "wc_min_i32({0}, {1})";
        i64 => x.min(y), "wc_min_i64({0}, {1})";
        isize => x.min(y), "wc_min_i64({0}, {1})";
        u32 => x.min(y), "wc_min_u32({0}, {1})";
        u64 => x.min(y), "wc_min_u64({0}, {1})";
        usize => x.min(y), "wc_min_u64({0}, {1})";
    }
    /// `x.max(y)`; of floats, NaN is ignored and -0 is below +0.
    Max __gpu_max __cpu_max (x, y: Self) -> Self {
        f32 => max_f32(x, y), "wc_max_f32({0}, {1})";
        f64 => max_f64(x, y), "wc_max_f64({0}, {1})";
        i32 => x.max(y), "wc_max_i32({0}, {1})";
        i64 => x.max(y), "wc_max_i64({0}, {1})";
        isize => x.max(y), "wc_max_i64({0}, {1})";
        u32 => x.max(y), "wc_max_u32({0}, {1})";
        u64 => x.max(y), "wc_max_u64({0}, {1})";
        usize => x.max(y), "wc_max_u64({0}, {1})";
    }
}

macro_rules! min_max {
    ($min:ident $max:ident $ty:ty) => {
        /// The smaller one; NaN is ignored and -0 is below +0.
        #[inline(always)]
        fn $min(x: $ty, y: $ty) -> $ty {
            if x < y || y.is_nan() || (x == y && x.is_sign_negative()) { x } else { y }
        }
        /// The larger one; NaN is ignored and -0 is below +0.
        #[inline(always)]
        fn $max(x: $ty, y: $ty) -> $ty {
            if x > y || y.is_nan() || (x == y && x.is_sign_positive()) { x } else { y }
        }
    };
}
min_max!(min_f32 max_f32 f32);
min_max!(min_f64 max_f64 f64);

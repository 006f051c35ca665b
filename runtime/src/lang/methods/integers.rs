//! Integers that wrap.

use super::Method;
use crate::cpu::{Mode, Thread};
use crate::emit::Builder;
use crate::lang::probe::{Call, Callable, Callee, any};
use crate::lang::types::Value;

methods! {
    /// `x.wrapping_add(y)`
    WrappingAdd __gpu_wrapping_add __cpu_wrapping_add (x, y: Self) -> Self {
        i32 => x.wrapping_add(y), "wc_add_i32({0}, {1})";
        i64 => x.wrapping_add(y), "wc_add_i64({0}, {1})";
        u32 => x.wrapping_add(y), "({0} + {1})";
        u64 => x.wrapping_add(y), "({0} + {1})";
        usize => x.wrapping_add(y), "({0} + {1})";
    }
    /// `x.wrapping_sub(y)`
    WrappingSub __gpu_wrapping_sub __cpu_wrapping_sub (x, y: Self) -> Self {
        i32 => x.wrapping_sub(y), "wc_sub_i32({0}, {1})";
        i64 => x.wrapping_sub(y), "wc_sub_i64({0}, {1})";
        u32 => x.wrapping_sub(y), "({0} - {1})";
        u64 => x.wrapping_sub(y), "({0} - {1})";
        usize => x.wrapping_sub(y), "({0} - {1})";
    }
    /// `x.wrapping_mul(y)`
    WrappingMul __gpu_wrapping_mul __cpu_wrapping_mul (x, y: Self) -> Self {
        i32 => x.wrapping_mul(y), "wc_mul_i32({0}, {1})";
        i64 => x.wrapping_mul(y), "wc_mul_i64({0}, {1})";
        u32 => x.wrapping_mul(y), "({0} * {1})";
        u64 => x.wrapping_mul(y), "({0} * {1})";
        usize => x.wrapping_mul(y), "({0} * {1})";
    }
}

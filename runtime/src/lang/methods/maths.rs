//! The elementary functions of [`maths`] as methods.

use crate::cpu::{Mode, Thread};
use crate::lang::maths;
use crate::lang::probe::{Call, Callable, any};

function_methods! {
    /// `x.ln()`
    Ln __gpu_ln __cpu_ln (x) {
        f32 => maths::ln_f32, maths::__wc_instance_ln_f32;
        f64 => maths::ln_f64, maths::__wc_instance_ln_f64;
    }
    /// `x.ln_1p()`
    Ln1p __gpu_ln_1p __cpu_ln_1p (x) {
        f32 => maths::ln_1p_f32, maths::__wc_instance_ln_1p_f32;
        f64 => maths::ln_1p_f64, maths::__wc_instance_ln_1p_f64;
    }
    /// `x.log2()`
    Log2 __gpu_log2 __cpu_log2 (x) {
        f32 => maths::log2_f32, maths::__wc_instance_log2_f32;
        f64 => maths::log2_f64, maths::__wc_instance_log2_f64;
    }
    /// `x.log10()`
    Log10 __gpu_log10 __cpu_log10 (x) {
        f32 => maths::log10_f32, maths::__wc_instance_log10_f32;
        f64 => maths::log10_f64, maths::__wc_instance_log10_f64;
    }
    /// `x.log(base)`
    Log __gpu_log __cpu_log (x, base) {
        f32 => maths::log_f32, maths::__wc_instance_log_f32;
        f64 => maths::log_f64, maths::__wc_instance_log_f64;
    }
    /// `x.exp()`
    Exp __gpu_exp __cpu_exp (x) {
        f32 => maths::exp_f32, maths::__wc_instance_exp_f32;
        f64 => maths::exp_f64, maths::__wc_instance_exp_f64;
    }
    /// `x.exp2()`
    Exp2 __gpu_exp2 __cpu_exp2 (x) {
        f32 => maths::exp2_f32, maths::__wc_instance_exp2_f32;
        f64 => maths::exp2_f64, maths::__wc_instance_exp2_f64;
    }
    /// `x.exp_m1()`
    ExpM1 __gpu_exp_m1 __cpu_exp_m1 (x) {
        f32 => maths::exp_m1_f32, maths::__wc_instance_exp_m1_f32;
        f64 => maths::exp_m1_f64, maths::__wc_instance_exp_m1_f64;
    }
    /// `x.sin()`
    Sin __gpu_sin __cpu_sin (x) {
        f32 => maths::sin_f32, maths::__wc_instance_sin_f32;
        f64 => maths::sin_f64, maths::__wc_instance_sin_f64;
    }
    /// `x.cos()`
    Cos __gpu_cos __cpu_cos (x) {
        f32 => maths::cos_f32, maths::__wc_instance_cos_f32;
        f64 => maths::cos_f64, maths::__wc_instance_cos_f64;
    }
    /// `x.tan()`
    Tan __gpu_tan __cpu_tan (x) {
        f32 => maths::tan_f32, maths::__wc_instance_tan_f32;
        f64 => maths::tan_f64, maths::__wc_instance_tan_f64;
    }
    /// `x.asin()`
    Asin __gpu_asin __cpu_asin (x) {
        f32 => maths::asin_f32, maths::__wc_instance_asin_f32;
        f64 => maths::asin_f64, maths::__wc_instance_asin_f64;
    }
    /// `x.acos()`
    Acos __gpu_acos __cpu_acos (x) {
        f32 => maths::acos_f32, maths::__wc_instance_acos_f32;
        f64 => maths::acos_f64, maths::__wc_instance_acos_f64;
    }
    /// `x.atan()`
    Atan __gpu_atan __cpu_atan (x) {
        f32 => maths::atan_f32, maths::__wc_instance_atan_f32;
        f64 => maths::atan_f64, maths::__wc_instance_atan_f64;
    }
    /// `y.atan2(x)`
    Atan2 __gpu_atan2 __cpu_atan2 (y, x) {
        f32 => maths::atan2_f32, maths::__wc_instance_atan2_f32;
        f64 => maths::atan2_f64, maths::__wc_instance_atan2_f64;
    }
    /// `x.sinh()`
    Sinh __gpu_sinh __cpu_sinh (x) {
        f32 => maths::sinh_f32, maths::__wc_instance_sinh_f32;
        f64 => maths::sinh_f64, maths::__wc_instance_sinh_f64;
    }
    /// `x.cosh()`
    Cosh __gpu_cosh __cpu_cosh (x) {
        f32 => maths::cosh_f32, maths::__wc_instance_cosh_f32;
        f64 => maths::cosh_f64, maths::__wc_instance_cosh_f64;
    }
    /// `x.tanh()`
    Tanh __gpu_tanh __cpu_tanh (x) {
        f32 => maths::tanh_f32, maths::__wc_instance_tanh_f32;
        f64 => maths::tanh_f64, maths::__wc_instance_tanh_f64;
    }
    /// `x.asinh()`
    Asinh __gpu_asinh __cpu_asinh (x) {
        f32 => maths::asinh_f32, maths::__wc_instance_asinh_f32;
        f64 => maths::asinh_f64, maths::__wc_instance_asinh_f64;
    }
    /// `x.acosh()`
    Acosh __gpu_acosh __cpu_acosh (x) {
        f32 => maths::acosh_f32, maths::__wc_instance_acosh_f32;
        f64 => maths::acosh_f64, maths::__wc_instance_acosh_f64;
    }
    /// `x.atanh()`
    Atanh __gpu_atanh __cpu_atanh (x) {
        f32 => maths::atanh_f32, maths::__wc_instance_atanh_f32;
        f64 => maths::atanh_f64, maths::__wc_instance_atanh_f64;
    }
}

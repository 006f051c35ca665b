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
    /// `x.exp()`
    Exp __gpu_exp __cpu_exp (x) {
        f32 => maths::exp_f32, maths::__wc_instance_exp_f32;
        f64 => maths::exp_f64, maths::__wc_instance_exp_f64;
    }
    /// `x.exp_m1()`
    ExpM1 __gpu_exp_m1 __cpu_exp_m1 (x) {
        f32 => maths::exp_m1_f32, maths::__wc_instance_exp_m1_f32;
        f64 => maths::exp_m1_f64, maths::__wc_instance_exp_m1_f64;
    }
}

//! placeholder
use crate::prelude::*;
macro_rules! p { ($($n:ident $t:ty;)*) => {$(
/// placeholder
#[gpu_fn] pub fn $n(x: $t) -> $t { x })*} }
p! { ln_f32 f32; ln_f64 f64; exp_f32 f32; exp_f64 f64; ln_1p_f32 f32; ln_1p_f64 f64; exp_m1_f32 f32; exp_m1_f64 f64; }

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    out[0] = [1.0, 2.0][0];
    out[1] = half(x[0])[0];
    half(x[0]) = 1.0;
}

#[gpu_fn]
fn half(x: f32) -> f32 {
    x / 2.0
}

fn main() {}

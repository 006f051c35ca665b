use warpcell_runtime::prelude::*;

#[gpu_fn]
fn half(x: f32) -> f32 {
    x / 2.0;
}

#[gpu_fn]
fn third(x: f32) -> f32 {
    if x > 1.0 {
        return 2u32;
    }
    x / 3
}

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    out[0] = half(x[0]);
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_fn]
fn sum(x: &[f32]) -> f32 {
    x[0] + x[1]
}

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let tile = [0.0f32; 4];
    out[0] = sum(&tile);
}

fn main() {}

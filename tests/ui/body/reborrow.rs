use warpcell_runtime::prelude::*;

#[gpu_fn]
fn sum(x: &[f32]) -> f32 {
    x[0] + x[1]
}

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    out[0] = sum(&x) + sum(&*x);
}

fn main() {}

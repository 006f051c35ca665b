use warpcell_runtime::prelude::*;

#[gpu_fn]
fn blend(x: f32, weight: f32) -> f32 {
    x * weight
}

#[gpu_fn]
fn sum(x: &[u32]) -> f32 {
    x[0] as f32
}

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    out[0] = blend(x[0]);
    out[1] = blend(x[0], 1.0, 2.0);
    out[2] = blend(x.len(), 1.0);
    out[3] = sum(out);
    let y: u32 = blend(x[0], 1.0);
}

fn main() {}

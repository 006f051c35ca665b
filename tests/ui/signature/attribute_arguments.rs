use warpcell_runtime::prelude::*;

#[gpu_kernel(block = 256)]
fn k(out: &mut [f32]) {
    out[0] = half(1.0);
}

#[gpu_fn(inline)]
fn half(x: f32) -> f32 {
    x / 2.0
}

fn main() {}

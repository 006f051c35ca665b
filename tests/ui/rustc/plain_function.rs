use warpcell_runtime::prelude::*;

fn twice(x: f32) -> f32 {
    x * 2.0
}

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    out[0] = twice(x[0]);
}

fn main() {}

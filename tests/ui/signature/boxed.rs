use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: Box<f32>, out: &mut [f32]) {
    out[0] = 1.0;
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &'static [f32], out: &mut [f32]) {
    out[0] = x[0];
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let pair = x[0];
    out[0] = pair.0;
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let range = 0..x.len();
    out[0] = x[0..2];
}

fn main() {}

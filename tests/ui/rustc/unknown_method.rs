use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    out[0] = x[0].cube();
    let n = x.len().sqrt();
    let f = x.first();
}

fn main() {}

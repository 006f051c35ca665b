use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let y;
    y = 1.0;
    out[0] = y;
}

fn main() {}

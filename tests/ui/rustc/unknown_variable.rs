use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    out[0] = y;
    out[j] = 1.0;
    y = 2.0;
    y[0] = 3.0;
}

fn main() {}

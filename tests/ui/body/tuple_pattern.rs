use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let (a, b) = (x[0], x[1]);
    out[0] = a + b;
}

fn main() {}

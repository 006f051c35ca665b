use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let part = x[1..2];
    x[1..2] = x[0..1];
}

fn main() {}

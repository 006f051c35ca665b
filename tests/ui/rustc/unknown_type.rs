use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let y: Float = 1.0;
    let z = x[0] as half;
}

fn main() {}

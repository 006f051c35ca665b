use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    out[0] = (|x: f32| x * 2.0)(1.0);
}

fn main() {}

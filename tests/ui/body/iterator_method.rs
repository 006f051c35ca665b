use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let sum: f32 = x.iter().map(|x| x * 2.0).sum();
    out[0] = (0..3).fold(0.0, |a, b| a + b);
}

fn main() {}

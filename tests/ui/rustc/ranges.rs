use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], n: u32, out: &mut [f32]) {
    for i in 0..n {
        out[i] = 1.0;
    }
    for i in 0..1.0 {}
    for i in 0..x.len() {
        let k: u32 = i;
    }
    for i in (0..n).step_by(n) {}
    out[0] = sum(&x[0..n]);
}

#[gpu_fn]
fn sum(x: &[f32]) -> f32 {
    x[0]
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let mut a = 1.0;
    let mut b = 2.0;
    (a, b) = (b, a);
    out[0] = a + b;
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let mut z = 1.0;
    let w = (z += 2.0);
    out[0] = z;
}

fn main() {}

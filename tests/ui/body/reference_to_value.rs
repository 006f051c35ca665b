use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let mut y = 1.0;
    atomic_add(&mut y, 1);
    let z = &x.len();
    out[0] = y;
}

fn main() {}

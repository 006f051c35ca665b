use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let mut tile: [f32; 32] = shared();
    out[0] = tile[0];
}

fn main() {}

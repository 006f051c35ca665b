use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let tile = shared::<[f32; 32]>();
    tile[0] = x[0];
    out[0] = tile[0];
}

fn main() {}

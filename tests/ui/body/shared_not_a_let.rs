use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    out[0] = shared::<[f32; 32]>()[0];
    let y = shared::<[f32; 32]>()[0] + 1.0;
    let mut tile: [f32; 32];
    tile = shared::<[f32; 32]>();
}

fn main() {}

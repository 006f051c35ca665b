use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let y = 1.0;
    y = 2.0;
    y += 1.0;
    x[0] = 1.0;
    x[0] += 1.0;
    let tile = [0.0f32; 4];
    tile[0] = 1.0;
    out[0] = y;
}

fn main() {}

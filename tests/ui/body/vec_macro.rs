use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let tile = vec![0.0f32; 4];
}

fn main() {}

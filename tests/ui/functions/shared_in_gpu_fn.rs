use warpcell_runtime::prelude::*;

#[gpu_fn]
fn sum(x: f32) -> f32 {
    let mut tile = shared::<[f32; 32]>();
    tile[0] = x;
    tile[0]
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_fn]
fn split(x: f32) -> (f32, f32) {
    (x, x)
}

fn main() {}

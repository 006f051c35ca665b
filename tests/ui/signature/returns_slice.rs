use warpcell_runtime::prelude::*;

#[gpu_fn]
fn tail(x: &[f32]) -> &[f32] {
    &x[1..]
}

fn main() {}

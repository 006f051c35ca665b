use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32]) -> f32 {
    x[0]
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let Some(y) = first else { return };
    let z = first else { return };
}

fn main() {}

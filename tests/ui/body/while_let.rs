use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    while let Some(y) = next {
        out[0] = y;
    }
}

fn main() {}

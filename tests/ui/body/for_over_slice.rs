use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    for y in x {
        out[0] += y;
    }
}

fn main() {}

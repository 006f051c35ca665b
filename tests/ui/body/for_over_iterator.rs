use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    for (i, y) in x.iter().enumerate() {
        out[i] = *y;
    }
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let y: f32;
    if x.len() > 1 {
        y = 1.0;
    }
    out[0] = y;
}

fn main() {}

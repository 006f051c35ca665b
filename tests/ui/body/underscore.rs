use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let _ = x[0];
    _ = x[0];
    out[0] = _;
}

fn main() {}

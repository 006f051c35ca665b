use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let i = global_id();
    out[0] = i(1.0);
}

fn main() {}

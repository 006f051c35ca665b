use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    out[0] = f32::hypot(x[0], 1.0);
    let y = std::cmp::max(1, 2);
    let z = core::mem::swap(x, out);
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    out[0] = twice(x[0]);
    let y = missing::twice(x[0]);
}

fn main() {}

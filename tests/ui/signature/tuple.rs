use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(pair: (f32, f32), out: &mut [f32]) {
    out[0] = 1.0;
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(name: String, out: &mut [f32]) {
    out[0] = 1.0;
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
const fn k(out: &mut [f32]) {
    out[0] = 1.0;
}

fn main() {}

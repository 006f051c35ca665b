use warpcell_runtime::prelude::*;

#[gpu_kernel]
extern "C" fn k(out: &mut [f32]) {
    out[0] = 1.0;
}

fn main() {}

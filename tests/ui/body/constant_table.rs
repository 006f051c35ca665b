use warpcell_runtime::prelude::*;

const TABLE: [f32; 4] = [1.0; 4];

#[gpu_kernel]
fn k(out: &mut [f32]) {
    out[0] = TABLE[0];
    TABLE[1] = 1.0;
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let y = for i in 0..3 {};
    out[0] = while true {};
}

fn main() {}

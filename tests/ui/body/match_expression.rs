use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    out[0] = match x.len() {
        0 => 1.0,
        _ => 2.0,
    };
}

fn main() {}

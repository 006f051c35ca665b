use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    if let Some(y) = first {
        out[0] = y;
    }
    if let 0 = x.len() && true {
        out[0] = 1.0;
    }
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    for i in (0..x.len()).step_by(2).rev() {
        out[i] = 1.0;
    }
    for i in (0..x.len()).step_by(2).step_by(3) {
        out[i] = 1.0;
    }
    for i in (0..x.len()).skip(1) {
        out[i] = 1.0;
    }
}

fn main() {}

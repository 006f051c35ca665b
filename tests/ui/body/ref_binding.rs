use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let ref y = x[0];
    let y @ z = x[0];
    let [a, b] = [1.0, 2.0];
    let Some(q) = x[0];
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let ref y = x[0];
    let (ref z, _) = (x[0], 1.0);
    let [a, .., b] = [1.0, 2.0, 3.0];
    let &q = &x[0];
}

fn main() {}

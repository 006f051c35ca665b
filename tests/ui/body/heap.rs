use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let y = Box::new(1.0);
    let z: Vec<f32> = Vec::with_capacity(4);
    let name: &str = String::new();
    out[0] = 1.0;
}

fn main() {}

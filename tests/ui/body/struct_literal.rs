use warpcell_runtime::prelude::*;

struct Point {
    x: f32,
}

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let p = Point { x: 1.0 };
}

fn main() {}

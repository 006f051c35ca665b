use warpcell_runtime::prelude::*;

struct Point {
    x: f32,
}

const P: Point = Point { x: 1.0 };

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    out[0] = P.x;
}

fn main() {}

use warpcell_runtime::prelude::*;

#[derive(Clone, Copy)]
struct Point;

#[gpu_kernel]
fn k(c: char, x: &[Point], n: Option<u32>, out: &mut [f32]) {
    let i = global_id();
    if c == x[i] {
        out[i] = n;
    }
}

fn main() {}

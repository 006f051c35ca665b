use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let a = "text";
    let b = 'c';
    let c = b"bytes";
    let d = c"text";
}

fn main() {}

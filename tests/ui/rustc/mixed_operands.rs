use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let i = global_id();
    let y = x[i] * i;
    let z = x[i] - 1;
    let w = i / 2u32;
    out[i] += i;
    let v = x[i] == 1;
    let u = i < 1.0;
    let s = x[i] << 1;
    let t = -i;
}

fn main() {}

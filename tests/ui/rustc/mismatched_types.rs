use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let i = global_id();
    out[i] = i;
    let n: u32 = x.len();
    out[0] = x[0] + 1u32;
    out[x[0]] = 1.0;
    if x.len() {
        out[0] = 1.0;
    }
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let i = lane_id() as u32;
    out[i] = x[i];
    out[-1] = 1.0;
    out[1.5] = 1.0;
}

fn main() {}

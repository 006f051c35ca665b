use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    out[0] = LIMIT;
    out[1] = f32::HUGE;
}

fn main() {}

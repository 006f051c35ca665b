use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(out: &mut [f32]) {
    #[unroll(0)]
    for k in 0..4usize {
        out[k] = 1.0;
    }
    #[unroll(fast)]
    for k in 0..4usize {
        out[k] = 1.0;
    }
}

#[gpu_kernel]
fn only_for(out: &mut [f32]) {
    #[unroll]
    while out[0] < 9.0 {
        out[0] += 1.0;
    }
}

fn main() {}

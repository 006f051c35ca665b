use warpcell_runtime::prelude::*;

#[gpu_kernel(requires())]
fn empty(out: &mut [f32]) {
    out[0] = 1.0;
}

#[gpu_kernel(requires(a[0] > 0.0, thread_rank() < 3, block_rank() == 0, out.len() == a.len()))]
fn elements(a: &[f32], out: &mut [f32]) {
    out[0] = a[0];
}

#[gpu_kernel(requires(n >))]
fn unread(n: u32, out: &mut [u32]) {
    out[0] = n;
}

fn main() {}

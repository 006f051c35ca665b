use warpcell_runtime::prelude::*;

#[gpu_kernel(requires(a.len() == n, m > 0, n))]
fn k(a: &[f32], n: u32, out: &mut [f32]) {
    out[0] = a[n as usize];
}

#[gpu_kernel]
fn length(n: u32, out: &mut [u32]) {
    let tile = shared_slice::<u32>(n);
    out[0] = tile[0];
}

#[gpu_kernel(block = "256")]
fn block(out: &mut [u32]) {
    out[0] = 1;
}

const WIDE: usize = 2048;

#[gpu_kernel(block = WIDE)]
fn constant(out: &mut [u32]) {
    out[0] = 1;
}

fn main() {}

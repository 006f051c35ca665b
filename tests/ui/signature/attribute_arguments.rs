use warpcell_runtime::prelude::*;

#[gpu_kernel(blok = 256, min_blocks = 2, fastmath, threads = 3)]
fn k(out: &mut [f32]) {
    out[0] = half(1.0);
}

#[gpu_kernel(block, fast_math = true, requires = 3, max_registers(64), fast_math)]
fn other_forms(out: &mut [f32]) {
    out[0] = 1.0;
}

#[gpu_kernel(block = 256, block = 128)]
fn twice(out: &mut [f32]) {
    out[0] = 1.0;
}

#[gpu_kernel(block 256)]
fn unread(out: &mut [f32]) {
    out[0] = 1.0;
}

#[gpu_fn(inline)]
fn half(x: f32) -> f32 {
    x / 2.0
}

fn main() {}

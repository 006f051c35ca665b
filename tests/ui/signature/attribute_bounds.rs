use warpcell_runtime::prelude::*;

#[gpu_kernel(block = 2048)]
fn large(out: &mut [f32]) {
    out[0] = 1.0;
}

#[gpu_kernel(block = (16, 16, 8))]
fn large_in_all(out: &mut [f32]) {
    out[0] = 1.0;
}

#[gpu_kernel(block = 0)]
fn none(out: &mut [f32]) {
    out[0] = 1.0;
}

#[gpu_kernel(block = (1, 2, 3, 4))]
fn dimensions(out: &mut [f32]) {
    out[0] = 1.0;
}

#[gpu_kernel(block = 256, max_registers = 256, min_blocks = 0)]
fn registers(out: &mut [f32]) {
    out[0] = 1.0;
}

#[gpu_kernel(min_blocks = 2)]
fn blocks(out: &mut [f32]) {
    out[0] = 1.0;
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_fn]
fn wait() {
    sync_threads();
    sync_warp();
}

#[gpu_fn]
fn sum(x: f32) -> f32 {
    x + shfl_xor_sync(FULL_MASK, x, 1)
}

fn main() {}

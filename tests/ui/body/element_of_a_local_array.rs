use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(out: &mut [u32]) {
    let mut counts = [0u32; 4];
    atomic_add(&mut counts[0], 1);
    out[0] = counts[0];
}

fn main() {}

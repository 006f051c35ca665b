use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[u32]) {
    atomic_add(&mut x[0], 1);
}

fn main() {}

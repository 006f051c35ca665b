use warpcell_runtime::prelude::*;

#[gpu_fn]
fn factorial(n: u32) -> u32 {
    if n == 0 { 1 } else { n * factorial(n - 1) }
}

#[gpu_kernel]
fn k(out: &mut [u32]) {
    out[0] = factorial(4);
    k(out);
}

fn main() {}

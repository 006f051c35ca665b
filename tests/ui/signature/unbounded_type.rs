use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k<T>(x: &[T], out: &mut [T]) {
    out[0] = x[0];
}

#[gpu_fn]
fn twice<T>(x: T) -> T {
    x
}

fn main() {}

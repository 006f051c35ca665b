use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k<T: Real>(x: &[T], out: &mut [T]) {
    let i = global_id();
    out[i] = x[i] + 1.0;
    x[i] = T::ZERO;
    let n: u32 = i;
}

fn main() {}

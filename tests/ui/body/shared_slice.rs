use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn lengths(x: &[u32], n: usize, out: &mut [u32]) {
    let m = n + 1;
    let a = shared_slice::<u32>(m);
    let b = shared_slice::<u32>(x[0] as usize);
    let c = shared_slice::<u32>(thread_rank() + 1);
    let d = shared_slice(n);
    out[0] = a[0] + b[0] + c[0] + d[0];
}

#[gpu_kernel]
fn places(n: usize, out: &mut [u32]) {
    let mut a = shared_slice::<u32>(n);
    a = &mut a[1..];
    out[0] = shared_slice::<u32>(n)[0];
    let b = dynamic_shared::<u32>();
    let c = dynamic_shared::<u32>();
    out[1] = a[0] + b[0] + c[0];
}

#[gpu_fn]
fn function(n: usize) -> u32 {
    let a = shared_slice::<u32>(n);
    sync_grid();
    a[0]
}

fn main() {}

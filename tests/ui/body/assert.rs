use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    assert!(x.len() > 0);
    assert_eq!(x.len(), 1);
    debug_assert!(x.len() > 0);
}

fn main() {}

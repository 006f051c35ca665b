use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    assert!();
    assert_eq!(x.len());
    assert!(x.len() > 0, x.len());
    assert_eq!(x[0], 1.0, MESSAGE);
    let holds = assert!(x.len() > 0);
}

fn main() {}

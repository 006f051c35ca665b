use warpcell_runtime::prelude::*;

#[gpu_fn]
fn f(x: f32) -> f32 {
    println!("{:x}", x);
    assert!(x > 0);
    if x > 1.0 { panic!("{} {}", x) } else { x }
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    println!("{} {}", x[0]);
    println!("{}", x[0], x[1]);
    println!("{:x}", x[0]);
    println!("{unknown}");
    println!("{:y}", x[0]);
    println!("{");
    assert!(x.len());
    assert_eq!(x[0], 1);
    panic!("{1}", x[0]);
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    println!("{}", x);
    println!("{out:?}");
    println!("{} {}", x[0], "text");
    println!("{:p}", x.len());
    println!(concat!("a", "b"));
    println!(x[0]);
    println!("{}" x[0]);
    dbg!(x[0]);
    let text = format!("{}", x[0]);
    let nothing = println!("{}", x[0]);
}

fn main() {}

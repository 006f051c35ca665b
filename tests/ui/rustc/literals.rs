use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let a: u8 = 256;
    let b: i8 = -129;
    let c: f32 = 1;
    let d: u32 = 1.5;
    out[0] = 1e400;
    let e: u32 = -1;
    let f: bool = 1;
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    if x.len() == 0 {
        panic!("empty: {}", x.len());
    }
    let y: f32 = todo!();
    out[0] = if x.len() > 1 { x[1] } else { unreachable!() };
}

fn main() {}

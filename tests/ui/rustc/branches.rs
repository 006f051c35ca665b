use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let y = if x.len() > 1 { 1.0 } else { 1u32 };
    let z = if x.len() > 1 { 1.0f32 };
    let w: f32 = loop {
        break 1u32;
    };
    let v = [1.0, 2u32];
    if x.len() > 1 {
        1.0
    }
    out[0] = y;
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(out: &mut [f32]) {
    break;
    if out.len() > 1 {
        continue;
    }
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    unsafe {
        out[0] = 1.0;
    }
    let y = unsafe { x[0] };
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    let y = 'found: {
        break 'found 1.0;
    };
    'done: {
        out[0] = 1.0;
        break 'done;
    }
}

fn main() {}

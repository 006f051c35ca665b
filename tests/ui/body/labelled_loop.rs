use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    'outer: for i in 0..x.len() {
        loop {
            if x[i] > 0.0 {
                break 'outer;
            }
            continue 'outer;
        }
    }
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    for i in 0..x.len() {
        let y = if x[i] > 0.0 { x[i] } else { break };
        let z = x[i] + continue;
        out[i] = return;
    }
}

fn main() {}

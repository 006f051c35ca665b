use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    match x.len() {
        0 => {
            let pair = (x[0], vec![1.0]);
        }
        n => out[n] = "text",
    }
    for (i, y) in x {
        out[i] = y.iter().sum();
    }
    unsafe {
        dbg!("unsafe");
    }
    let (a, b) = (1.0, [0.0f32; 2]);
    b[0] = a;
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(name: String, x: &[f32], out: &mut [f32]) -> f32 {
    let pair = (1.0, "two");
    for y in x {
        match x.len() {
            0 => {}
            _ => out[0] = format!("{y}"),
        }
    }
    if let Some(y) = x.first()? {
        out[0] = vec![1.0][0];
    }
    let f = |x| x;
    out[0] = x.iter().sum();
}

fn main() {}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    out[0] = x[1] + todo!();
    let y = unreachable!();
    let i = x.len();
    if i > 1 {
        panic!("{i} {i} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i);
    }
    out[sum(todo!())] = 1.0;
}

fn main() {}

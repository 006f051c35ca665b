use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    #[cfg(any())]
    let y = 2.0;
    #[cfg(feature = "fast")]
    {
        out[0] = 1.0;
    }
    #[allow(unused)]
    let z = 1.0;
    #[inline]
    out[0] = 1.0;
}

fn main() {}

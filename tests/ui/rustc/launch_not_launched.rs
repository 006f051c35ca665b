#![deny(unused_must_use)]

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(out: &mut [f32]) {
    out[0] = 1.0;
}

fn main() -> Result<(), warpcell_runtime::Error> {
    let mut out = Device::cpu().zeros::<f32>(1)?;
    k(&mut out).threads(1);
    Ok(())
}

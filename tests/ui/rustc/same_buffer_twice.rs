use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], out: &mut [f32]) {
    out[0] = x[0];
}

fn main() -> Result<(), warpcell_runtime::Error> {
    let device = Device::cpu();
    let mut x = device.upload(&[1.0f32])?;
    k(&x, &mut x).launch()?;
    Ok(())
}

use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn k(x: &[f32], scale: f32, out: &mut [f32]) {
    out[0] = x[0] * scale;
}

fn main() -> Result<(), warpcell_runtime::Error> {
    let device = Device::cpu();
    let x = device.upload(&[1.0f32])?;
    let doubles = device.upload(&[1.0f64])?;
    let mut out = device.zeros::<f32>(1)?;
    k(&doubles, 1.0, &mut out).launch()?;
    k(&x, 1.0, &out).launch()?;
    k(&x, 1, &mut out).launch()?;
    k(&x, &mut out).launch()?;
    k(&x, 1.0).launch()?;
    k(x, 1.0, &mut out).launch()?;
    k(&[1.0f32], 1.0, &mut out).launch()?;
    Ok(())
}

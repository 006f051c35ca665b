use warpcell_runtime::prelude::*;

/// A refused kernel.
#[gpu_kernel]
fn broken(name: String, x: &[f32], scale: f32, out: &mut [f32]) {
    out[0] = unsafe { x[0] };
}

#[gpu_kernel]
fn generic<T: Real, const N: usize>(x: &[T], out: &mut [T]) {
    out[0] = vec![x[0]];
}

#[gpu_fn]
fn half(x: f32, table: &[f32], out: &mut [f32], pair: Box<f32>) -> f32 {
    x as f32 / async { 2.0 }
}

#[gpu_fn]
fn tail(x: &[f32]) -> &[f32] {
    &x[1..]
}

#[gpu_kernel]
fn caller(x: &[f32], out: &mut [f32], value: &mut [f32]) {
    let y: f32 = half(x[0], &x[..], &mut out[..], 1.0);
    value[0] = y;
}

fn main() -> Result<(), warpcell_runtime::Error> {
    let device = Device::cpu();
    let x = device.upload(&[1.0f32, 2.0])?;
    let mut out = device.zeros::<f32>(2)?;
    broken("a".to_string(), &x, 2.0, &mut out).threads(2).launch()?;
    generic::<f32, 4>(&x, &mut out).threads(2).launch()?;
    println!("{} {}", broken::NAME, broken::cuda_source()?);
    println!("{:?}", generic::kernel::<f32, 4>().runs_in_phases());
    half(1.0, &[1.0], &mut [1.0], Box::new(1.0));
    Ok(())
}

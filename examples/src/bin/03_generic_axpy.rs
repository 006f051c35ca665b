//! A kernel for any float type, with a device function; the type is found from the buffers.
//!
//! `cargo run -p warpcell-examples --bin 03_generic_axpy`

use warpcell_runtime::Error;
use warpcell_runtime::prelude::*;

#[gpu_fn]
fn fused<T: Real>(a: T, x: T, y: T) -> T {
    a.mul_add(x, y)
}

#[gpu_kernel]
fn axpy<T: Real>(a: T, x: &[T], y: &mut [T]) {
    let i = global_id();
    if i < y.len() {
        y[i] = fused(a, x[i], y[i]);
    }
}

fn main() -> Result<(), Error> {
    let device = Device::auto()?;
    let x = device.upload(&[1.0f32, 2.0, 3.0])?;
    let mut y = device.upload(&[0.5f32; 3])?;
    axpy(2.0, &x, &mut y).threads(3).launch()?;
    assert_eq!(y.download()?, [2.5, 4.5, 6.5]);

    let x = device.upload(&[0.1f64])?;
    let mut y = device.upload(&[-0.3f64])?;
    axpy(3.0, &x, &mut y).threads(1).launch()?;
    println!("{}: 3 * 0.1 - 0.3, rounded once, is {:e}", device.name(), y.download()?[0]);
    assert_eq!(y.download()?, [3.0f64.mul_add(0.1, -0.3)]);
    println!("\nThe CUDA C of axpy::<f64> ends with:\n");
    let source = axpy::cuda_source::<f64>()?;
    println!("{}", &source[source.find("static __device__ __forceinline__ f64 fused").unwrap_or(0)..]);
    Ok(())
}

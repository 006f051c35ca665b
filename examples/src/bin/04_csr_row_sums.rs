//! A warp for each row of a sparse matrix: lanes stride over the row and then add up by shuffles.
//!
//! `cargo run -p warpcell-examples --bin 04_csr_row_sums`

use warpcell_runtime::Error;
use warpcell_runtime::prelude::*;

#[gpu_kernel]
fn csr_row_sums(indptr: &[u64], data: &[f32], sums: &mut [f64]) {
    let row = global_warp_id();
    if row < sums.len() {
        let end = indptr[row + 1] as usize;
        let mut k = indptr[row] as usize + lane_id();
        let mut sum = 0.0;
        while k < end {
            sum += data[k] as f64;
            k += 32;
        }
        sum += shfl_xor_sync(FULL_MASK, sum, 16);
        sum += shfl_xor_sync(FULL_MASK, sum, 8);
        sum += shfl_xor_sync(FULL_MASK, sum, 4);
        sum += shfl_xor_sync(FULL_MASK, sum, 2);
        sum += shfl_xor_sync(FULL_MASK, sum, 1);
        if lane_id() == 0 {
            sums[row] = sum;
        }
    }
}

fn main() -> Result<(), Error> {
    let device = Device::auto()?;
    let indptr = device.upload(&[0u64, 2, 2, 5])?;
    let data = device.upload(&[1.0f32, 2.0, 3.0, 4.0, 5.0])?;
    let mut sums = device.zeros::<f64>(3)?;
    csr_row_sums(&indptr, &data, &mut sums).threads(3 * 32).launch()?;
    assert_eq!(sums.download()?, [3.0, 0.0, 12.0]);
    println!("{}: the row sums are {:?}", device.name(), sums.download()?);
    assert!(csr_row_sums::kernel().runs_in_phases());
    Ok(())
}

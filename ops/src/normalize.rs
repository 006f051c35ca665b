//! Normalisation of each cell's sum, and the logarithm (`normalize_total`, `log1p`).

use crate::{DeviceCsr, Error};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

/// Every kernel of this module.
pub fn kernels() -> Vec<KernelInfo> {
    vec![scale_rows::kernel(), logarithm::kernel()]
}

/// Scales each row so that its sum becomes `target`; rows whose sum is 0 stay. Computed in `f64`, rounded once.
///
/// # Errors
/// What the device reports.
pub fn normalize_total(matrix: &mut DeviceCsr<f32>, totals: &DSlice<f64>, target: f64) -> Result<(), Error> {
    let threads = matrix.n_rows() * 32;
    scale_rows(&matrix.indptr, totals, target, &mut matrix.data).threads(threads).launch()?;
    Ok(())
}

#[gpu_kernel]
fn scale_rows(indptr: &[u64], totals: &[f64], target: f64, data: &mut [f32]) {
    let row = global_warp_id();
    if row < totals.len() && totals[row] > 0.0 {
        let end = indptr[row + 1] as usize;
        let mut k = indptr[row] as usize + lane_id();
        while k < end {
            data[k] = (data[k] as f64 * target / totals[row]) as f32;
            k += 32;
        }
    }
}

/// `ln(1 + x)` of each entry, computed in `f64` and rounded once.
///
/// # Errors
/// What the device reports.
pub fn log1p(matrix: &mut DeviceCsr<f32>) -> Result<(), Error> {
    let entries = matrix.nnz();
    logarithm(&mut matrix.data).threads(entries).launch()?;
    Ok(())
}

#[gpu_kernel]
fn logarithm(data: &mut [f32]) {
    let i = global_id();
    if i < data.len() {
        data[i] = (data[i] as f64).ln_1p() as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csr::tests::example;

    #[test]
    fn rows_are_scaled_and_logarithms_taken_as_in_f64() {
        let device = Device::cpu();
        let host = example(100, 40);
        let mut matrix = host.upload(&device);
        let totals = crate::qc::cell_qc(&matrix).unwrap().total;
        normalize_total(&mut matrix, &totals, 1e4).unwrap();
        let (scaled, totals) = (matrix.data.download().unwrap(), totals.download().unwrap());
        log1p(&mut matrix).unwrap();
        let logarithms = matrix.data.download().unwrap();
        let mut k = 0;
        for row in 0..100 {
            for (_, value) in host.row(row) {
                let expected = (f64::from(value) * 1e4 / totals[row]) as f32;
                assert_eq!(scaled[k], expected);
                let exact = f64::from(expected).ln_1p();
                assert!((f64::from(logarithms[k]) - exact).abs() <= 6e-8 * exact.abs());
                k += 1;
            }
        }
    }
}

//! Scaling each cell to the same sum.

use crate::{DeviceCsr, Error};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![scale_rows::kernel::<f32>(), scale_rows::kernel::<f64>()]
}

/// Scales each row, in place, so that its sum `totals` becomes `target`; rows whose sum isn't above 0 stay. Computed in
/// `f64` and rounded once.
///
/// # Errors
/// Not one total for each row, or a target that isn't above 0 and finite; what the device reports.
pub fn normalize_total<T: Real>(matrix: &mut DeviceCsr<T>, totals: &DSlice<f64>, target: f64) -> Result<(), Error> {
    let fail = |problem: String| Err(Error::Argument { operation: "normalize_total", problem });
    if totals.len() != matrix.n_rows() {
        return fail(format!("{} totals for {} rows; give one for each row", totals.len(), matrix.n_rows()));
    }
    if !(target > 0.0 && target.is_finite()) {
        return fail(format!("the target is {target}; give a positive number, such as 10000"));
    }
    let threads = matrix.n_rows() * 32;
    scale_rows(&matrix.indptr, totals, target, &mut matrix.data).threads(threads).launch()?;
    Ok(())
}

/// A warp a row.
#[gpu_kernel]
fn scale_rows<T: Real>(indptr: &[u64], totals: &[f64], target: f64, data: &mut [T]) {
    let row = global_warp_id();
    if row < totals.len() && totals[row] > 0.0 {
        let end = indptr[row + 1] as usize;
        let mut k = indptr[row] as usize + lane_id();
        while k < end {
            data[k] = T::from_f64(data[k].to_f64() * target / totals[row]);
            k += 32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csr::tests::{Host, example};
    use crate::qc::cell_qc;

    #[test]
    fn rows_are_scaled_as_in_f64() {
        let device = Device::cpu();
        for rows in [0, 1, 33, 4100] {
            let host = example(rows, 40);
            let mut matrix = host.upload(&device);
            let totals = cell_qc(&matrix).unwrap().total;
            normalize_total(&mut matrix, &totals, 1e4).unwrap();
            let (found, totals) = (matrix.data.download().unwrap(), totals.download().unwrap());
            let entries = host.rows.iter().zip(&totals).flat_map(|(row, total)| row.iter().map(move |e| (e.1, total)));
            let expected: Vec<f32> = entries.map(|(value, total)| (f64::from(value) * 1e4 / total) as f32).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn rows_without_a_positive_sum_stay() {
        let device = Device::cpu();
        let rows =
            vec![vec![(0, -1.0), (1, 1.0)], vec![(0, 2.0), (1, f32::NAN)], vec![(1, f32::INFINITY)], vec![(0, 4.0)]];
        let mut matrix = Host { rows, n_cols: 2 }.upload(&device);
        let totals = cell_qc(&matrix).unwrap().total;
        normalize_total(&mut matrix, &totals, 8.0).unwrap();
        let found = matrix.data.download().unwrap();
        assert_eq!([found[0], found[1], found[2], found[5]], [-1.0, 1.0, 2.0, 8.0]);
        assert!(found[3].is_nan() && found[4].is_nan());
    }

    #[test]
    fn bad_arguments_are_refused() {
        let device = Device::cpu();
        let mut matrix = example(3, 4).upload(&device);
        let error = normalize_total(&mut matrix, &device.zeros(2).unwrap(), 1e4).err().unwrap().to_string();
        assert!(error.contains("2 totals for 3 rows"), "{error}");
        for target in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(normalize_total(&mut matrix, &device.zeros(3).unwrap(), target).is_err());
        }
    }
}

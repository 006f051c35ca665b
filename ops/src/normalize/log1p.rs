//! The logarithm.

use crate::{DeviceCsr, Error};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![logarithm::kernel::<f32>(), logarithm::kernel::<f64>()]
}

/// `ln(1 + x)` of each entry, in place; computed in `f64` and rounded once. Values that aren't stored are 0 and stay.
///
/// # Errors
/// What the device reports.
pub fn log1p<T: Real>(matrix: &mut DeviceCsr<T>) -> Result<(), Error> {
    let entries = matrix.nnz();
    logarithm(&mut matrix.data).threads(entries).launch()?;
    Ok(())
}

#[gpu_kernel]
fn logarithm<T: Real>(data: &mut [T]) {
    let i = global_id();
    if i < data.len() {
        data[i] = T::from_f64(data[i].to_f64().ln_1p());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csr::tests::example;

    #[test]
    fn logarithms_are_rounded_once() {
        let host = example(100, 40);
        let mut matrix = host.upload(&Device::cpu());
        log1p(&mut matrix).unwrap();
        let found = matrix.data.download().unwrap();
        assert!(!found.is_empty());
        for (found, entry) in found.iter().zip(host.rows.iter().flatten()) {
            let exact = f64::from(entry.1).ln_1p();
            assert!((f64::from(*found) - exact).abs() <= 6e-8 * exact, "{found} {exact}");
        }
    }

    #[test]
    fn special_values_give_what_plain_rust_gives() {
        let device = Device::cpu();
        let data = [0.0, -0.0, -1.0, f64::INFINITY, f64::NAN, -2.0];
        let mut matrix = DeviceCsr::upload(&device, &[0, 6], &[0, 1, 2, 3, 4, 5], &data, 6).unwrap();
        log1p(&mut matrix).unwrap();
        let found = matrix.data.download().unwrap();
        assert_eq!(found[..4], [0.0, 0.0, f64::NEG_INFINITY, f64::INFINITY]);
        assert!(found[1].is_sign_negative() && found[4].is_nan() && found[5].is_nan());
    }
}

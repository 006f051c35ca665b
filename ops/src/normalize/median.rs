//! The median of the cells' sums, found on the device.

use crate::Error;
use crate::primitives::sort_keys;
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![positive_bits::kernel()]
}

/// The median of the values above 0: scanpy's target if none is given. Of an even number it is the mean of the middle two.
/// Nothing if no value is above 0.
///
/// # Errors
/// More than 2^32 values; what the device reports.
pub fn median_of_positive(values: &DSlice<f64>) -> Result<Option<f64>, Error> {
    let (device, n) = (values.device(), values.len());
    let (mut keys, mut count) = (device.allocate(n)?, device.zeros::<u64>(1)?);
    positive_bits(values, &mut keys, &mut count).threads(n).launch()?;
    // At most the number of values, which is a `usize`.
    let positive = count.download()?[0] as usize;
    if positive == 0 {
        return Ok(None);
    }
    let sorted = sort_keys(&keys)?;
    let first = n - positive;
    let at = |rank: usize| Ok::<f64, Error>(f64::from_bits(sorted.slice(rank..rank + 1).download()?[0]));
    let (low, high) = (at(first + (positive - 1) / 2)?, at(first + positive / 2)?);
    Ok(Some((low + high) / 2.0))
}

/// The bits of floats above 0 are in the floats' order; 0 for the others.
#[gpu_kernel]
fn positive_bits(values: &[f64], keys: &mut [u64], count: &mut [u64]) {
    let i = global_id();
    if i < values.len() {
        let positive = values[i] > 0.0;
        keys[i] = if positive { values[i].to_bits() } else { 0 };
        if positive {
            atomic_add(&mut count[0], 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn median(values: &[f64]) -> Option<f64> {
        median_of_positive(&Device::cpu().upload(values).unwrap()).unwrap()
    }

    #[test]
    fn only_values_above_zero_count() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[0.0, -1.0, f64::NAN]), None);
        assert_eq!(median(&[0.0, 3.0, -5.0, f64::NAN]), Some(3.0));
        assert_eq!(median(&[7.0, 0.0, 2.0, 3.0, 0.0, 4.0]), Some(3.5));
        assert_eq!(median(&[f64::INFINITY, 2.0, 1.0]), Some(2.0));
    }

    proptest! {
        #[test]
        fn the_median_is_in_the_middle(values in prop::collection::vec(-100i32..1000, 0..700)) {
            let values: Vec<f64> = values.into_iter().map(|value| f64::from(value) / 4.0).collect();
            let mut positive: Vec<f64> = values.iter().copied().filter(|value| *value > 0.0).collect();
            positive.sort_by(f64::total_cmp);
            let n = positive.len();
            let expected = (n > 0).then(|| (positive[(n - 1) / 2] + positive[n / 2]) / 2.0);
            prop_assert_eq!(median(&values), expected);
        }
    }
}

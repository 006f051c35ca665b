//! The share of the largest values of each row (`pct_counts_in_top_N_genes`).

use super::percent_of;
use crate::{DeviceCsr, Error};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![row_top_totals::kernel()]
}

/// Warps of a block.
const WARPS: usize = 4;
/// Values of an 8-bit digit, and how many of them a lane looks after.
const DIGITS: usize = 256;
const SHARE: usize = DIGITS / 32;

/// 100 times the sum of the `n` largest values of each row over its sum, `totals`; NaN for an empty row.
///
/// # Errors
/// As [`top_totals`]; not one total for each row.
pub fn top_percent(matrix: &DeviceCsr<f32>, totals: &DSlice<f64>, n: usize) -> Result<Buffer<f64>, Error> {
    percent_of(&*top_totals(matrix, n)?, totals)
}

/// The sum of the `n` largest values of each row; all of them if fewer are stored. Values below 0 count as 0.
///
/// # Errors
/// `n` is 0 or larger than the number of columns; what the device reports.
pub fn top_totals(matrix: &DeviceCsr<f32>, n: usize) -> Result<Buffer<f64>, Error> {
    if n == 0 || n > matrix.n_cols {
        let problem = format!("the {n} largest of {} genes were asked for; ask for 1 to {0}", matrix.n_cols);
        return Err(Error::Argument { operation: "top_totals", problem });
    }
    let rows = matrix.n_rows();
    let mut totals = matrix.device().zeros(rows)?;
    // Columns are `u32`s, so no row has more entries than this.
    let wanted = n.min(u32::MAX as usize) as u32;
    row_top_totals(&matrix.indptr, &matrix.data, wanted, &mut totals)
        .grid(rows.div_ceil(WARPS))
        .block(WARPS * 32)
        .launch()?;
    Ok(totals)
}

/// Bits that are in the order of the values; NaN is the largest.
#[gpu_fn]
fn ordered_bits(value: f32) -> u32 {
    if value <= 0.0 { 0 } else { value.to_bits() }
}

/// A warp finds the n-th largest value of its row digit by digit, the highest first, and adds what is larger and the value
/// itself as often as needed: equal values are equal, so the sum is well defined. What isn't stored is 0.
#[gpu_kernel]
fn row_top_totals(indptr: &[u64], data: &[f32], n: u32, totals: &mut [f64]) {
    let mut counts = shared::<[[u32; DIGITS]; WARPS]>();
    let row = global_warp_id();
    let warp = warp_id();
    if row < totals.len() {
        let start = indptr[row] as usize + lane_id();
        let end = indptr[row + 1] as usize;
        // The digits known so far; its rank among the values that have them.
        let mut threshold = 0u32;
        let mut rank = n;
        for round in 0..4u32 {
            let shift = 24 - 8 * round;
            for i in 0..SHARE {
                counts[warp][i * 32 + lane_id()] = 0;
            }
            sync_warp();
            let mut k = start;
            while k < end {
                let bits = ordered_bits(data[k]);
                if (bits ^ threshold) >> shift >> 8 == 0 {
                    atomic_add(&mut counts[warp][(bits >> shift) as usize % DIGITS], 1);
                }
                k += 32;
            }
            sync_warp();
            // Lane 0 has the largest digits.
            let top = DIGITS - 1 - lane_id() * SHARE;
            let mut own = 0u32;
            for i in 0..SHARE {
                own += counts[warp][top - i];
            }
            let mut through = own;
            let mut delta = 1u32;
            while delta < 32 {
                let above = shfl_up_sync(FULL_MASK, through, delta);
                if lane_id() >= delta as usize {
                    through += above;
                }
                delta *= 2;
            }
            let mut before = through - own;
            let here = before < rank && through >= rank;
            let mut digit = 0u32;
            if here {
                let mut at = top;
                while before + counts[warp][at] < rank {
                    before += counts[warp][at];
                    at -= 1;
                }
                digit = at as u32;
            } else {
                before = 0;
            }
            // No lane has it if fewer are stored: then it is 0, as are the digits of lane 0.
            let lanes = ballot_sync(FULL_MASK, here);
            let source = lanes.trailing_zeros() % 32;
            let found = shfl_sync(FULL_MASK, digit, source);
            let skipped = shfl_sync(FULL_MASK, before, source);
            threshold |= found << shift;
            rank -= skipped;
            sync_warp();
        }
        let mut sum = 0.0f64;
        let mut k = start;
        while k < end {
            if ordered_bits(data[k]) > threshold {
                sum += data[k] as f64;
            }
            k += 32;
        }
        let mut distance = 16u32;
        while distance > 0 {
            sum += shfl_xor_sync(FULL_MASK, sum, distance);
            distance /= 2;
        }
        if lane_id() == 0 {
            totals[row] = sum + rank as f64 * f32::from_bits(threshold) as f64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csr::tests::{Host, example};
    use proptest::prelude::*;

    fn expected(host: &Host, n: usize) -> Vec<f64> {
        let largest = |row: &Vec<(u32, f32)>| {
            let mut values: Vec<f32> = row.iter().map(|entry| entry.1.max(0.0)).collect();
            values.sort_by(|a, b| b.total_cmp(a));
            values.iter().take(n).map(|value| f64::from(*value)).sum()
        };
        host.rows.iter().map(largest).collect()
    }

    #[test]
    fn the_largest_are_summed_whatever_the_number_of_rows() {
        let device = Device::cpu();
        for rows in [0, 1, 31, 33, 257] {
            let host = example(rows, 60);
            let matrix = host.upload(&device);
            for n in [1, 5, 59, 60] {
                assert_eq!(top_totals(&matrix, n).unwrap().download().unwrap(), expected(&host, n), "{rows} {n}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_values_are_ordered(
            values in prop::collection::vec(prop_oneof![0u8..4, 0u8..=255].prop_map(f32::from), 0..300),
            n in 1usize..310,
            unit in prop_oneof![Just(1.0f32), Just(1e-40), Just(1e30), Just(-1.0), Just(0.5)],
        ) {
            let row = values.iter().enumerate().map(|(column, value)| (column as u32, value * unit)).collect();
            let host = Host { rows: vec![row], n_cols: 310 };
            let found = top_totals(&host.upload(&Device::cpu()), n).unwrap().download().unwrap()[0];
            let wanted = expected(&host, n)[0];
            prop_assert!((found - wanted).abs() <= 1e-12 * wanted.abs(), "{found} {wanted}");
        }
    }

    #[test]
    fn special_values_are_the_largest() {
        let row = vec![(0, 1.0), (1, f32::INFINITY), (2, f32::NEG_INFINITY), (3, 2.0)];
        let nan = vec![(0, 1.0), (1, f32::NAN), (2, 3.0), (3, f32::INFINITY)];
        let matrix = Host { rows: vec![row, nan], n_cols: 4 }.upload(&Device::cpu());
        for n in 1..=4 {
            let found = top_totals(&matrix, n).unwrap().download().unwrap();
            assert_eq!(found[0], f64::INFINITY);
            assert!(found[1].is_nan());
        }
    }

    #[test]
    fn percentages_are_of_the_row() {
        let device = Device::cpu();
        let rows = vec![vec![(0, 1.0), (1, 3.0), (3, 4.0)], vec![]];
        let matrix = Host { rows, n_cols: 4 }.upload(&device);
        let found = top_percent(&matrix, &device.upload(&[8.0, 0.0]).unwrap(), 2).unwrap().download().unwrap();
        assert_eq!(found[0], 87.5);
        assert!(found[1].is_nan());
    }

    #[test]
    fn more_genes_than_there_are_is_an_error() {
        let matrix = example(3, 10).upload(&Device::cpu());
        let error = top_totals(&matrix, 11).err().unwrap().to_string();
        assert!(error.contains("11 largest of 10 genes"), "{error}");
        assert!(top_totals(&matrix, 0).is_err());
    }
}

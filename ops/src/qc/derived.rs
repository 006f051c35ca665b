//! Percentages and logarithms of measures.

use crate::Error;
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![percentages::kernel(), logarithms::kernel(), logarithms_of_counts::kernel()]
}

/// `100 part / whole` of each pair; NaN where both are 0 (an empty cell).
///
/// # Errors
/// Different lengths; what the device reports.
pub fn percent_of(parts: &DSlice<f64>, wholes: &DSlice<f64>) -> Result<Buffer<f64>, Error> {
    if parts.len() != wholes.len() {
        let problem = format!("{} parts of {} wholes; give as many of both", parts.len(), wholes.len());
        return Err(Error::Argument { operation: "percent_of", problem });
    }
    let mut out = parts.device().zeros(parts.len())?;
    percentages(parts, wholes, &mut out).threads(parts.len()).launch()?;
    Ok(out)
}

/// `ln(1 + x)` of each value (`log1p_total_counts` and the like).
///
/// # Errors
/// What the device reports.
pub fn log1p_of(values: &DSlice<f64>) -> Result<Buffer<f64>, Error> {
    let mut out = values.device().zeros(values.len())?;
    logarithms(values, &mut out).threads(values.len()).launch()?;
    Ok(out)
}

/// `ln(1 + n)` of each count (`log1p_n_genes_by_counts`).
///
/// # Errors
/// What the device reports.
pub fn log1p_of_counts(counts: &DSlice<u32>) -> Result<Buffer<f64>, Error> {
    let mut out = counts.device().zeros(counts.len())?;
    logarithms_of_counts(counts, &mut out).threads(counts.len()).launch()?;
    Ok(out)
}

#[gpu_kernel]
fn percentages(parts: &[f64], wholes: &[f64], out: &mut [f64]) {
    let i = global_id();
    if i < out.len() {
        out[i] = 100.0 * (parts[i] / wholes[i]);
    }
}

#[gpu_kernel]
fn logarithms(values: &[f64], out: &mut [f64]) {
    let i = global_id();
    if i < out.len() {
        out[i] = values[i].ln_1p();
    }
}

#[gpu_kernel]
fn logarithms_of_counts(counts: &[u32], out: &mut [f64]) {
    let i = global_id();
    if i < out.len() {
        out[i] = (counts[i] as f64).ln_1p();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_and_logarithms_are_those_of_plain_rust() {
        let device = Device::cpu();
        let parts = device.upload(&[0.0, 3.0, 0.0, 5.0]).unwrap();
        let wholes = device.upload(&[7.0, 12.0, 0.0, 5.0]).unwrap();
        let found = percent_of(&parts, &wholes).unwrap().download().unwrap();
        assert_eq!([found[0], found[1], found[3]], [0.0, 25.0, 100.0]);
        assert!(found[2].is_nan());
        assert!(percent_of(&parts, &device.zeros(3).unwrap()).is_err());
        let near = |found: &[f64]| {
            found.iter().zip([0.0f64, 3.0, 0.0, 5.0]).all(|(a, x)| (a - x.ln_1p()).abs() <= 1e-15 * x.ln_1p())
        };
        assert!(near(&log1p_of(&parts).unwrap().download().unwrap()));
        let counts = device.upload(&[0u32, 3, 0, 5]).unwrap();
        assert!(near(&log1p_of_counts(&counts).unwrap().download().unwrap()));
    }
}

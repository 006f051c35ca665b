//! The Lanczos iteration's vectors on the device, and the covariance matrix as its operator.

use super::krylov::KrylovBasis;
use crate::Error;
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        random_column::kernel(),
        apply_covariance::kernel(),
        products::kernel(),
        subtract_columns::kernel(),
        divide_column::kernel(),
        combine_columns::kernel(),
    ]
}

/// The covariance `(G - n m mᵀ) / (n - 1)` of a matrix with Gram matrix G, means m and n rows, with a basis of columns.
pub(super) struct CovarianceBasis<'a> {
    pub gram: &'a DSlice<f64>,
    pub mean: &'a DSlice<f64>,
    pub n_rows: usize,
    /// Column by column.
    pub columns: Buffer<f64>,
    /// As many columns, for what can't be done in place.
    pub scratch: Buffer<f64>,
}

impl CovarianceBasis<'_> {
    fn device(&self) -> &Device {
        self.columns.device()
    }
}

impl KrylovBasis for CovarianceBasis<'_> {
    type Error = Error;

    fn order(&self) -> usize {
        self.mean.len()
    }

    fn randomize(&mut self, column: usize, seed: u64) -> Result<(), Error> {
        let n = self.order();
        random_column(seed, n, column, &mut self.columns).threads(n).launch()?;
        Ok(())
    }

    fn apply(&mut self, from: usize, into: usize) -> Result<(), Error> {
        let n = self.order();
        let cells = self.n_rows as f64;
        apply_covariance(self.gram, self.mean, cells, from, into, &mut self.columns).threads(n * 32).launch()?;
        Ok(())
    }

    fn inner_products(&mut self, column: usize, count: usize) -> Result<Vec<f64>, Error> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let mut out = self.device().zeros(count)?;
        products(&self.columns, self.order(), column, &mut out).threads(count * 32).launch()?;
        Ok(out.download()?)
    }

    fn subtract(&mut self, column: usize, coefficients: &[f64]) -> Result<(), Error> {
        if coefficients.is_empty() {
            return Ok(());
        }
        let n = self.order();
        let coefficients = self.device().upload(coefficients)?;
        subtract_columns(&coefficients, n, column, &mut self.columns).threads(n).launch()?;
        Ok(())
    }

    fn divide(&mut self, column: usize, divisor: f64) -> Result<(), Error> {
        let n = self.order();
        divide_column(divisor, n, column, &mut self.columns).threads(n).launch()?;
        Ok(())
    }

    fn combine(&mut self, columns: usize, combined: usize, coefficients: &[f64]) -> Result<(), Error> {
        let n = self.order();
        let coefficients = self.device().upload(coefficients)?;
        combine_columns(&self.columns, &coefficients, n, columns, &mut self.scratch).threads(n * combined).launch()?;
        std::mem::swap(&mut self.columns, &mut self.scratch);
        Ok(())
    }
}

/// Uniform between -sqrt(3) and sqrt(3): mean 0, variance 1, from a hash of seed and row (splitmix64).
#[gpu_kernel]
fn random_column(seed: u64, n: usize, column: usize, columns: &mut [f64]) {
    let i = global_id();
    if i < n {
        let mut x = seed * 0x9e37_79b9_7f4a_7c15 + (i as u64 + 1) * 0xd1b5_4a32_d192_ed03;
        x = (x ^ (x >> 30)) * 0xbf58_476d_1ce4_e5b9;
        x = (x ^ (x >> 27)) * 0x94d0_49bb_1331_11eb;
        x ^= x >> 31;
        // 53 bits, as a number from 0 to 1.
        let unit = (x >> 11) as f64 * 1.110_223_024_625_156_5e-16;
        columns[column * n + i] = (unit - 0.5) * 3.464_101_615_137_754_6;
    }
}

/// A warp a row; the products of row and means with the vector are added by strides of 32 and a tree.
#[gpu_kernel]
fn apply_covariance(gram: &[f64], mean: &[f64], n_rows: f64, from: usize, into: usize, columns: &mut [f64]) {
    let row = global_warp_id();
    let n = mean.len();
    if row < n {
        let mut with_row = 0.0;
        let mut with_mean = 0.0;
        let mut k = lane_id();
        while k < n {
            let value = columns[from * n + k];
            with_row += gram[row * n + k] * value;
            with_mean += mean[k] * value;
            k += 32;
        }
        let mut distance = 16u32;
        while distance > 0 {
            with_row += shfl_xor_sync(FULL_MASK, with_row, distance);
            with_mean += shfl_xor_sync(FULL_MASK, with_mean, distance);
            distance /= 2;
        }
        if lane_id() == 0 {
            columns[into * n + row] = (with_row - n_rows * mean[row] * with_mean) / (n_rows - 1.0);
        }
    }
}

/// A warp for each inner product.
#[gpu_kernel]
fn products(columns: &[f64], n: usize, column: usize, out: &mut [f64]) {
    let other = global_warp_id();
    if other < out.len() {
        let mut sum = 0.0;
        let mut k = lane_id();
        while k < n {
            sum += columns[column * n + k] * columns[other * n + k];
            k += 32;
        }
        let mut distance = 16u32;
        while distance > 0 {
            sum += shfl_xor_sync(FULL_MASK, sum, distance);
            distance /= 2;
        }
        if lane_id() == 0 {
            out[other] = sum;
        }
    }
}

#[gpu_kernel]
fn subtract_columns(coefficients: &[f64], n: usize, column: usize, columns: &mut [f64]) {
    let i = global_id();
    if i < n {
        let mut sum = 0.0;
        for k in 0..coefficients.len() {
            sum += coefficients[k] * columns[k * n + i];
        }
        columns[column * n + i] -= sum;
    }
}

#[gpu_kernel]
fn divide_column(divisor: f64, n: usize, column: usize, columns: &mut [f64]) {
    let i = global_id();
    if i < n {
        columns[column * n + i] /= divisor;
    }
}

#[gpu_kernel]
fn combine_columns(columns: &[f64], coefficients: &[f64], n: usize, count: usize, out: &mut [f64]) {
    let i = global_id();
    if i < coefficients.len() / count * n {
        let column = i / n;
        let mut sum = 0.0;
        for k in 0..count {
            sum += coefficients[column * count + k] * columns[k * n + i % n];
        }
        out[i] = sum;
    }
}

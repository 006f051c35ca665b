//! The Lanczos iteration's vectors on the device, and the covariance matrix as its operator.
//!
//! Vectors and rows of the matrix are padded with zeros to whole pieces of 8 elements, which a thread handles at once: so
//! the CPU computes with its vector registers.

use super::krylov::KrylovBasis;
use crate::Error;
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![
        covariance_of::kernel(),
        random_column::kernel(),
        multiply::kernel(),
        products::kernel(),
        subtract_columns::kernel(),
        divide_column::kernel(),
        combine_columns::kernel(),
    ]
}

/// Elements of a piece.
pub(super) const PIECE: usize = 8;

/// A covariance matrix, with a basis of columns.
pub(super) struct CovarianceBasis {
    order: usize,
    /// Row by row, each padded.
    covariance: Buffer<f64>,
    /// Column by column, each padded: from `i * stride()` on is column i.
    pub columns: Buffer<f64>,
    /// As many columns, for what can't be done in place.
    scratch: Buffer<f64>,
    /// The vector that is multiplied.
    vector: Buffer<f64>,
}

impl CovarianceBasis {
    /// The covariance `(G - n m mᵀ) / (n - 1)` of `n_rows` rows with Gram matrix `gram` and means `mean`, and `columns`
    /// columns of zeros.
    pub(super) fn new(
        gram: &DSlice<f64>,
        mean: &DSlice<f64>,
        n_rows: usize,
        columns: usize,
    ) -> Result<CovarianceBasis, Error> {
        let (device, order) = (gram.device(), mean.len());
        let stride = order.next_multiple_of(PIECE);
        let mut covariance = device.zeros(order * stride)?;
        covariance_of(gram, mean, n_rows as f64, stride, &mut covariance).threads(order * order).launch()?;
        let [columns, scratch] = [device.zeros(columns * stride)?, device.zeros(columns * stride)?];
        Ok(CovarianceBasis { order, covariance, columns, scratch, vector: device.zeros(stride)? })
    }

    /// The distance between columns, and between rows of the matrix.
    pub(super) fn stride(&self) -> usize {
        self.vector.len()
    }

    fn device(&self) -> &Device {
        self.columns.device()
    }
}

impl KrylovBasis for CovarianceBasis {
    type Error = Error;

    fn order(&self) -> usize {
        self.order
    }

    fn randomize(&mut self, column: usize, seed: u64) -> Result<(), Error> {
        let start = column * self.stride();
        random_column(seed, &mut self.columns.slice_mut(start..start + self.order)).threads(self.order).launch()?;
        Ok(())
    }

    fn apply(&mut self, from: usize, into: usize) -> Result<(), Error> {
        let (n, stride) = (self.order, self.stride());
        self.vector.copy_from_device(&self.columns.slice(from * stride..(from + 1) * stride))?;
        let mut out = self.columns.slice_mut(into * stride..into * stride + n);
        multiply(&self.covariance, &self.vector, &mut out).threads(n * 32).launch()?;
        Ok(())
    }

    fn inner_products(&mut self, column: usize, count: usize) -> Result<Vec<f64>, Error> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let mut out = self.device().zeros(count)?;
        products(&self.columns, self.stride(), column, &mut out).threads(count * 32).launch()?;
        Ok(out.download()?)
    }

    fn subtract(&mut self, column: usize, coefficients: &[f64]) -> Result<(), Error> {
        if coefficients.is_empty() {
            return Ok(());
        }
        let stride = self.stride();
        let coefficients = self.device().upload(coefficients)?;
        subtract_columns(&coefficients, stride, column, &mut self.columns).threads(stride).launch()?;
        Ok(())
    }

    fn divide(&mut self, column: usize, divisor: f64) -> Result<(), Error> {
        let start = column * self.stride();
        divide_column(divisor, &mut self.columns.slice_mut(start..start + self.order)).threads(self.order).launch()?;
        Ok(())
    }

    fn combine(&mut self, columns: usize, combined: usize, coefficients: &[f64]) -> Result<(), Error> {
        let stride = self.stride();
        let coefficients = self.device().upload(coefficients)?;
        combine_columns(&self.columns, &coefficients, columns, stride, &mut self.scratch)
            .threads(combined * stride / PIECE)
            .launch()?;
        std::mem::swap(&mut self.columns, &mut self.scratch);
        Ok(())
    }
}

#[gpu_kernel]
fn covariance_of(gram: &[f64], mean: &[f64], n_rows: f64, stride: usize, covariance: &mut [f64]) {
    let i = global_id();
    if i < gram.len() {
        let row = i / mean.len();
        let column = i % mean.len();
        covariance[row * stride + column] = (gram[i] - n_rows * (mean[row] * mean[column])) / (n_rows - 1.0);
    }
}

/// Uniform between -sqrt(3) and sqrt(3): mean 0, variance 1, from a hash of seed and row (splitmix64).
#[gpu_kernel]
fn random_column(seed: u64, column: &mut [f64]) {
    let i = global_id();
    if i < column.len() {
        let mut x = seed * 0x9e37_79b9_7f4a_7c15 + (i as u64 + 1) * 0xd1b5_4a32_d192_ed03;
        x = (x ^ (x >> 30)) * 0xbf58_476d_1ce4_e5b9;
        x = (x ^ (x >> 27)) * 0x94d0_49bb_1331_11eb;
        x ^= x >> 31;
        // 53 bits, as a number from 0 to 1.
        let unit = (x >> 11) as f64 * 1.110_223_024_625_156_5e-16;
        column[i] = (unit - 0.5) * 3.464_101_615_137_754_6;
    }
}

/// A lane's part of an inner product: neighbouring pieces, so that the CPU reads memory in order.
#[gpu_fn]
fn part_of_product(x: &[f64], y: &[f64], lane: usize) -> f64 {
    let mut sums = [0.0f64; PIECE];
    let pieces = (x.len() / PIECE + 31) / 32;
    let end = x.len().min((lane + 1) * pieces * PIECE);
    let mut start = lane * pieces * PIECE;
    while start < end {
        let a = &x[start..start + PIECE];
        let b = &y[start..start + PIECE];
        for k in 0..PIECE {
            sums[k] += a[k] * b[k];
        }
        start += PIECE;
    }
    ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]))
}

/// The matrix times the vector: a warp a row.
#[gpu_kernel]
fn multiply(matrix: &[f64], vector: &[f64], out: &mut [f64]) {
    let row = global_warp_id();
    if row < out.len() {
        let stride = vector.len();
        let mut sum = part_of_product(&matrix[row * stride..(row + 1) * stride], vector, lane_id());
        let mut distance = 16u32;
        while distance > 0 {
            sum += shfl_xor_sync(FULL_MASK, sum, distance);
            distance /= 2;
        }
        if lane_id() == 0 {
            out[row] = sum;
        }
    }
}

/// A warp for each inner product.
#[gpu_kernel]
fn products(columns: &[f64], stride: usize, column: usize, out: &mut [f64]) {
    let other = global_warp_id();
    if other < out.len() {
        let first = &columns[column * stride..(column + 1) * stride];
        let mut sum = part_of_product(first, &columns[other * stride..(other + 1) * stride], lane_id());
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
fn subtract_columns(coefficients: &[f64], stride: usize, column: usize, columns: &mut [f64]) {
    let i = global_id();
    if i < stride {
        let mut sum = 0.0;
        for k in 0..coefficients.len() {
            sum += coefficients[k] * columns[k * stride + i];
        }
        columns[column * stride + i] -= sum;
    }
}

#[gpu_kernel]
fn divide_column(divisor: f64, column: &mut [f64]) {
    let i = global_id();
    if i < column.len() {
        column[i] /= divisor;
    }
}

/// A thread for each piece of each new column.
#[gpu_kernel]
fn combine_columns(columns: &[f64], coefficients: &[f64], count: usize, stride: usize, out: &mut [f64]) {
    let piece = global_id();
    let pieces = stride / PIECE;
    if piece < coefficients.len() / count * pieces {
        let column = piece / pieces;
        let at = piece % pieces * PIECE;
        let mut sums = [0.0f64; PIECE];
        for i in 0..count {
            let coefficient = coefficients[column * count + i];
            let old = &columns[i * stride + at..i * stride + at + PIECE];
            for k in 0..PIECE {
                sums[k] += coefficient * old[k];
            }
        }
        for k in 0..PIECE {
            out[column * stride + at + k] = sums[k];
        }
    }
}

//! Exact nearest neighbours.
//!
//! The distance is `d = 0; for each coordinate: t = q - x; d = t.mul_add(t, d)` in `f32`, ordered by (d, index): a
//! function of the data alone. Identical points are at distance exactly 0.

mod nearest;

use crate::Error;
use nearest::QUERIES;
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

/// Every kernel of this module.
pub fn kernels() -> Vec<KernelInfo> {
    let mut all = nearest::kernels();
    all.extend([count_non_finite::kernel(), roots::kernel()]);
    all
}

/// The nearest neighbours of each point, row by row, the point itself first.
pub struct Neighbors {
    /// The neighbours' numbers.
    pub indices: Buffer<u32>,
    /// Their euclidean distances.
    pub distances: Buffer<f32>,
    /// How many each point has, itself included.
    pub k: usize,
}

/// The `k` nearest neighbours of each of the points (rows of `n_dims` coordinates), the point itself included and first;
/// of the others equal distances are ordered by index.
///
/// # Errors
/// The coordinates are not whole points; `k` is 0 or larger than the number of points; 2^32 points or more; a coordinate
/// is NaN or infinite; what the device reports.
pub fn nearest_neighbors(points: &DSlice<f32>, n_dims: usize, k: usize) -> Result<Neighbors, Error> {
    let n = check(points, n_dims, k)?;
    let device = points.device();
    let (mut indices, mut squares) = (device.allocate(n * k)?, device.allocate(n * k)?);
    nearest::nearest(points, n_dims, k, &mut indices, &mut squares)
        .grid(n.div_ceil(QUERIES))
        .block(QUERIES)
        .launch()?;
    let mut distances = device.allocate(n * k)?;
    roots(&squares, &mut distances).threads(n * k).launch()?;
    Ok(Neighbors { indices, distances, k })
}

/// The number of points, if they can be searched.
fn check(points: &DSlice<f32>, n_dims: usize, k: usize) -> Result<usize, Error> {
    let fail = |problem: String| Err(Error::Argument { operation: "nearest_neighbors", problem });
    let n = points.len().checked_div(n_dims).unwrap_or(0);
    if n * n_dims != points.len() {
        return fail(format!("{} coordinates are not points of {n_dims}; pass whole rows", points.len()));
    }
    if k == 0 || k > n {
        return fail(format!(
            "{k} neighbours of {n} points were asked for; ask for 1 to {n} (the point itself counts)"
        ));
    }
    if n > u32::MAX as usize {
        return fail(format!("{n} points, but at most {} can be searched; split them", u32::MAX));
    }
    let mut bad = points.device().zeros::<u64>(1)?;
    count_non_finite(points, &mut bad).threads(points.len()).launch()?;
    let bad = bad.download()?[0];
    if bad > 0 {
        return fail(format!("{bad} coordinates are NaN or infinite; look at the step that made them"));
    }
    Ok(n)
}

#[gpu_kernel]
fn count_non_finite(values: &[f32], count: &mut [u64]) {
    let i = global_id();
    if i < values.len() && !values[i].is_finite() {
        atomic_add(&mut count[0], 1);
    }
}

#[gpu_kernel]
fn roots(squares: &[f32], distances: &mut [f32]) {
    let i = global_id();
    if i < distances.len() {
        distances[i] = squares[i].sqrt();
    }
}

#[cfg(test)]
mod tests;

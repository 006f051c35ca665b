//! Exact nearest neighbours.
//!
//! The distance is `d = 0; for each coordinate: t = q - x; d = t.mul_add(t, d)` in `f32`, ordered by (d, index): a
//! function of the data alone. Identical points are at distance exactly 0. A thread has a query; tiles of 32 points and 32
//! coordinates are brought into shared memory, coordinate by coordinate, so that the CPU compares eight points at a time.

use crate::Error;
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

/// Every kernel of this module.
pub fn kernels() -> Vec<KernelInfo> {
    vec![count_non_finite::kernel(), nearest::kernel(), roots::kernel()]
}

/// Queries of a block.
const QUERIES: usize = 128;
/// Points and coordinates of a tile.
const POINTS: usize = 32;
const COORDINATES: usize = 32;

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
/// `k` is 0 or larger than the number of points; a coordinate is NaN or infinite; what the device reports.
pub fn nearest_neighbors(points: &DSlice<f32>, n_dims: usize, k: usize) -> Result<Neighbors, Error> {
    let n = points.len().checked_div(n_dims).unwrap_or(0);
    let fail = |problem: String| Err(Error::Argument { operation: "nearest_neighbors", problem });
    if k == 0 || k > n {
        return fail(format!("{k} neighbours of {n} points were asked for; ask for 1 to {n} (the point itself counts)"));
    }
    let device = points.device();
    let mut bad = device.zeros::<u32>(1)?;
    count_non_finite(points, &mut bad).threads(points.len()).launch()?;
    let bad = bad.download()?[0];
    if bad > 0 {
        return fail(format!("{bad} coordinates are NaN or infinite; look at the step that made them"));
    }
    let (mut indices, mut squares) = (device.zeros(n * k)?, device.zeros(n * k)?);
    nearest(points, n_dims, k, &mut indices, &mut squares).grid(n.div_ceil(QUERIES)).block(QUERIES).launch()?;
    let mut distances = device.zeros(n * k)?;
    roots(&squares, &mut distances).threads(n * k).launch()?;
    Ok(Neighbors { indices, distances, k })
}

#[gpu_kernel]
fn count_non_finite(values: &[f32], count: &mut [u32]) {
    let i = global_id();
    if i < values.len() && !values[i].is_finite() {
        atomic_add(&mut count[0], 1);
    }
}

#[gpu_kernel]
fn nearest(points: &[f32], n_dims: usize, k: usize, indices: &mut [u32], squares: &mut [f32]) {
    let mut tile = shared::<[f32; POINTS * COORDINATES]>();
    let query = global_id();
    let n = points.len() / n_dims;
    let valid = query < n;
    if valid {
        indices[query * k] = query as u32;
        squares[query * k] = 0.0;
    }
    // How many are in the list, and the distance that another must be below.
    let mut count = 1usize;
    let mut worst = f32::INFINITY;
    for first in (0..n).step_by(POINTS) {
        let mut sums = [0.0f32; POINTS];
        for from in (0..n_dims).step_by(COORDINATES) {
            let width = COORDINATES.min(n_dims - from);
            sync_threads();
            let mut at = thread_rank();
            while at < POINTS * COORDINATES {
                let point = first + at / COORDINATES;
                let coordinate = at % COORDINATES;
                if point < n && coordinate < width {
                    tile[coordinate * POINTS + at / COORDINATES] = points[point * n_dims + from + coordinate];
                }
                at += QUERIES;
            }
            sync_threads();
            if valid {
                let own = &points[query * n_dims + from..query * n_dims + from + width];
                for coordinate in 0..width {
                    let q = own[coordinate];
                    let row = &tile[coordinate * POINTS..coordinate * POINTS + POINTS];
                    for p in 0..POINTS {
                        let t = q - row[p];
                        sums[p] = t.mul_add(t, sums[p]);
                    }
                }
            }
        }
        if valid {
            for p in 0..POINTS {
                let point = first + p;
                let square = sums[p];
                if point < n && point != query && (count < k || square < worst) {
                    // Its place: behind all that are not farther, which have lower numbers.
                    let mut place = if count < k { count } else { k - 1 };
                    while place > 1 && squares[query * k + place - 1] > square {
                        squares[query * k + place] = squares[query * k + place - 1];
                        indices[query * k + place] = indices[query * k + place - 1];
                        place -= 1;
                    }
                    if place < k && place > 0 {
                        squares[query * k + place] = square;
                        indices[query * k + place] = point as u32;
                    }
                    count = k.min(count + 1);
                    if count == k {
                        worst = squares[query * k + k - 1];
                    }
                }
            }
        }
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
mod tests {
    use super::*;

    fn reference(points: &[f32], dims: usize, k: usize) -> (Vec<u32>, Vec<f32>) {
        let n = points.len() / dims;
        let (mut indices, mut distances) = (Vec::new(), Vec::new());
        for q in 0..n {
            let mut all: Vec<(f32, u32)> = (0..n)
                .filter(|x| *x != q)
                .map(|x| {
                    let square = (0..dims).fold(0f32, |d, c| {
                        let t = points[q * dims + c] - points[x * dims + c];
                        t.mul_add(t, d)
                    });
                    (square, x as u32)
                })
                .collect();
            all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            indices.push(q as u32);
            distances.push(0.0);
            for (square, x) in all.into_iter().take(k - 1) {
                indices.push(x);
                distances.push(square.sqrt());
            }
        }
        (indices, distances)
    }

    #[test]
    fn lists_are_those_of_all_pairs_with_ties_by_index() {
        assert!(kernels().iter().all(KernelInfo::runs_in_phases));
        let device = Device::cpu();
        for (n, dims, k, steps) in [(1, 3, 1, 5), (2, 1, 2, 5), (33, 7, 5, 3), (257, 50, 15, 1000), (300, 2, 20, 4)] {
            // Few steps make many equal distances and identical points.
            let points: Vec<f32> =
                (0..n * dims).map(|i| ((i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as f32 % steps as f32).collect();
            let found = nearest_neighbors(&device.upload(&points).unwrap(), dims, k).unwrap();
            let (indices, distances) = reference(&points, dims, k);
            assert_eq!(found.indices.download().unwrap(), indices, "{n} points");
            assert_eq!(found.distances.download().unwrap(), distances, "{n} points");
        }
    }

    #[test]
    fn what_can_not_be_is_an_error() {
        let device = Device::cpu();
        let message = |points: &[f32], k| nearest_neighbors(&device.upload(points).unwrap(), 1, k).err().unwrap().to_string();
        assert!(message(&[1.0, 2.0], 3).contains("3 neighbours of 2 points"));
        assert!(message(&[1.0, f32::NAN], 1).contains("1 coordinates are NaN"));
    }
}

//! The kernel that compares all pairs.

use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![nearest::kernel()]
}

/// Queries of a block, one for each thread.
pub(super) const QUERIES: usize = 128;
/// Points of a tile.
const POINTS: usize = 64;
/// Coordinates of a tile: the usual 50 components in one piece, and both tiles in 48 KB.
const COORDINATES: usize = 56;
/// A query's coordinates in shared memory; odd, so that 32 neighbouring queries lie in different banks.
const QUERY_STRIDE: usize = COORDINATES + 1;

/// The squared distance, in the order that defines it.
#[gpu_fn]
fn squared_distance(x: &[f32], y: &[f32]) -> f32 {
    let mut sum = 0.0;
    for k in 0..x.len() {
        let difference = x[k] - y[k];
        sum = difference.mul_add(difference, sum);
    }
    sum
}

/// Finds the `k` nearest points of each, the point itself first, and their squared distances.
///
/// A thread has a query and compares it with 64 points at a time, whose coordinates lie in shared memory, coordinate by
/// coordinate. Which of the 64 are near enough for the list is known from their distances all at once; those few are then
/// entered one after the other.
#[gpu_kernel]
pub(super) fn nearest(points: &[f32], n_dims: usize, k: usize, indices: &mut [u32], squares: &mut [f32]) {
    let mut queries = shared::<[f32; QUERIES * QUERY_STRIDE]>();
    let mut tile = shared::<[f32; COORDINATES * POINTS]>();
    let n = points.len() / n_dims;
    let query = global_id();
    let valid = query < n;
    if valid {
        indices[query * k] = query as u32;
        squares[query * k] = 0.0;
    }
    // How many are in the list, and the distance that another must be below. A list of one is full with the point itself.
    let mut count = 1usize;
    let mut worst = if k > 1 { f32::INFINITY } else { 0.0 };
    for first in (0..n).step_by(POINTS) {
        let mut sums = [0.0f32; POINTS];
        for from in (0..n_dims).step_by(COORDINATES) {
            let width = COORDINATES.min(n_dims - from);
            sync_threads();
            if valid && (first == 0 || n_dims > COORDINATES) {
                for coordinate in 0..width {
                    queries[thread_rank() * QUERY_STRIDE + coordinate] = points[query * n_dims + from + coordinate];
                }
            }
            let p = thread_rank() % POINTS;
            let mut coordinate = thread_rank() / POINTS;
            while coordinate < width {
                let there = first + p < n;
                tile[coordinate * POINTS + p] =
                    if there { points[(first + p) * n_dims + from + coordinate] } else { 0.0 };
                coordinate += QUERIES / POINTS;
            }
            sync_threads();
            if valid {
                let own = &queries[thread_rank() * QUERY_STRIDE..thread_rank() * QUERY_STRIDE + width];
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
            let mut near = 0u32;
            for p in 0..POINTS {
                near += (sums[p] < worst) as u32;
            }
            let mut candidates = 0u64;
            if count < k {
                candidates = u64::MAX;
            } else if near > 0 {
                for p in 0..POINTS {
                    candidates |= ((sums[p] < worst) as u64) << p;
                }
            }
            while candidates != 0 {
                let point = first + candidates.trailing_zeros() as usize;
                candidates &= candidates - 1;
                if point < n && point != query {
                    let own = &points[query * n_dims..query * n_dims + n_dims];
                    let square = squared_distance(own, &points[point * n_dims..point * n_dims + n_dims]);
                    if count < k || square < worst {
                        // Behind all that are not farther, which have lower numbers.
                        let mut place = count.min(k - 1);
                        while place > 1 && squares[query * k + place - 1] > square {
                            squares[query * k + place] = squares[query * k + place - 1];
                            indices[query * k + place] = indices[query * k + place - 1];
                            place -= 1;
                        }
                        squares[query * k + place] = square;
                        indices[query * k + place] = point as u32;
                        count = k.min(count + 1);
                        if count == k {
                            worst = squares[query * k + k - 1];
                        }
                    }
                }
            }
        }
    }
}

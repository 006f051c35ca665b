//! Choosing columns.

use super::{Chosen, check_flags, last};
use crate::primitives::exclusive_scan;
use crate::{DeviceCsr, Error};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![kept_lengths::kernel(), copy_kept::kernel::<f32>(), copy_kept::kernel::<f64>()]
}

/// The columns whose flag is 1, renumbered, in their order.
///
/// # Errors
/// Not one flag for each column; what the device reports.
pub fn select_columns<T: GpuType>(matrix: &DeviceCsr<T>, columns: &DSlice<u8>) -> Result<DeviceCsr<T>, Error> {
    check_flags("columns", columns, matrix.n_cols)?;
    keep(matrix, columns, &Chosen::new(columns)?)
}

pub(super) fn keep<T: GpuType>(
    matrix: &DeviceCsr<T>,
    columns: &DSlice<u8>,
    chosen: &Chosen,
) -> Result<DeviceCsr<T>, Error> {
    let (device, threads) = (matrix.device(), matrix.n_rows() * 32);
    let mut lengths = device.zeros(matrix.n_rows())?;
    kept_lengths(&matrix.indptr, &matrix.indices, columns, &mut lengths).threads(threads).launch()?;
    let indptr = exclusive_scan(&lengths)?;
    // No more entries than the matrix has, which fit memory.
    let entries = last(&indptr)? as usize;
    let (mut indices, mut data) = (device.allocate(entries)?, device.allocate(entries)?);
    let (from_indices, from_data) = (&matrix.indices, &matrix.data);
    copy_kept(&matrix.indptr, from_indices, from_data, columns, &chosen.numbers, &indptr, &mut indices, &mut data)
        .threads(threads)
        .launch()?;
    Ok(DeviceCsr { indptr, indices, data, n_cols: chosen.count })
}

/// How many entries of each row are kept: a warp a row.
#[gpu_kernel]
fn kept_lengths(indptr: &[u64], indices: &[u32], columns: &[u8], lengths: &mut [u64]) {
    let row = global_warp_id();
    if row < lengths.len() {
        let end = indptr[row + 1] as usize;
        let mut k = indptr[row] as usize + lane_id();
        let mut count = 0u64;
        while k < end {
            count += (columns[indices[k] as usize] == 1) as u64;
            k += 32;
        }
        let mut distance = 16u32;
        while distance > 0 {
            count += shfl_xor_sync(FULL_MASK, count, distance);
            distance /= 2;
        }
        if lane_id() == 0 {
            lengths[row] = count;
        }
    }
}

/// Copies what is kept, in order: each lane has a piece of the row, and a scan over the lanes tells where it goes.
#[gpu_kernel]
fn copy_kept<T: GpuType>(
    indptr: &[u64],
    indices: &[u32],
    data: &[T],
    columns: &[u8],
    new_columns: &[u64],
    new_indptr: &[u64],
    new_indices: &mut [u32],
    new_data: &mut [T],
) {
    let row = global_warp_id();
    if row < indptr.len() - 1 {
        let first = indptr[row] as usize;
        let length = indptr[row + 1] as usize - first;
        let start = first + length * lane_id() / 32;
        let stop = first + length * (lane_id() + 1) / 32;
        let mut own = 0u64;
        for k in start..stop {
            own += (columns[indices[k] as usize] == 1) as u64;
        }
        let mut through = own;
        let mut delta = 1u32;
        while delta < 32 {
            let below = shfl_up_sync(FULL_MASK, through, delta);
            if lane_id() >= delta as usize {
                through += below;
            }
            delta *= 2;
        }
        let mut place = (new_indptr[row] + through - own) as usize;
        for k in start..stop {
            let column = indices[k] as usize;
            if columns[column] == 1 {
                new_indices[place] = new_columns[column] as u32;
                new_data[place] = data[k];
                place += 1;
            }
        }
    }
}

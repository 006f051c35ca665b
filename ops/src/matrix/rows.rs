//! Choosing rows.

use super::{Chosen, check_flags, last};
use crate::primitives::exclusive_scan;
use crate::{DeviceCsr, Error};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![row_lengths::kernel(), copy_rows::kernel::<f32>(), copy_rows::kernel::<f64>()]
}

/// The rows whose flag is 1, in their order.
///
/// # Errors
/// Not one flag for each row; what the device reports.
pub fn select_rows<T: GpuType>(matrix: &DeviceCsr<T>, rows: &DSlice<u8>) -> Result<DeviceCsr<T>, Error> {
    check_flags("rows", rows, matrix.n_rows())?;
    keep(matrix, rows, &Chosen::new(rows)?)
}

pub(super) fn keep<T: GpuType>(
    matrix: &DeviceCsr<T>,
    rows: &DSlice<u8>,
    chosen: &Chosen,
) -> Result<DeviceCsr<T>, Error> {
    let (device, n_rows) = (matrix.device(), matrix.n_rows());
    let mut lengths = device.zeros(chosen.count)?;
    row_lengths(&matrix.indptr, rows, &chosen.numbers, &mut lengths).threads(n_rows).launch()?;
    let indptr = exclusive_scan(&lengths)?;
    // No more entries than the matrix has, which fit memory.
    let entries = last(&indptr)? as usize;
    let (mut indices, mut data) = (device.allocate(entries)?, device.allocate(entries)?);
    let (from_indices, from_data) = (&matrix.indices, &matrix.data);
    copy_rows(&matrix.indptr, from_indices, from_data, rows, &chosen.numbers, &indptr, &mut indices, &mut data)
        .threads(n_rows * 32)
        .launch()?;
    Ok(DeviceCsr { indptr, indices, data, n_cols: matrix.n_cols })
}

#[gpu_kernel]
fn row_lengths(indptr: &[u64], rows: &[u8], new_rows: &[u64], lengths: &mut [u64]) {
    let row = global_id();
    if row < rows.len() && rows[row] == 1 {
        lengths[new_rows[row] as usize] = indptr[row + 1] - indptr[row];
    }
}

/// A warp a row.
#[gpu_kernel]
fn copy_rows<T: GpuType>(
    indptr: &[u64],
    indices: &[u32],
    data: &[T],
    rows: &[u8],
    new_rows: &[u64],
    new_indptr: &[u64],
    new_indices: &mut [u32],
    new_data: &mut [T],
) {
    let row = global_warp_id();
    if row < rows.len() && rows[row] == 1 {
        let start = indptr[row] as usize;
        let length = indptr[row + 1] as usize - start;
        let target = new_indptr[new_rows[row] as usize] as usize;
        let mut k = lane_id();
        while k < length {
            new_indices[target + k] = indices[start + k];
            new_data[target + k] = data[start + k];
            k += 32;
        }
    }
}

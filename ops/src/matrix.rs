//! Choosing rows and columns of a sparse matrix.

use crate::primitives::exclusive_scan;
use crate::{DeviceCsr, Error};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

/// Every kernel of this module.
pub fn kernels() -> Vec<KernelInfo> {
    vec![widen::kernel(), kept_lengths::kernel(), copy_kept::kernel()]
}

/// The rows and columns whose flag is 1, renumbered, in their order.
///
/// # Errors
/// A flag for each row and column is needed; what the device reports.
pub fn select(matrix: &DeviceCsr<f32>, rows: &DSlice<u8>, columns: &DSlice<u8>) -> Result<DeviceCsr<f32>, Error> {
    if rows.len() != matrix.n_rows() || columns.len() != matrix.n_cols {
        let (flags, shape) = ((rows.len(), columns.len()), (matrix.n_rows(), matrix.n_cols));
        let problem = format!("{flags:?} flags for a matrix of {shape:?}; give one for each row and column");
        return Err(Error::Argument { operation: "select", problem });
    }
    let device = matrix.device();
    let (new_rows, n_rows) = numbered(rows)?;
    let (new_columns, n_cols) = numbered(columns)?;
    let mut lengths = device.zeros::<u64>(n_rows)?;
    let (indptr, indices) = (&matrix.indptr, &matrix.indices);
    let threads = matrix.n_rows() * 32;
    kept_lengths(indptr, indices, rows, columns, &new_rows, &mut lengths).threads(threads).launch()?;
    let pointers = exclusive_scan(&lengths)?;
    // No more entries than the matrix has, which fit memory.
    let entries = pointers.slice(n_rows..n_rows + 1).download()?[0] as usize;
    let (mut kept_columns, mut kept_data) = (device.allocate(entries)?, device.allocate(entries)?);
    copy_kept(
        indptr,
        indices,
        &matrix.data,
        rows,
        columns,
        &new_rows,
        &new_columns,
        &pointers,
        &mut kept_columns,
        &mut kept_data,
    )
    .threads(threads)
    .launch()?;
    Ok(DeviceCsr { indptr: pointers, indices: kept_columns, data: kept_data, n_cols })
}

/// The new number of what is kept, and how many are.
fn numbered(flags: &DSlice<u8>) -> Result<(Buffer<u64>, usize), Error> {
    let mut wide = flags.device().allocate(flags.len())?;
    widen(flags, &mut wide).threads(flags.len()).launch()?;
    let numbers = exclusive_scan(&wide)?;
    let kept = numbers.slice(flags.len()..flags.len() + 1).download()?[0];
    Ok((numbers, kept as usize))
}

#[gpu_kernel]
fn widen(flags: &[u8], out: &mut [u64]) {
    let i = global_id();
    if i < out.len() {
        out[i] = (flags[i] == 1) as u64;
    }
}

/// How many entries of each kept row are kept: a warp a row.
#[gpu_kernel]
fn kept_lengths(indptr: &[u64], indices: &[u32], rows: &[u8], columns: &[u8], new_rows: &[u64], lengths: &mut [u64]) {
    let row = global_warp_id();
    if row < rows.len() {
        let mut count = 0u64;
        if rows[row] == 1 {
            let end = indptr[row + 1] as usize;
            let mut k = indptr[row] as usize + lane_id();
            while k < end {
                count += (columns[indices[k] as usize] == 1) as u64;
                k += 32;
            }
        }
        count += shfl_xor_sync(FULL_MASK, count, 16);
        count += shfl_xor_sync(FULL_MASK, count, 8);
        count += shfl_xor_sync(FULL_MASK, count, 4);
        count += shfl_xor_sync(FULL_MASK, count, 2);
        count += shfl_xor_sync(FULL_MASK, count, 1);
        if lane_id() == 0 && rows[row] == 1 {
            lengths[new_rows[row] as usize] = count;
        }
    }
}

/// Copies what is kept, in order: each lane has a piece of the row, and a scan over the lanes tells where it goes.
#[gpu_kernel]
fn copy_kept(
    indptr: &[u64],
    indices: &[u32],
    data: &[f32],
    rows: &[u8],
    columns: &[u8],
    new_rows: &[u64],
    new_columns: &[u64],
    pointers: &[u64],
    out_indices: &mut [u32],
    out_data: &mut [f32],
) {
    let row = global_warp_id();
    if row < rows.len() {
        let mut start = 0usize;
        let mut stop = 0usize;
        let mut count = 0u64;
        if rows[row] == 1 {
            let first = indptr[row] as usize;
            let length = indptr[row + 1] as usize - first;
            start = first + length * lane_id() / 32;
            stop = first + length * (lane_id() + 1) / 32;
            for k in start..stop {
                count += (columns[indices[k] as usize] == 1) as u64;
            }
        }
        let own = count;
        let mut delta = 1u32;
        while delta < 32 {
            let below = shfl_up_sync(FULL_MASK, count, delta);
            if lane_id() >= delta as usize {
                count += below;
            }
            delta *= 2;
        }
        if start < stop {
            let mut place = (pointers[new_rows[row] as usize] + count - own) as usize;
            for k in start..stop {
                let column = indices[k] as usize;
                if columns[column] == 1 {
                    out_indices[place] = new_columns[column] as u32;
                    out_data[place] = data[k];
                    place += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csr::tests::example;

    #[test]
    fn what_is_kept_is_in_order_and_renumbered() {
        assert!(kernels().iter().all(KernelInfo::runs_in_phases));
        let device = Device::cpu();
        for n_rows in [0, 1, 31, 33, 300] {
            let host = example(n_rows, 50);
            let matrix = host.upload(&device);
            let rows: Vec<u8> = (0..n_rows).map(|row| (row % 3 != 1) as u8).collect();
            let columns: Vec<u8> = (0..50).map(|column| (column % 4 != 0) as u8).collect();
            let kept =
                select(&matrix, &device.upload(&rows).unwrap(), &device.upload(&columns).unwrap()).unwrap();
            let (indptr, indices, data) =
                (kept.indptr.download().unwrap(), kept.indices.download().unwrap(), kept.data.download().unwrap());
            let new: Vec<u32> = (0..50).map(|column| columns[..column].iter().map(|flag| u32::from(*flag)).sum()).collect();
            let mut found = Vec::new();
            for row in 0..kept.n_rows() {
                let range = indptr[row] as usize..indptr[row + 1] as usize;
                found.push(range.map(|k| (indices[k], data[k])).collect::<Vec<_>>());
            }
            let expected: Vec<Vec<(u32, f32)>> = (0..n_rows)
                .filter(|row| rows[*row] == 1)
                .map(|row| {
                    let entries = host.row(row).into_iter().filter(|entry| columns[entry.0 as usize] == 1);
                    entries.map(|entry| (new[entry.0 as usize], entry.1)).collect()
                })
                .collect();
            assert_eq!(found, expected, "{n_rows} rows");
            assert_eq!(kept.n_cols, 37);
        }
    }
}

//! The transposed matrix, by one stable counting sort over the columns.
//!
//! The rows are cut into slabs. What a column has in each slab is counted, and a scan (columns first, then slabs) tells
//! where each slab's part of a column starts. A block then places the rows of its slab in order, with a barrier between
//! rows: the columns of a row are distinct, so its threads never meet. The result doesn't depend on the slabs.

use super::last;
use crate::primitives::exclusive_scan;
use crate::{DeviceCsr, Error};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![count_columns::kernel(), column_starts::kernel(), place_rows::kernel::<f32>(), place_rows::kernel::<f64>()]
}

/// More slabs keep more multiprocessors busy, but each needs 8 bytes a column.
const MOST_SLABS: usize = 1024;
const BLOCK: usize = 128;

/// The transposed matrix: the columns of `matrix` as rows, so its CSC form. Each row's entries ascend.
///
/// # Errors
/// More than 2^32 rows; what the device reports.
pub fn transpose<T: GpuType>(matrix: &DeviceCsr<T>) -> Result<DeviceCsr<T>, Error> {
    let (device, n_rows, n_cols) = (matrix.device(), matrix.n_rows(), matrix.n_cols);
    if n_rows > u32::MAX as usize {
        let problem = format!("{n_rows} rows, but at most {} can become columns; split the matrix", u32::MAX);
        return Err(Error::Argument { operation: "transpose", problem });
    }
    // About as many counters as entries, at most.
    let wanted = (matrix.nnz() / n_cols.max(1)).clamp(1, MOST_SLABS);
    let slab = n_rows.div_ceil(wanted).max(1);
    let slabs = n_rows.div_ceil(slab);
    let mut counts = device.zeros(n_cols * slabs)?;
    count_columns(&matrix.indptr, &matrix.indices, slab, slabs, &mut counts).threads(n_rows * 32).launch()?;
    let mut places = exclusive_scan(&counts)?;
    debug_assert_eq!(last(&places)?, matrix.nnz() as u64);
    let mut indptr = device.allocate(n_cols + 1)?;
    column_starts(&places, slabs, &mut indptr).threads(n_cols + 1).launch()?;
    let (mut rows, mut data) = (device.allocate(matrix.nnz())?, device.allocate(matrix.nnz())?);
    place_rows(&matrix.indptr, &matrix.indices, &matrix.data, slab, &mut places, &mut rows, &mut data)
        .grid(slabs)
        .block(BLOCK)
        .launch()?;
    Ok(DeviceCsr { indptr, indices: rows, data, n_cols: n_rows })
}

/// A warp a row.
#[gpu_kernel]
fn count_columns(indptr: &[u64], indices: &[u32], slab: usize, slabs: usize, counts: &mut [u64]) {
    let row = global_warp_id();
    if row < indptr.len() - 1 {
        let end = indptr[row + 1] as usize;
        let mut k = indptr[row] as usize + lane_id();
        while k < end {
            atomic_add(&mut counts[indices[k] as usize * slabs + row / slab], 1);
            k += 32;
        }
    }
}

#[gpu_kernel]
fn column_starts(places: &[u64], slabs: usize, indptr: &mut [u64]) {
    let column = global_id();
    if column < indptr.len() {
        indptr[column] = places[column * slabs];
    }
}

#[gpu_kernel]
fn place_rows<T: GpuType>(
    indptr: &[u64],
    indices: &[u32],
    data: &[T],
    slab: usize,
    places: &mut [u64],
    out_rows: &mut [u32],
    out_data: &mut [T],
) {
    let start = block_rank() * slab;
    let end = (start + slab).min(indptr.len() - 1);
    for row in start..end {
        let stop = indptr[row + 1] as usize;
        let mut k = indptr[row] as usize + thread_rank();
        while k < stop {
            let at = indices[k] as usize * grid_size() + block_rank();
            let place = places[at] as usize;
            places[at] += 1;
            out_rows[place] = row as u32;
            out_data[place] = data[k];
            k += block_size();
        }
        sync_threads();
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::download;
    use super::*;
    use crate::csr::tests::{Host, example};
    use warpcell_runtime::CpuOptions;

    fn expected(host: &Host) -> Host {
        let mut rows = vec![Vec::new(); host.n_cols];
        for (row, entries) in host.rows.iter().enumerate() {
            entries.iter().for_each(|(column, value)| rows[*column as usize].push((row as u32, *value)));
        }
        Host { rows, n_cols: host.rows.len() }
    }

    #[test]
    fn columns_become_rows_in_order() {
        let futures = Device::cpu_with(CpuOptions { futures: true, ..CpuOptions::default() });
        for device in [Device::cpu(), futures] {
            for (n_rows, n_cols) in [(0, 5), (5, 0), (1, 1), (31, 40), (33, 3), (257, 60), (4100, 7)] {
                let host = example(n_rows, n_cols);
                let turned = transpose(&host.upload(&device)).unwrap();
                let found = download(&turned);
                assert_eq!(found.rows, expected(&host).rows, "{n_rows} x {n_cols}");
                assert_eq!(found.n_cols, n_rows);
                assert_eq!(download(&transpose(&turned).unwrap()).rows, host.rows, "{n_rows} x {n_cols}, twice");
            }
        }
    }
}

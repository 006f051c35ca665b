//! The Gram matrix of a sparse matrix, `XᵀX` in `f64`, without its dense form.
//!
//! Entry (i, j) is a sum over the rows in ascending order, whatever the block size and the row chunks. A warp has row i of
//! the result from the diagonal on: it follows the entries of column i, and for each its lanes stride over the rest of the
//! entry's row, whose columns are distinct. The lower triangle is a copy of the upper one, which has the same sums.

use crate::matrix::transpose;
use crate::{DeviceCsr, Error};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

pub(super) fn kernels() -> Vec<KernelInfo> {
    vec![add_products::kernel(), mirror::kernel()]
}

/// Warps of a block.
const WARPS: usize = 4;

/// Entries of a column that a launch works through. Columns are of very different lengths, and only those that have
/// entries left take part in the next launch.
const ROUND: usize = 512;

/// `XᵀX` of a matrix that comes in row chunks of `n_cols` columns, in ascending order: `n_cols * n_cols`, row by row.
///
/// # Errors
/// A chunk of 2^32 rows or more; what the device reports.
pub fn gram(device: &Device, chunks: &[&DeviceCsr<f32>], n_cols: usize) -> Result<Buffer<f64>, Error> {
    let mut out = device.zeros(n_cols * n_cols)?;
    for chunk in chunks.iter().filter(|chunk| chunk.nnz() > 0) {
        add_chunk(chunk, &mut out)?;
    }
    mirror(n_cols, &mut out).threads(n_cols * n_cols).launch()?;
    Ok(out)
}

/// Adds the products of a chunk's rows to the upper triangle.
fn add_chunk(chunk: &DeviceCsr<f32>, gram: &mut DSlice<f64>) -> Result<(), Error> {
    let by_column = transpose(chunk)?;
    let starts = by_column.indptr.download()?;
    let length = |column: &u32| starts[*column as usize + 1] - starts[*column as usize];
    let mut longest_first: Vec<u32> = (0..chunk.n_cols as u32).collect();
    longest_first.sort_by_key(|column| std::cmp::Reverse(length(column)));
    let columns = chunk.device().upload(&longest_first)?;
    let longest = longest_first.first().map_or(0, length);
    for first in (0..longest).step_by(ROUND) {
        let left = longest_first.partition_point(|column| length(column) > first);
        add_products(
            &columns.slice(0..left),
            first,
            &by_column.indptr,
            &by_column.indices,
            &by_column.data,
            &chunk.indptr,
            &chunk.indices,
            &chunk.data,
            chunk.n_cols,
            gram,
        )
        .grid(left.div_ceil(WARPS))
        .block(WARPS * 32)
        .launch()?;
    }
    Ok(())
}

/// The first of the positions `start..end` whose column is not below `column`; columns ascend.
#[gpu_fn]
fn first_from(column: u32, indices: &[u32], start: usize, end: usize) -> usize {
    let mut low = start;
    let mut high = end;
    while low < high {
        let middle = (low + high) / 2;
        if indices[middle] < column {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// A round for each of `columns`, from entry `first` of the column on: 32 entries at a time, one of them for each lane to
/// look up in its row, then one after the other for all lanes to multiply.
#[gpu_kernel]
fn add_products(
    columns: &[u32],
    first: u64,
    starts: &[u64],
    rows: &[u32],
    values: &[f32],
    indptr: &[u64],
    indices: &[u32],
    data: &[f32],
    n_cols: usize,
    gram: &mut [f64],
) {
    let mut places = shared::<[u64; WARPS * 32]>();
    let mut ends = shared::<[u64; WARPS * 32]>();
    let mut factors = shared::<[f32; WARPS * 32]>();
    let number = global_warp_id();
    if number < columns.len() {
        for batch in 0..ROUND / 32 {
            let column = columns[number] as usize;
            let entry = (starts[column] + first) as usize + batch * 32 + lane_id();
            ends[thread_rank()] = 0;
            if entry < starts[column + 1] as usize {
                let row = rows[entry] as usize;
                let end = indptr[row + 1];
                places[thread_rank()] = first_from(column as u32, indices, indptr[row] as usize, end as usize) as u64;
                ends[thread_rank()] = end;
                factors[thread_rank()] = values[entry];
            }
            sync_warp();
            for k in 0..32 {
                let end = ends[warp_id() * 32 + k] as usize;
                if end > 0 {
                    let factor = factors[warp_id() * 32 + k] as f64;
                    let mut other = places[warp_id() * 32 + k] as usize + lane_id();
                    while other < end {
                        gram[column * n_cols + indices[other] as usize] += factor * data[other] as f64;
                        other += 32;
                    }
                }
                sync_warp();
            }
        }
    }
}

/// Copies the upper triangle to the lower one.
#[gpu_kernel]
fn mirror(n_cols: usize, gram: &mut [f64]) {
    let i = global_id();
    if i < gram.len() {
        let row = i / n_cols;
        let column = i % n_cols;
        if column < row {
            gram[i] = gram[column * n_cols + row];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csr::tests::example;

    fn bits(values: &DSlice<f64>) -> Vec<u64> {
        values.download().unwrap().into_iter().map(f64::to_bits).collect()
    }

    #[test]
    fn sums_run_over_the_rows_in_order_in_any_chunks() {
        let device = Device::cpu();
        for (n_rows, n_cols) in [(0, 3), (1, 1), (2, 37), (31, 5), (33, 70), (257, 37), (2100, 33)] {
            let host = example(n_rows, n_cols);
            let mut expected = vec![0f64; n_cols * n_cols];
            for row in &host.rows {
                for (i, v) in row {
                    for (j, w) in row {
                        // Values whose products are not exact in `f64` sums.
                        expected[*i as usize * n_cols + *j as usize] += f64::from(v / 7.0) * f64::from(w / 7.0);
                    }
                }
            }
            let expected: Vec<u64> = expected.into_iter().map(f64::to_bits).collect();
            let sevenths = |range: std::ops::Range<usize>| {
                let mut part = host.rows(range);
                part.rows.iter_mut().flatten().for_each(|entry| entry.1 /= 7.0);
                part.upload(&device)
            };
            let whole = gram(&device, &[&sevenths(0..n_rows)], n_cols).unwrap();
            assert_eq!(bits(&whole), expected, "{n_rows} x {n_cols}");
            let cut = n_rows / 3;
            let (first, second) = (sevenths(0..cut), sevenths(cut..n_rows));
            assert_eq!(bits(&gram(&device, &[&first, &second], n_cols).unwrap()), expected, "{n_rows} x {n_cols}");
        }
    }
}

//! A sparse matrix on a device.

use crate::Error;
use warpcell_runtime::lang::GpuType;
use warpcell_runtime::{Buffer, Device};

/// A matrix in compressed sparse row form: row `r`'s entries are `indptr[r]..indptr[r + 1]` of `indices` (their columns,
/// ascending, each at most once) and `data`.
pub struct DeviceCsr<T> {
    /// `n_rows + 1` positions, from 0 to the number of entries.
    pub indptr: Buffer<u64>,
    /// The entries' columns, below `n_cols`.
    pub indices: Buffer<u32>,
    /// The entries' values.
    pub data: Buffer<T>,
    /// The number of columns.
    pub n_cols: usize,
}

impl<T: GpuType> DeviceCsr<T> {
    /// Uploads a matrix, after checking its structure.
    ///
    /// # Errors
    /// [`Error::Csr`] where `indptr` does not start at 0, descends or does not end at the number of entries, or a row's
    /// columns don't ascend or reach `n_cols`; what the device reports.
    pub fn upload(device: &Device, indptr: &[u64], indices: &[u32], data: &[T], n_cols: usize) -> Result<Self, Error> {
        check(indptr, indices, data.len(), n_cols)?;
        Ok(DeviceCsr {
            indptr: device.upload(indptr)?,
            indices: device.upload(indices)?,
            data: device.upload(data)?,
            n_cols,
        })
    }

    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.indptr.len() - 1
    }

    /// The number of stored entries.
    pub fn nnz(&self) -> usize {
        self.data.len()
    }

    /// The device it is on.
    pub fn device(&self) -> &Device {
        self.data.device()
    }
}

/// Whether the parts make a matrix.
fn check(indptr: &[u64], indices: &[u32], entries: usize, n_cols: usize) -> Result<(), Error> {
    let fail = |problem: String| Err(Error::Csr { problem });
    if indptr.first() != Some(&0) || indptr.last() != Some(&(entries as u64)) || indices.len() != entries {
        return fail(format!(
            "indptr must run from 0 to the number of entries: it runs from {:?} to {:?}, with {} columns and {entries} values",
            indptr.first(),
            indptr.last(),
            indices.len()
        ));
    }
    for (row, ends) in indptr.windows(2).enumerate() {
        if ends[0] > ends[1] || ends[1] > entries as u64 {
            return fail(format!("indptr descends, or is too large, after row {row}"));
        }
        // Both ends are at most the number of entries, which is a `usize`.
        let columns = &indices[ends[0] as usize..ends[1] as usize];
        if columns.windows(2).any(|pair| pair[0] >= pair[1]) {
            return fail(format!("the columns of row {row} don't ascend"));
        }
        if let Some(column) = columns.last().filter(|column| **column as usize >= n_cols) {
            return fail(format!("row {row} has column {column}, but there are only {n_cols}"));
        }
    }
    Ok(())
}

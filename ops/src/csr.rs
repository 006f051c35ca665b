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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::ops::Range;

    /// A matrix on the host.
    pub(crate) struct Host {
        pub(crate) rows: Vec<Vec<(u32, f32)>>,
        pub(crate) n_cols: usize,
    }

    /// Counts with empty rows and rows of all lengths among them.
    pub(crate) fn example(n_rows: usize, n_cols: usize) -> Host {
        let mix = |x: u64| (x.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ x >> 7).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33;
        let row = |row: usize| {
            let share = mix(row as u64) % 8;
            (0..n_cols as u32)
                .filter(|column| mix(row as u64 * 7919 + u64::from(*column)) % 8 < share)
                .map(|column| (column, (mix(row as u64 ^ u64::from(column) << 20) % 50 + 1) as f32))
                .collect()
        };
        Host { rows: (0..n_rows).map(row).collect(), n_cols }
    }

    impl Host {
        pub(crate) fn row(&self, row: usize) -> Vec<(u32, f32)> {
            self.rows[row].clone()
        }

        pub(crate) fn rows(&self, range: Range<usize>) -> Host {
            Host { rows: self.rows[range].to_vec(), n_cols: self.n_cols }
        }

        pub(crate) fn upload(&self, device: &Device) -> DeviceCsr<f32> {
            let mut indptr = vec![0];
            for row in &self.rows {
                indptr.push(indptr[indptr.len() - 1] + row.len() as u64);
            }
            let (indices, data): (Vec<u32>, Vec<f32>) = self.rows.iter().flatten().copied().unzip();
            DeviceCsr::upload(device, &indptr, &indices, &data, self.n_cols).unwrap()
        }
    }

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        let device = Device::cpu();
        let upload = |indptr: &[u64], indices: &[u32]| {
            DeviceCsr::upload(&device, indptr, indices, &vec![1.0f32; indices.len()], 3).err().unwrap().to_string()
        };
        assert!(upload(&[0, 2], &[1]).contains("indptr must run"));
        assert!(upload(&[0, 2, 1, 3], &[0, 1, 2]).contains("descends"));
        assert!(upload(&[0, 2], &[1, 1]).contains("don't ascend"));
        assert!(upload(&[0, 2], &[1, 3]).contains("column 3"));
    }
}

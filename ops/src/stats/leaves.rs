//! Partial sums of each gene over fixed leaves of rows.

use super::fold::{fold_counts, fold_leaves};
use super::value::Value;
use crate::{DeviceCsr, Error};
use std::ops::Range;
use warpcell_runtime::prelude::*;

/// The rows of a leaf.
pub(super) const LEAF: usize = 4096;
/// Threads of a block that adds up a leaf. No result depends on it.
pub(super) const BLOCK: usize = 256;

/// The leaves of a matrix that comes in row chunks, from the first row to the last.
pub(super) struct Leaves {
    operation: &'static str,
    n_rows: usize,
    n_cols: usize,
    next_row: usize,
    /// Leaves x genes.
    pub(super) sums: Buffer<f64>,
}

impl Leaves {
    pub(super) fn new(operation: &'static str, device: &Device, n_rows: usize, n_cols: usize) -> Result<Leaves, Error> {
        let sums = device.zeros(n_rows.div_ceil(LEAF) * n_cols)?;
        Ok(Leaves { operation, n_rows, n_cols, next_row: 0, sums })
    }

    /// Whether the chunk is the one that comes next; gives the leaves that it touches.
    pub(super) fn take<T: GpuType>(&mut self, chunk: &DeviceCsr<T>, first_row: usize) -> Result<Range<usize>, Error> {
        let end = first_row + chunk.n_rows();
        if chunk.n_cols != self.n_cols {
            return Err(self.refuse(format!("a chunk of {} genes, where {} are expected", chunk.n_cols, self.n_cols)));
        }
        if first_row != self.next_row || end > self.n_rows {
            let (next, all) = (self.next_row, self.n_rows);
            return Err(self.refuse(format!(
                "rows {first_row} to {end} came where row {next} of {all} is next; give the chunks in order, each row once"
            )));
        }
        self.next_row = end;
        Ok(first_row / LEAF..end.div_ceil(LEAF))
    }

    /// The sum of the leaves of each gene.
    pub(super) fn fold(&self) -> Result<Buffer<f64>, Error> {
        if self.next_row != self.n_rows {
            return Err(self.refuse(format!("only {} of {} rows came; add the rest", self.next_row, self.n_rows)));
        }
        let mut out = self.sums.device().zeros(self.n_cols)?;
        fold_leaves(&self.sums, self.n_rows.div_ceil(LEAF), &mut out).threads(self.n_cols).launch()?;
        Ok(out)
    }

    /// The sum of counts kept in the same layout.
    pub(super) fn fold_counts(&self, counts: &DSlice<u32>) -> Result<Buffer<u64>, Error> {
        let mut out = counts.device().zeros(self.n_cols)?;
        fold_counts(counts, self.n_rows.div_ceil(LEAF), &mut out).threads(self.n_cols).launch()?;
        Ok(out)
    }

    /// Whether there is a factor for each row.
    pub(super) fn check_factors(&self, value: &Value<'_>) -> Result<(), Error> {
        match value.factors() {
            Some(factors) if factors.len() != self.n_rows => {
                let problem = format!("{} factors for {} rows; give one for each row", factors.len(), self.n_rows);
                Err(self.refuse(problem))
            }
            _ => Ok(()),
        }
    }

    fn refuse(&self, problem: String) -> Error {
        Error::Argument { operation: self.operation, problem }
    }
}

/// The number of rows and columns of a matrix in chunks.
pub(super) fn shape<T: GpuType>(chunks: &[&DeviceCsr<T>]) -> (usize, usize) {
    (chunks.iter().map(|chunk| chunk.n_rows()).sum(), chunks.first().map_or(0, |chunk| chunk.n_cols))
}

/// Each chunk with the number of its first row in the whole matrix.
pub(super) fn with_first_rows<'c, T: GpuType>(
    chunks: &'c [&'c DeviceCsr<T>],
) -> impl Iterator<Item = (&'c DeviceCsr<T>, usize)> {
    chunks.iter().scan(0, |next, chunk| {
        let first_row = *next;
        *next += chunk.n_rows();
        Some((*chunk, first_row))
    })
}

//! Matrices on the host.

/// A sparse matrix in compressed sparse row form. The columns of a row ascend, each at most once, and no zero is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct Csr {
    /// Row `r`'s entries are `indptr[r]..indptr[r + 1]`.
    pub indptr: Vec<u64>,
    /// The entries' columns, below `n_cols`.
    pub indices: Vec<u32>,
    /// The entries' values.
    pub data: Vec<f32>,
    /// The number of columns.
    pub n_cols: usize,
}

impl Default for Csr {
    fn default() -> Csr {
        Csr { indptr: vec![0], indices: Vec::new(), data: Vec::new(), n_cols: 0 }
    }
}

/// What was changed to bring a matrix into the form of [`Csr`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// Rows whose columns did not ascend.
    pub unsorted_rows: usize,
    /// Entries of the same row and column, which were summed.
    pub duplicates: usize,
    /// Stored zeros, which were dropped.
    pub zeros: usize,
}

/// Parts that don't make a matrix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum MatrixError {
    #[error("indptr has {found} entries, but the shape asks for {expected}")]
    PointerCount { found: usize, expected: usize },
    #[error("indptr starts at {0}, not at 0")]
    PointerStart(u64),
    #[error("indptr falls after {line} {number}, from {from} to {to}")]
    PointerFalls { line: Line, number: usize, from: u64, to: u64 },
    #[error("indptr ends at {end}, but there are {indices} indices and {values} values")]
    PointerEnd { end: u64, indices: usize, values: usize },
    #[error("index {index} in {line} {number} is outside of 0..{bound}")]
    Index { line: Line, number: usize, index: i64, bound: usize },
    #[error("{columns} columns are more than the {} that can be counted", u32::MAX)]
    Columns { columns: usize },
    #[error("the shape is {found:?}, but {expected:?} fits the annotations")]
    Shape { found: [usize; 2], expected: [usize; 2] },
    #[error("{values} values don't make {rows} x {columns}")]
    Dense { values: usize, rows: usize, columns: usize },
}

impl MatrixError {
    /// The array that is to blame, if it is one of those that make a sparse matrix: `indptr` or `indices`.
    pub fn array(&self) -> Option<&'static str> {
        match self {
            MatrixError::PointerCount { .. }
            | MatrixError::PointerStart(_)
            | MatrixError::PointerFalls { .. }
            | MatrixError::PointerEnd { .. } => Some("indptr"),
            MatrixError::Index { .. } => Some("indices"),
            MatrixError::Columns { .. } | MatrixError::Shape { .. } | MatrixError::Dense { .. } => None,
        }
    }
}

/// What the pointers of a sparse matrix count: rows in CSR, columns in CSC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// A row of CSR.
    Row,
    /// A column of CSC.
    Column,
}

impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Line::Row => "row",
            Line::Column => "column",
        })
    }
}

impl Csr {
    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.indptr.len().saturating_sub(1)
    }

    /// The number of stored entries.
    pub fn nnz(&self) -> usize {
        self.data.len()
    }

    /// The columns and values of a row.
    pub fn row(&self, row: usize) -> (&[u32], &[f32]) {
        // The pointers are positions in vectors, so they fit `usize`.
        let range = self.indptr[row] as usize..self.indptr[row + 1] as usize;
        (&self.indices[range.clone()], &self.data[range])
    }

    /// A matrix from its parts, checked: sorts rows, sums duplicates and drops zeros.
    ///
    /// # Errors
    /// The parts don't fit together.
    pub fn from_parts<I: Copy + Into<i64>>(
        indptr: Vec<u64>,
        indices: &[I],
        values: Vec<f32>,
        shape: [usize; 2],
    ) -> Result<(Csr, Repairs), MatrixError> {
        check_columns(shape[1])?;
        check_pointers(&indptr, indices.len(), values.len(), shape[0], Line::Row)?;
        check_indices(&indptr, indices, shape[1], Line::Row)?;
        // Checked above: every index is at least 0 and below the number of columns, which fits `u32`.
        let indices = indices.iter().map(|index| (*index).into() as u32).collect();
        let csr = Csr { indptr, indices, data: values, n_cols: shape[1] };
        Ok(csr.repaired())
    }

    /// A matrix from the parts of its transpose (CSC), checked as in [`from_parts`](Csr::from_parts).
    ///
    /// # Errors
    /// The parts don't fit together.
    pub fn from_csc<I: Copy + Into<i64>>(
        indptr: Vec<u64>,
        indices: &[I],
        values: &[f32],
        shape: [usize; 2],
    ) -> Result<(Csr, Repairs), MatrixError> {
        check_columns(shape[1])?;
        check_pointers(&indptr, indices.len(), values.len(), shape[1], Line::Column)?;
        check_indices(&indptr, indices, shape[0], Line::Column)?;
        // Checked above: every index is at least 0 and below the number of rows.
        let row_of = |entry: usize| indices[entry].into() as usize;
        let mut next = vec![0u64; shape[0] + 1];
        (0..indices.len()).for_each(|entry| next[row_of(entry) + 1] += 1);
        (0..shape[0]).for_each(|row| next[row + 1] += next[row]);
        let pointers = next.clone();
        let (mut columns, mut data) = (vec![0u32; indices.len()], vec![0f32; indices.len()]);
        for (column, ends) in indptr.windows(2).enumerate() {
            for entry in ends[0] as usize..ends[1] as usize {
                let place = &mut next[row_of(entry)];
                columns[*place as usize] = column as u32;
                data[*place as usize] = values[entry];
                *place += 1;
            }
        }
        Ok(Csr { indptr: pointers, indices: columns, data, n_cols: shape[1] }.repaired())
    }

    /// A matrix from all of its values, row by row.
    ///
    /// # Errors
    /// There are more or fewer values than the shape says.
    pub fn from_dense(values: &[f32], shape: [usize; 2]) -> Result<Csr, MatrixError> {
        let [rows, columns] = shape;
        check_columns(columns)?;
        if rows.checked_mul(columns) != Some(values.len()) {
            return Err(MatrixError::Dense { values: values.len(), rows, columns });
        }
        let mut csr = Csr { n_cols: columns, ..Csr::default() };
        for row in 0..rows {
            for (column, value) in values[row * columns..(row + 1) * columns].iter().enumerate() {
                if *value != 0.0 {
                    csr.indices.push(column as u32);
                    csr.data.push(*value);
                }
            }
            csr.indptr.push(csr.data.len() as u64);
        }
        Ok(csr)
    }

    /// Sorted rows, without duplicates and zeros.
    fn repaired(self) -> (Csr, Repairs) {
        let mut repairs = Repairs::default();
        let ascending = |columns: &[u32]| columns.windows(2).all(|pair| pair[0] < pair[1]);
        let clean = (0..self.n_rows()).all(|row| ascending(self.row(row).0)) && !self.data.contains(&0.0);
        if clean {
            return (self, repairs);
        }
        let mut csr = Csr { n_cols: self.n_cols, ..Csr::default() };
        let mut entries: Vec<(u32, f32)> = Vec::new();
        for row in 0..self.n_rows() {
            let (columns, values) = self.row(row);
            entries.clear();
            entries.extend(columns.iter().copied().zip(values.iter().copied()));
            if !entries.is_sorted_by_key(|entry| entry.0) {
                repairs.unsorted_rows += 1;
                entries.sort_by_key(|entry| entry.0);
            }
            for group in entries.chunk_by(|a, b| a.0 == b.0) {
                repairs.duplicates += group.len() - 1;
                let sum: f32 = group.iter().map(|entry| entry.1).sum();
                if sum == 0.0 {
                    repairs.zeros += 1;
                } else {
                    csr.indices.push(group[0].0);
                    csr.data.push(sum);
                }
            }
            csr.indptr.push(csr.data.len() as u64);
        }
        (csr, repairs)
    }

    /// The first entry that is no count: negative, NaN or infinite. As row, column and value.
    pub fn first_non_count(&self) -> Option<(usize, usize, f32)> {
        let entry = self.data.iter().position(|value| !(*value >= 0.0 && value.is_finite()))?;
        let row = self.indptr.partition_point(|start| *start <= entry as u64) - 1;
        Some((row, self.indices[entry] as usize, self.data[entry]))
    }

    /// Whether every value is a whole number.
    pub fn is_whole(&self) -> bool {
        self.data.iter().all(|value| value.fract() == 0.0)
    }
}

/// Columns are kept as `u32`.
fn check_columns(columns: usize) -> Result<(), MatrixError> {
    if u32::try_from(columns).is_err() { Err(MatrixError::Columns { columns }) } else { Ok(()) }
}

fn check_pointers(indptr: &[u64], indices: usize, values: usize, lines: usize, line: Line) -> Result<(), MatrixError> {
    if lines.checked_add(1) != Some(indptr.len()) {
        return Err(MatrixError::PointerCount { found: indptr.len(), expected: lines.saturating_add(1) });
    }
    if indptr[0] != 0 {
        return Err(MatrixError::PointerStart(indptr[0]));
    }
    if let Some(number) = indptr.windows(2).position(|pair| pair[0] > pair[1]) {
        return Err(MatrixError::PointerFalls { line, number, from: indptr[number], to: indptr[number + 1] });
    }
    let end = indptr[lines];
    if end != indices as u64 || end != values as u64 {
        return Err(MatrixError::PointerEnd { end, indices, values });
    }
    Ok(())
}

fn check_indices<I: Copy + Into<i64>>(
    indptr: &[u64],
    indices: &[I],
    bound: usize,
    line: Line,
) -> Result<(), MatrixError> {
    let outside = |index: &I| u64::try_from((*index).into()).map_or(true, |index| index >= bound as u64);
    match indices.iter().position(outside) {
        Some(entry) => {
            let number = indptr.partition_point(|start| *start <= entry as u64) - 1;
            Err(MatrixError::Index { line, number, index: indices[entry].into(), bound })
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsorted_rows_duplicates_and_zeros_are_repaired() {
        let (csr, repairs) =
            Csr::from_parts(vec![0, 4, 4, 6], &[3, 1, 3, 0, 2, 1], vec![1.0, 2.0, 4.0, 0.0, 1.5, -0.0], [3, 4])
                .unwrap();
        assert_eq!((csr.indptr, csr.indices, csr.data), (vec![0, 2, 2, 3], vec![1, 3, 2], vec![2.0, 5.0, 1.5]));
        assert_eq!(repairs, Repairs { unsorted_rows: 2, duplicates: 1, zeros: 2 });
    }

    #[test]
    fn csc_and_dense_give_the_same_rows() {
        let dense = Csr::from_dense(&[0.0, 2.0, 1.0, 0.0, 0.0, 3.0], [2, 3]).unwrap();
        let (csc, _) = Csr::from_csc(vec![0, 0, 1, 3], &[0, 0, 1], &[2.0, 1.0, 3.0], [2, 3]).unwrap();
        assert_eq!(dense, csc);
        assert_eq!(dense.row(1), (&[2u32][..], &[3.0f32][..]));
    }

    #[test]
    fn parts_that_do_not_fit_are_refused_by_place() {
        let parts =
            |indptr: Vec<u64>, indices: &[i64]| Csr::from_parts(indptr, indices, vec![1.0; indices.len()], [2, 3]);
        assert_eq!(parts(vec![0, 1], &[0]), Err(MatrixError::PointerCount { found: 2, expected: 3 }));
        assert_eq!(parts(vec![1, 1, 1], &[0]), Err(MatrixError::PointerStart(1)));
        assert_eq!(
            parts(vec![0, 2, 1], &[0]),
            Err(MatrixError::PointerFalls { line: Line::Row, number: 1, from: 2, to: 1 })
        );
        assert_eq!(parts(vec![0, 1, 3], &[0, 1]), Err(MatrixError::PointerEnd { end: 3, indices: 2, values: 2 }));
        assert_eq!(
            parts(vec![0, 1, 2], &[0, 3]),
            Err(MatrixError::Index { line: Line::Row, number: 1, index: 3, bound: 3 })
        );
        assert_eq!(
            parts(vec![0, 1, 2], &[-1, 0]),
            Err(MatrixError::Index { line: Line::Row, number: 0, index: -1, bound: 3 })
        );
    }

    #[test]
    fn what_is_no_count_is_found_by_place() {
        let (csr, _) = Csr::from_parts(vec![0, 1, 1, 3], &[0, 0, 2], vec![1.0, 2.0, f32::NAN], [3, 3]).unwrap();
        let (row, column, value) = csr.first_non_count().unwrap();
        assert_eq!((row, column), (2, 2));
        assert!(value.is_nan());
    }
}

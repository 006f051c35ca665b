//! Dense arrays on the host.

/// A dense array of rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dense {
    /// Row by row.
    pub data: Vec<f32>,
    /// The number of columns.
    pub n_cols: usize,
}

impl Dense {
    /// The number of rows.
    pub fn n_rows(&self) -> usize {
        self.data.len().checked_div(self.n_cols).unwrap_or(0)
    }

    /// One column.
    pub fn column(&self, column: usize) -> Vec<f32> {
        self.data.chunks_exact(self.n_cols).map(|row| row[column]).collect()
    }
}

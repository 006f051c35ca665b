//! What the Lanczos iteration needs of the place where the long vectors live.

/// A symmetric operator A of order n together with an n × [`basis_columns`](super::basis_columns)
/// array of vectors, the basis, of f64.
///
/// All vectors of length n stay behind this trait (on a device); only scalars and coefficients,
/// at most 129 × 129, pass through it. Columns are named by their index. A result has to depend on
/// the stored values alone, so sums go in a fixed order.
pub trait KrylovBasis {
    /// Why an operation failed.
    type Error: std::error::Error + 'static;

    /// n, the order of the operator and the length of a column.
    fn order(&self) -> usize;

    /// Fills `column` with random numbers of mean 0 and variance 1 that depend on `seed` and the
    /// row alone.
    ///
    /// # Errors
    /// That of the device.
    fn randomize(&mut self, column: usize, seed: u64) -> Result<(), Self::Error>;

    /// Replaces column `into` by A times column `from`; the two differ.
    ///
    /// # Errors
    /// That of the device.
    fn apply(&mut self, from: usize, into: usize) -> Result<(), Self::Error>;

    /// Inner products of `column` with columns 0 to `count - 1`, of which `column` itself may be the
    /// last; `count` may be 0.
    ///
    /// # Errors
    /// That of the device.
    fn inner_products(&mut self, column: usize, count: usize) -> Result<Vec<f64>, Self::Error>;

    /// Subtracts from `column` the sum over i of `coefficients[i]` times column i; there are at most
    /// `column` coefficients, possibly none.
    ///
    /// # Errors
    /// That of the device.
    fn subtract(&mut self, column: usize, coefficients: &[f64]) -> Result<(), Self::Error>;

    /// Divides `column` by `divisor`, which is positive.
    ///
    /// # Errors
    /// That of the device.
    fn divide(&mut self, column: usize, divisor: f64) -> Result<(), Self::Error>;

    /// Replaces columns 0 to `combined - 1` by linear combinations of columns 0 to `columns - 1`:
    /// new column j is the sum over i of `coefficients[j * columns + i]` times old column i, with
    /// `combined * columns` coefficients and `combined <= columns`. The other columns may hold
    /// anything afterwards.
    ///
    /// # Errors
    /// That of the device.
    fn combine(&mut self, columns: usize, combined: usize, coefficients: &[f64]) -> Result<(), Self::Error>;
}

//! Choosing rows and columns of a sparse matrix, and turning it over.

mod columns;
mod rows;
mod transpose;

pub use columns::select_columns;
pub use rows::select_rows;
pub use transpose::transpose;

use crate::primitives::exclusive_scan;
use crate::{DeviceCsr, Error};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::prelude::*;

/// Every kernel of this module.
pub fn kernels() -> Vec<KernelInfo> {
    [vec![widen::kernel()], columns::kernels(), rows::kernels(), transpose::kernels()].concat()
}

/// The rows and columns whose flag is 1, renumbered, in their order.
///
/// # Errors
/// Not one flag for each row and column; what the device reports.
pub fn select<T: GpuType>(
    matrix: &DeviceCsr<T>,
    rows: &DSlice<u8>,
    columns: &DSlice<u8>,
) -> Result<DeviceCsr<T>, Error> {
    check_flags("rows", rows, matrix.n_rows())?;
    check_flags("columns", columns, matrix.n_cols)?;
    let (chosen_rows, chosen_columns) = (Chosen::new(rows)?, Chosen::new(columns)?);
    // Each way reads and writes the matrix; most often one is enough.
    if chosen_columns.count == matrix.n_cols {
        rows::keep(matrix, rows, &chosen_rows)
    } else if chosen_rows.count == matrix.n_rows() {
        columns::keep(matrix, columns, &chosen_columns)
    } else {
        columns::keep(&rows::keep(matrix, rows, &chosen_rows)?, columns, &chosen_columns)
    }
}

/// What is chosen by flags.
struct Chosen {
    /// The new number of each that is chosen.
    numbers: Buffer<u64>,
    /// How many are.
    count: usize,
}

impl Chosen {
    fn new(flags: &DSlice<u8>) -> Result<Chosen, Error> {
        let mut wide = flags.device().allocate(flags.len())?;
        widen(flags, &mut wide).threads(flags.len()).launch()?;
        let numbers = exclusive_scan(&wide)?;
        // At most the number of flags, which is a `usize`.
        let count = last(&numbers)? as usize;
        Ok(Chosen { numbers, count })
    }
}

/// The last of some numbers, such as the sum after a scan.
fn last(numbers: &DSlice<u64>) -> Result<u64, Error> {
    Ok(numbers.slice(numbers.len() - 1..numbers.len()).download()?[0])
}

fn check_flags(what: &str, flags: &DSlice<u8>, count: usize) -> Result<(), Error> {
    if flags.len() == count {
        return Ok(());
    }
    let problem = format!("{} flags for {count} {what}; give one for each", flags.len());
    Err(Error::Argument { operation: "select", problem })
}

#[gpu_kernel]
fn widen(flags: &[u8], out: &mut [u64]) {
    let i = global_id();
    if i < out.len() {
        out[i] = (flags[i] == 1) as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csr::tests::{Host, example};
    use proptest::prelude::*;

    /// The matrix, on the host.
    pub(super) fn download(matrix: &DeviceCsr<f32>) -> Host {
        let (indptr, indices, data) =
            (matrix.indptr.download().unwrap(), matrix.indices.download().unwrap(), matrix.data.download().unwrap());
        let row = |ends: &[u64]| (ends[0] as usize..ends[1] as usize).map(|k| (indices[k], data[k])).collect();
        assert_eq!(indptr[indptr.len() - 1] as usize, data.len());
        Host { rows: indptr.windows(2).map(row).collect(), n_cols: matrix.n_cols }
    }

    fn expected(host: &Host, rows: &[u8], columns: &[u8]) -> Host {
        let new = |column: u32| columns[..column as usize].iter().map(|flag| u32::from(*flag)).sum();
        let kept = |entries: &Vec<(u32, f32)>| {
            let entries = entries.iter().filter(|entry| columns[entry.0 as usize] == 1);
            entries.map(|entry| (new(entry.0), entry.1)).collect()
        };
        let chosen = host.rows.iter().zip(rows).filter(|(_, flag)| **flag == 1).map(|(row, _)| kept(row));
        Host { rows: chosen.collect(), n_cols: columns.iter().map(|flag| usize::from(*flag)).sum() }
    }

    fn check(host: &Host, rows: &[u8], columns: &[u8]) {
        let device = Device::cpu();
        let (row_flags, column_flags) = (device.upload(rows).unwrap(), device.upload(columns).unwrap());
        let found = download(&select(&host.upload(&device), &row_flags, &column_flags).unwrap());
        let wanted = expected(host, rows, columns);
        assert_eq!(found.rows, wanted.rows, "{} rows", rows.len());
        assert_eq!(found.n_cols, wanted.n_cols);
    }

    #[test]
    fn what_is_kept_is_in_order_and_renumbered() {
        for n_rows in [0, 1, 31, 33, 300, 4100] {
            let host = example(n_rows, 50);
            let some_rows: Vec<u8> = (0..n_rows).map(|row| (row % 3 != 1) as u8).collect();
            let some_columns: Vec<u8> = (0..50).map(|column| (column % 4 != 0) as u8).collect();
            for rows in [&some_rows, &vec![1; n_rows], &vec![0; n_rows]] {
                for columns in [&some_columns, &vec![1; 50], &vec![0; 50]] {
                    check(&host, rows, columns);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn any_flags_choose(
            rows in prop::collection::vec(0u8..2, 0..60),
            columns in prop::collection::vec(0u8..2, 0..200),
        ) {
            check(&example(rows.len(), columns.len()), &rows, &columns);
        }
    }

    #[test]
    fn a_flag_for_each_row_and_column_is_needed() {
        let device = Device::cpu();
        let matrix = example(4, 5).upload(&device);
        let ones = |n: usize| device.upload(&vec![1u8; n]).unwrap();
        let error = select(&matrix, &ones(5), &ones(5)).err().unwrap().to_string();
        assert!(error.contains("5 flags for 4 rows"), "{error}");
        let error = select(&matrix, &ones(4), &ones(4)).err().unwrap().to_string();
        assert!(error.contains("4 flags for 5 columns"), "{error}");
    }
}

//! The Matrix Market file: a header, the size, and an entry a line.
//!
//! <https://math.nist.gov/MatrixMarket/formats.html>

use super::lines;
use crate::Error;
use crate::data::{Csr, MatrixError};
use std::path::Path;

/// Reads a matrix of features x barcodes as cells x genes, of the shape that the tables have.
pub(super) fn read(path: &Path, shape: [usize; 2]) -> Result<Csr, Error> {
    let fail = |line: u64, problem: String| Error::Line { path: path.into(), line, problem };
    let mut entries = Entries::new(shape);
    let mut expected = None;
    let mut last = 1;
    lines::for_each(path, |number, line| {
        last = number;
        let result = match expected {
            _ if number == 1 => check_header(line),
            _ if line.trim().is_empty() || line.starts_with('%') => Ok(()),
            None => check_size(line, shape).map(|size| expected = Some(size)),
            Some(_) => entries.add(line),
        };
        result.map_err(|problem| fail(number, problem))
    })?;
    let found = entries.values.len();
    match expected {
        None => {
            Err(fail(last, "there is no line with the size; the file is cut off, copy or download it again".into()))
        }
        Some(expected) if expected != found => Err(fail(
            last,
            format!("the file ends after {found} of {expected} entries; it is cut off, copy or download it again"),
        )),
        Some(_) => {
            entries.into_csr().map_err(|source| Error::Matrix { path: path.into(), element: "entries".into(), source })
        }
    }
}

fn check_header(line: &str) -> Result<(), String> {
    let lower = line.to_lowercase();
    let fields: Vec<&str> = lower.split_ascii_whitespace().collect();
    match fields[..] {
        ["%%matrixmarket", "matrix", "coordinate", "integer" | "real", "general"] => Ok(()),
        ["%%matrixmarket", ..] => {
            Err(format!("`{line}` can't be read; `%%MatrixMarket matrix coordinate integer general` (or real) can"))
        }
        _ => Err("this is no Matrix Market file: the first line must start with %%MatrixMarket".into()),
    }
}

/// The number of entries.
fn check_size(line: &str, [cells, genes]: [usize; 2]) -> Result<usize, String> {
    let sizes: Option<Vec<usize>> = line.split_ascii_whitespace().map(|field| field.parse().ok()).collect();
    let Some([features, barcodes, entries]) = sizes.as_deref() else {
        return Err(format!("`{line}` must be three numbers: features, barcodes, entries"));
    };
    if [*barcodes, *features] != [cells, genes] {
        return Err(format!(
            "{features} features x {barcodes} barcodes, but the tables have {genes} and {cells}; do the files belong together?"
        ));
    }
    Ok(*entries)
}

/// What was read so far, from 0.
struct Entries {
    shape: [usize; 2],
    cells: Vec<u32>,
    genes: Vec<u32>,
    values: Vec<f32>,
}

impl Entries {
    fn new(shape: [usize; 2]) -> Entries {
        Entries { shape, cells: Vec::new(), genes: Vec::new(), values: Vec::new() }
    }

    /// Adds the entry of a line: feature and barcode from 1, and a value.
    fn add(&mut self, line: &str) -> Result<(), String> {
        let mut fields = line.split_ascii_whitespace();
        let mut field =
            || fields.next().ok_or_else(|| format!("`{line}` must be three numbers: feature, barcode, value"));
        let (feature, barcode, value) = (field()?, field()?, field()?);
        let [cells, genes] = self.shape;
        let position = |text: &str, size: usize| -> Result<u32, String> {
            let place: usize = text.parse().map_err(|_| format!("`{text}` is no whole number"))?;
            let inside = place.checked_sub(1).filter(|place| *place < size).and_then(|place| u32::try_from(place).ok());
            inside.ok_or_else(|| format!("entry ({feature}, {barcode}) is outside of {genes} x {cells}"))
        };
        self.genes.push(position(feature, genes)?);
        self.cells.push(position(barcode, cells)?);
        self.values.push(value.parse().map_err(|_| format!("`{value}` is no number"))?);
        Ok(())
    }

    /// Sorts by gene with a counting sort, which makes a CSC that is then turned.
    fn into_csr(self) -> Result<Csr, MatrixError> {
        let genes = self.shape[1];
        let mut next = vec![0u64; genes + 1];
        self.genes.iter().for_each(|gene| next[*gene as usize + 1] += 1);
        (0..genes).for_each(|gene| next[gene + 1] += next[gene]);
        let pointers = next.clone();
        let (mut rows, mut data) = (vec![0u32; self.cells.len()], vec![0f32; self.cells.len()]);
        for (entry, gene) in self.genes.iter().enumerate() {
            let place = &mut next[*gene as usize];
            rows[*place as usize] = self.cells[entry];
            data[*place as usize] = self.values[entry];
            *place += 1;
        }
        Ok(Csr::from_csc(pointers, &rows, &data, self.shape)?.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_other_layouts_are_refused() {
        assert!(check_header("%%MatrixMarket matrix coordinate real general").is_ok());
        for line in ["%%MatrixMarket matrix array real general", "%%MatrixMarket matrix coordinate pattern general"] {
            assert!(check_header(line).unwrap_err().contains("can't be read"));
        }
        assert!(check_header("gene,count").unwrap_err().contains("no Matrix Market file"));
    }

    #[test]
    fn lines_that_are_no_entry_say_why() {
        let mut entries = Entries::new([2, 3]);
        assert_eq!(entries.add("3 1\t7"), Ok(()));
        assert_eq!(entries.add("3 1"), Err("`3 1` must be three numbers: feature, barcode, value".into()));
        assert_eq!(entries.add("0 1 7"), Err("entry (0, 1) is outside of 3 x 2".into()));
        assert_eq!(entries.add("1.5 1 7"), Err("`1.5` is no whole number".into()));
        assert_eq!(entries.add("1 1 x"), Err("`x` is no number".into()));
    }
}

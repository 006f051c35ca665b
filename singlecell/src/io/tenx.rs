//! Folders of 10x: a Matrix Market file of features x barcodes with two tables.

use crate::Error;
use crate::data::{AnnData, Column, Csr, Frame};
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Reads a folder that holds `matrix.mtx`, `features.tsv` (or `genes.tsv`) and `barcodes.tsv`, each plain or with `.gz`.
/// The genes' symbols are the names of `var`, made unique as scanpy does; `gene_ids` and `feature_types` are columns.
///
/// # Errors
/// A file is missing, or a line of it can't be read; the message names file and line.
pub fn read_mtx(folder: &Path) -> Result<AnnData, Error> {
    let matrix = find(folder, &["matrix.mtx"])?;
    let features = find(folder, &["features.tsv", "genes.tsv"])?;
    let barcodes = find(folder, &["barcodes.tsv"])?;
    let obs = Frame::new(lines(&barcodes)?.into_iter().map(|line| first_field(&line)).collect());
    let var = read_features(&features)?;
    let x = read_matrix(&matrix, [obs.len(), var.len()])?;
    Ok(AnnData { x, obs, var, ..AnnData::default() })
}

/// The first of `names` that is there, plain or with `.gz`.
fn find(folder: &Path, names: &[&str]) -> Result<PathBuf, Error> {
    for name in names {
        for candidate in [folder.join(format!("{name}.gz")), folder.join(name)] {
            if candidate.is_file() {
                return Ok(candidate);
            }
        }
    }
    Err(Error::Format {
        path: folder.into(),
        problem: format!(
            "the folder holds no {} (plain or .gz); a 10x folder has matrix.mtx, features.tsv or genes.tsv, and barcodes.tsv",
            names.join(" or ")
        ),
    })
}

fn open(path: &Path) -> Result<Box<dyn BufRead>, Error> {
    let file = File::open(path).map_err(|source| Error::Io { path: path.into(), source })?;
    let plain: Box<dyn Read> = if path.extension().is_some_and(|extension| extension == "gz") {
        Box::new(MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    };
    Ok(Box::new(BufReader::with_capacity(1 << 16, plain)))
}

/// Runs `each` over the lines of a file, with their numbers.
fn for_lines(path: &Path, mut each: impl FnMut(u64, &str) -> Result<(), Error>) -> Result<(), Error> {
    let mut reader = open(path)?;
    let (mut line, mut number) = (String::new(), 0);
    loop {
        line.clear();
        number += 1;
        let read = reader.read_line(&mut line).map_err(|error| Error::Line {
            path: path.into(),
            line: number,
            problem: format!("can't be read ({error}); the file is cut off or damaged, copy or download it again"),
        })?;
        if read == 0 {
            return Ok(());
        }
        each(number, line.trim_end_matches(['\n', '\r']))?;
    }
}

fn lines(path: &Path) -> Result<Vec<String>, Error> {
    let mut out = Vec::new();
    for_lines(path, |_, line| {
        if !line.is_empty() {
            out.push(line.to_string());
        }
        Ok(())
    })?;
    Ok(out)
}

fn first_field(line: &str) -> String {
    line.split('\t').next().unwrap_or_default().to_string()
}

fn read_features(path: &Path) -> Result<Frame, Error> {
    let (mut ids, mut names, mut types) = (Vec::new(), Vec::new(), Vec::new());
    for line in lines(path)? {
        let mut fields = line.split('\t').map(str::to_string);
        let id = fields.next().unwrap_or_default();
        names.push(fields.next().unwrap_or_else(|| id.clone()));
        ids.push(id);
        types.extend(fields.next());
    }
    let mut var = Frame::new(names);
    let changed = var.make_index_unique();
    if changed > 0 {
        tracing::info!("{changed} repeated gene names got a suffix");
    }
    let count = ids.len();
    var.set("gene_ids", Column::String(ids));
    if types.len() == count {
        var.set("feature_types", Column::String(types));
    }
    Ok(var)
}

/// Entries are 1-based (feature, barcode, value), in any order.
fn read_matrix(path: &Path, shape: [usize; 2]) -> Result<Csr, Error> {
    let fail = |line: u64, problem: String| Error::Line { path: path.into(), line, problem };
    let mut size: Option<[usize; 3]> = None;
    let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let mut last = 0;
    for_lines(path, |number, line| {
        last = number;
        if number == 1 {
            return check_header(line).map_err(|problem| fail(1, problem));
        }
        if line.is_empty() || line.starts_with('%') {
            return Ok(());
        }
        let mut fields = line.split_ascii_whitespace();
        let mut whole = |what: &str| -> Result<usize, Error> {
            let field = fields.next().unwrap_or_default();
            field.parse().map_err(|_| fail(number, format!("`{line}` has no {what} where one is expected")))
        };
        let (first, second) = (whole("row")?, whole("column")?);
        let Some([features, barcodes, _]) = size else {
            let entries = whole("number of entries")?;
            if [second, first] != shape {
                let problem = format!(
                    "{first} features x {second} barcodes, but the tables have {} and {}; do the files belong together?",
                    shape[1], shape[0]
                );
                return Err(fail(number, problem));
            }
            size = Some([first, second, entries]);
            rows.reserve(entries.min(1 << 24));
            return Ok(());
        };
        if first == 0 || first > features || second == 0 || second > barcodes {
            return Err(fail(number, format!("entry ({first}, {second}) is outside of {features} x {barcodes}")));
        }
        let field = fields.next().unwrap_or_default();
        let value: f32 = field.parse().map_err(|_| fail(number, format!("`{field}` is no number")))?;
        rows.push((second - 1) as i64);
        columns.push((first - 1) as i64);
        values.push(value);
        Ok(())
    })?;
    match size {
        Some([_, _, entries]) if entries == values.len() => from_triplets(&rows, &columns, &values, shape)
            .map_err(|source| Error::Matrix { path: path.into(), element: "entries".into(), source }),
        Some([_, _, entries]) => Err(fail(
            last,
            format!(
                "the file ends after {} of {entries} entries; it is cut off, copy or download it again",
                values.len()
            ),
        )),
        None => Err(fail(last.max(1), "there is no line with the size".into())),
    }
}

fn check_header(line: &str) -> Result<(), String> {
    let lower = line.to_lowercase();
    let fields: Vec<&str> = lower.split_ascii_whitespace().collect();
    match fields[..] {
        ["%%matrixmarket", "matrix", "coordinate", "integer" | "real", "general"] => Ok(()),
        ["%%matrixmarket", ..] => {
            Err(format!("`{line}` is not supported; `matrix coordinate integer general` (or real) is"))
        }
        _ => Err("this is no Matrix Market file: the first line must start with %%MatrixMarket".into()),
    }
}

/// Sorts by column with a counting sort, which makes a CSC that is then turned.
fn from_triplets(
    rows: &[i64],
    columns: &[i64],
    values: &[f32],
    shape: [usize; 2],
) -> Result<Csr, crate::data::MatrixError> {
    let mut next = vec![0u64; shape[1] + 1];
    columns.iter().for_each(|column| next[*column as usize + 1] += 1);
    (0..shape[1]).for_each(|column| next[column + 1] += next[column]);
    let pointers = next.clone();
    let (mut sorted, mut data) = (vec![0i64; rows.len()], vec![0f32; rows.len()]);
    for (entry, column) in columns.iter().enumerate() {
        let place = &mut next[*column as usize];
        sorted[*place as usize] = rows[entry];
        data[*place as usize] = values[entry];
        *place += 1;
    }
    Ok(Csr::from_csc(pointers, &sorted, &data, shape)?.0)
}

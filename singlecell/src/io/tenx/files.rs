//! Which files of a folder belong together.

use crate::Error;
use std::path::{Path, PathBuf};

/// The files of one matrix.
#[derive(Debug, PartialEq)]
pub(super) struct Files {
    pub(super) matrix: PathBuf,
    pub(super) features: PathBuf,
    pub(super) barcodes: PathBuf,
}

const MATRIX: &str = "matrix.mtx";

impl Files {
    /// The files of a folder that holds one matrix.
    pub(super) fn in_folder(folder: &Path) -> Result<Files, Error> {
        let fail = |problem: String| Err(Error::Format { path: folder.into(), problem });
        let mut prefixes: Vec<String> = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(|source| Error::Io { path: folder.into(), source })? {
            let entry = entry.map_err(|source| Error::Io { path: folder.into(), source })?;
            prefixes.extend(prefix(&entry.file_name().to_string_lossy()).map(String::from));
        }
        prefixes.sort();
        prefixes.dedup();
        match &prefixes[..] {
            [prefix] => Files::with_prefix(folder, prefix),
            // One without a prefix is the folder's own.
            [first, ..] if first.is_empty() => Files::with_prefix(folder, first),
            [] => fail(format!(
                "the folder holds no {MATRIX} (plain or .gz); a 10x folder has {MATRIX}, features.tsv or genes.tsv, and barcodes.tsv"
            )),
            several => {
                let names: Vec<String> = several.iter().map(|prefix| format!("{prefix}{MATRIX}")).collect();
                fail(format!("the folder holds several matrices ({}); give the path of one of them", names.join(", ")))
            }
        }
    }

    /// The files that go with a matrix.
    pub(super) fn of_matrix(matrix: &Path) -> Result<Files, Error> {
        let name = matrix.file_name().unwrap_or_default().to_string_lossy();
        let Some(prefix) = prefix(&name) else {
            let problem = format!("the name of a 10x matrix must end with {MATRIX} or {MATRIX}.gz");
            return Err(Error::Format { path: matrix.into(), problem });
        };
        let folder = matrix.parent().unwrap_or(Path::new(""));
        Ok(Files { matrix: matrix.into(), ..Files::with_prefix(folder, prefix)? })
    }

    fn with_prefix(folder: &Path, prefix: &str) -> Result<Files, Error> {
        Ok(Files {
            matrix: find(folder, prefix, &[MATRIX])?,
            features: find(folder, prefix, &["features.tsv", "genes.tsv"])?,
            barcodes: find(folder, prefix, &["barcodes.tsv"])?,
        })
    }
}

/// What stands before `matrix.mtx` in a name.
fn prefix(name: &str) -> Option<&str> {
    name.strip_suffix(".gz").unwrap_or(name).strip_suffix(MATRIX)
}

/// The first of `names` that is there, plain or with `.gz`.
fn find(folder: &Path, prefix: &str, names: &[&str]) -> Result<PathBuf, Error> {
    for name in names {
        for candidate in [format!("{prefix}{name}.gz"), format!("{prefix}{name}")] {
            let candidate = folder.join(candidate);
            if candidate.is_file() {
                return Ok(candidate);
            }
        }
    }
    let wanted: Vec<String> = names.iter().map(|name| format!("{prefix}{name}")).collect();
    Err(Error::Format {
        path: folder.into(),
        problem: format!("there is {prefix}{MATRIX}, but no {} (plain or .gz) beside it", wanted.join(" or ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        names.iter().for_each(|name| std::fs::write(folder.path().join(name), "").unwrap());
        folder
    }

    #[test]
    fn a_prefix_keeps_files_together() {
        let folder = folder(&["a_matrix.mtx.gz", "a_genes.tsv", "a_barcodes.tsv.gz", "b_matrix.mtx", "b_barcodes.tsv"]);
        let path = folder.path();
        let problem = Files::in_folder(path).unwrap_err().to_string();
        assert!(problem.contains("several matrices (a_matrix.mtx, b_matrix.mtx)"), "{problem}");
        let files = Files::of_matrix(&path.join("a_matrix.mtx.gz")).unwrap();
        assert_eq!(files.features, path.join("a_genes.tsv"));
        assert_eq!(files.barcodes, path.join("a_barcodes.tsv.gz"));
        let problem = Files::of_matrix(&path.join("b_matrix.mtx")).unwrap_err().to_string();
        assert!(problem.contains("no b_features.tsv or b_genes.tsv"), "{problem}");
    }

    #[test]
    fn a_matrix_without_a_prefix_is_the_folders_own() {
        let folder = folder(&["raw_matrix.mtx", "matrix.mtx", "features.tsv.gz", "genes.tsv", "barcodes.tsv"]);
        let files = Files::in_folder(folder.path()).unwrap();
        assert_eq!(files.matrix, folder.path().join("matrix.mtx"));
        assert_eq!(files.features, folder.path().join("features.tsv.gz"));
    }
}

//! Reads the data sets and reference results beside the workspace.

use flate2::read::GzDecoder;
use std::collections::HashMap;
use std::io::Read;
use std::path::PathBuf;
use warpcell_ops::DeviceCsr;
use warpcell_runtime::Device;

/// A file or folder of `../shared`, seen from the workspace; nothing, with a message, if it isn't there.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let found = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared").join(path);
    if !found.exists() {
        println!("not checked: {} is not there", found.display());
        return None;
    }
    Some(found)
}

/// A matrix of counts with the names of its genes.
pub(crate) struct Counts {
    indptr: Vec<u64>,
    indices: Vec<u32>,
    data: Vec<f32>,
    pub(crate) genes: Vec<String>,
}

impl Counts {
    /// Reads `X` of an `.h5ad` file with a sparse matrix.
    pub(crate) fn read(path: &PathBuf) -> Counts {
        let file = hdf5_pure::File::open(path).unwrap();
        let integers = |name: &str| file.dataset(name).unwrap().read_i32().unwrap();
        let exact = |value: i32| u32::try_from(value).unwrap();
        let values = file.dataset("X/data").unwrap();
        let data = match values.dtype().unwrap() {
            hdf5_pure::DType::F32 => values.read_f32().unwrap(),
            _ => values.read_i32().unwrap().into_iter().map(|value| value as f32).collect(),
        };
        Counts {
            indptr: integers("X/indptr").into_iter().map(|value| u64::from(exact(value))).collect(),
            indices: integers("X/indices").into_iter().map(exact).collect(),
            data,
            genes: file.dataset("var/_index").unwrap().read_string().unwrap(),
        }
    }

    pub(crate) fn upload(&self, device: &Device) -> DeviceCsr<f32> {
        DeviceCsr::upload(device, &self.indptr, &self.indices, &self.data, self.genes.len()).unwrap()
    }
}

/// The numbers of a `.npy` file in C order.
pub(crate) fn npy(path: PathBuf) -> Vec<f64> {
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00", "{}", path.display());
    let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let header = std::str::from_utf8(&bytes[10..start]).unwrap();
    let body = &bytes[start..];
    let known = |dtype: &str| header.contains(&format!("'descr': '{dtype}'"));
    if known("<f8") {
        body.as_chunks().0.iter().map(|value| f64::from_le_bytes(*value)).collect()
    } else if known("<f4") {
        body.as_chunks().0.iter().map(|value| f64::from(f32::from_le_bytes(*value))).collect()
    } else if known("<i4") {
        body.as_chunks().0.iter().map(|value| f64::from(i32::from_le_bytes(*value))).collect()
    } else if known("|u1") {
        body.iter().map(|value| f64::from(*value)).collect()
    } else {
        panic!("{}: {header}", path.display());
    }
}

/// The flags of a `.npy` file.
pub(crate) fn flags(path: PathBuf) -> Vec<u8> {
    npy(path).into_iter().map(|flag| u8::from(flag != 0.0)).collect()
}

/// The columns of a `.csv.gz` file by name. Empty fields are NaN, as are words.
pub(crate) fn table(path: PathBuf) -> HashMap<String, Vec<f64>> {
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    let mut columns = vec![Vec::new(); names.len()];
    for line in lines {
        // Bins are quoted, with a comma inside.
        let mut quoted = false;
        let fields = line.split(|letter| {
            quoted ^= letter == '"';
            letter == ',' && !quoted
        });
        for (column, field) in columns.iter_mut().zip(fields) {
            column.push(field.parse().unwrap_or(f64::NAN));
        }
    }
    names.into_iter().map(String::from).zip(columns).collect()
}

/// Whether two columns agree to a relative tolerance; NaN agrees with NaN.
pub(crate) fn assert_near(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (i, (a, b)) in found.iter().zip(expected).enumerate() {
        let near = (a - b).abs() <= tolerance * b.abs() || a.is_nan() && b.is_nan();
        assert!(near, "{what} {i}: {a} instead of {b}");
    }
}

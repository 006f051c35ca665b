//! Text files by lines, plain or compressed.

use crate::Error;
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

fn open(path: &Path) -> Result<Box<dyn BufRead>, Error> {
    let file = File::open(path).map_err(|source| Error::Io { path: path.into(), source })?;
    let plain: Box<dyn Read> = if path.extension().is_some_and(|extension| extension == "gz") {
        Box::new(MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    };
    Ok(Box::new(BufReader::with_capacity(1 << 16, plain)))
}

/// Runs `each` over the lines of a file, with their numbers from 1, without their ends (`\n` or `\r\n`).
pub(super) fn for_each(path: &Path, mut each: impl FnMut(u64, &str) -> Result<(), Error>) -> Result<(), Error> {
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

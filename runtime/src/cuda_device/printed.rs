//! What a launch prints on a CUDA device: its threads write records into a buffer, which is read when the launch is done.

use crate::cuda::{Allocation, Context, CudaError};
use crate::emit::PrintInfo;
use crate::output::{HEADER_WORDS, Printed, Record};
use std::mem::MaybeUninit;
use std::sync::Arc;

/// The parts of `wc_output` in the prelude before the records: words used, one more than where they end, and the number
/// of records that did not fit.
const PARTS: usize = 3;

/// The buffer of one launch.
pub(super) struct PrintBuffer {
    memory: Allocation,
    words: usize,
}

impl PrintBuffer {
    /// With room for `words` words of records.
    pub(super) fn new(context: &Arc<Context>, words: usize) -> Result<PrintBuffer, CudaError> {
        let memory = Allocation::alloc(context, (PARTS + words) * size_of::<u64>())?;
        memory.fill_zero(0, PARTS * size_of::<u64>())?;
        Ok(PrintBuffer { memory, words })
    }

    /// The last parts of `wc_env` in the prelude.
    pub(super) fn environment(&self) -> [u64; 2] {
        [self.memory.ptr(), self.words as u64]
    }

    /// What the launch, which is done, has printed.
    pub(super) fn read(&self, prints: &[PrintInfo]) -> Result<Printed, CudaError> {
        let parts = self.words_from(0, PARTS)?;
        let (used, end, dropped) = (parts[0], parts[1], parts[2]);
        let end = if end > 0 { end - 1 } else { used };
        let records = records(&self.words_from(PARTS, end as usize)?, prints);
        Ok(Printed { records, dropped })
    }

    fn words_from(&self, first: usize, count: usize) -> Result<Vec<u64>, CudaError> {
        let mut words = vec![0u64; count];
        self.memory.copy_to_host(first * size_of::<u64>(), bytes_of(&mut words))?;
        Ok(words)
    }
}

fn bytes_of(words: &mut [u64]) -> &mut [MaybeUninit<u8>] {
    // SAFETY: words are bytes without padding, and a copy to the host writes initialised ones.
    unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), size_of_val(words)) }
}

/// The records in `words`, one behind the other.
fn records(mut words: &[u64], prints: &[PrintInfo]) -> Vec<Record> {
    let mut records = Vec::new();
    while let [block, thread, number, rest @ ..] = words {
        let PrintInfo { formatter, to_stderr } = &prints[*number as usize];
        let (values, rest) = rest.split_at(formatter.types.len());
        let text = (formatter.format)(values);
        records.push(Record { thread: (*block, *thread), text, to_stderr: *to_stderr });
        words = rest;
    }
    const { assert!(HEADER_WORDS == 3, "the words of a record's head are those of the pattern above") };
    records
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Formatter;
    use warpcell_ir::Scalar;

    #[test]
    fn records_are_read_one_behind_the_other() {
        let print = |types, format, to_stderr| PrintInfo { formatter: Formatter { types, format }, to_stderr };
        let prints = [
            print(vec![], |_| "hello\n".into(), false),
            print(vec![Scalar::U64, Scalar::U64], |words| format!("{}-{}\n", words[0], words[1]), true),
        ];
        let words = [7, 1, 1, 10, 20, 0, 3, 0, 2, 2, 1, 30, 40];
        let found: Vec<_> =
            records(&words, &prints).into_iter().map(|record| (record.thread, record.text, record.to_stderr)).collect();
        assert_eq!(
            found,
            [
                ((7, 1), "10-20\n".to_string(), true),
                ((0, 3), "hello\n".to_string(), false),
                ((2, 2), "30-40\n".to_string(), true)
            ]
        );
        assert!(records(&[], &prints).is_empty());
    }
}

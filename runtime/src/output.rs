//! What kernels print: sorted by thread, so that it is the same on every device, and given to the program.

use crate::device::Device;
use crate::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes that a launch can print into, where nothing is said.
const DEFAULT_BYTES: usize = 1 << 20;

/// The variable that says otherwise.
const VARIABLE: &str = "WARPCELL_PRINT_BUFFER";

/// The words that a record takes besides its values: block, thread, and what is printed.
pub(crate) const HEADER_WORDS: usize = 3;

/// What a thread has printed by one `println!` or its like.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// The numbers of block and thread.
    pub thread: (u64, u64),
    pub text: String,
    /// Whether it goes to the standard error.
    pub to_stderr: bool,
}

/// What a launch has printed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Printed {
    /// Those of one thread stand in its order.
    pub records: Vec<Record>,
    /// Records that did not fit.
    pub dropped: u64,
}

type Handler = Arc<dyn Fn(&str) + Send + Sync>;

/// Where what is printed goes, and how much of it a launch can keep.
#[derive(Default)]
pub(crate) struct Output {
    handler: Mutex<Option<Handler>>,
    /// 0 before it is known.
    bytes: AtomicUsize,
}

impl Output {
    /// How many words of records a launch can keep.
    pub(crate) fn capacity_words(&self) -> Result<usize, Error> {
        if self.bytes.load(Relaxed) == 0 {
            self.bytes.store(bytes_of_variable()?.max(8), Relaxed);
        }
        Ok(self.bytes.load(Relaxed) / 8)
    }

    /// Writes what a launch of `kernel` has printed, by block and thread. After a fault, that of the threads up to the
    /// faulting one: how far the others came depends on the device.
    pub(crate) fn write(&self, kernel: &str, printed: Printed, fault: Option<(u64, u64)>) {
        let Printed { mut records, dropped } = printed;
        records.retain(|record| fault.is_none_or(|last| record.thread <= last));
        // Stable: the records of one thread stay in its order.
        records.sort_by_key(|record| record.thread);
        if dropped > 0 {
            let lines = if dropped == 1 { "line" } else { "lines" };
            let text = format!("… {dropped} {lines} of kernel `{kernel}` did not fit in the buffer (set {VARIABLE})\n");
            records.push(Record { thread: (u64::MAX, u64::MAX), text, to_stderr: false });
        }
        // The lock is not held meanwhile: a handler may use the device.
        let handler = self.handler().clone();
        for part in records.chunk_by(|a, b| handler.is_some() || a.to_stderr == b.to_stderr) {
            let text: String = part.iter().map(|record| record.text.as_str()).collect();
            match &handler {
                Some(handler) => handler(&text),
                None => write(&text, part[0].to_stderr),
            }
        }
    }

    fn handler(&self) -> MutexGuard<'_, Option<Handler>> {
        self.handler.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Through Rust's own macros, so that tests capture it.
pub(crate) fn write(text: &str, to_stderr: bool) {
    if to_stderr { eprint!("{text}") } else { print!("{text}") }
}

fn bytes_of_variable() -> Result<usize, Error> {
    match std::env::var(VARIABLE) {
        Ok(value) if !value.is_empty() => value.parse().map_err(|_| Error::PrintBuffer { value }),
        _ => Ok(DEFAULT_BYTES),
    }
}

impl Device {
    /// Gives what kernels print on this device to `handler` instead of the standard output: all of a launch at once, in the
    /// order of blocks and threads.
    ///
    /// It is called when the text is there: on the CPU before the launch returns, on a CUDA device by the next copy to the
    /// host or [`synchronize`](Device::synchronize).
    pub fn on_print(&self, handler: impl Fn(&str) + Send + Sync + 'static) {
        *self.output().handler() = Some(Arc::new(handler));
    }

    /// Runs `work`, and returns what kernels have printed meanwhile.
    ///
    /// # Errors
    /// Those of `work`; what the device reports, such as the fault of a kernel.
    ///
    /// ```
    /// use warpcell_runtime::prelude::*;
    ///
    /// #[gpu_kernel]
    /// fn greet(x: &[f32]) {
    ///     let i = global_id();
    ///     println!("thread {i} has {:.1}", x[i]);
    /// }
    ///
    /// # fn main() -> Result<(), warpcell_runtime::Error> {
    /// let device = Device::auto()?;
    /// let x = device.upload(&[1.0, 2.0])?;
    /// let ((), text) = device.printed(|| greet(&x).grid(1).block(2).launch())?;
    /// assert_eq!(text, "thread 0 has 1.0\nthread 1 has 2.0\n");
    /// # Ok(())
    /// # }
    /// ```
    pub fn printed<R>(&self, work: impl FnOnce() -> Result<R, Error>) -> Result<(R, String), Error> {
        self.synchronize()?;
        let text = Arc::new(Mutex::new(String::new()));
        let into = text.clone();
        let handler: Handler =
            Arc::new(move |printed| into.lock().unwrap_or_else(PoisonError::into_inner).push_str(printed));
        let before = self.output().handler().replace(handler);
        let result = work().and_then(|result| self.synchronize().map(|()| result));
        *self.output().handler() = before;
        let result = result?;
        let text = std::mem::take(&mut *text.lock().unwrap_or_else(PoisonError::into_inner));
        Ok((result, text))
    }

    /// Sets how many bytes a launch can print into: each `println!` takes 24, and 8 for each of its values. What does not
    /// fit is counted, and the text says so. Without it, it is what `WARPCELL_PRINT_BUFFER` says, or 1 MiB.
    pub fn set_print_buffer(&self, bytes: usize) {
        self.output().bytes.store(bytes.max(8), Relaxed);
    }
}

//! What threads print on the CPU, and their panics.

use super::{Faulted, Mode, Thread};
use crate::lang::Message;
use crate::output::{HEADER_WORDS, Printed, Record, write};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// What the threads that a worker runs have printed.
struct Recorder {
    printed: Printed,
    /// The words that the launch's records may still take.
    room: Arc<AtomicUsize>,
}

thread_local! {
    static RECORDER: RefCell<Option<Recorder>> = const { RefCell::new(None) };
}

/// Runs `work`, whose threads may print as long as there is `room`, and returns what they have printed.
pub(crate) fn recorded(room: &Arc<AtomicUsize>, work: impl FnOnce()) -> Printed {
    let recorder = Recorder { printed: Printed::default(), room: room.clone() };
    let outer = RECORDER.replace(Some(recorder));
    work();
    RECORDER.replace(outer).map(|recorder| recorder.printed).unwrap_or_default()
}

/// `println!` and its like. A device function that is called on the host prints at once.
#[inline(never)]
pub fn print<M: Message>(thread: Thread<'_, impl Mode>, to_stderr: bool, values: M, format: impl FnOnce(M) -> String) {
    if thread.is_host() {
        return write(&format(values), to_stderr);
    }
    RECORDER.with_borrow_mut(|recorder| {
        let Recorder { printed, room } = recorder.as_mut().expect("a launch records what its threads print");
        let words = HEADER_WORDS + M::COUNT;
        if room.fetch_update(Relaxed, Relaxed, |room| room.checked_sub(words)).is_err() {
            printed.dropped += 1;
            return;
        }
        let place = (thread.index().block_rank as u64, thread.rank() as u64);
        printed.records.push(Record { thread: place, text: format(values), to_stderr });
    });
}

/// `panic!` and its like: ends the block, as a fault does. On the host it is Rust's.
#[cold]
#[inline(never)]
#[track_caller]
pub fn panic<M: Message>(thread: Thread<'_, impl Mode>, site: u32, values: M, format: impl FnOnce(M) -> String) -> ! {
    let message = format(values);
    if thread.is_host() {
        panic!("{message}");
    }
    std::panic::resume_unwind(Box::new(Faulted { message: Some(message), ..Faulted::at(thread, thread.site(site)) }))
}

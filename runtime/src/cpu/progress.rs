//! Whether a launch still gets anywhere, for threads that wait for what others write.
//!
//! A worker is *quiet* if all threads of its block wait, and none of them has gone on in a round over all of them that began
//! after the last step of any worker. When all workers are quiet, nobody is left to write what is waited for.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// The progress of one launch.
pub(crate) struct Progress(Mutex<State>);

struct State {
    /// The number of steps so far.
    steps: u64,
    /// Workers that run blocks: threads of the pool, or each block of a cooperative launch.
    workers: usize,
    /// Workers that are quiet.
    quiet: usize,
    /// Once all workers were quiet.
    stuck: bool,
    /// A thread has faulted.
    faulted: bool,
}

/// What a quiet worker does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Outlook {
    /// Others may still write what it waits for.
    GoOn,
    /// Nobody will.
    Stuck,
    /// Another thread has faulted.
    Faulted,
}

impl Progress {
    /// That of a launch that starts.
    pub(crate) fn new() -> Progress {
        Progress(Mutex::new(State { steps: 0, workers: 0, quiet: 0, stuck: false, faulted: false }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is locked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of steps so far.
    pub(crate) fn steps(&self) -> u64 {
        self.state().steps
    }

    /// Some thread has gone on.
    pub(crate) fn step(&self) {
        self.state().step();
    }

    /// So many workers run blocks from now on.
    pub(crate) fn workers_start(&self, count: usize) {
        let mut state = self.state();
        state.step();
        state.workers += count;
    }

    /// A worker has run out of blocks, or waits at a barrier of the grid.
    pub(crate) fn worker_ends(&self) {
        let mut state = self.state();
        state.step();
        state.workers -= 1;
    }

    /// A thread has faulted.
    pub(crate) fn faults(&self) {
        self.state().faulted = true;
    }

    /// A worker's round that began after `begun` steps has brought nothing. `counted` is the number of steps at which the
    /// worker was found quiet last.
    pub(crate) fn quiet_round(&self, begun: u64, counted: &mut Option<u64>) -> Outlook {
        let mut state = self.state();
        if state.steps == begun && *counted != Some(begun) {
            *counted = Some(begun);
            state.quiet += 1;
        }
        state.stuck |= state.quiet == state.workers;
        // When all are stuck, all report it, so that the lowest block is found.
        match (state.stuck, state.faulted) {
            (true, _) => Outlook::Stuck,
            (false, true) => Outlook::Faulted,
            (false, false) => Outlook::GoOn,
        }
    }
}

impl State {
    fn step(&mut self) {
        self.steps += 1;
        self.quiet = 0;
    }
}

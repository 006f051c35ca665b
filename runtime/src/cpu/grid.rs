//! Cooperative launches: all blocks run at a time, each on a thread of the operating system, and may wait for each other.

use super::{Abandoned, Arena, Block, Progress};
use crate::launch::Geometry;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The most blocks of a cooperative launch on the CPU.
pub(crate) const MAX_RESIDENT_BLOCKS: usize = 1024;

/// Where the blocks of a launch wait for each other.
pub(crate) struct GridBarrier<'a> {
    state: Mutex<State>,
    changed: Condvar,
    /// A block that waits here writes nothing; see `Progress`.
    progress: &'a Progress,
}

struct State {
    /// Blocks that have not ended.
    present: usize,
    waiting: usize,
    /// How often all have met.
    generation: u64,
    /// A block has faulted: nobody waits any more.
    faulted: bool,
}

impl<'a> GridBarrier<'a> {
    fn new(blocks: usize, progress: &'a Progress) -> GridBarrier<'a> {
        progress.workers_start(blocks);
        let state = State { present: blocks, waiting: 0, generation: 0, faulted: false };
        GridBarrier { state: Mutex::new(state), changed: Condvar::new(), progress }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is locked.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until every block that has not ended is here; if one faults, the block that calls unwinds.
    pub(super) fn wait(&self) {
        let mut state = self.lock();
        let generation = state.generation;
        state.waiting += 1;
        self.progress.worker_ends();
        self.release_if_all(&mut state);
        while state.generation == generation && !state.faulted {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let met = state.generation != generation;
        drop(state);
        if !met {
            std::panic::resume_unwind(Box::new(Abandoned));
        }
    }

    fn release_if_all(&self, state: &mut State) {
        if state.waiting > 0 && state.waiting == state.present {
            self.progress.workers_start(state.waiting);
            state.waiting = 0;
            state.generation += 1;
            self.changed.notify_all();
        }
    }

    /// A block has ended; the others don't wait for it.
    fn leave(&self) {
        let mut state = self.lock();
        state.present -= 1;
        self.progress.worker_ends();
        self.release_if_all(&mut state);
    }

    /// A block has faulted; nobody waits any more.
    fn abandon(&self) {
        self.progress.faults();
        self.lock().faulted = true;
        self.changed.notify_all();
    }
}

/// Runs all blocks of a launch at a time. What a block unwound with goes to `failed`.
pub(super) fn run_together(
    geometry: &Geometry,
    progress: &Progress,
    run: impl Fn(&Block<'_>) + Sync,
    failed: impl Fn(Box<dyn Any + Send>) + Sync,
) {
    let barrier = GridBarrier::new(geometry.blocks(), progress);
    let one = |rank: usize| {
        let arena = Arena::new();
        let block = Block::new(rank, geometry, &arena, Some(&barrier), progress);
        match catch_unwind(AssertUnwindSafe(|| run(&block))) {
            Ok(()) => barrier.leave(),
            Err(payload) => {
                barrier.abandon();
                if !payload.is::<Abandoned>() {
                    failed(payload);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for rank in 0..geometry.blocks() {
            let one = &one;
            if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, move || one(rank)) {
                barrier.abandon();
                let problem = format!("the system has no thread for block {rank} of a cooperative launch: {error}");
                return failed(Box::new(problem));
            }
        }
    });
}

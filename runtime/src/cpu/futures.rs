//! One future a thread: always right, whatever waits where. A thread runs until it waits; when none can run, what all of
//! a warp or of the block wait for is released.

use super::{Block, Careful, Faulted, Lanes, Site, SiteKind, Thread};
use crate::lang::Primitive;
use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// What a thread waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Running,
    /// At a block barrier.
    Block,
    /// At a grid barrier.
    Grid,
    /// At a warp operation or warp barrier, with the lanes named by the mask.
    Warp {
        mask: u32,
    },
    Done,
}

/// What the threads of a block wait with.
pub struct Waits {
    state: RefCell<Vec<State>>,
    /// What each thread brought to a warp operation.
    sent: RefCell<Vec<u64>>,
    /// What each thread got: the lanes' values, and which lanes took part.
    received: RefCell<Vec<([u64; 32], u32)>>,
}

impl Waits {
    fn new(threads: usize) -> Waits {
        Waits {
            state: RefCell::new(vec![State::Running; threads]),
            sent: RefCell::new(vec![0; threads]),
            received: RefCell::new(vec![([0; 32], 0); threads]),
        }
    }

    pub(crate) async fn block_barrier(&self, thread: Thread<'_, Careful>) {
        self.wait(thread, State::Block).await;
    }

    pub(crate) async fn grid_barrier(&self, thread: Thread<'_, Careful>) {
        self.wait(thread, State::Grid).await;
    }

    pub(crate) async fn warp_barrier(&self, thread: Thread<'_, Careful>) {
        self.wait(thread, State::Warp { mask: u32::MAX }).await;
    }

    /// Gives `value` to the lanes of `mask`, and returns theirs and which of them took part.
    pub(crate) async fn exchange<T: Primitive>(
        &self,
        thread: Thread<'_, Careful>,
        mask: u32,
        value: T,
    ) -> (Lanes<T>, u32) {
        self.sent.borrow_mut()[thread.rank()] = value.to_bits64();
        self.wait(thread, State::Warp { mask }).await;
        let (bits, present) = self.received.borrow()[thread.rank()];
        let mut lanes = Lanes::new();
        for (lane, bits) in bits.iter().enumerate() {
            lanes.set_lane(lane, T::from_bits64(*bits));
        }
        (lanes, present)
    }

    async fn wait(&self, thread: Thread<'_, Careful>, state: State) {
        self.state.borrow_mut()[thread.rank()] = state;
        let mut asked = false;
        std::future::poll_fn(|_| {
            // Polled again only after it was released.
            if std::mem::replace(&mut asked, true) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await
    }

    /// Releases every warp whose lanes all wait together. Lanes that are done are not waited for.
    fn release_warps(&self) -> bool {
        let mut state = self.state.borrow_mut();
        let sent = self.sent.borrow();
        let mut received = self.received.borrow_mut();
        let mut released = false;
        for (warp, lanes) in state.chunks_mut(32).enumerate() {
            while let Some((mask, together)) = together(lanes) {
                let mut values = [0; 32];
                for (lane, value) in values.iter_mut().enumerate().take(lanes.len()) {
                    *value = sent[warp * 32 + lane];
                }
                for lane in (0..lanes.len()).filter(|lane| mask >> lane & 1 == 1) {
                    if lanes[lane] != State::Done {
                        lanes[lane] = State::Running;
                        received[warp * 32 + lane] = (values, together);
                    }
                }
                released = true;
            }
        }
        released
    }

    /// Releases the block barrier if all threads that are not done wait there.
    fn release_block(&self) -> bool {
        self.all_wait(State::Block) && self.release(State::Block)
    }

    /// If all threads that are not done wait at the grid barrier, the block does.
    fn release_grid(&self, block: &Block<'_>) -> bool {
        let Some(grid) = block.grid().filter(|_| self.all_wait(State::Grid)) else { return false };
        grid.wait();
        self.release(State::Grid)
    }

    fn all_wait(&self, at: State) -> bool {
        self.state.borrow().iter().all(|state| *state == at || *state == State::Done)
    }

    fn release(&self, at: State) -> bool {
        for state in self.state.borrow_mut().iter_mut().filter(|state| **state == at) {
            *state = State::Running;
        }
        true
    }
}

/// A mask of lanes that all wait with this mask, and which of them are not done.
fn together(lanes: &[State]) -> Option<(u32, u32)> {
    lanes.iter().find_map(|state| {
        let State::Warp { mask } = *state else { return None };
        let mut present = 0;
        for (lane, other) in lanes.iter().enumerate().filter(|(lane, _)| mask >> lane & 1 == 1) {
            match other {
                State::Warp { mask: theirs } if *theirs == mask => present |= 1 << lane,
                State::Done => {}
                _ => return None,
            }
        }
        Some((mask, present))
    })
}

static STUCK: Site = Site::new(SiteKind::Wait, "", 0, 0, "");

/// Runs a block whose threads are futures.
pub fn run_futures<'b, F: Future<Output = ()>>(block: &'b Block<'_>, thread: impl Fn(Thread<'b, Careful>) -> F) {
    let waits = Waits::new(block.size());
    // SAFETY: `waits` outlives every future (it is declared before them and dropped after them), and no thread's context
    // escapes its future.
    let waits_ref: &'b Waits = unsafe { &*std::ptr::from_ref(&waits) };
    let mut futures: Vec<F> = (0..block.size()).map(|rank| thread(block.thread_at(rank).careful(waits_ref))).collect();
    let mut context = Context::from_waker(Waker::noop());
    let mut done = 0;
    loop {
        for (rank, future) in futures.iter_mut().enumerate() {
            if waits.state.borrow()[rank] != State::Running {
                continue;
            }
            // SAFETY: the vector is not moved or grown while its futures are polled, and they are dropped in place.
            let future = unsafe { Pin::new_unchecked(future) };
            if future.poll(&mut context).is_ready() {
                waits.state.borrow_mut()[rank] = State::Done;
                done += 1;
            }
        }
        if done == block.size() {
            return;
        }
        if !waits.release_warps() && !waits.release_block() && !waits.release_grid(block) {
            stuck(block, &waits);
        }
    }
}

/// Some threads wait for what others will never reach.
fn stuck(block: &Block<'_>, waits: &Waits) -> ! {
    let state = waits.state.borrow();
    let waiting = state.iter().filter(|state| !matches!(state, State::Done)).count();
    let rank = state.iter().position(|state| !matches!(state, State::Done)).unwrap_or(0);
    drop(state);
    let thread = block.thread_at(rank);
    std::panic::resume_unwind(Box::new(Faulted {
        index: waiting as u64,
        length: block.size() as u64,
        ..Faulted::at(thread, &STUCK)
    }))
}

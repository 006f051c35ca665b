//! One future a thread: always right, whatever waits where. A thread runs until it waits; when none can run, what all of
//! a warp or of the block wait for is released.

use super::{Abandoned, Block, Careful, Faulted, Lanes, Outlook, Site, SiteKind, Thread, Votes};
use crate::lang::Primitive;
use std::cell::{Cell, RefCell};
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
    /// Waits for no particular lane, but until the others have come as far as they can.
    Converge,
    /// For what another thread writes; looks again in every round.
    Spin(&'static Site),
    Done,
}

/// What the threads of a block wait with.
pub struct Waits {
    state: RefCell<Vec<State>>,
    /// What each thread brought to a warp operation or to a barrier.
    sent: RefCell<Vec<u64>>,
    /// What each thread got: the lanes' values, and which lanes took part.
    received: RefCell<Vec<([u64; 32], u32)>>,
    /// The votes at the last block barrier.
    votes: Cell<Votes>,
    /// A thread that had waited for what another one writes has gone on.
    went_on: Cell<bool>,
}

impl Waits {
    fn new(threads: usize) -> Waits {
        Waits {
            state: RefCell::new(vec![State::Running; threads]),
            sent: RefCell::new(vec![0; threads]),
            received: RefCell::new(vec![([0; 32], 0); threads]),
            votes: Cell::default(),
            went_on: Cell::default(),
        }
    }

    pub(crate) async fn block_barrier(&self, thread: Thread<'_, Careful>) {
        self.wait(thread, State::Block).await;
    }

    pub(crate) async fn grid_barrier(&self, thread: Thread<'_, Careful>) {
        self.wait(thread, State::Grid).await;
    }

    /// Gives `predicate` to the threads of the block, and returns all votes.
    pub(crate) async fn block_vote(&self, thread: Thread<'_, Careful>, predicate: bool) -> Votes {
        self.sent.borrow_mut()[thread.rank()] = u64::from(predicate);
        self.wait(thread, State::Block).await;
        // The next barrier is released only after all threads have been here.
        self.votes.get()
    }

    pub(crate) async fn warp_barrier(&self, thread: Thread<'_, Careful>, mask: u32) {
        self.wait(thread, State::Warp { mask }).await;
    }

    /// The lanes that are here together with this thread.
    pub(crate) async fn converge(&self, thread: Thread<'_, Careful>) -> u32 {
        self.wait(thread, State::Converge).await;
        self.received.borrow()[thread.rank()].1
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

    /// Waits for what another thread writes: the others go on before this thread looks again.
    async fn pause(&self, thread: Thread<'_, Careful>) {
        self.wait(thread, State::Spin(thread.place())).await;
    }

    fn all_done(&self) -> bool {
        self.state.borrow().iter().all(|state| *state == State::Done)
    }

    fn spins(&self) -> bool {
        self.state.borrow().iter().any(|state| matches!(state, State::Spin(_)))
    }

    /// Releases what all of a warp, of the block or of the grid wait for; whether there was such.
    fn release(&self, block: &Block<'_>) -> bool {
        self.release_warps() || self.release_converged() || self.release_block() || self.release_grid(block)
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

    /// Releases the lanes of each warp that wait until no other can go on.
    fn release_converged(&self) -> bool {
        let mut state = self.state.borrow_mut();
        let mut received = self.received.borrow_mut();
        let mut released = false;
        for (states, received) in state.chunks_mut(32).zip(received.chunks_mut(32)) {
            let lanes = || states.iter().enumerate().filter(|(_, state)| **state == State::Converge);
            let here = lanes().fold(0u32, |bits, (lane, _)| bits | 1 << lane);
            for (state, received) in states.iter_mut().zip(received).filter(|(state, _)| **state == State::Converge) {
                *state = State::Running;
                received.1 = here;
                released = true;
            }
        }
        released
    }

    /// Releases the block barrier if all threads that are not done wait there.
    fn release_block(&self) -> bool {
        let all = self.all_wait(State::Block);
        if all {
            let mut votes = Votes::new();
            let sent = self.sent.borrow();
            for (_, sent) in self.state.borrow().iter().zip(&*sent).filter(|(state, _)| **state == State::Block) {
                votes.add(*sent != 0);
            }
            self.votes.set(votes);
            self.run_again(State::Block);
        }
        all
    }

    /// If all threads that are not done wait at the grid barrier, the block does.
    fn release_grid(&self, block: &Block<'_>) -> bool {
        let Some(grid) = block.grid().filter(|_| self.all_wait(State::Grid)) else { return false };
        grid.wait();
        self.run_again(State::Grid);
        true
    }

    fn all_wait(&self, at: State) -> bool {
        self.state.borrow().iter().all(|state| *state == at || *state == State::Done)
    }

    fn run_again(&self, at: State) {
        for state in self.state.borrow_mut().iter_mut().filter(|state| **state == at) {
            *state = State::Running;
        }
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

/// One turn of a loop that waits for what another thread writes.
pub async fn pause(thread: Thread<'_, Careful>) {
    thread.waits().pause(thread).await;
}

/// Such a loop has ended.
pub fn went_on(thread: Thread<'_, Careful>) {
    thread.waits().went_on.set(true);
}

static STUCK: Site = Site::new(SiteKind::Wait, "", 0, 0, "");

/// Runs a block whose threads are futures.
pub fn run_futures<'b, F: Future<Output = ()>>(block: &'b Block<'_>, thread: impl Fn(Thread<'b, Careful>) -> F) {
    let waits = Waits::new(block.size());
    // SAFETY: `waits` outlives every future (it is declared before them and dropped after them), and no thread's context
    // escapes its future.
    let waits_ref: &'b Waits = unsafe { &*std::ptr::from_ref(&waits) };
    let mut futures: Vec<F> = (0..block.size()).map(|rank| thread(block.thread_at(rank).careful(waits_ref))).collect();
    let mut quiet_at = None;
    loop {
        let begun = block.progress().steps();
        let moved = poll_all(&mut futures, &waits);
        if waits.all_done() {
            return;
        }
        if moved | waits.release(block) {
            block.progress().step();
        } else if waits.spins() {
            match block.progress().quiet_round(begun, &mut quiet_at) {
                Outlook::GoOn => std::thread::yield_now(),
                Outlook::Stuck => stuck(block, &waits),
                Outlook::Faulted => std::panic::resume_unwind(Box::new(Abandoned)),
            }
        } else {
            stuck(block, &waits);
        }
    }
}

/// Lets every thread that can go on do so; whether any did.
fn poll_all<F: Future<Output = ()>>(futures: &mut [F], waits: &Waits) -> bool {
    let mut context = Context::from_waker(Waker::noop());
    let mut moved = false;
    for (rank, future) in futures.iter_mut().enumerate() {
        let before = waits.state.borrow()[rank];
        if !matches!(before, State::Running | State::Spin(_)) {
            continue;
        }
        // SAFETY: the vector is not moved or grown while its futures are polled, and they are dropped in place.
        let future = unsafe { Pin::new_unchecked(future) };
        if future.poll(&mut context).is_ready() {
            waits.state.borrow_mut()[rank] = State::Done;
        }
        moved |= waits.state.borrow()[rank] != before || waits.went_on.take();
    }
    moved
}

/// Some threads wait for what others will never do.
fn stuck(block: &Block<'_>, waits: &Waits) -> ! {
    let state = waits.state.borrow().clone();
    let waiting = state.iter().filter(|state| **state != State::Done).count();
    // What spins says more than the barrier at which the others wait for it.
    let spins = state.iter().position(|state| matches!(state, State::Spin(_)));
    let rank = spins.or_else(|| state.iter().position(|state| *state != State::Done)).unwrap_or(0);
    let site = if let State::Spin(site) = state[rank] { site } else { &STUCK };
    let thread = block.thread_at(rank);
    std::panic::resume_unwind(Box::new(Faulted {
        index: waiting as u64,
        length: block.size() as u64,
        ..Faulted::at(thread, site)
    }))
}

//! Values of threads that live from one phase to the next.

use super::{Block, Mode, Thread};
use std::mem::MaybeUninit;

/// A value for each thread of a block.
pub struct Slots<T>(Vec<MaybeUninit<T>>);

impl<T: Copy> Slots<T> {
    /// Without values.
    #[inline(always)]
    pub fn new(block: &Block<'_>) -> Slots<T> {
        let mut slots = Vec::with_capacity(block.size());
        // SAFETY: the capacity is there, and `MaybeUninit` needs no initialisation.
        unsafe { slots.set_len(block.size()) };
        Slots(slots)
    }

    /// Sets the thread's value.
    #[inline(always)]
    pub fn set(&mut self, thread: Thread<'_, impl Mode>, value: T) {
        // SAFETY: a thread's number is below its block's size, for which the slots were made.
        unsafe { self.0.get_unchecked_mut(thread.rank()) }.write(value);
    }

    /// The thread's value, which an earlier phase has set.
    #[inline(always)]
    pub fn get(&self, thread: Thread<'_, impl Mode>) -> T {
        // SAFETY: as in `set`; generated code reads a slot only in phases after the one that declares the local and sets
        // its slot for every thread that has not left.
        unsafe { self.0.get_unchecked(thread.rank()).assume_init() }
    }
}

/// A value for each lane of a warp.
pub struct Lanes<T>([MaybeUninit<T>; 32]);

impl<T: Copy> Lanes<T> {
    /// Without values.
    #[inline(always)]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Lanes<T> {
        Lanes([const { MaybeUninit::uninit() }; 32])
    }

    /// Sets the lane's value.
    #[inline(always)]
    pub fn set(&mut self, thread: Thread<'_, impl Mode>, value: T) {
        self.0[thread.rank() % 32].write(value);
    }

    /// The lane's own value.
    #[inline(always)]
    pub fn get(&self, thread: Thread<'_, impl Mode>) -> T {
        self.get_lane(thread.lane())
    }

    /// The value of a lane that takes part.
    #[inline(always)]
    pub(crate) fn get_lane(&self, lane: u32) -> T {
        // SAFETY: every lane that takes part has set its value before any lane reads (see `phases::warp_call` in the
        // macros), and only those are read (see `Gathered`).
        unsafe { self.0[(lane % 32) as usize].assume_init() }
    }

    pub(crate) fn set_lane(&mut self, lane: usize, value: T) {
        self.0[lane % 32].write(value);
    }
}

/// Which threads of a block have returned.
pub struct Mask(Vec<bool>);

impl Mask {
    /// None has.
    #[inline(always)]
    pub fn new(block: &Block<'_>) -> Mask {
        Mask(vec![false; block.size()])
    }

    /// The thread returns, unless it reaches `stay`.
    #[inline(always)]
    pub fn leave(&mut self, thread: Thread<'_, impl Mode>) {
        self.0[thread.rank()] = true;
    }

    /// The thread goes on.
    #[inline(always)]
    pub fn stay(&mut self, thread: Thread<'_, impl Mode>) {
        self.0[thread.rank()] = false;
    }

    /// Whether the thread has returned.
    #[inline(always)]
    pub fn has_left(&self, thread: Thread<'_, impl Mode>) -> bool {
        self.0[thread.rank()]
    }

    /// Whether all threads of the block have returned.
    pub fn all_left(&self) -> bool {
        self.0.iter().all(|left| *left)
    }

    /// The lanes of a warp that have not returned.
    pub fn present(&self, block: &Block<'_>, warp: usize) -> u32 {
        (0..block.lanes(warp)).filter(|lane| !self.0[warp * 32 + lane]).fold(0, |bits, lane| bits | 1 << lane)
    }
}

/// The votes of a block's threads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Votes {
    cast: u32,
    holds: u32,
}

impl Votes {
    /// None yet.
    #[inline(always)]
    pub fn new() -> Votes {
        Votes::default()
    }

    /// Adds the vote of a thread.
    #[inline(always)]
    pub fn add(&mut self, predicate: bool) {
        self.cast += 1;
        self.holds += u32::from(predicate);
    }

    /// How many threads voted.
    pub(crate) fn cast(&self) -> u32 {
        self.cast
    }

    /// For how many the predicate holds.
    pub(crate) fn holds(&self) -> u32 {
        self.holds
    }
}

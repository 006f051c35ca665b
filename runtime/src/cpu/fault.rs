//! Checked accesses, and what happens when one fails.

use super::Thread;
use crate::lang::{GpuType, Own, own_slice};
pub use warpcell_ir::SiteKind;

/// A place in the source where a thread can fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    pub(crate) kind: SiteKind,
    pub(crate) file: &'static str,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) text: &'static str,
}

impl Site {
    /// As generated code writes it.
    pub const fn new(kind: SiteKind, file: &'static str, line: u32, column: u32, text: &'static str) -> Site {
        Site { kind, file, line, column, text }
    }
}

/// What a faulting thread leaves behind.
pub(crate) struct Faulted {
    pub site: &'static Site,
    pub index: u64,
    pub length: u64,
    pub block: [usize; 3],
    pub thread: [usize; 3],
    pub block_rank: usize,
    pub thread_rank: usize,
}

/// Ends the block: it unwinds to the launch, which reports it. No panic hook runs.
#[cold]
#[inline(never)]
pub fn fault(thread: Thread<'_>, site: &'static Site, index: u64, length: u64) -> ! {
    std::panic::resume_unwind(Box::new(Faulted {
        site,
        index,
        length,
        block: thread.index().block,
        thread: [thread.x(), thread.y(), thread.z()],
        block_rank: thread.index().block_rank,
        thread_rank: thread.rank(),
    }))
}

/// `slice[index]`
#[inline(always)]
pub fn element<'s, E>(slice: &'s [E], index: usize, thread: Thread<'_>, site: &'static Site) -> &'s E {
    match slice.get(index) {
        Some(element) => element,
        None => fault(thread, site, index as u64, slice.len() as u64),
    }
}

/// `array[index]`, to be written.
#[inline(always)]
pub fn element_mut<'s, E>(slice: &'s mut [E], index: usize, thread: Thread<'_>, site: &'static Site) -> &'s mut E {
    let len = slice.len();
    match slice.get_mut(index) {
        Some(element) => element,
        None => fault(thread, site, index as u64, len as u64),
    }
}

/// `&slice[start..end]`
#[inline(always)]
pub fn part<'s, E>(
    slice: &'s [E],
    start: usize,
    end: Option<usize>,
    thread: Thread<'_>,
    site: &'static Site,
) -> &'s [E] {
    let end = end.unwrap_or(slice.len());
    match slice.get(start..end) {
        Some(part) => part,
        None => fault(thread, site, if end > slice.len() { end } else { start } as u64, slice.len() as u64),
    }
}

/// `&mut array[start..end]` of a local array.
#[inline(always)]
pub fn own_part<'s, T: GpuType>(
    slice: &'s mut [T],
    start: usize,
    end: Option<usize>,
    thread: Thread<'_>,
    site: &'static Site,
) -> &'s [Own<T>] {
    part(own_slice(slice), start, end, thread, site)
}

/// The argument of `step_by`, which must not be 0.
#[inline(always)]
pub fn step(step: usize, thread: Thread<'_>, site: &'static Site) -> usize {
    if step == 0 { fault(thread, site, 0, 0) } else { step }
}

//! Checked accesses, and what happens when one fails.

use super::{Mode, Thread};
use crate::error::FaultKind;
use crate::lang::{Own, Value, own_slice};
pub(crate) use warpcell_ir::SiteKind;

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
    pub rank: usize,
    /// Of a panic.
    pub message: Option<String>,
}

impl Faulted {
    /// A fault of that thread.
    pub(crate) fn at(thread: Thread<'_, impl Mode>, site: &'static Site) -> Faulted {
        Faulted {
            site,
            index: 0,
            length: 0,
            block: thread.index().block,
            thread: [thread.x(), thread.y(), thread.z()],
            block_rank: thread.index().block_rank,
            rank: thread.rank(),
            message: None,
        }
    }
}

/// What a block leaves behind that waited when a thread of another one faulted.
pub(crate) struct Abandoned;

/// Ends the block: it unwinds to the launch, which reports it. No panic hook runs. On the host it is a panic.
#[cold]
#[inline(never)]
pub fn fault(thread: Thread<'_, impl Mode>, site: u32, index: u64, length: u64) -> ! {
    let site = thread.site(site);
    if thread.is_host() {
        let what = FaultKind::new(site.kind, site.text, index, length);
        panic!("{}:{}:{}: {what}", site.file, site.line, site.column);
    }
    std::panic::resume_unwind(Box::new(Faulted { index, length, ..Faulted::at(thread, site) }))
}

/// A slice or array.
pub trait Elements {
    /// What it holds.
    type Item;
    /// All of it.
    fn all(&self) -> &[Self::Item];
}
impl<E> Elements for [E] {
    type Item = E;
    #[inline(always)]
    fn all(&self) -> &[E] {
        self
    }
}

/// A local array.
pub trait ElementsMut {
    /// What it holds.
    type Item;
    /// All of it, to be written.
    fn all_mut(&mut self) -> &mut [Self::Item];
}
impl<E, const N: usize> ElementsMut for [E; N] {
    type Item = E;
    #[inline(always)]
    fn all_mut(&mut self) -> &mut [E] {
        self
    }
}

/// `slice[index]`
#[inline(always)]
pub fn element<'s, A: Elements + ?Sized>(
    slice: &'s A,
    index: usize,
    thread: Thread<'_, impl Mode>,
    site: u32,
) -> &'s A::Item {
    let slice = slice.all();
    match slice.get(index) {
        Some(element) => element,
        None => fault(thread, site, index as u64, slice.len() as u64),
    }
}

/// `array[index]`, to be written.
#[inline(always)]
pub fn element_mut<'s, A: ElementsMut>(
    slice: &'s mut A,
    index: usize,
    thread: Thread<'_, impl Mode>,
    site: u32,
) -> &'s mut A::Item {
    let slice = slice.all_mut();
    let len = slice.len();
    match slice.get_mut(index) {
        Some(element) => element,
        None => fault(thread, site, index as u64, len as u64),
    }
}

/// `&slice[start..end]`
#[inline(always)]
pub fn part<'s, A: Elements + ?Sized>(
    slice: &'s A,
    start: usize,
    end: Option<usize>,
    thread: Thread<'_, impl Mode>,
    site: u32,
) -> &'s [A::Item] {
    let slice = slice.all();
    let end = end.unwrap_or(slice.len());
    match slice.get(start..end) {
        Some(part) => part,
        None => fault(thread, site, if end > slice.len() { end } else { start } as u64, slice.len() as u64),
    }
}

/// `&mut array[start..end]` of a local array.
#[inline(always)]
pub fn own_part<'s, T: Value, A: ElementsMut<Item = T>>(
    slice: &'s mut A,
    start: usize,
    end: Option<usize>,
    thread: Thread<'_, impl Mode>,
    site: u32,
) -> &'s [Own<T>] {
    part(own_slice(slice.all_mut()), start, end, thread, site)
}

/// The argument of `step_by`, which must not be 0.
#[inline(always)]
pub fn step(step: usize, thread: Thread<'_, impl Mode>, site: u32) -> usize {
    if step == 0 { fault(thread, site, 0, 0) } else { step }
}

//! The CPU backend: what the CPU forms of kernels call, and how blocks are run over the cores.

mod args;
mod block;
mod fault;
mod futures;
mod grid;
mod launch;
mod memory;
mod output;
mod progress;
mod slots;
mod thread;

pub use args::{Args, Argument};
pub(crate) use block::ARENA_BYTES;
pub use block::{Arena, Block, shared_layout, static_shared};
pub(crate) use fault::{Abandoned, Faulted, SiteKind};
pub use fault::{Elements, Site, element, element_mut, fault, own_part, part, step};
pub use futures::{Waits, pause, run_futures, went_on};
pub(crate) use grid::MAX_RESIDENT_BLOCKS;
pub(crate) use launch::run;
pub use launch::{CpuOptions, InstructionSet};
pub use memory::HostMemory;
pub use output::{panic, print};
pub(crate) use progress::{Outlook, Progress};
pub use slots::{Lanes, Mask, Slots, Votes};
pub use thread::{Careful, Fast, Index, Mode, Thread};

/// Says of every type that no thread waits in it; the companion of a function in which threads wait says otherwise by a
/// constant of its own.
pub trait MaybeCollective {
    /// Whether threads wait for each other.
    const __WC_COLLECTIVE: bool = false;
}
impl<T: ?Sized> MaybeCollective for T {}

/// The plain form of a function whose threads wait for each other, which only the host could call.
///
/// # Panics
/// Always.
pub fn waits_only_in_kernels<T>() -> T {
    panic!("a function with barriers or warp operations is for kernels only")
}

/// A kernel's CPU forms, as the macro wrote them.
pub struct CpuForms {
    /// The body split into phases, if the rule allows it.
    pub phases: Option<Phases>,
    /// One future a thread: always right, whatever waits where.
    pub futures: BlockFn,
    /// Bytes of its shared arrays.
    pub static_shared: usize,
    /// Whether its blocks wait for each other.
    pub grid_barrier: bool,
}

/// Runs one block.
pub type BlockFn = fn(&Args<'_>, &Block<'_>);

/// The same code for several instruction sets. Rust never contracts, so the bits are the same.
pub struct Phases {
    /// For any processor of the target.
    pub base: BlockFn,
    /// For processors with AVX2 and FMA.
    #[cfg(target_arch = "x86_64")]
    pub v3: unsafe fn(&Args<'_>, &Block<'_>),
}

/// The length of a slice.
#[inline(always)]
pub fn len<E>(slice: &[E]) -> usize {
    slice.len()
}

/// Tells LLVM what the caller knows.
#[inline(always)]
pub fn assume(condition: bool) {
    // SAFETY: generated code only assumes the loop bound that it computed just before (see `Block::in_range`).
    unsafe { std::hint::assert_unchecked(condition) }
}

/// A field of an element.
#[inline(always)]
pub fn part_of<E: crate::lang::Elem, F: crate::lang::Value>(element: &E, get: impl Fn(&E::Value) -> &F) -> &E::Part<F> {
    element.part(get)
}

/// Reads an element.
#[inline(always)]
pub fn load<E: crate::lang::Elem>(element: &E, _: Thread<'_, impl Mode>, _site: u32) -> E::Value {
    element.load()
}

/// Writes an element.
#[inline(always)]
pub fn store<E: crate::lang::Elem>(element: &E, value: E::Value, _: Thread<'_, impl Mode>, _site: u32) {
    element.store(value);
}

/// Calls a method on a copy of what is at `place`, which is written back if the method has changed it.
#[inline(always)]
pub fn changed<E: crate::lang::Elem, M: Mode, R>(
    place: &E,
    thread: Thread<'_, M>,
    site: u32,
    method: impl FnOnce(&mut E::Value) -> R,
) -> R {
    let before = load(place, thread, site);
    let mut value = before;
    let result = method(&mut value);
    if !crate::lang::Value::same(&before, &value) {
        store(place, value, thread, site);
    }
    result
}

/// What a local is before it is assigned.
#[inline(always)]
pub fn unset<T: crate::lang::Value>() -> T {
    T::unset()
}

//! What phase splitting must know of an expression or statement, without its types.

use std::collections::BTreeSet;
use warpcell_ir::LoopId;

/// The number of a local or parameter of the function.
pub(crate) type LocalId = usize;

/// Facts about a piece of the body; those of a whole are the union of its parts'.
#[derive(Clone, Default, Debug)]
pub(crate) struct Facts {
    /// Locals whose value is used.
    pub reads: BTreeSet<LocalId>,
    /// Locals that are assigned (a declaration is not).
    pub writes: BTreeSet<LocalId>,
    /// Reads memory that another thread may write, or calls a function that may.
    pub opaque: bool,
    /// Differs between the threads of a block.
    pub thread: bool,
    /// Differs between the warps of a block, but not within one.
    pub warp_uniform: bool,
    /// Its type is known whatever stands around it.
    pub sized: bool,
    /// Surely a primitive, so that its operators are the language's own. Not a fact of parts: said of each expression.
    pub primitive: bool,
    /// Can fault, so it can't be evaluated where the source does not.
    pub faults: bool,
    /// Holds a `return`.
    pub returns: bool,
    /// The loops and blocks outside of it that a `break` or `continue` in it leaves or goes on with.
    pub jumps: BTreeSet<LoopId>,
    /// Holds a block barrier.
    pub barrier: bool,
    /// Holds a warp barrier or a warp operation.
    pub warp: bool,
    /// Writes memory, or calls a function that may.
    pub stores: bool,
    /// Waits for what another thread writes.
    pub spins: bool,
    /// What it does to the world if control flow then stays in the loop around.
    pub changes: Changes,
}

/// What a piece of a loop's body changes. Blocks that end with `break` or `return` don't count.
#[derive(Clone, Default, Debug)]
pub(crate) struct Changes {
    /// Locals that are assigned.
    pub locals: BTreeSet<LocalId>,
    /// Writes memory, or calls a function that may.
    pub memory: bool,
}

impl Facts {
    /// Adds those of a part.
    pub(crate) fn add(&mut self, part: &Facts) {
        self.reads.extend(&part.reads);
        self.writes.extend(&part.writes);
        self.opaque |= part.opaque;
        self.thread |= part.thread;
        self.warp_uniform |= part.warp_uniform;
        self.sized |= part.sized;
        self.faults |= part.faults;
        self.returns |= part.returns;
        self.jumps.extend(&part.jumps);
        self.barrier |= part.barrier;
        self.warp |= part.warp;
        self.stores |= part.stores;
        self.spins |= part.spins;
        self.changes.locals.extend(&part.changes.locals);
        self.changes.memory |= part.changes.memory;
    }

    /// Notes a write to memory.
    pub(crate) fn stores(&mut self) {
        self.stores = true;
        self.changes.memory = true;
    }

    /// These of a whole loop or labelled block: whatever way leads out of it, control flow stays in the loop around.
    pub(crate) fn of_whole(mut self) -> Facts {
        self.changes = Changes { locals: self.writes.clone(), memory: self.stores };
        self
    }

    /// Whether a loop waits for other threads: it reads memory and changes nothing itself, so if it ends then by them.
    /// `outside` is the first local that is declared in the loop.
    pub(crate) fn wait_for_others(&self, outside: LocalId) -> bool {
        self.opaque && !self.collective() && !self.changes.memory && self.changes.locals.iter().all(|id| *id >= outside)
    }

    /// Notes that a local is assigned.
    pub(crate) fn assigns(&mut self, id: LocalId) {
        self.writes.insert(id);
        self.changes.locals.insert(id);
    }

    /// Whether it waits for other threads.
    pub(crate) fn collective(&self) -> bool {
        self.barrier || self.warp || self.spins
    }

    /// Whether all threads of a block (or of a warp, with `in_warp`) get the same value, given which locals are the
    /// same in all of them. Never true of what reads memory: another thread may have changed it in between.
    pub(crate) fn uniform(&self, uniform: &BTreeSet<LocalId>, in_warp: bool) -> bool {
        !self.opaque
            && !self.thread
            && (in_warp || !self.warp_uniform)
            && self.writes.is_empty()
            && !self.returns
            && !self.collective()
            && self.reads.is_subset(uniform)
    }
}

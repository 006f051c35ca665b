//! Where a body may be split.
//!
//! *Uniform expression*: literals, constants, immutable scalar parameters, lengths of slice parameters, block and grid
//! built-ins, uniform variables, and arithmetic, comparisons, casts and methods on these. Never a memory read, a thread
//! index or a call of a device function.
//!
//! *Uniform variable*: every assignment is at split level with a uniform right side, or with the value of a barrier
//! (`sync_threads_count(p)`). It lives once a block.
//!
//! *Splittable body*: statements without a barrier (they form phases), barriers as statements, and `for`, `while`, `if`,
//! `loop` and blocks with a uniform header and a splittable body. A `break` or `continue` of a loop that holds a barrier
//! stands at split level only.
//!
//! A body that waits for what another thread writes is not splittable: a phase runs one thread after the other.
//!
//! Why it is right: all threads run the same sequence at split level; a phase has no barrier, so one thread after the
//! other is a legal interleaving; uniform expressions are pure.
//!
//! The same rule holds one level down: a piece without a barrier is run a warp at a time and split at warp operations.

use super::{CpuStmt, Exchange, Split};
use crate::facts::{Facts, LocalId};
use crate::lower::{Local, LocalKind};
use std::collections::BTreeSet;

/// Whose threads a split point waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Block,
    Warp,
}

/// A body taken apart.
pub(crate) enum Node<'a> {
    /// Statements that every thread runs to the end before the next node.
    Phase(Vec<&'a CpuStmt>),
    /// A statement of uniform variables, run once.
    Uniform(&'a CpuStmt),
    /// Pieces run a warp at a time.
    Warps(Vec<Node<'a>>),
    /// A warp operation.
    Warp(&'a Exchange),
    /// A barrier with a value.
    Vote {
        call: &'a Exchange,
        /// Whether the value goes to a variable that is the same in all threads.
        uniform: bool,
    },
    /// Control flow run once.
    If {
        condition: &'a proc_macro2::TokenStream,
        then: Vec<Node<'a>>,
        otherwise: Vec<Node<'a>>,
    },
    While {
        label: &'a proc_macro2::TokenStream,
        condition: &'a proc_macro2::TokenStream,
        body: Vec<Node<'a>>,
    },
    For {
        label: &'a proc_macro2::TokenStream,
        variable: LocalId,
        range: &'a proc_macro2::TokenStream,
        body: Vec<Node<'a>>,
    },
    Loop {
        label: &'a proc_macro2::TokenStream,
        body: Vec<Node<'a>>,
    },
    Block(Vec<Node<'a>>),
    /// `break` or `continue` of control flow run once.
    Jump(&'a CpuStmt),
}

/// A body taken apart, with the locals that need no copy a thread.
pub(crate) struct Pieces<'a> {
    pub nodes: Vec<Node<'a>>,
    /// The same in all threads of a block.
    pub uniform: BTreeSet<LocalId>,
    /// The same in all threads of a warp; holds `uniform`.
    pub warp_uniform: BTreeSet<LocalId>,
}

/// The splitter of one body.
pub(crate) struct Splitter<'a> {
    locals: &'a [Local],
    /// The same in all threads of a block.
    uniform: BTreeSet<LocalId>,
    /// The same in all threads of a warp; holds `uniform`.
    warp_uniform: BTreeSet<LocalId>,
    /// A fault in a uniform expression is only right if no thread has left before.
    may_fault: bool,
}

impl<'a> Splitter<'a> {
    /// `body` taken apart, or nothing if the rule does not allow it.
    pub(crate) fn split(
        body: &'a [CpuStmt],
        facts: &Facts,
        locals: &'a [Local],
        params: &[LocalId],
    ) -> Option<Pieces<'a>> {
        // A phase runs one thread to its end before the next.
        if facts.spins {
            return None;
        }
        // A scalar parameter that is assigned is a variable of each thread, which no phase declares.
        let assigned = |id: &LocalId| locals[*id].mutable && locals[*id].kind == LocalKind::Value;
        if params.iter().any(assigned) {
            return None;
        }
        let fixed: BTreeSet<LocalId> = params.iter().copied().collect();
        let mut splitter =
            Splitter { locals, uniform: fixed.clone(), warp_uniform: fixed.clone(), may_fault: !facts.returns };
        splitter.uniform = splitter.fixpoint(body, Level::Block, fixed);
        let start = splitter.uniform.clone();
        splitter.warp_uniform = splitter.fixpoint(body, Level::Warp, start);
        let nodes = splitter.nodes(body, Level::Block)?;
        Some(Pieces { nodes, uniform: splitter.uniform, warp_uniform: splitter.warp_uniform })
    }

    /// The uniform variables: start from all that are declared at split level, and remove until nothing changes.
    fn fixpoint(&self, body: &[CpuStmt], level: Level, fixed: BTreeSet<LocalId>) -> BTreeSet<LocalId> {
        let mut candidates = fixed.clone();
        self.declared(body, level, &mut candidates);
        loop {
            let mut varying = BTreeSet::new();
            self.varying(body, level, &candidates, &mut varying);
            let before = candidates.len();
            candidates.retain(|id| fixed.contains(id) || !varying.contains(id));
            if candidates.len() == before {
                return candidates;
            }
        }
    }

    /// Locals declared at split level.
    fn declared(&self, body: &[CpuStmt], level: Level, out: &mut BTreeSet<LocalId>) {
        for stmt in body {
            out.extend(&stmt.declares);
            if !splits(&stmt.facts, level) {
                continue;
            }
            match &stmt.split {
                Split::If { then, otherwise, .. } => {
                    self.declared(then, level, out);
                    self.declared(otherwise, level, out);
                }
                Split::For { variable, body, .. } => {
                    out.insert(*variable);
                    self.declared(body, level, out);
                }
                Split::While { body, .. } | Split::Loop { body, .. } | Split::Block(body) => {
                    self.declared(body, level, out);
                }
                _ => {}
            }
        }
    }

    /// Locals of `candidates` that some statement makes different between threads.
    fn varying(&self, body: &[CpuStmt], level: Level, candidates: &BTreeSet<LocalId>, out: &mut BTreeSet<LocalId>) {
        for stmt in body {
            if splits(&stmt.facts, level) {
                match &stmt.split {
                    Split::If { then, otherwise, .. } => {
                        self.varying(then, level, candidates, out);
                        self.varying(otherwise, level, candidates, out);
                        continue;
                    }
                    Split::For { variable, header, body, .. } => {
                        if !self.is_uniform(header, level, candidates) {
                            out.insert(*variable);
                        }
                        self.varying(body, level, candidates, out);
                        continue;
                    }
                    Split::While { body, .. } | Split::Loop { body, .. } | Split::Block(body) => {
                        self.varying(body, level, candidates, out);
                        continue;
                    }
                    // All threads get the same.
                    Split::Vote(_) => continue,
                    _ => {}
                }
            }
            if !self.is_uniform_stmt(stmt, level, candidates) {
                out.extend(&stmt.declares);
                out.extend(&stmt.facts.writes);
            }
        }
    }

    fn is_uniform(&self, facts: &Facts, level: Level, uniform: &BTreeSet<LocalId>) -> bool {
        facts.uniform(uniform, level == Level::Warp) && (self.may_fault || !facts.faults)
    }

    /// `let x = …;` or `x = …;` of uniform variables only.
    fn is_uniform_stmt(&self, stmt: &CpuStmt, level: Level, uniform: &BTreeSet<LocalId>) -> bool {
        let touched: Vec<LocalId> = stmt.declares.iter().chain(&stmt.facts.writes).copied().collect();
        let values = Facts { writes: BTreeSet::new(), ..stmt.facts.clone() };
        matches!(stmt.split, Split::None)
            && !touched.is_empty()
            && touched.iter().all(|id| uniform.contains(id) && self.locals[*id].kind == LocalKind::Value)
            && stmt.facts.jumps.is_empty()
            && self.is_uniform(&values, level, uniform)
    }

    fn nodes(&self, body: &'a [CpuStmt], level: Level) -> Option<Vec<Node<'a>>> {
        let mut nodes = Vec::new();
        let mut run: Vec<&'a CpuStmt> = Vec::new();
        for stmt in body {
            if splits(&stmt.facts, level) || matches!(stmt.split, Split::Warp(_)) && level == Level::Warp {
                self.close(&mut run, level, &mut nodes)?;
                nodes.extend(self.node(stmt, level)?);
            } else if self.is_uniform_stmt(stmt, level, self.set(level)) {
                self.close(&mut run, level, &mut nodes)?;
                nodes.push(Node::Uniform(stmt));
            } else {
                run.push(stmt);
            }
        }
        self.close(&mut run, level, &mut nodes)?;
        Some(nodes)
    }

    fn set(&self, level: Level) -> &BTreeSet<LocalId> {
        if level == Level::Warp { &self.warp_uniform } else { &self.uniform }
    }

    /// Ends a run of statements without a split point.
    fn close(&self, run: &mut Vec<&'a CpuStmt>, level: Level, nodes: &mut Vec<Node<'a>>) -> Option<()> {
        if run.is_empty() {
            return Some(());
        }
        let run = std::mem::take(run);
        if level == Level::Block && run.iter().any(|stmt| stmt.facts.warp) {
            let mut inner = Vec::new();
            let mut piece = Vec::new();
            for stmt in run {
                if stmt.facts.warp || self.is_uniform_stmt(stmt, Level::Warp, &self.warp_uniform) {
                    self.close(&mut piece, Level::Warp, &mut inner)?;
                    inner.extend(self.nodes(std::slice::from_ref(stmt), Level::Warp)?);
                } else {
                    piece.push(stmt);
                }
            }
            self.close(&mut piece, Level::Warp, &mut inner)?;
            nodes.push(Node::Warps(inner));
        } else {
            nodes.push(Node::Phase(run));
        }
        Some(())
    }

    /// Whether the value of a barrier goes to a uniform variable. One that is the same in a warp only has no home then.
    fn vote_is_uniform(&self, call: &Exchange) -> Option<bool> {
        let Some(id) = call.target.local() else { return Some(false) };
        let uniform = self.uniform.contains(&id);
        (uniform || !self.warp_uniform.contains(&id)).then_some(uniform)
    }

    /// A statement that holds a split point.
    fn node(&self, stmt: &'a CpuStmt, level: Level) -> Option<Vec<Node<'a>>> {
        let uniform = |header: &Facts| self.is_uniform(header, level, self.set(level));
        Some(vec![match &stmt.split {
            Split::Barrier if level == Level::Block => return Some(Vec::new()),
            Split::WarpBarrier if level == Level::Warp => return Some(Vec::new()),
            Split::Warp(call) if level == Level::Warp => Node::Warp(call),
            Split::Vote(call) if level == Level::Block => Node::Vote { call, uniform: self.vote_is_uniform(call)? },
            Split::If { condition, header, then, otherwise } if uniform(header) => {
                Node::If { condition, then: self.nodes(then, level)?, otherwise: self.nodes(otherwise, level)? }
            }
            Split::While { label, condition, header, body } if uniform(header) => {
                Node::While { label, condition, body: self.nodes(body, level)? }
            }
            Split::For { label, variable, range, header, body }
                if uniform(header) && self.set(level).contains(variable) =>
            {
                Node::For { label, variable: *variable, range, body: self.nodes(body, level)? }
            }
            Split::Loop { label, body } => Node::Loop { label, body: self.nodes(body, level)? },
            Split::Block(body) => Node::Block(self.nodes(body, level)?),
            Split::Jump => Node::Jump(stmt),
            _ => return None,
        }])
    }
}

/// Whether a statement can't be part of a phase: it waits, or leaves a loop that is run once.
fn splits(facts: &Facts, level: Level) -> bool {
    !facts.jumps.is_empty() || if level == Level::Block { facts.barrier } else { facts.warp || facts.barrier }
}

//! The CPU form of a kernel: which parts of a body all threads run together, and what waits where.
//!
//! A body without barriers or warp operations is one loop over the threads of a block. Otherwise it is split into
//! *phases* (`split`, written by `phases`): pieces without a barrier, each a loop over the threads, between which control
//! flow runs once for the block. What can't be split runs as one future a thread (`generate::kernel`).

pub(crate) mod collective;
pub(crate) mod phases;
pub(crate) mod split;

use crate::facts::{Facts, LocalId};
use crate::lower::LoweredBlock;
use proc_macro2::TokenStream;
use quote::quote;
use warpcell_ir::{BinaryOp, SiteId};

/// A statement's CPU form.
pub(crate) struct CpuStmt {
    /// The whole statement as one thread runs it (with `.await` where it waits).
    pub tokens: TokenStream,
    /// How it may be taken apart.
    pub split: Split,
    pub facts: Facts,
    /// The locals it declares in the surrounding scope.
    pub declares: Vec<LocalId>,
}

/// How a statement may be taken apart into phases.
pub(crate) enum Split {
    /// Not at all.
    None,
    /// `sync_threads();`
    Barrier,
    /// `sync_warp();`
    WarpBarrier,
    /// A warp operation.
    Warp(Exchange),
    /// A barrier with a value.
    Vote(Exchange),
    /// An `if` statement.
    If { condition: TokenStream, header: Facts, then: Vec<CpuStmt>, otherwise: Vec<CpuStmt> },
    /// A `while`.
    While { label: TokenStream, condition: TokenStream, header: Facts, body: Vec<CpuStmt> },
    /// A `for`.
    For { label: TokenStream, variable: LocalId, range: TokenStream, header: Facts, body: Vec<CpuStmt> },
    /// A `loop`.
    Loop { label: TokenStream, body: Vec<CpuStmt> },
    /// A block.
    Block(Vec<CpuStmt>),
    /// `break` or `continue`.
    Jump,
}

/// A warp operation, or a barrier with a value, as a statement.
pub(crate) struct Exchange {
    pub target: Target,
    pub site: SiteId,
    /// The path of the operation's form for phases.
    pub function: TokenStream,
    pub arguments: Vec<(TokenStream, Facts)>,
}

/// Where its result goes.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// Dropped.
    None,
    /// `let x = …`
    Let(LocalId),
    /// `x = …`
    Assign(LocalId),
    /// `x += …`
    AssignOp(LocalId, BinaryOp, SiteId),
}

impl Exchange {
    /// The same, with its result at `target`.
    pub(crate) fn to(self, target: Target) -> Exchange {
        Exchange { target, ..self }
    }
}

impl Target {
    /// The local that it is.
    pub(crate) fn local(self) -> Option<LocalId> {
        match self {
            Target::None => None,
            Target::Let(id) | Target::Assign(id) | Target::AssignOp(id, ..) => Some(id),
        }
    }
}

impl Split {
    /// An exchange with its result at `target`; what can't have one can't be taken apart.
    pub(crate) fn to(self, target: Target) -> Split {
        match self {
            Split::Warp(call) => Split::Warp(call.to(target)),
            Split::Vote(call) => Split::Vote(call.to(target)),
            _ => Split::None,
        }
    }
}

/// `block` as one thread runs it.
pub(crate) fn plain_block(block: &LoweredBlock) -> TokenStream {
    let (statements, value) = (block.cpu.iter().map(|stmt| &stmt.tokens), &block.value);
    let mut tokens = TokenStream::new();
    block.brace.surround(&mut tokens, |inner| inner.extend(quote!(#(#statements)* #value)));
    tokens
}

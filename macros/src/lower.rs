//! One walk over a body that writes its three forms side by side.
//!
//! - **probe**: the user's own tokens, with every literal, call, method and binding passed through a typed slot. rustc
//!   type-checks it and thereby answers what the slots are; it never runs. Its spans are the user's, so rustc's errors are
//!   too.
//! - **ir**: the shape, for the CUDA emitter. Locals are renamed uniquely here.
//! - **cpu**: Rust that runs, with wrapping operators, checked accesses that name their source line, and memory that
//!   other threads may touch reached through `Cell` or relaxed atomics.

mod aggregate;
mod borrow;
mod call;
mod choice;
mod expr;
mod format;
mod let_stmt;
mod literal;
mod loops;
mod method;
mod operator;
mod output;
mod pattern;
mod place;
mod refuse;
mod scopes;
mod stmt;

pub(crate) use stmt::ask_type;

use crate::cpu::CpuStmt;
use crate::diagnostics::Diagnostics;
use crate::facts::{Facts, LocalId};
use crate::host::HostExpr;
use crate::signature::{Param, ParamKind, Signature, position, primitive_depth};
use crate::spans::Extent;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use scopes::Scopes;
use std::collections::HashSet;
use syn::ext::IdentExt;
use warpcell_ir as ir;

/// An expression in its three forms.
pub(crate) struct Lowered {
    pub probe: TokenStream,
    pub cpu: TokenStream,
    pub ir: ir::Expr,
    pub facts: Facts,
    /// Whether its value is a slice, whose elements are loaded and stored through `Elem`.
    pub memory: bool,
}

/// A block in its three forms; `probe` is without the braces.
#[derive(Default)]
pub(crate) struct LoweredBlock {
    pub probe: TokenStream,
    pub cpu: Vec<CpuStmt>,
    /// The value's CPU form.
    pub value: Option<TokenStream>,
    pub ir: ir::Block,
    pub facts: Facts,
    /// Whether its value is a slice.
    pub memory: bool,
    /// Whether its value is surely a primitive.
    pub primitive: bool,
    /// The user's braces.
    pub brace: syn::token::Brace,
}

impl LoweredBlock {
    /// Puts the probe's questions for what the block's header binds before all else.
    pub(crate) fn ask_first(&mut self, questions: &TokenStream) {
        let probe = &self.probe;
        self.probe = quote!(#questions #probe);
    }

    /// The probe's form with the braces.
    pub(crate) fn braced_probe(&self) -> TokenStream {
        let mut tokens = TokenStream::new();
        self.brace.surround(&mut tokens, |inner| inner.extend(self.probe.clone()));
        tokens
    }
}

/// What a local holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LocalKind {
    /// A value of its own: a primitive or a local array.
    Value,
    /// A slice.
    Memory,
    /// Shared memory.
    Shared,
    /// A slice of shared memory.
    SharedSlice,
    /// A parameter `&T`, which is a value that can't be changed.
    Borrowed,
    /// A parameter `&mut T`.
    Reference,
}

/// A parameter or local.
pub(crate) struct Local {
    /// Unique in the function.
    pub ident: Ident,
    pub kind: LocalKind,
    pub mutable: bool,
    /// How often it must be indexed for a primitive, if that is known.
    pub depth: Option<usize>,
    /// Whether what it refers to can be written, if it is memory.
    pub writable: bool,
    /// `let i = global_id();`, never assigned.
    pub is_global_id: bool,
    /// For a slice parameter: it was used in a way other than `x[i]` with `i` the global id, or `x.len()`.
    pub escapes: bool,
    /// For a slice parameter: it was indexed by the global id.
    pub indexed_by_global_id: bool,
    /// The value's CPU form, if evaluating it again in every phase gives the same.
    pub recompute: Option<TokenStream>,
    /// Reads of `recompute`, for its own dependencies.
    pub facts: Facts,
}

impl Local {
    /// Whether a slice parameter is used as `x[global_id]` only, so that each thread touches its own element.
    pub(crate) fn is_own(&self) -> bool {
        self.indexed_by_global_id && !self.escapes
    }
}

/// `let x = shared_slice::<T>(len);`
pub(crate) struct SharedSlice {
    pub local: LocalId,
    pub element: syn::Type,
    /// Its length; none for `dynamic_shared`, which takes what the launch gives.
    pub len: Option<HostExpr>,
}

/// The whole function.
pub(crate) struct Body {
    pub block: LoweredBlock,
    pub locals: Vec<Local>,
    /// For each parameter, its local.
    pub params: Vec<LocalId>,
    /// How many questions the probe asks.
    pub slots: ir::Slot,
    pub sites: Vec<ir::Site>,
    pub constants: Vec<TokenStream>,
    /// `const` and `use` items of the body.
    pub items: Vec<syn::Item>,
    /// Built-ins that phase splitting relied on.
    pub intrinsics: Vec<TokenStream>,
    /// The companions of the functions it calls.
    pub callees: Vec<TokenStream>,
    /// Shared arrays, with their types.
    pub shared: Vec<(LocalId, syn::Type)>,
    /// Shared slices, in the order of their numbers.
    pub shared_slices: Vec<SharedSlice>,
    /// Whether its blocks wait for each other.
    pub grid_barrier: bool,
    pub result: ir::Slot,
    pub param_slots: Vec<ir::Slot>,
}

/// The state of the walk.
pub(crate) struct Lowerer<'d> {
    signature: &'d Signature,
    diagnostics: &'d mut Diagnostics,
    /// Whether this is a kernel (and may use barriers and shared memory).
    kernel: bool,
    scopes: Scopes,
    locals: Vec<Local>,
    taken: HashSet<String>,
    slots: ir::Slot,
    sites: Vec<ir::Site>,
    constants: Vec<TokenStream>,
    items: Vec<syn::Item>,
    intrinsics: Vec<TokenStream>,
    callees: Vec<TokenStream>,
    shared: Vec<(LocalId, syn::Type)>,
    shared_slices: Vec<SharedSlice>,
    grid_barrier: bool,
    /// The loops and labelled blocks around the current place.
    targets: Vec<loops::Target>,
    /// The number of loops and labelled blocks so far.
    target_count: ir::LoopId,
}

impl<'d> Lowerer<'d> {
    /// Walks `body`, whose parameters are `signature`'s.
    pub(crate) fn lower(
        signature: &'d Signature,
        body: &syn::Block,
        kernel: bool,
        diagnostics: &'d mut Diagnostics,
    ) -> Body {
        let mut lowerer = Lowerer {
            signature,
            diagnostics,
            kernel,
            scopes: Scopes::new(),
            locals: Vec::new(),
            taken: HashSet::new(),
            slots: 0,
            sites: Vec::new(),
            constants: Vec::new(),
            items: Vec::new(),
            intrinsics: Vec::new(),
            callees: Vec::new(),
            shared: Vec::new(),
            shared_slices: Vec::new(),
            grid_barrier: false,
            targets: Vec::new(),
            target_count: 0,
        };
        let result = lowerer.slot();
        let params: Vec<LocalId> = signature.params.iter().map(|param| lowerer.declare_param(param)).collect();
        let param_slots = params.iter().map(|_| lowerer.slot()).collect();
        let block = lowerer.block(body);
        Body {
            block,
            params,
            param_slots,
            result,
            locals: lowerer.locals,
            slots: lowerer.slots,
            sites: lowerer.sites,
            constants: lowerer.constants,
            items: lowerer.items,
            intrinsics: lowerer.intrinsics,
            callees: lowerer.callees,
            shared: lowerer.shared,
            shared_slices: lowerer.shared_slices,
            grid_barrier: lowerer.grid_barrier,
        }
    }

    fn declare_param(&mut self, param: &Param) -> LocalId {
        let kind = match param.kind {
            ParamKind::Slice { .. } => LocalKind::Memory,
            ParamKind::Reference { mutable: true, .. } => LocalKind::Reference,
            ParamKind::Reference { mutable: false, .. } => LocalKind::Borrowed,
            ParamKind::Value | ParamKind::Refused => LocalKind::Value,
        };
        let id = self.declare(&param.name, kind, param.mutable);
        self.locals[id].depth = primitive_depth(&param.ty);
        self.locals[id].writable =
            matches!(param.kind, ParamKind::Slice { mutable: true, .. } | ParamKind::Reference { mutable: true, .. });
        id
    }

    /// A new local, visible from here to the end of the scope.
    fn declare(&mut self, ident: &Ident, kind: LocalKind, mutable: bool) -> LocalId {
        let name = ident.unraw().to_string();
        let mut unique = name.clone();
        let mut number = 2;
        while !self.taken.insert(unique.clone()) {
            unique = format!("{name}_{number}");
            number += 1;
        }
        let id = self.locals.len();
        self.locals.push(Local {
            ident: if unique == name { ident.clone() } else { Ident::new(&unique, ident.span()) },
            kind,
            mutable,
            depth: None,
            writable: matches!(kind, LocalKind::Shared | LocalKind::SharedSlice),
            is_global_id: false,
            escapes: false,
            indexed_by_global_id: false,
            recompute: None,
            facts: Facts::default(),
        });
        self.scopes.bind(ident, id);
        id
    }

    /// The local that `path` is the name of.
    fn find(&self, path: &syn::ExprPath) -> Option<LocalId> {
        self.scopes.find(path.path.get_ident()?)
    }

    fn unique_name(&self, id: LocalId) -> String {
        self.locals[id].ident.unraw().to_string()
    }

    /// A new question to rustc.
    fn slot(&mut self) -> ir::Slot {
        self.slots += 1;
        self.slots - 1
    }

    fn site(&mut self, kind: ir::SiteKind, span: Span, text: String) -> ir::SiteId {
        let (line, column) = position(span);
        self.sites.push(ir::Site { kind, line, column, text });
        (self.sites.len() - 1) as ir::SiteId
    }

    /// Runs `walk` in a scope of its own.
    fn scoped<R>(&mut self, walk: impl FnOnce(&mut Self) -> R) -> R {
        self.scopes.enter();
        let result = walk(self);
        self.scopes.leave();
        result
    }

    /// Stands for an expression that was refused; the function is not emitted then.
    fn refused(&mut self) -> Lowered {
        Lowered {
            probe: TokenStream::new(),
            cpu: TokenStream::new(),
            ir: ir::Expr::Literal { slot: 0, value: ir::Literal::Bool(false) },
            facts: Facts::default(),
            memory: false,
        }
    }
}

/// `value` in the probe, with its type as the answer of `slot`. As a branch it is typed, and reported, as it is alone.
pub(crate) fn see(value: &TokenStream, slot: ir::Slot) -> TokenStream {
    let (extent, name) = (Extent::of(value), slot_ident(slot));
    let any = extent.private_call("any", TokenStream::new());
    let typed = extent.braces(extent.private_call("see", quote!(#any, &#name)));
    extent.call(TokenStream::new(), quote_spanned!(extent.first=> if true { #value } else #typed))
}

/// The probe's name of a slot.
pub(crate) fn slot_ident(slot: ir::Slot) -> Ident {
    crate::paths::hidden(&format!("__wc_slot_{slot}"))
}

//! Calls and methods: resolved by rustc through the companion of the same path.

use super::{Lowered, Lowerer, slot_ident};
use crate::facts::Facts;
use crate::intrinsics::{self, Intrinsic};
use crate::paths::context;
use crate::spans::Extent;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprPath};
use warpcell_ir as ir;

/// The parts of a called path.
pub(super) struct Callee {
    /// `<path>` or `Type`: what the companion's items hang on.
    owner: TokenStream,
    /// The function's name in the companion, after the prefix; empty for a companion of its own.
    name: String,
    turbofish: TokenStream,
    span: proc_macro2::Span,
}

impl Callee {
    /// The path of the companion's function that starts with `prefix`.
    pub(super) fn function(&self, prefix: &str) -> TokenStream {
        let name = if self.name.is_empty() { prefix.to_string() } else { format!("{prefix}_{}", self.name) };
        let (owner, turbofish, name) = (&self.owner, &self.turbofish, Ident::new(&name, self.span));
        let span = self.span;
        quote_spanned!(span=> #owner::#name #turbofish)
    }
}

/// How `path` is called. `Type::f` and `module::f` look alike to a macro; by the naming convention the last segment but
/// one tells, and `<name>::f` overrides.
pub(super) fn callee(path: &ExprPath) -> Callee {
    let span = path.span();
    let mut base = path.path.clone();
    let last = base.segments.last_mut().expect("a path has a segment");
    let name = last.ident.clone();
    let arguments = std::mem::replace(&mut last.arguments, syn::PathArguments::None);
    let turbofish = arguments.to_token_stream();
    let on_type = path.qself.is_some()
        || base.segments.iter().rev().nth(1).is_some_and(|segment| is_type_name(&segment.ident.to_string()));
    if !on_type {
        return Callee { owner: quote_spanned!(span=> <#base>), name: String::new(), turbofish, span };
    }
    let owner = match &path.qself {
        Some(qself) => {
            let ty = &qself.ty;
            quote_spanned!(span=> <#ty>)
        }
        None => {
            base.segments.pop();
            base.segments.pop_punct();
            base.to_token_stream()
        }
    };
    Callee { owner, name: name.unraw().to_string(), turbofish, span }
}

fn is_type_name(name: &str) -> bool {
    const PRIMITIVES: [&str; 13] =
        ["bool", "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize", "f32", "f64"];
    PRIMITIVES.contains(&name) || name.starts_with(|first: char| first.is_ascii_uppercase())
}

/// The call `probe`, with the function that it names as the answer of `slot`.
pub(super) fn ask(probe: &TokenStream, slot: ir::Slot) -> TokenStream {
    let (extent, name) = (Extent::of(probe), slot_ident(slot));
    let at = Ident::new("at", extent.last);
    extent.call(quote!(#probe.#at), quote!(&#name))
}

impl Lowerer<'_> {
    /// `path(arguments)`
    pub(super) fn call(&mut self, expr: &ExprCall) -> Lowered {
        let Expr::Path(path) = &*expr.func else {
            self.diagnostics.error(
                &expr.func,
                "only a function named by its path can be called",
                "write a function marked `#[gpu_fn]` and call it by its name",
            );
            return self.refused();
        };
        let last = path.path.segments.last().expect("a path has a segment").ident.to_string();
        if last.starts_with(|first: char| first.is_ascii_uppercase()) {
            return self.constructor(expr, path);
        }
        if self.find(path).is_some() {
            self.diagnostics.error(
                path,
                format!("`{last}` is a variable here, and values can't be called in kernels"),
                "write a function marked `#[gpu_fn]`, or pass it as a type parameter with a trait",
            );
            return self.refused();
        }
        if !self.signature.method
            && path.path.get_ident().is_some_and(|name| name.unraw() == self.signature.name.unraw())
        {
            let (what, help) = if self.kernel {
                ("a kernel can't launch a kernel", "launch it from the host, or write a `#[gpu_fn]`")
            } else {
                ("a device function can't call itself", "write it as a loop")
            };
            self.diagnostics.error(path, what, help);
            return self.refused();
        }
        let owner = path.path.segments.iter().rev().nth(1);
        if let Some((what, help)) = owner.and_then(|owner| crate::signature::refused_name(&owner.ident)) {
            self.diagnostics.error(path, what, help);
            return self.refused();
        }
        let intrinsic = if path.qself.is_none() { intrinsics::find(&last) } else { None };
        if !self.allowed(intrinsic, path) {
            return self.refused();
        }
        let in_place = intrinsic.is_some_and(Intrinsic::reads_in_place);
        let arguments: Vec<Lowered> = expr.args.iter().map(|argument| self.argument(argument, in_place)).collect();
        let mut facts = Facts::default();
        for argument in &arguments {
            facts.add(&argument.facts);
        }
        self.intrinsic_facts(intrinsic, path, &mut facts);
        facts.primitive = facts.sized && intrinsic.is_some();
        let callee = callee(path);
        if intrinsic.is_none() && callee.name.is_empty() {
            self.callees.push(callee.owner.clone());
        }
        let (gpu, cpu) = (callee.function("__gpu"), callee.function("__cpu"));
        let probe_arguments = arguments.iter().map(|argument| &argument.probe);
        let cpu_arguments = arguments.iter().map(|argument| &argument.cpu);
        let slot = self.slot();
        let site = self.site(ir::SiteKind::Call, path.span(), path.to_token_stream().to_string());
        let (thread, at, extent) = (context(), self.site_tokens(site), Extent::of(expr));
        let mut probe = gpu;
        expr.paren_token.surround(&mut probe, |inner| inner.extend(quote!(#(#probe_arguments),*)));
        // A built-in that waits has no plain CPU form: in the form for futures it is awaited, and phases split at it.
        let cpu = match intrinsic {
            Some(intrinsic) if intrinsic.waits() => {
                let future = extent.call(callee.function("__future"), quote!(#thread.at(#at) #(, #cpu_arguments)*));
                quote_spanned!(extent.last=> #future.await)
            }
            _ => extent.call(cpu, quote!(#thread.at(#at) #(, #cpu_arguments)*)),
        };
        Lowered {
            probe: ask(&probe, slot),
            cpu,
            ir: ir::Expr::Call { slot, arguments: arguments.into_iter().map(|argument| argument.ir).collect(), site },
            facts,
            memory: false,
        }
    }

    fn argument(&mut self, expr: &Expr, in_place: bool) -> Lowered {
        match expr {
            Expr::Reference(reference) if in_place => self.borrow_in_place(reference),
            _ => self.expr(expr),
        }
    }

    fn allowed(&mut self, intrinsic: Option<Intrinsic>, path: &ExprPath) -> bool {
        match intrinsic {
            Some(Intrinsic::Shared | Intrinsic::SharedSlice) => {
                self.refuse_shared(path);
                false
            }
            Some(intrinsic) if intrinsic.waits() && self.signature.method => {
                self.diagnostics.error(
                    path,
                    "barriers, warp operations and waits are not supported in methods",
                    "write a `#[gpu_fn]` and call it from the kernel",
                );
                false
            }
            _ => true,
        }
    }

    fn intrinsic_facts(&mut self, intrinsic: Option<Intrinsic>, path: &ExprPath, facts: &mut Facts) {
        let Some(intrinsic) = intrinsic else {
            // A device function may read and write memory through its arguments.
            facts.opaque = true;
            facts.faults = true;
            facts.stores();
            return;
        };
        self.intrinsics.push(intrinsics::proof(path));
        match intrinsic {
            Intrinsic::BlockUniform => facts.sized = true,
            Intrinsic::WarpUniform => {
                facts.sized = true;
                facts.warp_uniform = true;
            }
            Intrinsic::Thread | Intrinsic::GlobalId => {
                facts.sized = true;
                facts.thread = true;
            }
            Intrinsic::Barrier | Intrinsic::BlockOp => facts.barrier = true,
            // No statement splits at it: such a kernel runs as futures.
            Intrinsic::GridBarrier => {
                facts.barrier = true;
                self.grid_barrier = true;
            }
            Intrinsic::WarpBarrier | Intrinsic::WarpMaskBarrier | Intrinsic::WarpOp => facts.warp = true,
            Intrinsic::Spin => {
                facts.opaque = true;
                facts.stores();
                facts.spins = true;
            }
            Intrinsic::Look => facts.opaque = true,
            Intrinsic::Shared | Intrinsic::SharedSlice => {}
        }
    }
}

//! Places: locals, elements of slices and arrays, and parts of them.

use super::{LocalKind, Lowered, Lowerer};
use crate::facts::{Facts, LocalId};
use crate::paths::{context, private};
use crate::spans::Extent;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Expr, ExprIndex};
use warpcell_ir as ir;

/// A place. Its CPU form is a reference to it.
pub(super) struct Place {
    pub probe: TokenStream,
    /// `&E`
    pub shared: TokenStream,
    /// `&mut E`, for a local array's element; of memory it is the same as `shared`.
    pub exclusive: TokenStream,
    pub ir: ir::Expr,
    pub facts: Facts,
    /// The local it is part of.
    pub root: LocalId,
    /// Whether it is reached through `Elem` (memory other threads may touch) or directly.
    pub memory: bool,
    /// Whether it is a local as a whole.
    pub whole: bool,
    /// Where an access is reported, unless it is a local as a whole.
    pub site: ir::SiteId,
    pub extent: Extent,
}

impl Lowerer<'_> {
    /// `expr` as a place, or a report.
    pub(super) fn place(&mut self, expr: &Expr) -> Option<Place> {
        match expr {
            Expr::Paren(paren) => self.place(&paren.expr),
            Expr::Path(path) if let Some(id) = self.find(path) => Some(self.local_place(path, id)),
            Expr::Index(index) => self.element(index),
            _ => {
                self.refuse_place(expr);
                None
            }
        }
    }

    fn local_place(&mut self, path: &syn::ExprPath, id: LocalId) -> Place {
        let local = &self.locals[id];
        let mut ident = local.ident.clone();
        ident.set_span(path.span());
        let memory = local.kind != LocalKind::Value;
        let (shared, exclusive) = if memory {
            (ident.to_token_stream(), ident.to_token_stream())
        } else {
            (quote!(&#ident), quote!(&mut #ident))
        };
        Place {
            probe: path.to_token_stream(),
            shared,
            exclusive,
            ir: ir::Expr::Local(self.unique_name(id)),
            facts: Facts { reads: [id].into(), ..Facts::default() },
            root: id,
            memory,
            whole: true,
            site: 0,
            extent: Extent::of(path),
        }
    }

    /// `base[index]`
    fn element(&mut self, expr: &ExprIndex) -> Option<Place> {
        if let Expr::Range(range) = &*expr.index {
            self.diagnostics.error(
                range,
                "a part of a slice must be borrowed",
                "write `&x[start..end]` or `&mut x[start..end]`",
            );
            return None;
        }
        let base = self.place(&expr.expr)?;
        let index = self.expr(&expr.index);
        let by_global_id = base.whole && self.is_global_id(&expr.index);
        let root = &mut self.locals[base.root];
        root.indexed_by_global_id |= by_global_id;
        root.escapes |= !by_global_id;

        let (probe_base, probe_index) = (&base.probe, &index.probe);
        let mut probe = quote!(#probe_base);
        expr.bracket_token.surround(&mut probe, |inner| inner.extend(quote!(#probe_index)));

        let site = self.site(ir::SiteKind::Index, expr.span(), expr.expr.to_token_stream().to_string());
        let (extent, thread, at) = (Extent::of(expr), context(), self.site_tokens(site));
        let (base_shared, base_exclusive, position) = (&base.shared, &base.exclusive, &index.cpu);
        let shared = extent.private_call("element", quote!(#base_shared, #position, #thread, #at));
        let exclusive = if base.memory {
            shared.clone()
        } else {
            extent.private_call("element_mut", quote!(#base_exclusive, #position, #thread, #at))
        };
        let mut facts = base.facts;
        facts.add(&index.facts);
        facts.faults = true;
        facts.opaque |= base.memory;
        Some(Place {
            probe,
            shared,
            exclusive,
            ir: ir::Expr::Index { base: Box::new(base.ir), index: Box::new(index.ir), site },
            facts,
            root: base.root,
            memory: base.memory,
            whole: false,
            site,
            extent,
        })
    }

    /// Whether `expr` is a local bound to `global_id()`.
    fn is_global_id(&self, expr: &Expr) -> bool {
        let Expr::Path(path) = expr else { return false };
        self.find(path).is_some_and(|id| self.locals[id].is_global_id)
    }

    /// The local that `place` is, at the place where the user wrote it.
    pub(super) fn whole(&self, place: &Place) -> Ident {
        let mut ident = self.locals[place.root].ident.clone();
        ident.set_span(place.extent.first);
        ident
    }

    /// The value at `place`.
    pub(super) fn load(&mut self, place: Place) -> Lowered {
        let shared = &place.shared;
        let cpu = if place.whole {
            self.whole(&place).to_token_stream()
        } else if place.memory {
            let (thread, at) = (context(), self.site_tokens(place.site));
            place.extent.private_call("load", quote!(#shared, #thread, #at))
        } else {
            place.extent.call(TokenStream::new(), quote!(*#shared))
        };
        Lowered { probe: place.probe, cpu, ir: place.ir, facts: place.facts, memory: place.whole && place.memory }
    }

    /// The CPU form of storing `value` (a name) at `place`.
    pub(super) fn store(&self, place: &Place, value: TokenStream) -> TokenStream {
        if place.whole {
            let ident = self.whole(place);
            quote!(#ident = #value)
        } else if place.memory {
            let (shared, thread, at) = (&place.shared, context(), self.site_tokens(place.site));
            place.extent.private_call("store", quote!(#shared, #value, #thread, #at))
        } else {
            let exclusive = &place.exclusive;
            quote!(*#exclusive = #value)
        }
    }

    /// `&place` or `&mut place`: an element for an atomic, or a part of a slice or array.
    pub(super) fn borrow(&mut self, expr: &syn::ExprReference) -> Lowered {
        let mut inner = &*expr.expr;
        while let Expr::Paren(paren) = inner {
            inner = &paren.expr;
        }
        let Expr::Index(index) = inner else {
            self.diagnostics.error(
                expr,
                "only an element or a part of a slice or array can be borrowed",
                "write `&mut x[i]` for an atomic, `&x[..]` for a slice, or pass the value itself",
            );
            return self.refused();
        };
        if let Expr::Range(range) = &*index.index {
            return self.part(expr, index, range);
        }
        let Some(place) = self.place(inner) else { return self.refused() };
        if !place.memory {
            self.diagnostics.error(
                expr,
                "an element of a local array can't be borrowed",
                "the array is the thread's own, so no atomic is needed: use `x[i]` itself",
            );
        }
        self.locals[place.root].escapes = true;
        let (and, mutability, probe) = (&expr.and_token, &expr.mutability, &place.probe);
        let mut facts = place.facts;
        facts.opaque = true;
        Lowered {
            probe: quote!(#and #mutability #probe),
            cpu: place.shared,
            ir: ir::Expr::Address(Box::new(place.ir)),
            facts,
            memory: false,
        }
    }

    /// `&base[start..end]`
    fn part(&mut self, expr: &syn::ExprReference, index: &ExprIndex, range: &syn::ExprRange) -> Lowered {
        let Some(base) = self.place(&index.expr) else { return self.refused() };
        self.locals[base.root].escapes = true;
        let mut facts = base.facts.clone();
        facts.faults = true;
        facts.opaque = true;
        let start = range.start.as_ref().map(|start| self.expr(start));
        let end = range.end.as_ref().map(|end| self.expr(end));
        for bound in start.iter().chain(&end) {
            facts.add(&bound.facts);
        }
        if !base.memory && expr.mutability.is_some() {
            facts.writes.insert(base.root);
        }
        let extent = Extent::of(expr);
        let site = self.site(ir::SiteKind::Range, expr.span(), index.expr.to_token_stream().to_string());
        let (private, thread, at) = (private(), context(), self.site_tokens(site));
        let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));

        let (and, mutability, limits) = (&expr.and_token, &expr.mutability, &range.limits);
        let (probe_start, probe_end) = (start.as_ref().map(|s| &s.probe), end.as_ref().map(|e| &e.probe));
        let base_probe = &base.probe;
        let mut probe = quote!(#and #mutability #base_probe);
        index.bracket_token.surround(&mut probe, |inner| inner.extend(quote!(#probe_start #limits #probe_end)));

        let cpu_start = start.as_ref().map_or(quote!(0usize), |start| start.cpu.clone());
        let cpu_end = match end.as_ref().map(|end| &end.cpu) {
            None => quote!(::core::option::Option::None),
            Some(end) if inclusive => quote!(::core::option::Option::Some(#private::add(#end, 1usize, #thread, #at))),
            Some(end) => quote!(::core::option::Option::Some(#end)),
        };
        let cpu = if base.memory || expr.mutability.is_none() {
            let shared = &base.shared;
            extent.private_call("part", quote!(#shared, #cpu_start, #cpu_end, #thread, #at))
        } else {
            let exclusive = &base.exclusive;
            extent.private_call("own_part", quote!(#exclusive, #cpu_start, #cpu_end, #thread, #at))
        };
        let one = |bound: ir::Expr| {
            if !inclusive {
                return bound;
            }
            let slot = 1; // see `Emitter::part`: the literal is a usize there
            let one = ir::Expr::Literal { slot: ir::Slot::MAX, value: ir::Literal::Int(slot) };
            ir::Expr::Binary { op: ir::BinaryOp::Add, left: Box::new(bound), right: Box::new(one), site }
        };
        Lowered {
            probe,
            cpu,
            ir: ir::Expr::Part {
                base: Box::new(base.ir),
                start: start.map(|start| Box::new(start.ir)),
                end: end.map(|end| Box::new(one(end.ir))),
                mutable: expr.mutability.is_some(),
                site,
            },
            facts,
            memory: true,
        }
    }

    /// The CPU form of a site: its number in the function's table.
    pub(super) fn site_tokens(&self, site: ir::SiteId) -> Literal {
        Literal::u32_unsuffixed(site)
    }
}

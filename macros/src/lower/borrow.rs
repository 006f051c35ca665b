//! `&` and `&mut`: parts of slices, and places for functions that take a reference.

use super::place::Place;
use super::{LocalKind, Lowered, Lowerer};
use crate::facts::Facts;
use crate::paths::{context, hidden, private};
use crate::spans::Extent;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Expr, ExprIndex, ExprReference};
use warpcell_ir as ir;

impl Lowerer<'_> {
    /// `&place` or `&mut place`.
    pub(super) fn borrow(&mut self, expr: &ExprReference) -> Lowered {
        let mut inner = &*expr.expr;
        while let Expr::Paren(paren) = inner {
            inner = &paren.expr;
        }
        if let Expr::Index(index) = inner
            && let Expr::Range(range) = &*index.index
        {
            return self.part(expr, index, range);
        }
        if expr.mutability.is_none() {
            return self.borrow_shared(expr, inner);
        }
        if !self.is_place(inner) {
            self.diagnostics.error(
                expr,
                "only a variable, an element or a field can be borrowed as `&mut`",
                "give the value a name with `let mut` first",
            );
            return self.refused();
        }
        match self.place(inner) {
            Some(place) => self.borrow_mut(expr, place),
            None => self.refused(),
        }
    }

    /// `&x` for a parameter `&T`: the value, as nothing can change it meanwhile.
    fn borrow_shared(&mut self, expr: &ExprReference, inner: &Expr) -> Lowered {
        if let Expr::Path(path) = inner
            && let Some(id) = self.find(path)
            && matches!(self.locals[id].kind, LocalKind::Memory | LocalKind::Shared | LocalKind::SharedSlice)
        {
            self.diagnostics.error(
                expr,
                "a slice or shared array is borrowed by its part",
                "write `&x[..]`; a slice parameter can be passed on as `x`",
            );
            return self.refused();
        }
        let value = self.expr(inner);
        let (and, probe, cpu) = (&expr.and_token, &value.probe, &value.cpu);
        Lowered { probe: quote!(#and #probe), cpu: quote!(&(#cpu)), ..value }
    }

    /// `&x[i]` for a built-in that reads memory itself, perhaps again and again.
    pub(super) fn borrow_in_place(&mut self, expr: &ExprReference) -> Lowered {
        if expr.mutability.is_some() || !self.is_place(&expr.expr) {
            return self.borrow(expr);
        }
        let Some(place) = self.place(&expr.expr) else { return self.refused() };
        if let Some(root) = place.root {
            self.locals[root].escapes = true;
        }
        let (and, probe) = (&expr.and_token, &place.probe);
        let mut facts = place.facts;
        facts.opaque |= place.memory;
        Lowered {
            probe: quote!(#and #probe),
            cpu: place.shared,
            ir: ir::Expr::Address(Box::new(place.ir)),
            facts,
            memory: false,
        }
    }

    fn borrow_mut(&mut self, expr: &ExprReference, place: Place) -> Lowered {
        let (and, mutability, probe) = (&expr.and_token, &expr.mutability, &place.probe);
        let mut facts = place.facts;
        if let Some(root) = place.root {
            self.locals[root].escapes = true;
            if !place.memory {
                facts.assigns(root);
            }
        }
        facts.opaque |= place.memory;
        let exclusive = &place.exclusive;
        let cpu =
            if place.memory { place.shared } else { Extent::of(expr).private_call("own_ref", quote!(#exclusive)) };
        Lowered {
            probe: quote!(#and #mutability #probe),
            cpu,
            ir: ir::Expr::Address(Box::new(place.ir)),
            facts,
            memory: false,
        }
    }

    /// `&base[start..end]`
    fn part(&mut self, expr: &ExprReference, index: &ExprIndex, range: &syn::ExprRange) -> Lowered {
        let Some(base) = self.place(&index.expr) else { return self.refused() };
        let mut facts = base.facts.clone();
        facts.faults = true;
        facts.opaque = true;
        if let Some(root) = base.root {
            self.locals[root].escapes = true;
            if !base.memory && expr.mutability.is_some() {
                facts.assigns(root);
            }
        }
        let start = range.start.as_ref().map(|start| self.expr(start));
        let end = range.end.as_ref().map(|end| self.expr(end));
        let mut bounds = Facts::default();
        for bound in start.iter().chain(&end) {
            bounds.add(&bound.facts);
        }
        facts.add(&bounds);
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
        // rustc evaluates the ends before it borrows the array; a call would borrow first.
        let (first, cpu_start, cpu_end) = if base.uses_itself(&bounds) {
            let (from, to) = (hidden("__wc_start"), hidden("__wc_end"));
            let first = quote!(let #from = #cpu_start; let #to = #cpu_end;);
            (first, from.to_token_stream(), to.to_token_stream())
        } else {
            (TokenStream::new(), cpu_start, cpu_end)
        };
        let (function, array) = match base.memory || expr.mutability.is_none() {
            true => ("part", &base.shared),
            false => ("own_part", &base.exclusive),
        };
        let call = extent.private_call(function, quote!(#array, #cpu_start, #cpu_end, #thread, #at));
        let cpu = if first.is_empty() { call } else { quote!({ #first #call }) };
        let end = end.map(|end| Box::new(if inclusive { one_more(end.ir, site) } else { end.ir }));
        let start = start.map(|start| Box::new(start.ir));
        let mutable = expr.mutability.is_some();
        Lowered {
            probe,
            cpu,
            ir: ir::Expr::Part { base: Box::new(base.ir), start, end, mutable, site },
            facts,
            memory: true,
        }
    }
}

/// The end of an inclusive range.
fn one_more(bound: ir::Expr, site: ir::SiteId) -> ir::Expr {
    // The emitter takes the macro's own literals, which no slot answers, for lengths.
    let one = ir::Expr::Literal { slot: ir::Slot::MAX, value: ir::Literal::Int(1) };
    let (left, right) = (Box::new(bound), Box::new(one));
    ir::Expr::Binary { op: ir::BinaryOp::Add, operator: ir::Slot::MAX, left, right, site }
}

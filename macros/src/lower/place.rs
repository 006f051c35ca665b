//! Places: locals, constants, elements, fields, and what a reference refers to.

use super::pattern::member_name;
use super::{LocalKind, Lowered, Lowerer};
use crate::facts::{Facts, LocalId};
use crate::paths::{context, hidden};
use crate::spans::Extent;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Expr, ExprField, ExprIndex, ExprUnary, UnOp};
use warpcell_ir as ir;

/// A place. Its CPU form is a reference to it.
pub(super) struct Place {
    pub probe: TokenStream,
    /// `&E`
    pub shared: TokenStream,
    /// `&mut E`, for a part of a local; of memory it is the same as `shared`.
    pub exclusive: TokenStream,
    pub ir: ir::Expr,
    pub facts: Facts,
    /// The local it is part of; none for a constant.
    pub root: Option<LocalId>,
    /// Whether it is reached through `Elem` (memory other threads may touch) or directly.
    pub memory: bool,
    /// Whether it is a local as a whole.
    pub whole: bool,
    /// How often it must be indexed for a primitive, if that is known.
    pub depth: Option<usize>,
    /// Where an access is reported, unless it is a local as a whole.
    pub site: ir::SiteId,
    pub extent: Extent,
}

impl Place {
    /// Whether this is a local array (or one in a local struct) that an index into it reads or writes.
    pub(super) fn uses_itself(&self, index: &Facts) -> bool {
        let uses = |root| index.reads.contains(&root) || index.writes.contains(&root);
        !self.memory && !self.facts.faults && self.root.is_some_and(uses)
    }
}

impl Lowerer<'_> {
    /// `expr` as a place, or a report.
    pub(super) fn place(&mut self, expr: &Expr) -> Option<Place> {
        match expr {
            Expr::Paren(paren) => self.place(&paren.expr),
            Expr::Path(path) => match self.find(path) {
                Some(id) => Some(self.local_place(path, id)),
                None => self.constant_place(path),
            },
            Expr::Index(index) => self.element(index),
            Expr::Field(field) if self.is_place(&field.base) => self.field(field),
            Expr::Unary(unary) if let UnOp::Deref(_) = unary.op => self.referent(unary),
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
        let memory = !matches!(local.kind, LocalKind::Value | LocalKind::Borrowed);
        // A parameter `&T` is a reference already, as memory is.
        let (shared, exclusive) = if local.kind == LocalKind::Value {
            (quote!(&#ident), quote!(&mut #ident))
        } else {
            (ident.to_token_stream(), ident.to_token_stream())
        };
        Place {
            probe: path.to_token_stream(),
            shared,
            exclusive,
            ir: ir::Expr::Local(self.unique_name(id)),
            facts: Facts { reads: [id].into(), ..Facts::default() },
            root: Some(id),
            memory,
            depth: self.locals[id].depth,
            whole: true,
            site: 0,
            extent: Extent::of(path),
        }
    }

    /// A constant or static: a table, or a struct.
    fn constant_place(&mut self, path: &syn::ExprPath) -> Option<Place> {
        if let Some(name) = path.path.get_ident()
            && name.to_string().starts_with(char::is_lowercase)
        {
            self.refuse_place(&Expr::Path(path.clone()));
            return None;
        }
        let number = self.constant(path.to_token_stream());
        Some(Place {
            probe: path.to_token_stream(),
            shared: quote!(&#path),
            exclusive: quote!(&#path),
            ir: ir::Expr::Constant(number),
            facts: Facts::default(),
            root: None,
            memory: false,
            depth: None,
            whole: false,
            site: 0,
            extent: Extent::of(path),
        })
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
        if let Some(root) = base.root {
            let root = &mut self.locals[root];
            root.indexed_by_global_id |= by_global_id;
            root.escapes |= !by_global_id;
        }
        let (probe_base, probe_index) = (&base.probe, &index.probe);
        let mut probe = quote!(#probe_base);
        expr.bracket_token.surround(&mut probe, |inner| inner.extend(quote!(#probe_index)));

        let site = self.site(ir::SiteKind::Index, expr.span(), expr.expr.to_token_stream().to_string());
        let (extent, thread, at) = (Extent::of(expr), context(), self.site_tokens(site));
        let (base_shared, base_exclusive) = (&base.shared, &base.exclusive);
        // rustc evaluates an index before it borrows the array; a call would borrow first.
        let (first, position) = if base.uses_itself(&index.facts) {
            let (name, index) = (hidden("__wc_index"), &index.cpu);
            (quote!(let #name = #index;), name.to_token_stream())
        } else {
            (TokenStream::new(), index.cpu.clone())
        };
        let after_index = |call: TokenStream| if first.is_empty() { call } else { quote!({ #first #call }) };
        let shared = after_index(extent.private_call("element", quote!(#base_shared, #position, #thread, #at)));
        let exclusive = if base.memory {
            shared.clone()
        } else {
            after_index(extent.private_call("element_mut", quote!(#base_exclusive, #position, #thread, #at)))
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
            depth: base.depth.and_then(|depth| depth.checked_sub(1)),
            whole: false,
            site,
            extent,
            ..base
        })
    }

    /// `base.name`
    fn field(&mut self, expr: &ExprField) -> Option<Place> {
        let base = self.place(&expr.base)?;
        let (probe_base, dot, member) = (&base.probe, &expr.dot_token, &expr.member);
        let (base_shared, base_exclusive) = (&base.shared, &base.exclusive);
        let extent = Extent::of(expr);
        let (shared, exclusive) = if base.memory {
            let part = extent.private_call("part_of", quote!(#base_shared, |value| &value #dot #member));
            (part.clone(), part)
        } else {
            (quote!(&(*#base_shared) #dot #member), quote!(&mut (*#base_exclusive) #dot #member))
        };
        // A field of a parameter `&mut T` is reported as a whole.
        let site = match base.whole && base.memory {
            true => self.site(ir::SiteKind::Index, expr.span(), expr.to_token_stream().to_string()),
            false => base.site,
        };
        if let Some(root) = base.root {
            self.locals[root].escapes = true;
        }
        let mut facts = base.facts;
        facts.sized = false;
        facts.opaque |= base.memory;
        Some(Place {
            probe: quote!(#probe_base #dot #member),
            shared,
            exclusive,
            ir: ir::Expr::Field { base: Box::new(base.ir), name: member_name(member) },
            facts,
            depth: None,
            whole: false,
            site,
            extent,
            ..base
        })
    }

    /// `*reference`
    fn referent(&mut self, expr: &ExprUnary) -> Option<Place> {
        let base = self.place(&expr.expr)?;
        let is_reference = base.whole
            && base.root.is_some_and(|id| matches!(self.locals[id].kind, LocalKind::Reference | LocalKind::Borrowed));
        if !is_reference {
            self.refuse_expr(&Expr::Unary(expr.clone()));
            return None;
        }
        let site = self.site(ir::SiteKind::Index, expr.span(), expr.to_token_stream().to_string());
        let (star, probe) = (&expr.op, &base.probe);
        let mut facts = base.facts;
        facts.opaque |= base.memory;
        Some(Place {
            probe: quote!(#star #probe),
            ir: ir::Expr::Deref(Box::new(base.ir)),
            facts,
            whole: false,
            site,
            extent: Extent::of(expr),
            ..base
        })
    }

    /// Whether `expr` is a local bound to `global_id()`.
    fn is_global_id(&self, expr: &Expr) -> bool {
        let Expr::Path(path) = expr else { return false };
        self.find(path).is_some_and(|id| self.locals[id].is_global_id)
    }

    /// The local that `place` is, at the place where the user wrote it.
    pub(super) fn whole(&self, place: &Place) -> Ident {
        let root = place.root.expect("a local as a whole has a root");
        let mut ident = self.locals[root].ident.clone();
        ident.set_span(place.extent.first);
        ident
    }

    /// The value at `place`.
    pub(super) fn load(&mut self, place: Place) -> Lowered {
        let cpu = self.loaded(&place);
        let mut place = place;
        place.facts.primitive = place.depth == Some(0);
        Lowered { probe: place.probe, cpu, ir: place.ir, facts: place.facts, memory: place.whole && place.memory }
    }

    /// The CPU form of the value at `place`.
    pub(super) fn loaded(&self, place: &Place) -> TokenStream {
        let shared = &place.shared;
        if place.whole {
            self.whole(place).to_token_stream()
        } else if place.memory {
            let (thread, at) = (context(), self.site_tokens(place.site));
            place.extent.private_call("load", quote!(#shared, #thread, #at))
        } else {
            place.extent.call(TokenStream::new(), quote!(*#shared))
        }
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

    /// The CPU form of a site: its number in the function's table.
    pub(super) fn site_tokens(&self, site: ir::SiteId) -> Literal {
        Literal::u32_unsuffixed(site)
    }
}

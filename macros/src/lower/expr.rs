//! Expressions.

use super::literal::with_cast_suffix;
use super::{Lowered, Lowerer, see};
use crate::cpu;
use crate::facts::Facts;
use crate::signature::refused_type;
use crate::spans::Extent;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ExprCast, ExprIf, ExprPath};
use warpcell_ir as ir;

impl Lowerer<'_> {
    /// `expr` as a value.
    pub(super) fn expr(&mut self, expr: &Expr) -> Lowered {
        match expr {
            Expr::Lit(literal) => self.literal(literal, None),
            Expr::Path(path) => self.path(path),
            Expr::Paren(paren) => {
                let inner = self.expr(&paren.expr);
                let (probe, cpu) = (&inner.probe, &inner.cpu);
                let mut wrapped = TokenStream::new();
                paren.paren_token.surround(&mut wrapped, |tokens| tokens.extend(quote!(#probe)));
                Lowered { probe: wrapped, cpu: quote_spanned!(paren.paren_token.span.join()=> (#cpu)), ..inner }
            }
            Expr::Unary(unary) => self.unary(unary),
            Expr::Binary(binary) => self.binary(binary),
            Expr::Cast(cast) => self.cast(cast),
            Expr::Field(field) if !self.is_place(&field.base) => self.field_of(field),
            Expr::Index(_) | Expr::Field(_) => match self.place(expr) {
                Some(place) => self.load(place),
                None => self.refused(),
            },
            Expr::Reference(reference) => self.borrow(reference),
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(method) => self.method(method),
            Expr::If(branch) => self.if_value(branch),
            Expr::Match(choice) => self.match_value(choice),
            Expr::Block(block) => self.block_value(block),
            Expr::Loop(repeat) => self.loop_value(repeat),
            Expr::Tuple(tuple) => self.tuple(tuple),
            Expr::Struct(found) => self.struct_value(found),
            Expr::Macro(call) if call.mac.path.is_ident("matches") => match self.matches(&call.mac) {
                Some(value) => value,
                None => self.refused(),
            },
            Expr::Array(array) => self.array(array),
            Expr::Repeat(repeat) => self.repeat(repeat),
            Expr::Macro(call) if call.mac.path.segments.last().is_some_and(|last| last.ident == "cfg") => {
                self.configuration(call.to_token_stream())
            }
            _ => self.refuse_expr(expr),
        }
    }

    /// `cfg!(…)`, which rustc evaluates.
    fn configuration(&mut self, tokens: TokenStream) -> Lowered {
        let number = self.constant(tokens.clone());
        Lowered {
            probe: tokens.clone(),
            cpu: tokens,
            ir: ir::Expr::Constant(number),
            facts: Facts { primitive: true, ..Facts::default() },
            memory: false,
        }
    }

    /// A local, or else a constant.
    fn path(&mut self, path: &ExprPath) -> Lowered {
        if let Some(id) = self.find(path) {
            self.locals[id].escapes = true;
            if self.locals[id].kind == super::LocalKind::Shared {
                self.diagnostics.error(
                    path,
                    "a shared array can't be used as a value",
                    "pass a part of it: `&tile[..]` or `&mut tile[..]`",
                );
            }
            return match self.place(&Expr::Path(path.clone())) {
                Some(place) => self.load(place),
                None => self.refused(),
            };
        }
        if path.path.segments.last().is_some_and(|last| last.ident == "None") {
            return self.none(path);
        }
        let number = self.constant(path.to_token_stream());
        Lowered {
            probe: path.to_token_stream(),
            cpu: path.to_token_stream(),
            ir: ir::Expr::Constant(number),
            facts: Facts::default(),
            memory: false,
        }
    }

    fn cast(&mut self, expr: &ExprCast) -> Lowered {
        if let Some((what, help)) = refused_type(&expr.ty) {
            self.diagnostics.error(&expr.ty, what, help);
        }
        let suffixed = with_cast_suffix(&expr.expr, &expr.ty);
        let operand = self.expr(suffixed.as_ref().unwrap_or(&expr.expr));
        let slot = self.slot();
        let (ty, as_token) = (&expr.ty, &expr.as_token);
        let (probe, cpu) = (&operand.probe, &operand.cpu);
        let mut facts = operand.facts;
        // A cast has the type it names.
        facts.sized = true;
        facts.primitive = true;
        Lowered {
            probe: see(&quote!(#probe #as_token #ty), slot),
            cpu: Extent::of(expr).call(TokenStream::new(), quote!(#cpu #as_token #ty)),
            ir: ir::Expr::Cast { operand: Box::new(operand.ir), slot },
            facts,
            memory: false,
        }
    }

    /// `if` as a value.
    fn if_value(&mut self, expr: &ExprIf) -> Lowered {
        let Some(parts) = self.if_parts(expr) else { return self.refused() };
        let slot = self.slot();
        Lowered {
            probe: see(&parts.probe, slot),
            cpu: parts.cpu,
            ir: ir::Expr::If {
                slot,
                conditions: parts.conditions.ir,
                then: parts.then.ir,
                otherwise: parts.otherwise.map(|block| block.ir),
            },
            facts: parts.facts,
            memory: parts.then.memory,
        }
    }

    /// A block as a value.
    fn block_value(&mut self, expr: &syn::ExprBlock) -> Lowered {
        let (label, inner) = self.block_parts(expr);
        let slot = self.slot();
        let (user_label, probe, block) = (&expr.label, inner.braced_probe(), cpu::plain_block(&inner));
        Lowered {
            probe: see(&quote!(#user_label #probe), slot),
            cpu: quote!(#user_label #block),
            ir: ir::Expr::Block { slot, label, block: inner.ir },
            facts: Facts { primitive: inner.primitive, ..inner.facts },
            memory: inner.memory,
        }
    }

    fn array(&mut self, array: &syn::ExprArray) -> Lowered {
        let elements: Vec<Lowered> = array.elems.iter().map(|element| self.expr(element)).collect();
        let slot = self.slot();
        let mut facts = Facts::default();
        for element in &elements {
            facts.add(&element.facts);
        }
        facts.sized = false;
        facts.primitive = false;
        let (probes, cpus) = (elements.iter().map(|e| &e.probe), elements.iter().map(|e| &e.cpu));
        let mut probe = TokenStream::new();
        array.bracket_token.surround(&mut probe, |inner| inner.extend(quote!(#(#probes),*)));
        let mut cpu = TokenStream::new();
        array.bracket_token.surround(&mut cpu, |inner| inner.extend(quote!(#(#cpus),*)));
        Lowered {
            probe: see(&probe, slot),
            cpu,
            ir: ir::Expr::Array { slot, elements: elements.into_iter().map(|element| element.ir).collect() },
            facts,
            memory: false,
        }
    }

    fn repeat(&mut self, repeat: &syn::ExprRepeat) -> Lowered {
        let value = self.expr(&repeat.expr);
        let slot = self.slot();
        let length = &repeat.len;
        let (probe, cpu) = (&value.probe, &value.cpu);
        let mut facts = value.facts;
        facts.sized = false;
        facts.primitive = false;
        Lowered {
            probe: see(&quote_spanned!(repeat.bracket_token.span.join()=> [#probe; #length]), slot),
            cpu: quote!([#cpu; #length]),
            ir: ir::Expr::Repeat { slot, value: Box::new(value.ir) },
            facts,
            memory: false,
        }
    }
}

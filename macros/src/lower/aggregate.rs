//! Tuples, structs, options and their fields as values.

use super::pattern::member_name;
use super::{Lowered, Lowerer, see};
use crate::facts::Facts;
use crate::spans::Extent;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, ExprCall, ExprField, ExprStruct, ExprTuple};
use warpcell_ir as ir;

impl Lowerer<'_> {
    pub(super) fn tuple(&mut self, tuple: &ExprTuple) -> Lowered {
        let elements: Vec<Lowered> = tuple.elems.iter().map(|element| self.expr(element)).collect();
        let slot = self.slot();
        let facts = union(&elements);
        let (probes, cpus) = (elements.iter().map(|e| &e.probe), elements.iter().map(|e| &e.cpu));
        // A tuple of one part needs its comma.
        let (mut probe, mut cpu) = (TokenStream::new(), TokenStream::new());
        tuple.paren_token.surround(&mut probe, |inner| inner.extend(quote!(#(#probes,)*)));
        tuple.paren_token.surround(&mut cpu, |inner| inner.extend(quote!(#(#cpus,)*)));
        let elements = elements.into_iter().map(|element| element.ir).collect();
        Lowered { probe: see(&probe, slot), cpu, ir: ir::Expr::Tuple { slot, elements }, facts, memory: false }
    }

    /// `Point { x: 1.0, ..base }`
    pub(super) fn struct_value(&mut self, expr: &ExprStruct) -> Lowered {
        let fields: Vec<(String, Lowered)> =
            expr.fields.iter().map(|field| (member_name(&field.member), self.expr(&field.expr))).collect();
        let base = expr.rest.as_ref().map(|base| self.expr(base));
        let slot = self.slot();
        let mut facts = base.as_ref().map(|base| base.facts.clone()).unwrap_or_default();
        fields.iter().for_each(|(_, value)| facts.add(&value.facts));
        facts.sized = false;
        facts.primitive = false;
        let form = |value: &dyn Fn(&Lowered) -> TokenStream| {
            let fields = expr.fields.iter().zip(&fields).map(|(field, (_, lowered))| {
                let (member, value) = (&field.member, value(lowered));
                quote!(#member: #value)
            });
            let base = base.as_ref().map(|base| {
                let base = value(base);
                quote!(..#base)
            });
            let mut tokens = expr.path.to_token_stream();
            expr.brace_token.surround(&mut tokens, |inner| inner.extend(quote!(#(#fields,)* #base)));
            tokens
        };
        let (probe, cpu) = (form(&|value| value.probe.clone()), form(&|value| value.cpu.clone()));
        let fields = fields.into_iter().map(|(name, value)| (name, value.ir)).collect();
        let base = base.map(|base| Box::new(base.ir));
        // Where a block follows, as in `if`, a struct's literal must stand in parentheses.
        let extent = Extent::of(expr);
        Lowered {
            probe: see(&probe, slot),
            cpu: extent.call(TokenStream::new(), cpu),
            ir: ir::Expr::Struct { slot, fields, base },
            facts,
            memory: false,
        }
    }

    /// `Some(x)`, or a tuple struct by its name.
    pub(super) fn constructor(&mut self, expr: &ExprCall, path: &syn::ExprPath) -> Lowered {
        let arguments: Vec<Lowered> = expr.args.iter().map(|argument| self.expr(argument)).collect();
        let slot = self.slot();
        let facts = union(&arguments);
        let (probes, cpus) = (arguments.iter().map(|a| &a.probe), arguments.iter().map(|a| &a.cpu));
        let (mut probe, mut cpu) = (path.to_token_stream(), path.to_token_stream());
        expr.paren_token.surround(&mut probe, |inner| inner.extend(quote!(#(#probes),*)));
        expr.paren_token.surround(&mut cpu, |inner| inner.extend(quote!(#(#cpus),*)));
        let mut values = arguments.into_iter().map(|argument| argument.ir);
        let ir = if path.path.segments.last().is_some_and(|last| last.ident == "Some") {
            ir::Expr::Option { slot, value: values.next().map(Box::new) }
        } else {
            let fields = values.enumerate().map(|(number, value)| (number.to_string(), value)).collect();
            ir::Expr::Struct { slot, fields, base: None }
        };
        Lowered { probe: see(&probe, slot), cpu, ir, facts, memory: false }
    }

    pub(super) fn none(&mut self, path: &syn::ExprPath) -> Lowered {
        let slot = self.slot();
        Lowered {
            probe: see(&path.to_token_stream(), slot),
            cpu: path.to_token_stream(),
            ir: ir::Expr::Option { slot, value: None },
            facts: Facts::default(),
            memory: false,
        }
    }

    /// A field of a value that is no place.
    pub(super) fn field_of(&mut self, expr: &ExprField) -> Lowered {
        let base = self.expr(&expr.base);
        let (probe, cpu, dot, member) = (&base.probe, &base.cpu, &expr.dot_token, &expr.member);
        let mut facts = base.facts;
        facts.sized = false;
        facts.primitive = false;
        Lowered {
            probe: quote!(#probe #dot #member),
            cpu: quote!((#cpu) #dot #member),
            ir: ir::Expr::Field { base: Box::new(base.ir), name: member_name(member) },
            facts,
            memory: false,
        }
    }

    /// Whether `expr` is a place, not a value computed on the way.
    pub(super) fn is_place(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Path(_) | Expr::Index(_) => true,
            Expr::Paren(paren) => self.is_place(&paren.expr),
            Expr::Field(field) => self.is_place(&field.base),
            Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)),
            _ => false,
        }
    }
}

fn union(parts: &[Lowered]) -> Facts {
    let mut facts = Facts::default();
    for part in parts {
        facts.add(&part.facts);
    }
    facts.sized = false;
    facts
}

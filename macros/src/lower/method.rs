//! Calls of methods.

use super::call::ask;
use super::place::Place;
use super::{LocalKind, Lowered, Lowerer};
use crate::facts::Facts;
use crate::intrinsics::is_method_of_primitives;
use crate::paths::{context, hidden_at};
use crate::spans::Extent;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Expr, ExprMethodCall, UnOp};
use warpcell_ir as ir;

/// A method's receiver.
struct Receiver {
    probe: TokenStream,
    /// What stands before the dot in the CPU form.
    cpu: TokenStream,
    ir: ir::Expr,
    facts: Facts,
    /// The memory it is in, if the method may change it.
    memory: Option<Place>,
    /// Whether rustc must see that the method does not change it.
    unchanged: bool,
}

impl Lowerer<'_> {
    /// `receiver.method(arguments)`
    pub(super) fn method(&mut self, expr: &ExprMethodCall) -> Lowered {
        let name = expr.method.unraw().to_string();
        if matches!(
            &*name,
            "iter" | "iter_mut" | "into_iter" | "map" | "rev" | "step_by" | "chunks" | "zip" | "enumerate"
        ) {
            self.diagnostics.error(
                &expr.method,
                format!("iterators are not supported in kernels: `{name}`"),
                "write `for k in 0..x.len() { … x[k] … }`",
            );
            return self.refused();
        }
        let Some(receiver) = self.receiver(&expr.receiver, &name) else { return self.refused() };
        let arguments: Vec<Lowered> = expr.args.iter().map(|argument| self.expr(argument)).collect();
        let mut facts = receiver.facts.clone();
        for argument in &arguments {
            facts.add(&argument.facts);
        }
        let built_in = is_method_of_primitives(&name);
        facts.sized |= name == "len";
        // A method of a struct may fault; what it gives is not known.
        facts.faults |= !built_in && name != "len";
        if !built_in && name != "len" {
            facts.stores();
        }
        facts.primitive = name == "len" || built_in && receiver.facts.primitive;
        let slot = self.slot();
        let gpu = Ident::new(&format!("__gpu_{name}"), expr.method.span());
        let (turbofish, dot) = (&expr.turbofish, &expr.dot_token);
        let probe_arguments = arguments.iter().map(|argument| &argument.probe);
        let probe_receiver = &receiver.probe;
        let mut probe = quote!(#probe_receiver #dot #gpu #turbofish);
        expr.paren_token.surround(&mut probe, |inner| inner.extend(quote!(#(#probe_arguments),*)));
        let cpu_arguments: Vec<TokenStream> = arguments.iter().map(|argument| argument.cpu.clone()).collect();
        let cpu = self.method_cpu(expr, &name, &receiver, &cpu_arguments);
        let arguments = std::iter::once(receiver.ir).chain(arguments.into_iter().map(|argument| argument.ir)).collect();
        Lowered { probe: ask(&probe, slot), cpu, ir: ir::Expr::Call { slot, arguments, site: 0 }, facts, memory: false }
    }

    fn method_cpu(
        &mut self,
        expr: &ExprMethodCall,
        name: &str,
        receiver: &Receiver,
        arguments: &[TokenStream],
    ) -> TokenStream {
        let (thread, extent, before) = (context(), Extent::of(expr), &receiver.cpu);
        if name == "len" {
            return extent.private_call("len", quote!(#before));
        }
        let site = self.site(ir::SiteKind::Call, expr.method.span(), expr.method.to_string());
        let at = self.site_tokens(site);
        let (turbofish, dot) = (&expr.turbofish, &expr.dot_token);
        let cpu = Ident::new(&format!("__cpu_{name}"), expr.method.span());
        if receiver.unchanged {
            let copy = hidden_at("__wc_receiver", extent.first);
            let call = extent.call(quote!(#copy #dot #cpu #turbofish), quote!(#thread.at(#at) #(, #arguments)*));
            return quote!((match #before { #copy => #call }));
        }
        let Some(place) = &receiver.memory else {
            return extent.call(quote!(#before #dot #cpu #turbofish), quote!(#thread.at(#at) #(, #arguments)*));
        };
        // A method that may change what is in memory works on a copy, which is written back if it has changed.
        let names: Vec<Ident> =
            (0..arguments.len()).map(|k| hidden_at(&format!("__wc_argument_{k}"), extent.first)).collect();
        let (target, value) = (hidden_at("__wc_target", extent.first), hidden_at("__wc_value", extent.first));
        let (shared, place_at) = (&place.shared, self.site_tokens(place.site));
        let call = extent.call(quote!(#value #dot #cpu #turbofish), quote!(#thread.at(#at) #(, #names)*));
        let change = extent.private_call("changed", quote!(#target, #thread, #place_at, |#value| #call));
        quote!(({
            let #target = #shared;
            #(let #names = #arguments;)*
            #change
        }))
    }

    /// What stands before the dot, or nothing after a report.
    fn receiver(&mut self, expr: &Expr, method: &str) -> Option<Receiver> {
        if method == "len" {
            return self.measured(expr);
        }
        let derefs = matches!(expr, Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)));
        if !self.is_place(expr) || is_method_of_primitives(method) && !derefs {
            return Some(self.value_receiver(expr));
        }
        let place = self.place(expr)?;
        let mut facts = place.facts.clone();
        facts.primitive = place.depth == Some(0);
        let root = place.root.map(|root| &self.locals[root]);
        let kind = root.map(|local| local.kind);
        let (probe, ir) = (place.probe.clone(), place.ir.clone());
        if matches!(kind, Some(LocalKind::Memory | LocalKind::SharedSlice)) && place.whole {
            // A slice itself has no methods but `len`; rustc says so.
            return Some(Receiver { probe, cpu: place.shared, ir, facts, memory: None, unchanged: false });
        }
        if let Some(root) = place.root {
            self.locals[root].escapes = true;
        }
        if place.memory {
            let writable = place.root.is_some_and(|root| self.locals[root].writable);
            let cpu = self.loaded(&place);
            facts.opaque = true;
            return Some(Receiver { probe, cpu, ir, facts, memory: writable.then_some(place), unchanged: false });
        }
        // A local that may be changed counts as changed.
        let mutable = place.root.is_some_and(|root| self.locals[root].mutable);
        if mutable {
            facts.writes.extend(place.root);
        }
        let cpu = match (place.whole, mutable) {
            (true, _) => self.whole(&place).to_token_stream(),
            (false, true) => {
                let exclusive = &place.exclusive;
                quote!((*#exclusive))
            }
            (false, false) => {
                let shared = &place.shared;
                quote!((*#shared))
            }
        };
        Some(Receiver { probe, cpu, ir, facts, memory: None, unchanged: false })
    }

    /// A receiver that is a value, or a primitive, of which a copy is taken.
    fn value_receiver(&mut self, expr: &Expr) -> Receiver {
        let value = self.expr(expr);
        // A method of a struct that changes it may have the name of one of primitives: then the copy can't be borrowed.
        let unchanged = self.is_place(expr) && !value.facts.primitive;
        Receiver { probe: value.probe, cpu: value.cpu, ir: value.ir, facts: value.facts, memory: None, unchanged }
    }

    /// `x.len()` of a slice is no use of its elements; of a local array it borrows.
    fn measured(&mut self, expr: &Expr) -> Option<Receiver> {
        let place = self.place(expr)?;
        let mut facts = place.facts;
        // A slice's length never changes, whoever writes its elements.
        facts.opaque = !place.whole;
        Some(Receiver { probe: place.probe, cpu: place.shared, ir: place.ir, facts, memory: None, unchanged: false })
    }
}

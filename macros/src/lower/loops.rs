//! Loops and their jumps.

use super::stmt::bind;
use super::{LocalKind, Lowered, LoweredBlock, Lowerer, see};
use crate::cpu::{self, CpuStmt, Split};
use crate::facts::Facts;
use crate::paths::{context, private};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprForLoop, ExprLoop, ExprWhile, Pat};
use warpcell_ir as ir;

impl Lowerer<'_> {
    fn loop_body(&mut self, body: &syn::Block) -> LoweredBlock {
        self.loops += 1;
        let mut block = self.scoped(|lowerer| lowerer.block(body));
        self.loops -= 1;
        block.facts.jumps = false;
        block
    }

    fn refuse_label(&mut self, label: &Option<impl ToTokens>) {
        if let Some(label) = label {
            let (what, help) = ("loop labels are not supported in kernels yet", "use a flag, or `return`");
            self.diagnostics.error(label, what, help);
        }
    }

    /// Refuses `break` and `continue` that are in no loop.
    fn check_jump(&mut self, token: &dyn ToTokens, label: &Option<syn::Lifetime>) {
        self.refuse_label(label);
        if self.loops == 0 && label.is_none() {
            self.diagnostics.error(token, "there is no loop around this jump", "use `return` to leave the kernel");
        }
    }

    pub(super) fn while_stmt(&mut self, expr: &ExprWhile, out: &mut LoweredBlock) {
        self.refuse_label(&expr.label);
        let condition = self.expr(&expr.cond);
        let body = self.loop_body(&expr.body);
        let (token, probe_condition, probe_body) = (&expr.while_token, &condition.probe, body.braced_probe());
        out.probe.extend(quote!(#token #probe_condition #probe_body));
        let (cpu_condition, cpu_body) = (&condition.cpu, cpu::plain_block(&body));
        let mut facts = condition.facts.clone();
        facts.add(&body.facts);
        let tokens = quote!(while #cpu_condition #cpu_body);
        out.ir.statements.push(ir::Stmt::While { condition: condition.ir, body: body.ir });
        out.push(CpuStmt {
            tokens,
            split: Split::While { condition: condition.cpu, header: condition.facts, body: body.cpu },
            facts,
            declares: None,
        });
    }

    pub(super) fn loop_stmt(&mut self, expr: &ExprLoop, out: &mut LoweredBlock) {
        self.refuse_label(&expr.label);
        let body = self.loop_body(&expr.body);
        let (token, probe_body, cpu_body) = (&expr.loop_token, body.braced_probe(), cpu::plain_block(&body));
        out.probe.extend(quote!(#token #probe_body));
        out.ir.statements.push(ir::Stmt::Expr(ir::Expr::Loop { slot: ir::Slot::MAX, body: body.ir }));
        out.push(CpuStmt {
            tokens: quote!(loop #cpu_body),
            split: Split::Loop(body.cpu),
            facts: body.facts,
            declares: None,
        });
    }

    /// `loop { … break value; }`
    pub(super) fn loop_value(&mut self, expr: &ExprLoop) -> Lowered {
        self.refuse_label(&expr.label);
        let body = self.loop_body(&expr.body);
        let slot = self.slot();
        let (token, probe_body, cpu_body) = (&expr.loop_token, body.braced_probe(), cpu::plain_block(&body));
        Lowered {
            probe: see(&quote!(#token #probe_body), slot),
            cpu: quote!(#token #cpu_body),
            ir: ir::Expr::Loop { slot, body: body.ir },
            facts: body.facts,
            memory: false,
        }
    }

    pub(super) fn for_stmt(&mut self, expr: &ExprForLoop, out: &mut LoweredBlock) {
        self.refuse_label(&expr.label);
        let variable = match &*expr.pat {
            Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
                Some((ident.ident.clone(), ident.mutability.is_some()))
            }
            Pat::Wild(wild) => Some((proc_macro2::Ident::new("_unused", wild.span()), false)),
            _ => None,
        };
        let header = self.header(&expr.expr);
        let (Some((ident, mutable)), Some(header)) = (&variable, header) else {
            return self.look_inside_for(expr, variable.is_none());
        };
        let mutable = *mutable;
        self.scopes.enter();
        let id = self.declare(ident, LocalKind::Value, mutable);
        let slot = self.slot();
        let body = self.loop_body(&expr.body);
        self.scopes.leave();

        let mutability = mutable.then(|| quote!(mut));
        let (for_token, in_token, probe_header, probe_body) =
            (&expr.for_token, &expr.in_token, &header.probe, &body.probe);
        let question = bind(ident, slot);
        out.probe.extend(quote!(#for_token #mutability #ident #in_token #probe_header { #question #probe_body }));
        let unique = self.locals[id].ident.clone();
        let (cpu_header, cpu_body) = (&header.cpu, cpu::plain_block(&body));
        let mut facts = header.facts.clone();
        facts.add(&body.facts);
        let tokens = quote!(for #mutability #unique in #cpu_header #cpu_body);
        out.ir.statements.push(ir::Stmt::For {
            name: self.unique_name(id),
            slot,
            range: Box::new(header.range),
            body: body.ir,
        });
        out.push(CpuStmt {
            tokens,
            split: Split::For { variable: id, range: header.cpu, header: header.facts, body: body.cpu },
            facts,
            declares: None,
        });
    }

    /// The mistakes in a loop whose header was refused.
    fn look_inside_for(&mut self, expr: &ExprForLoop, refuse_pattern: bool) {
        self.scoped(|lowerer| {
            if refuse_pattern {
                lowerer.refuse_pattern(&expr.pat);
            } else {
                lowerer.declare_names(&expr.pat);
            }
            lowerer.loop_body(&expr.body);
        });
    }

    /// What a `for` runs over: a range, perhaps with `.rev()` and `.step_by(n)`, in this order.
    fn header(&mut self, expr: &Expr) -> Option<Header> {
        match expr {
            Expr::Paren(paren) => self.header(&paren.expr).map(|header| header.map(|tokens| quote!((#tokens)))),
            Expr::Range(range) => self.range(range),
            Expr::MethodCall(call) if call.method == "rev" && call.args.is_empty() => {
                let mut header = self.header(&call.receiver)?;
                if header.range.step.is_some() {
                    self.diagnostics.error(
                        &call.method,
                        "`.rev()` after `.step_by(n)` is not supported in kernels",
                        "write `.rev().step_by(n)`, or compute the index from a plain range",
                    );
                    return None;
                }
                header.range.reversed = !header.range.reversed;
                Some(header.map(|tokens| quote!(#tokens.rev())))
            }
            Expr::MethodCall(call) if call.method == "step_by" && call.args.len() == 1 => {
                let header = self.header(&call.receiver)?;
                self.step(header, call)
            }
            _ => {
                self.diagnostics.error(
                    expr,
                    "a `for` loop in a kernel runs over a range",
                    "write `for k in 0..x.len() { … x[k] … }`",
                );
                None
            }
        }
    }

    fn range(&mut self, range: &syn::ExprRange) -> Option<Header> {
        let (Some(start), Some(end)) = (&range.start, &range.end) else {
            self.diagnostics.error(
                range,
                "the range of a `for` needs a start and an end",
                "write `start..end`, or use `loop`",
            );
            return None;
        };
        let (start, end, limits) = (self.expr(start), self.expr(end), &range.limits);
        let mut facts = start.facts.clone();
        facts.add(&end.facts);
        let (probe_start, probe_end, cpu_start, cpu_end) = (&start.probe, &end.probe, &start.cpu, &end.cpu);
        Some(Header {
            probe: quote!(#probe_start #limits #probe_end),
            cpu: quote!(#cpu_start #limits #cpu_end),
            facts,
            range: ir::Range {
                start: start.ir,
                end: end.ir,
                inclusive: matches!(limits, syn::RangeLimits::Closed(_)),
                reversed: false,
                step: None,
                site: 0,
            },
        })
    }

    fn step(&mut self, mut header: Header, call: &syn::ExprMethodCall) -> Option<Header> {
        if header.range.step.is_some() {
            self.diagnostics.error(&call.method, "`.step_by` twice is not supported in kernels", "multiply the steps");
            return None;
        }
        let step = self.expr(&call.args[0]);
        let site = self.site(ir::SiteKind::Step, call.span(), call.args[0].to_token_stream().to_string());
        header.facts.add(&step.facts);
        let (private, thread, at, span) = (private(), context(), self.site_tokens(site), call.span());
        let (probe, cpu, probe_step, cpu_step) = (&header.probe, &header.cpu, &step.probe, &step.cpu);
        header.probe = quote!((#probe).step_by(#probe_step));
        header.cpu = quote_spanned!(span=> (#cpu).step_by(#private::step(#cpu_step, #thread, #at)));
        header.range.step = Some(step.ir);
        header.range.site = site;
        Some(header)
    }

    pub(super) fn break_stmt(&mut self, stmt: &syn::ExprBreak, out: &mut LoweredBlock) {
        self.check_jump(&stmt.break_token, &stmt.label);
        let value = stmt.expr.as_ref().map(|value| self.expr(value));
        let (probe, cpu) = (value.as_ref().map(|v| &v.probe), value.as_ref().map(|v| &v.cpu));
        let token = &stmt.break_token;
        out.probe.extend(quote!(#token #probe));
        let tokens = quote!(break #cpu;);
        let mut facts = value.as_ref().map(|value| value.facts.clone()).unwrap_or_default();
        facts.jumps = true;
        out.push(CpuStmt { tokens, split: Split::Jump, facts, declares: None });
        out.ir.statements.push(ir::Stmt::Break(value.map(|value| value.ir)));
    }

    pub(super) fn continue_stmt(&mut self, stmt: &syn::ExprContinue, out: &mut LoweredBlock) {
        self.check_jump(&stmt.continue_token, &stmt.label);
        out.probe.extend(stmt.to_token_stream());
        let facts = Facts { jumps: true, ..Facts::default() };
        out.push(CpuStmt { tokens: quote!(continue;), split: Split::Jump, facts, declares: None });
        out.ir.statements.push(ir::Stmt::Continue);
    }
}

/// The header of a `for`.
struct Header {
    probe: proc_macro2::TokenStream,
    cpu: proc_macro2::TokenStream,
    range: ir::Range,
    facts: Facts,
}

impl Header {
    /// With both token forms changed alike.
    fn map(mut self, change: impl Fn(&proc_macro2::TokenStream) -> proc_macro2::TokenStream) -> Header {
        self.probe = change(&self.probe);
        self.cpu = change(&self.cpu);
        self
    }
}

/// Whether a `break` of this loop carries a value.
pub(super) fn breaks_with_value(body: &syn::Block) -> bool {
    use syn::visit::Visit;
    struct Find(bool);
    impl<'a> Visit<'a> for Find {
        fn visit_expr_break(&mut self, stmt: &'a syn::ExprBreak) {
            self.0 |= stmt.expr.is_some();
        }
        // Breaks in inner loops leave those.
        fn visit_expr_loop(&mut self, _: &'a ExprLoop) {}
        fn visit_expr_while(&mut self, _: &'a ExprWhile) {}
        fn visit_expr_for_loop(&mut self, _: &'a ExprForLoop) {}
        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
    }
    let mut find = Find(false);
    find.visit_block(body);
    find.0
}

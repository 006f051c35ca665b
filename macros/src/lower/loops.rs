//! Loops and their jumps.

use super::stmt::bind;
use super::{LocalKind, Lowered, LoweredBlock, Lowerer, see};
use crate::cpu::{self, CpuStmt, Split};
use crate::facts::{Facts, LocalId};
use crate::paths::{context, private};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprForLoop, ExprLoop, ExprWhile, Pat};
use warpcell_ir as ir;

/// A loop or labelled block around the current place.
pub(super) struct Target {
    id: ir::LoopId,
    label: Option<String>,
    is_loop: bool,
}

impl Lowerer<'_> {
    /// Makes a loop that waits for other threads one that lets them go on, and that ends where they never will.
    fn wait_in(
        &mut self,
        body: &mut LoweredBlock,
        facts: &mut Facts,
        outside: LocalId,
        token: &(impl ToTokens + Spanned),
    ) -> bool {
        if !facts.wait_for_others(outside) {
            return false;
        }
        if self.signature.method {
            self.diagnostics.error(
                token,
                "this loop waits for other threads, which is not supported in methods",
                "write a `#[gpu_fn]` and call it from the kernel",
            );
            return false;
        }
        let site = self.site(ir::SiteKind::Wait, token.span(), String::new());
        let (private, thread, at) = (private(), context(), self.site_tokens(site));
        let pause = CpuStmt {
            tokens: quote!(#private::pause(#thread.at(#at)).await;),
            split: Split::None,
            facts: Facts::default(),
            declares: Vec::new(),
        };
        body.cpu.insert(0, pause);
        body.ir.statements.insert(0, ir::Stmt::Wait(site));
        facts.spins = true;
        true
    }

    /// What follows a loop that has waited; what precedes it goes to `out`.
    fn went_on(&self, out: &mut LoweredBlock) -> TokenStream {
        out.ir.statements.push(ir::Stmt::StartWaiting);
        let (private, thread) = (private(), context());
        quote!(#private::went_on(#thread);)
    }

    /// The body of a loop or labelled block, with its number.
    pub(super) fn target_body(
        &mut self,
        label: Option<&syn::Label>,
        is_loop: bool,
        body: &syn::Block,
    ) -> (ir::LoopId, LoweredBlock) {
        let id = self.target_count;
        self.target_count += 1;
        self.targets.push(Target { id, label: label.map(|label| label.name.ident.to_string()), is_loop });
        let mut block = self.scoped(|lowerer| lowerer.block(body));
        self.targets.pop();
        block.facts.jumps.remove(&id);
        if !is_loop {
            // A `break` that leaves the block stays in the loop around.
            block.facts = block.facts.of_whole();
        }
        (id, block)
    }

    /// Which loop or block a `break` or `continue` is for, or a report.
    fn jump_target(&mut self, token: &dyn ToTokens, label: &Option<syn::Lifetime>) -> Option<ir::LoopId> {
        let named = |target: &&Target| match label {
            Some(label) => target.label.as_ref().is_some_and(|name| label.ident == name),
            None => target.is_loop,
        };
        let found = self.targets.iter().rev().find(named).map(|target| target.id);
        if found.is_none() {
            match label {
                Some(label) => self.diagnostics.error(
                    label,
                    format!("there is no loop or block with the label `{label}` around this jump"),
                    "write the label before the loop: `'rows: for …`",
                ),
                None => self.diagnostics.error(
                    token,
                    "there is no loop around this jump",
                    "use `return` to leave the kernel",
                ),
            }
        }
        found
    }

    pub(super) fn while_stmt(&mut self, expr: &ExprWhile, out: &mut LoweredBlock) {
        self.scopes.enter();
        let outside = self.locals.len();
        let condition = self.conditions(&expr.cond);
        let (id, mut body) = self.target_body(expr.label.as_ref(), true, &expr.body);
        self.scopes.leave();
        let Some(condition) = condition else { return };
        body.ask_first(&condition.questions);
        let mut facts = condition.facts.clone();
        facts.add(&body.facts);
        let waits = self.wait_in(&mut body, &mut facts, outside, &expr.while_token);
        let label = &expr.label;
        let (token, probe_condition, probe_body) = (&expr.while_token, &condition.probe, body.braced_probe());
        out.probe.extend(quote!(#label #token #probe_condition #probe_body));
        let (cpu_condition, cpu_body) = (&condition.cpu, cpu::plain_block(&body));
        let went_on = waits.then(|| self.went_on(out));
        let tokens = quote!(#label while #cpu_condition #cpu_body #went_on);
        out.ir.statements.push(ir::Stmt::While { label: id, conditions: condition.ir, body: body.ir });
        let split = if condition.binds {
            Split::None
        } else {
            let (label, header) = (label.to_token_stream(), condition.facts);
            Split::While { label, condition: condition.cpu, header, body: body.cpu }
        };
        out.push(CpuStmt { tokens, split, facts: facts.of_whole(), declares: Vec::new() });
    }

    pub(super) fn loop_stmt(&mut self, expr: &ExprLoop, out: &mut LoweredBlock) {
        let outside = self.locals.len();
        let (id, mut body) = self.target_body(expr.label.as_ref(), true, &expr.body);
        let mut facts = body.facts.clone();
        let waits = self.wait_in(&mut body, &mut facts, outside, &expr.loop_token);
        let label = &expr.label;
        let (token, probe_body, cpu_body) = (&expr.loop_token, body.braced_probe(), cpu::plain_block(&body));
        out.probe.extend(quote!(#label #token #probe_body));
        let went_on = waits.then(|| self.went_on(out));
        out.ir.statements.push(ir::Stmt::Expr(ir::Expr::Loop { slot: ir::Slot::MAX, label: id, body: body.ir }));
        out.push(CpuStmt {
            tokens: quote!(#label loop #cpu_body #went_on),
            split: Split::Loop { label: label.to_token_stream(), body: body.cpu },
            facts: facts.of_whole(),
            declares: Vec::new(),
        });
    }

    /// `loop { … break value; }`
    pub(super) fn loop_value(&mut self, expr: &ExprLoop) -> Lowered {
        let outside = self.locals.len();
        let (id, mut body) = self.target_body(expr.label.as_ref(), true, &expr.body);
        let mut facts = body.facts.clone();
        let waits = self.wait_in(&mut body, &mut facts, outside, &expr.loop_token);
        let slot = self.slot();
        let (label, token, probe_body, cpu_body) =
            (&expr.label, &expr.loop_token, body.braced_probe(), cpu::plain_block(&body));
        let probe = see(&quote!(#label #token #probe_body), slot);
        let (mut cpu, mut ir) = (quote!(#label #token #cpu_body), ir::Expr::Loop { slot, label: id, body: body.ir });
        if waits {
            let mut outer = LoweredBlock::default();
            let went_on = self.went_on(&mut outer);
            cpu = quote!({ let __wc_result = #cpu; #went_on __wc_result });
            ir = ir::Expr::Block { slot, label: None, block: ir::Block { value: Some(Box::new(ir)), ..outer.ir } };
        }
        Lowered { probe, cpu, ir, facts: facts.of_whole(), memory: false }
    }

    pub(super) fn for_stmt(&mut self, expr: &ExprForLoop, out: &mut LoweredBlock) {
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
        // A range is of integers.
        self.locals[id].depth = Some(0);
        let slot = self.slot();
        let (label_id, body) = self.target_body(expr.label.as_ref(), true, &expr.body);
        self.scopes.leave();

        let mutability = mutable.then(|| quote!(mut));
        let (for_token, in_token, probe_header, probe_body) =
            (&expr.for_token, &expr.in_token, &header.probe, &body.probe);
        let question = bind(ident, slot);
        let label = &expr.label;
        out.probe
            .extend(quote!(#label #for_token #mutability #ident #in_token #probe_header { #question #probe_body }));
        let unique = self.locals[id].ident.clone();
        let (cpu_header, cpu_body) = (&header.cpu, cpu::plain_block(&body));
        let mut facts = header.facts.clone();
        facts.add(&body.facts);
        let facts = facts.of_whole();
        let tokens = quote!(#label for #mutability #unique in #cpu_header #cpu_body);
        out.ir.statements.push(ir::Stmt::For {
            label: label_id,
            name: self.unique_name(id),
            slot,
            range: Box::new(header.range),
            unroll: self.unroll(&expr.attrs),
            body: body.ir,
        });
        out.push(CpuStmt {
            tokens,
            split: Split::For {
                label: label.to_token_stream(),
                variable: id,
                range: header.cpu,
                header: header.facts,
                body: body.cpu,
            },
            facts,
            declares: Vec::new(),
        });
    }

    /// `#[unroll]` and `#[unroll(4)]`.
    fn unroll(&mut self, attributes: &[syn::Attribute]) -> Option<ir::Unroll> {
        let attribute = attributes.iter().find(|attribute| attribute.path().is_ident("unroll"))?;
        if matches!(attribute.meta, syn::Meta::Path(_)) {
            return Some(ir::Unroll::Whole);
        }
        let turns = attribute.parse_args::<syn::LitInt>().and_then(|turns| turns.base10_parse::<u32>());
        match turns {
            Ok(turns) if turns > 0 => Some(ir::Unroll::Turns(turns)),
            _ => {
                self.diagnostics.error(
                    attribute,
                    "`unroll` takes the number of turns, at least 1",
                    "write `#[unroll]` or `#[unroll(4)]`",
                );
                None
            }
        }
    }

    /// The mistakes in a loop whose header was refused.
    fn look_inside_for(&mut self, expr: &ExprForLoop, refuse_pattern: bool) {
        self.scoped(|lowerer| {
            if refuse_pattern {
                lowerer.refuse_pattern(&expr.pat);
            } else {
                lowerer.declare_names(&expr.pat);
            }
            lowerer.target_body(expr.label.as_ref(), true, &expr.body);
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
        let target = self.jump_target(&stmt.break_token, &stmt.label);
        let value = stmt.expr.as_ref().map(|value| self.expr(value));
        let Some(target) = target else { return };
        let (probe, cpu) = (value.as_ref().map(|v| &v.probe), value.as_ref().map(|v| &v.cpu));
        let (token, label) = (&stmt.break_token, &stmt.label);
        out.probe.extend(quote!(#token #label #probe));
        let tokens = quote!(break #label #cpu;);
        let mut facts = value.as_ref().map(|value| value.facts.clone()).unwrap_or_default();
        facts.jumps.insert(target);
        out.push(CpuStmt { tokens, split: Split::Jump, facts, declares: Vec::new() });
        out.ir.statements.push(ir::Stmt::Break { target, value: value.map(|value| value.ir) });
    }

    pub(super) fn continue_stmt(&mut self, stmt: &syn::ExprContinue, out: &mut LoweredBlock) {
        let Some(target) = self.jump_target(&stmt.continue_token, &stmt.label) else { return };
        out.probe.extend(stmt.to_token_stream());
        let (facts, label) = (Facts { jumps: [target].into(), ..Facts::default() }, &stmt.label);
        out.push(CpuStmt { tokens: quote!(continue #label;), split: Split::Jump, facts, declares: Vec::new() });
        out.ir.statements.push(ir::Stmt::Continue { target });
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

/// Whether a `break` of this loop or block carries a value.
pub(super) fn breaks_with_value(label: Option<&syn::Label>, body: &syn::Block) -> bool {
    use syn::visit::{self, Visit};
    struct Find<'l> {
        label: Option<&'l syn::Lifetime>,
        /// How many loops are in between.
        depth: usize,
        found: bool,
    }
    impl Find<'_> {
        fn inside(&mut self, walk: impl FnOnce(&mut Self)) {
            self.depth += 1;
            walk(self);
            self.depth -= 1;
        }
    }
    impl<'a> Visit<'a> for Find<'_> {
        fn visit_expr_break(&mut self, stmt: &'a syn::ExprBreak) {
            let leaves = match &stmt.label {
                Some(label) => self.label.is_some_and(|own| own.ident == label.ident),
                None => self.depth == 0,
            };
            self.found |= leaves && stmt.expr.is_some();
        }
        fn visit_expr_loop(&mut self, expr: &'a ExprLoop) {
            self.inside(|find| visit::visit_expr_loop(find, expr));
        }
        fn visit_expr_while(&mut self, expr: &'a ExprWhile) {
            self.inside(|find| visit::visit_expr_while(find, expr));
        }
        fn visit_expr_for_loop(&mut self, expr: &'a ExprForLoop) {
            self.inside(|find| visit::visit_expr_for_loop(find, expr));
        }
        fn visit_expr_closure(&mut self, _: &'a syn::ExprClosure) {}
    }
    let mut find = Find { label: label.map(|label| &label.name), depth: 0, found: false };
    find.visit_block(body);
    find.found
}

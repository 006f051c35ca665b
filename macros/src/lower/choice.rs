//! `match`, `if let`, `while let`, `let … else`, `matches!`.

use super::{Lowered, LoweredBlock, Lowerer, see};
use crate::cpu::{self, CpuStmt, Split};
use crate::facts::Facts;
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Arm, BinOp, Expr, ExprMatch, Pat, Stmt};
use warpcell_ir as ir;

/// The conditions of an `if` or `while`.
pub(super) struct Conditions {
    pub probe: TokenStream,
    /// The probe's questions for what they bind, to stand first in the body.
    pub questions: TokenStream,
    pub cpu: TokenStream,
    pub ir: Vec<ir::Condition>,
    pub facts: Facts,
    /// Whether one of them binds.
    pub binds: bool,
}

/// An arm in its forms.
struct LoweredArm {
    probe: TokenStream,
    cpu: TokenStream,
    ir: ir::Arm,
    facts: Facts,
    primitive: bool,
}

impl Lowerer<'_> {
    /// `match` as a value, or as a statement with `slot` at its maximum.
    pub(super) fn match_parts(&mut self, expr: &ExprMatch, slot: ir::Slot) -> Lowered {
        let subject = self.expr(&expr.expr);
        let mut facts = subject.facts.clone();
        // All arms have one type.
        let mut primitive = false;
        let (mut probes, mut cpus, mut arms) = (TokenStream::new(), TokenStream::new(), Vec::new());
        for arm in &expr.arms {
            let Some(arm) = self.arm(arm) else { continue };
            facts.add(&arm.facts);
            primitive |= arm.primitive;
            probes.extend(arm.probe);
            cpus.extend(arm.cpu);
            arms.push(arm.ir);
        }
        facts.sized = false;
        facts.primitive = primitive;
        let (token, probe_subject, cpu_subject) = (&expr.match_token, &subject.probe, &subject.cpu);
        let mut probe = quote!(#token #probe_subject);
        expr.brace_token.surround(&mut probe, |inner| inner.extend(probes));
        let mut cpu = quote!(#token #cpu_subject);
        expr.brace_token.surround(&mut cpu, |inner| inner.extend(cpus));
        Lowered { probe, cpu, ir: ir::Expr::Match { slot, subject: Box::new(subject.ir), arms }, facts, memory: false }
    }

    pub(super) fn match_value(&mut self, expr: &ExprMatch) -> Lowered {
        let slot = self.slot();
        let value = self.match_parts(expr, slot);
        Lowered { probe: see(&value.probe, slot), ..value }
    }

    pub(super) fn match_stmt(&mut self, expr: &ExprMatch, out: &mut LoweredBlock) {
        let value = self.match_parts(expr, ir::Slot::MAX);
        out.probe.extend(value.probe);
        out.ir.statements.push(ir::Stmt::Expr(value.ir));
        out.push(CpuStmt { tokens: value.cpu, split: Split::None, facts: value.facts, declares: Vec::new() });
    }

    fn arm(&mut self, arm: &Arm) -> Option<LoweredArm> {
        self.scoped(|lowerer| {
            let (user_pattern, guard) = guarded(&arm.pat);
            let pattern = lowerer.pattern(user_pattern);
            let guard = guard.map(|guard| lowerer.expr(guard));
            let body = lowerer.block(&body_of(arm));
            let pattern = pattern?;
            let mut facts = body.staying();
            if let Some(guard) = &guard {
                facts.add(&guard.facts);
            }
            let (questions, body_probe) = (&pattern.questions, &body.probe);
            // The question for the pattern's types stands in the body, where its names are.
            let guard_probe = guard.as_ref().map(|guard| {
                let guard = &guard.probe;
                quote!(if #guard)
            });
            let guard_cpu = guard.as_ref().map(|guard| {
                let guard = &guard.cpu;
                quote!(if #guard)
            });
            let (cpu_pattern, cpu_body) = (&pattern.cpu, cpu::plain_block(&body));
            Some(LoweredArm {
                probe: quote!(#user_pattern #guard_probe => { #questions #body_probe }),
                cpu: quote!(#cpu_pattern #guard_cpu => #cpu_body),
                ir: ir::Arm { pattern: pattern.ir, guard: guard.map(|guard| guard.ir), body: body.ir },
                facts,
                primitive: body.primitive,
            })
        })
    }

    /// `a && let Some(x) = b && c`. What a `let` binds is known behind it and in the body, so the caller has opened a scope.
    pub(super) fn conditions(&mut self, expr: &Expr) -> Option<Conditions> {
        if !has_let(expr) {
            let value = self.expr(expr);
            return Some(Conditions {
                probe: value.probe,
                questions: TokenStream::new(),
                cpu: value.cpu,
                ir: vec![ir::Condition::Holds(value.ir)],
                facts: value.facts,
                binds: false,
            });
        }
        match expr {
            Expr::Binary(binary) if let BinOp::And(and) = &binary.op => {
                let (left, right) = (self.conditions(&binary.left), self.conditions(&binary.right));
                let (mut left, right) = (left?, right?);
                left.facts.add(&right.facts);
                let (probe_left, probe_right) = (left.probe, right.probe);
                let (cpu_left, cpu_right) = (left.cpu, right.cpu);
                left.questions.extend(right.questions);
                left.ir.extend(right.ir);
                Some(Conditions {
                    probe: quote!(#probe_left #and #probe_right),
                    cpu: quote!(#cpu_left #and #cpu_right),
                    binds: true,
                    ..left
                })
            }
            Expr::Let(condition) => {
                let value = self.expr(&condition.expr);
                let pattern = self.pattern(&condition.pat)?;
                let (user_pattern, probe, cpu, cpu_pattern) = (&condition.pat, &value.probe, &value.cpu, &pattern.cpu);
                let token = &condition.let_token;
                Some(Conditions {
                    probe: quote!(#token #user_pattern = #probe),
                    questions: pattern.questions,
                    cpu: quote!(let #cpu_pattern = #cpu),
                    ir: vec![ir::Condition::Let { pattern: pattern.ir, value: value.ir }],
                    facts: value.facts,
                    binds: true,
                })
            }
            _ => {
                self.refuse_expr(expr);
                None
            }
        }
    }

    /// `let (a, b) = value;` and `let Some(x) = value else { … };`
    pub(super) fn let_pattern(&mut self, local: &syn::Local, init: &syn::LocalInit, out: &mut LoweredBlock) {
        let value = self.expr(&init.expr);
        let otherwise = init.diverge.as_ref().map(|(_, otherwise)| match &**otherwise {
            Expr::Block(block) => self.scoped(|lowerer| lowerer.block(&block.block)),
            _ => LoweredBlock::default(),
        });
        let Some(pattern) = self.pattern(&local.pat) else { return };
        let mut facts = value.facts.clone();
        if let Some(otherwise) = &otherwise {
            facts.add(&otherwise.staying());
        }
        let (let_token, user_pattern, probe, questions) =
            (&local.let_token, &local.pat, &value.probe, &pattern.questions);
        let probe_else = otherwise.as_ref().map(|block| {
            let block = block.braced_probe();
            quote!(else #block)
        });
        out.probe.extend(quote!(#let_token #user_pattern = #probe #probe_else; #questions));
        let cpu_else = otherwise.as_ref().map(|block| {
            let block = cpu::plain_block(block);
            quote!(else #block)
        });
        let (cpu_pattern, cpu) = (&pattern.cpu, &value.cpu);
        let tokens = quote!(let #cpu_pattern = #cpu #cpu_else;);
        out.ir.statements.push(ir::Stmt::LetPattern {
            pattern: pattern.ir,
            value: value.ir,
            otherwise: otherwise.map(|block| block.ir),
        });
        out.push(CpuStmt { tokens, split: Split::None, facts, declares: pattern.locals });
    }

    /// `matches!(value, pattern if guard)`
    pub(super) fn matches(&mut self, call: &syn::Macro) -> Option<Lowered> {
        let parsed: Matches = match call.parse_body() {
            Ok(parsed) => parsed,
            Err(error) => {
                self.diagnostics.error(
                    &call.path,
                    format!("`matches!` can't be read: {error}"),
                    "write `matches!(value, pattern)`",
                );
                return None;
            }
        };
        let span = call.path.span();
        let yes: Expr = syn::parse_quote_spanned!(span=> true);
        let no: Expr = syn::parse_quote_spanned!(span=> false);
        let Matches { value, pattern, guard } = parsed;
        let guard = guard.map(|guard| quote!(if #guard));
        let expr: ExprMatch = syn::parse_quote_spanned!(span=> match #value { #pattern #guard => #yes, _ => #no });
        Some(self.match_value(&expr))
    }
}

/// The arguments of `matches!`.
struct Matches {
    value: Expr,
    pattern: Pat,
    guard: Option<Expr>,
}

impl Parse for Matches {
    fn parse(input: ParseStream<'_>) -> syn::Result<Matches> {
        let value = input.parse()?;
        input.parse::<syn::Token![,]>()?;
        let pattern = Pat::parse_multi_with_leading_vert(input)?;
        let guard = if input.peek(syn::Token![if]) {
            input.parse::<syn::Token![if]>()?;
            Some(input.parse()?)
        } else {
            None
        };
        input.parse::<Option<syn::Token![,]>>()?;
        Ok(Matches { value, pattern, guard })
    }
}

/// An arm's pattern and guard.
fn guarded(pattern: &Pat) -> (&Pat, Option<&Expr>) {
    match pattern {
        Pat::Guard(guarded) => (&guarded.pat, Some(&guarded.guard)),
        _ => (pattern, None),
    }
}

/// An arm's body as a block.
fn body_of(arm: &Arm) -> syn::Block {
    match &*arm.body {
        Expr::Block(block) if block.label.is_none() => block.block.clone(),
        body => {
            let mut brace_token = syn::token::Brace::default();
            let mut group = proc_macro2::Group::new(proc_macro2::Delimiter::Brace, TokenStream::new());
            group.set_span(body.span());
            brace_token.span = group.delim_span();
            syn::Block { brace_token, stmts: vec![Stmt::Expr(body.clone(), None)] }
        }
    }
}

fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) => matches!(binary.op, BinOp::And(_)) && (has_let(&binary.left) || has_let(&binary.right)),
        _ => false,
    }
}

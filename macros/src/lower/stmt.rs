//! Statements and blocks.

use super::expr::{assign_op, can_fault};
use super::{Lowered, LoweredBlock, Lowerer, slot_ident};
use crate::cpu::{self, CpuStmt, Split, WarpCall, WarpTarget};
use crate::facts::Facts;
use crate::intrinsics::{self, Intrinsic};
use crate::paths::{context, exit_label, hidden_at};
use crate::spans::Extent;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprIf, Item, Stmt};
use warpcell_ir as ir;

/// The parts of an `if`, shared by its statement and its value.
pub(super) struct IfParts {
    pub condition: Lowered,
    pub then: LoweredBlock,
    pub otherwise: Option<LoweredBlock>,
    pub probe: TokenStream,
    pub cpu: TokenStream,
    pub facts: Facts,
}

/// `=`, or `+=` and its like.
#[derive(Clone, Copy)]
enum Operator<'a> {
    Plain(&'a syn::Token![=]),
    Compound(&'a syn::BinOp),
}

impl Lowerer<'_> {
    /// The statements of `block`, in the current scope.
    pub(super) fn block(&mut self, block: &syn::Block) -> LoweredBlock {
        let mut out = LoweredBlock { brace: block.brace_token, ..LoweredBlock::default() };
        let count = block.stmts.len();
        for (number, stmt) in block.stmts.iter().enumerate() {
            match stmt {
                Stmt::Expr(expr, None) if number + 1 == count && has_value(expr) => {
                    let value = self.expr(expr);
                    out.probe.extend(value.probe);
                    out.value = Some(value.cpu);
                    out.ir.value = Some(Box::new(value.ir));
                    out.facts.add(&value.facts);
                    out.memory = value.memory;
                }
                _ => self.stmt(stmt, &mut out),
            }
        }
        out
    }

    fn stmt(&mut self, stmt: &Stmt, out: &mut LoweredBlock) {
        match stmt {
            Stmt::Local(local) => self.let_stmt(local, out),
            Stmt::Item(item @ (Item::Const(_) | Item::Use(_))) => {
                self.items.push(item.clone());
                out.probe.extend(item.to_token_stream());
            }
            Stmt::Item(item) => self.diagnostics.error(
                item.to_token_stream().into_iter().next(),
                "only `const` and `use` items can stand in a kernel",
                "move it out of the function",
            ),
            // A semicolon of its own.
            Stmt::Expr(Expr::Verbatim(tokens), _) if tokens.is_empty() => {}
            Stmt::Expr(expr, semicolon) => {
                self.expr_stmt(expr, out);
                out.probe.extend(semicolon.to_token_stream());
                if semicolon.is_none() {
                    out.probe.extend(quote!(;));
                }
            }
            Stmt::Macro(stmt) => {
                self.refuse_expr(&Expr::Macro(syn::ExprMacro { attrs: Vec::new(), mac: stmt.mac.clone() }));
            }
        }
    }

    pub(super) fn expr_stmt(&mut self, expr: &Expr, out: &mut LoweredBlock) {
        match expr {
            Expr::Assign(assign) => {
                self.assign(&assign.left, Operator::Plain(&assign.eq_token), &assign.right, assign, out)
            }
            Expr::Binary(binary) if assign_op(&binary.op).is_some() => {
                self.assign(&binary.left, Operator::Compound(&binary.op), &binary.right, binary, out)
            }
            Expr::If(branch) => self.if_stmt(branch, out),
            Expr::While(repeat) => self.while_stmt(repeat, out),
            Expr::ForLoop(repeat) => self.for_stmt(repeat, out),
            Expr::Loop(repeat) => self.loop_stmt(repeat, out),
            Expr::Block(block) if block.label.is_none() => self.block_stmt(&block.block, out),
            Expr::Return(stmt) => self.return_stmt(stmt, out),
            Expr::Break(stmt) => self.break_stmt(stmt, out),
            Expr::Continue(stmt) => self.continue_stmt(stmt, out),
            _ => self.evaluate(expr, out),
        }
    }

    /// A statement that only evaluates `expr`.
    pub(super) fn evaluate(&mut self, expr: &Expr, out: &mut LoweredBlock) {
        let split = self.warp_split(expr, WarpTarget::None);
        let value = self.expr(expr);
        out.probe.extend(value.probe.clone());
        out.ir.statements.push(ir::Stmt::Expr(value.ir.clone()));
        let cpu = &value.cpu;
        out.push(CpuStmt {
            tokens: quote!(let _ = #cpu;),
            split: split.unwrap_or_else(|| self.barrier_split(expr)),
            facts: value.facts,
            declares: None,
        });
    }

    /// `sync_threads()` and `sync_warp()` as statements are where phases split.
    fn barrier_split(&self, expr: &Expr) -> Split {
        match called_intrinsic(expr) {
            Some(Intrinsic::Barrier) => Split::Barrier,
            Some(Intrinsic::WarpBarrier) => Split::WarpBarrier,
            _ => Split::None,
        }
    }

    /// A warp operation as the whole of a statement's value. Its arguments are lowered once more, for their own facts.
    pub(super) fn warp_split(&mut self, expr: &Expr, target: WarpTarget) -> Option<Split> {
        if called_intrinsic(expr) != Some(Intrinsic::WarpOp) {
            return None;
        }
        let Expr::Call(call) = expr else { return None };
        let Expr::Path(path) = &*call.func else { return None };
        // Only the CPU forms are used of this second walk, so its slots and sites are taken back.
        let site = self.site(ir::SiteKind::Call, path.span(), path.to_token_stream().to_string());
        let marks = (self.slots, self.constants.len());
        let arguments: Vec<Lowered> = call.args.iter().map(|argument| self.expr(argument)).collect();
        self.slots = marks.0;
        self.constants.truncate(marks.1);
        let function = super::call::callee(path).function("__warp");
        let arguments = arguments.into_iter().map(|argument| (argument.cpu, argument.facts)).collect();
        Some(Split::Warp(WarpCall { target, site, function, arguments }))
    }

    /// `place = value` and `place += value`. As in Rust the value is evaluated first, then the place.
    fn assign(&mut self, left: &Expr, op: Operator<'_>, right: &Expr, whole: &dyn ToTokens, out: &mut LoweredBlock) {
        if let Expr::Infer(_) = left {
            return self.expr_stmt(right, out);
        }
        let warp = self.warp_split(right, WarpTarget::None);
        let value = self.expr(right);
        let Some(place) = self.place(left) else { return };
        let extent = Extent::of(whole);
        let mut facts = value.facts.clone();
        facts.add(&place.facts);
        if place.whole {
            facts.writes.insert(place.root);
            if matches!(op, Operator::Plain(_)) && !value.facts.reads.contains(&place.root) {
                facts.reads.remove(&place.root);
            }
        } else if !place.memory {
            facts.writes.insert(place.root);
        }
        facts.opaque |= place.memory;

        let site = match op {
            Operator::Compound(token) => self.operator_site(compound(token), extent.first, right, whole),
            Operator::Plain(_) => 0,
        };
        let (probe_left, probe_right) = (&place.probe, &value.probe);
        let cpu_value = hidden_at("__wc_value", Extent::of(right).first);
        let cpu_right = &value.cpu;
        let stmt = match op {
            Operator::Plain(token) => {
                out.probe.extend(quote!(#probe_left #token #probe_right));
                let store = self.store(&place, quote!(#cpu_value));
                let tokens = quote!({ let #cpu_value = #cpu_right; #store; });
                out.ir.statements.push(ir::Stmt::Assign { place: place.ir.clone(), value: value.ir });
                // A plain `x = v` keeps rustc's inference of `x` from `v`.
                if place.whole {
                    let store = self.store(&place, quote!(#cpu_right));
                    quote!(#store;)
                } else {
                    tokens
                }
            }
            Operator::Compound(token) => {
                let op = compound(token);
                out.probe.extend(quote!(#probe_left #token #probe_right));
                let literal_divisor = matches!(value.ir, ir::Expr::Literal { .. });
                facts.faults |= can_fault(op) && !literal_divisor;
                let tokens = self.assign_op_cpu(&place, op, cpu_right, site, token, extent);
                out.ir.statements.push(ir::Stmt::AssignOp { op, place: place.ir.clone(), value: value.ir, site });
                tokens
            }
        };
        let split = match warp {
            Some(Split::Warp(call)) if place.whole && !facts.faults => {
                let target = match op {
                    Operator::Plain(_) => WarpTarget::Assign(place.root),
                    Operator::Compound(token) => WarpTarget::AssignOp(place.root, compound(token), site),
                };
                Split::Warp(WarpCall { target, ..call })
            }
            _ => Split::None,
        };
        out.push(CpuStmt { tokens: stmt, split, facts, declares: None });
    }

    fn assign_op_cpu(
        &self,
        place: &super::place::Place,
        op: ir::BinaryOp,
        right: &TokenStream,
        site: ir::SiteId,
        token: &syn::BinOp,
        extent: Extent,
    ) -> TokenStream {
        let (value, target) = (hidden_at("__wc_value", extent.last), hidden_at("__wc_target", extent.first));
        let plain = plain_operator(token);
        if place.whole {
            let ident = self.whole(place);
            let result = self.binary_cpu(op, &ident.to_token_stream(), &quote!(#value), site, &plain, extent);
            quote!({ let #value = #right; #ident = #result; })
        } else if place.memory {
            let shared = &place.shared;
            let (thread, at) = (context(), self.site_tokens(place.site));
            let old = place.extent.private_call("load", quote!(#target, #thread, #at));
            let result = self.binary_cpu(op, &old, &quote!(#value), site, &plain, extent);
            let store = extent.private_call("store", quote!(#target, #result, #thread, #at));
            quote!({ let #value = #right; let #target = #shared; #store; })
        } else {
            let exclusive = &place.exclusive;
            let result = self.binary_cpu(op, &quote!((*#target)), &quote!(#value), site, &plain, extent);
            quote!({ let #value = #right; let #target = #exclusive; *#target = #result; })
        }
    }

    /// An `if` in all forms.
    pub(super) fn if_parts(&mut self, expr: &ExprIf) -> Option<IfParts> {
        let condition = self.expr(&expr.cond);
        let then = self.scoped(|lowerer| lowerer.block(&expr.then_branch));
        let otherwise = expr.else_branch.as_ref().map(|(_, branch)| match &**branch {
            Expr::Block(block) => self.scoped(|lowerer| lowerer.block(&block.block)),
            // `else if`: a block that holds only the inner `if`.
            inner => {
                let stmts = vec![Stmt::Expr(inner.clone(), None)];
                let block = syn::Block { brace_token: expr.then_branch.brace_token, stmts };
                self.scoped(|lowerer| lowerer.block(&block))
            }
        });
        let mut facts = condition.facts.clone();
        facts.add(&then.facts);
        let (if_token, probe_condition, probe_then) = (&expr.if_token, &condition.probe, then.braced_probe());
        let (cpu_condition, cpu_then) = (&condition.cpu, cpu::plain_block(&then));
        let (mut probe, mut cpu) =
            (quote!(#if_token #probe_condition #probe_then), quote!(#if_token #cpu_condition #cpu_then));
        if let Some(block) = &otherwise {
            facts.add(&block.facts);
            let (probe_else, cpu_else) = (block.braced_probe(), cpu::plain_block(block));
            probe.extend(quote!(else #probe_else));
            cpu.extend(quote!(else #cpu_else));
        }
        facts.sized = false;
        Some(IfParts { condition, then, otherwise, probe, cpu, facts })
    }

    fn if_stmt(&mut self, expr: &ExprIf, out: &mut LoweredBlock) {
        let Some(parts) = self.if_parts(expr) else { return };
        out.probe.extend(parts.probe);
        out.ir.statements.push(ir::Stmt::Expr(ir::Expr::If {
            slot: ir::Slot::MAX,
            condition: Box::new(parts.condition.ir),
            then: parts.then.ir,
            otherwise: parts.otherwise.as_ref().map(|block| block.ir.clone()),
        }));
        out.push(CpuStmt {
            tokens: parts.cpu,
            split: Split::If {
                condition: parts.condition.cpu,
                header: parts.condition.facts,
                then: parts.then.cpu,
                otherwise: parts.otherwise.map(|block| block.cpu).unwrap_or_default(),
            },
            facts: parts.facts,
            declares: None,
        });
    }

    fn block_stmt(&mut self, block: &syn::Block, out: &mut LoweredBlock) {
        let inner = self.scoped(|lowerer| lowerer.block(block));
        out.probe.extend(inner.braced_probe());
        out.ir.statements.push(ir::Stmt::Expr(ir::Expr::Block { slot: ir::Slot::MAX, block: inner.ir.clone() }));
        let tokens = cpu::plain_block(&inner);
        out.push(CpuStmt { tokens, split: Split::Block(inner.cpu), facts: inner.facts, declares: None });
    }

    fn return_stmt(&mut self, stmt: &syn::ExprReturn, out: &mut LoweredBlock) {
        let value = stmt.expr.as_ref().map(|value| self.expr(value));
        let label = exit_label();
        let (probe, cpu) = (value.as_ref().map(|v| &v.probe), value.as_ref().map(|v| &v.cpu));
        out.probe.extend(quote!(break #label #probe));
        let tokens = quote!(break #label #cpu;);
        let mut facts = value.as_ref().map(|value| value.facts.clone()).unwrap_or_default();
        facts.returns = true;
        out.push(CpuStmt { tokens, split: Split::None, facts, declares: None });
        out.ir.statements.push(ir::Stmt::Return(value.map(|value| value.ir)));
    }
}

impl LoweredBlock {
    pub(super) fn push(&mut self, stmt: CpuStmt) {
        self.facts.add(&stmt.facts);
        self.cpu.push(stmt);
    }
}

/// The probe's question for the type of `ident`.
pub(super) fn bind(ident: &Ident, slot: ir::Slot) -> TokenStream {
    let question = ask_type(ident, ident, slot);
    quote!(#question;)
}

/// The probe's question for the type of `value`, asked at `tokens`.
pub(crate) fn ask_type(tokens: impl ToTokens, value: &Ident, slot: ir::Slot) -> TokenStream {
    let (extent, name) = (Extent::of(tokens), slot_ident(slot));
    extent.private_call("bind", quote_spanned!(extent.first=> &#value, &#name))
}

/// Whether `expr`, the last of a block, is its value; loops and jumps are statements.
fn has_value(expr: &Expr) -> bool {
    match expr {
        Expr::While(_) | Expr::ForLoop(_) | Expr::Assign(_) | Expr::Break(_) | Expr::Continue(_) | Expr::Return(_) => {
            false
        }
        Expr::If(branch) => branch.else_branch.is_some() && block_has_value(&branch.then_branch),
        Expr::Block(block) => block_has_value(&block.block),
        Expr::Loop(repeat) => super::loops::breaks_with_value(&repeat.body),
        Expr::Binary(binary) => assign_op(&binary.op).is_none(),
        Expr::Call(_) => !matches!(called_intrinsic(expr), Some(Intrinsic::Barrier | Intrinsic::WarpBarrier)),
        _ => true,
    }
}

fn block_has_value(block: &syn::Block) -> bool {
    matches!(block.stmts.last(), Some(Stmt::Expr(expr, None)) if has_value(expr))
}

/// The built-in that `expr` calls.
pub(super) fn called_intrinsic(expr: &Expr) -> Option<Intrinsic> {
    let Expr::Call(call) = expr else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    intrinsics::find(&path.path.segments.last()?.ident.to_string())
}

/// The operator of a compound assignment.
fn compound(token: &syn::BinOp) -> ir::BinaryOp {
    assign_op(token).expect("the caller checked that it assigns")
}

/// `+` for `+=`.
fn plain_operator(op: &syn::BinOp) -> TokenStream {
    use syn::BinOp::*;
    match op {
        BitAndAssign(_) => quote!(&),
        BitOrAssign(_) => quote!(|),
        BitXorAssign(_) => quote!(^),
        // The others have functions of their own; see `binary_cpu`.
        _ => TokenStream::new(),
    }
}

//! Statements and blocks.

use super::choice::Conditions;
use super::operator::{assign_op, can_fault, compound};
use super::{LocalKind, Lowered, LoweredBlock, Lowerer, output, slot_ident};
use crate::cpu::{self, CpuStmt, Exchange, Split, Target};
use crate::facts::{Changes, Facts};
use crate::intrinsics::{self, Intrinsic};
use crate::paths::{exit_label, hidden_at};
use crate::spans::Extent;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprIf, Item, Stmt};
use warpcell_ir as ir;

/// The parts of an `if`, shared by its statement and its value.
pub(super) struct IfParts {
    pub conditions: Conditions,
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
                    out.primitive = value.facts.primitive;
                }
                _ => self.stmt(stmt, &mut out),
            }
        }
        out
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt, out: &mut LoweredBlock) {
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
            Stmt::Macro(stmt) if stmt.mac.path.is_ident("matches") => {
                self.evaluate(&Expr::Macro(syn::ExprMacro { attrs: Vec::new(), mac: stmt.mac.clone() }), out);
                out.probe.extend(quote!(;));
            }
            Stmt::Macro(stmt) if output::is_statement(&stmt.mac) => {
                self.output_stmt(&stmt.mac, out);
                out.probe.extend(quote!(;));
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
            Expr::Match(choice) => self.match_stmt(choice, out),
            Expr::Block(block) => self.block_stmt(block, out),
            Expr::Return(stmt) => self.return_stmt(stmt, out),
            Expr::Break(stmt) => self.break_stmt(stmt, out),
            Expr::Continue(stmt) => self.continue_stmt(stmt, out),
            Expr::Macro(call) if output::is_statement(&call.mac) => self.output_stmt(&call.mac, out),
            _ => self.evaluate(expr, out),
        }
    }

    /// A statement that only evaluates `expr`.
    pub(super) fn evaluate(&mut self, expr: &Expr, out: &mut LoweredBlock) {
        let split = self.exchange(expr);
        let value = self.expr(expr);
        out.probe.extend(value.probe.clone());
        out.ir.statements.push(ir::Stmt::Expr(value.ir.clone()));
        let cpu = &value.cpu;
        out.push(CpuStmt {
            tokens: quote!(let _ = #cpu;),
            split: split.unwrap_or_else(|| self.barrier_split(expr)),
            facts: value.facts,
            declares: Vec::new(),
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

    /// A warp operation, or a barrier with a value, as the whole of a statement's value. Its arguments are lowered once
    /// more, for their own facts.
    pub(super) fn exchange(&mut self, expr: &Expr) -> Option<Split> {
        let (form, split): (_, fn(Exchange) -> Split) = match called_intrinsic(expr)? {
            Intrinsic::WarpOp | Intrinsic::WarpMaskBarrier => ("__warp", Split::Warp),
            Intrinsic::BlockOp => ("__block", Split::Vote),
            _ => return None,
        };
        let Expr::Call(call) = expr else { return None };
        let Expr::Path(path) = &*call.func else { return None };
        // Only the CPU forms are used of this second walk, so its slots and sites are taken back.
        let site = self.site(ir::SiteKind::Call, path.span(), path.to_token_stream().to_string());
        let marks = (self.slots, self.constants.len());
        let arguments: Vec<Lowered> = call.args.iter().map(|argument| self.expr(argument)).collect();
        self.slots = marks.0;
        self.constants.truncate(marks.1);
        let function = super::call::callee(path).function(form);
        let arguments = arguments.into_iter().map(|argument| (argument.cpu, argument.facts)).collect();
        Some(split(Exchange { target: Target::None, site, function, arguments }))
    }

    /// `place = value` and `place += value`. As in Rust the value is evaluated first, then the place.
    fn assign(&mut self, left: &Expr, op: Operator<'_>, right: &Expr, whole: &dyn ToTokens, out: &mut LoweredBlock) {
        if let Expr::Infer(_) = left {
            return self.expr_stmt(right, out);
        }
        if let (Expr::Tuple(tuple), Operator::Plain(_)) = (left, op) {
            return self.assign_parts(tuple, right, out);
        }
        let exchange = self.exchange(right);
        let value = self.expr(right);
        let Some(place) = self.place(left) else { return };
        let root = place.root.map(|root| self.locals[root].kind);
        if place.whole && root == Some(LocalKind::SharedSlice) {
            self.diagnostics.error(left, "a shared slice can't be assigned", "bind its part to a name of its own");
        }
        let extent = Extent::of(whole);
        let mut facts = value.facts.clone();
        facts.add(&place.facts);
        if place.whole {
            place.root.iter().for_each(|root| facts.assigns(*root));
            if matches!(op, Operator::Plain(_)) && !value.facts.reads.is_superset(&place.root.into_iter().collect()) {
                place.root.iter().for_each(|root| {
                    facts.reads.remove(root);
                });
            }
        } else if let (Some(root), false) = (place.root, place.memory) {
            facts.assigns(root);
        } else {
            facts.stores();
        }

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
                let literal_divisor = matches!(value.ir, ir::Expr::Literal { .. });
                facts.faults |= can_fault(op) && !literal_divisor;
                let (probe, tokens, operator) = self.compound_assignment(&place, token, &value, site, extent);
                out.probe.extend(probe);
                let (place, value) = (place.ir.clone(), value.ir);
                out.ir.statements.push(ir::Stmt::AssignOp { op, place, value, site, operator });
                tokens
            }
        };
        let target = match (place.root, op) {
            (Some(root), Operator::Plain(_)) => Some(Target::Assign(root)),
            (Some(root), Operator::Compound(token)) if !can_fault(compound(token)) => {
                Some(Target::AssignOp(root, compound(token), site))
            }
            _ => None,
        };
        let split = match (exchange, target) {
            (Some(exchange), Some(target)) if place.whole => exchange.to(target),
            _ => Split::None,
        };
        out.push(CpuStmt { tokens: stmt, split, facts, declares: Vec::new() });
    }

    /// `(a, b) = value;`: the parts of the value, one by one.
    fn assign_parts(&mut self, left: &syn::ExprTuple, right: &Expr, out: &mut LoweredBlock) {
        let names: Vec<Ident> =
            (0..left.elems.len()).map(|k| hidden_at(&format!("__wc_part_{k}"), left.span())).collect();
        let places = left.elems.iter();
        let span = left.span();
        let block: syn::ExprBlock = syn::parse_quote_spanned!(span=> {
            let (#(#names,)*) = #right;
            #(#places = #names;)*
        });
        self.block_stmt(&block, out);
    }

    /// An `if` in all forms.
    pub(super) fn if_parts(&mut self, expr: &ExprIf) -> Option<IfParts> {
        self.scopes.enter();
        let conditions = self.conditions(&expr.cond);
        let mut then = self.scoped(|lowerer| lowerer.block(&expr.then_branch));
        self.scopes.leave();
        let otherwise = expr.else_branch.as_ref().map(|(_, branch)| match &**branch {
            Expr::Block(block) => self.scoped(|lowerer| lowerer.block(&block.block)),
            // `else if`: a block that holds only the inner `if`.
            inner => {
                let stmts = vec![Stmt::Expr(inner.clone(), None)];
                let block = syn::Block { brace_token: expr.then_branch.brace_token, stmts };
                self.scoped(|lowerer| lowerer.block(&block))
            }
        });
        let conditions = conditions?;
        then.ask_first(&conditions.questions);
        let mut facts = conditions.facts.clone();
        facts.add(&then.staying());
        let (if_token, probe_condition, probe_then) = (&expr.if_token, &conditions.probe, then.braced_probe());
        let (cpu_condition, cpu_then) = (&conditions.cpu, cpu::plain_block(&then));
        let (mut probe, mut cpu) =
            (quote!(#if_token #probe_condition #probe_then), quote!(#if_token #cpu_condition #cpu_then));
        if let Some(block) = &otherwise {
            facts.add(&block.staying());
            let (probe_else, cpu_else) = (block.braced_probe(), cpu::plain_block(block));
            probe.extend(quote!(else #probe_else));
            cpu.extend(quote!(else #cpu_else));
        }
        facts.sized = false;
        // Both branches have one type.
        facts.primitive = then.primitive || otherwise.as_ref().is_some_and(|block| block.primitive);
        Some(IfParts { conditions, then, otherwise, probe, cpu, facts })
    }

    fn if_stmt(&mut self, expr: &ExprIf, out: &mut LoweredBlock) {
        let Some(parts) = self.if_parts(expr) else { return };
        out.probe.extend(parts.probe);
        out.ir.statements.push(ir::Stmt::Expr(ir::Expr::If {
            slot: ir::Slot::MAX,
            conditions: parts.conditions.ir,
            then: parts.then.ir,
            otherwise: parts.otherwise.as_ref().map(|block| block.ir.clone()),
        }));
        out.push(CpuStmt {
            tokens: parts.cpu,
            split: if parts.conditions.binds {
                Split::None
            } else {
                Split::If {
                    condition: parts.conditions.cpu,
                    header: parts.conditions.facts,
                    then: parts.then.cpu,
                    otherwise: parts.otherwise.map(|block| block.cpu).unwrap_or_default(),
                }
            },
            facts: parts.facts,
            declares: Vec::new(),
        });
    }

    fn block_stmt(&mut self, expr: &syn::ExprBlock, out: &mut LoweredBlock) {
        let (label, inner) = self.block_parts(expr);
        let user_label = &expr.label;
        let probe = inner.braced_probe();
        out.probe.extend(quote!(#user_label #probe));
        let block = inner.ir.clone();
        out.ir.statements.push(ir::Stmt::Expr(ir::Expr::Block { slot: ir::Slot::MAX, label, block }));
        let block = cpu::plain_block(&inner);
        // What a `break` leaves is no block that phases could be split in.
        let split = if label.is_some() { Split::None } else { Split::Block(inner.cpu) };
        out.push(CpuStmt { tokens: quote!(#user_label #block), split, facts: inner.facts, declares: Vec::new() });
    }

    /// A block, with its number if it has a label.
    pub(super) fn block_parts(&mut self, expr: &syn::ExprBlock) -> (Option<ir::LoopId>, LoweredBlock) {
        match &expr.label {
            None => (None, self.scoped(|lowerer| lowerer.block(&expr.block))),
            Some(label) => {
                let (id, block) = self.target_body(Some(label), false, &expr.block);
                (Some(id), block)
            }
        }
    }

    fn return_stmt(&mut self, stmt: &syn::ExprReturn, out: &mut LoweredBlock) {
        let value = stmt.expr.as_ref().map(|value| self.expr(value));
        let label = exit_label();
        let (probe, cpu) = (value.as_ref().map(|v| &v.probe), value.as_ref().map(|v| &v.cpu));
        out.probe.extend(quote!(break #label #probe));
        let tokens = quote!(break #label #cpu;);
        let mut facts = value.as_ref().map(|value| value.facts.clone()).unwrap_or_default();
        facts.returns = true;
        out.push(CpuStmt { tokens, split: Split::None, facts, declares: Vec::new() });
        out.ir.statements.push(ir::Stmt::Return(value.map(|value| value.ir)));
    }
}

impl LoweredBlock {
    /// The facts of a branch, without the changes that are made on the way out of the loop around.
    pub(super) fn staying(&self) -> Facts {
        let mut facts = self.facts.clone();
        if let Some(ir::Stmt::Break { .. } | ir::Stmt::Return(_)) = self.ir.statements.last() {
            facts.changes = Changes::default();
        }
        facts
    }

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
        Expr::Macro(call) => !output::is_statement(&call.mac),
        Expr::If(branch) => branch.else_branch.as_ref().is_some_and(|(_, otherwise)| {
            // One that jumps has none.
            block_has_value(&branch.then_branch) || has_value(otherwise)
        }),
        Expr::Match(choice) => choice.arms.iter().any(|arm| has_value(&arm.body)),
        Expr::Block(block) => {
            block_has_value(&block.block) || super::loops::breaks_with_value(block.label.as_ref(), &block.block)
        }
        Expr::Loop(repeat) => super::loops::breaks_with_value(repeat.label.as_ref(), &repeat.body),
        Expr::Binary(binary) => assign_op(&binary.op).is_none(),
        Expr::Call(_) => !matches!(
            called_intrinsic(expr),
            Some(Intrinsic::Barrier | Intrinsic::GridBarrier | Intrinsic::WarpBarrier | Intrinsic::WarpMaskBarrier)
        ),
        Expr::Tuple(tuple) => !tuple.elems.is_empty(),
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

//! Statements and blocks.

use super::expr::assign_op;
use super::{LocalKind, Lowered, LoweredBlock, Lowerer, Question, slot_ident};
use crate::cpu::{self, CpuStmt, Split, WarpCall, WarpTarget};
use crate::facts::Facts;
use crate::intrinsics::{self, Intrinsic};
use crate::paths::{exit_label, hidden, private};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Expr, ExprIf, Item, LocalInit, Pat, Stmt, Type};
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

/// What a `let` binds.
struct Binding<'a> {
    ident: &'a Ident,
    mutable: bool,
    ty: Option<&'a Type>,
}

impl Lowerer<'_> {
    /// The statements of `block`, in the current scope.
    pub(super) fn block(&mut self, block: &syn::Block) -> LoweredBlock {
        let mut out = LoweredBlock::default();
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
                item.span(),
                "only `const` and `use` items can stand in a kernel",
                "move it out of the function",
            ),
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

    fn expr_stmt(&mut self, expr: &Expr, out: &mut LoweredBlock) {
        match expr {
            Expr::Assign(assign) => self.assign(&assign.left, None, &assign.right, assign, out),
            Expr::Binary(binary) if assign_op(&binary.op).is_some() => {
                self.assign(&binary.left, Some(&binary.op), &binary.right, binary, out)
            }
            Expr::If(branch) => self.if_stmt(branch, out),
            Expr::While(repeat) => self.while_stmt(repeat, out),
            Expr::ForLoop(repeat) => self.for_stmt(repeat, out),
            Expr::Loop(repeat) => self.loop_stmt(repeat, out),
            Expr::Block(block) if block.label.is_none() => self.block_stmt(&block.block, out),
            Expr::Return(stmt) => self.return_stmt(stmt, out),
            Expr::Break(stmt) => self.break_stmt(stmt, out),
            Expr::Continue(stmt) => self.continue_stmt(stmt, out),
            _ => {
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
        }
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
    fn warp_split(&mut self, expr: &Expr, target: WarpTarget) -> Option<Split> {
        if called_intrinsic(expr) != Some(Intrinsic::WarpOp) {
            return None;
        }
        let Expr::Call(call) = expr else { return None };
        let Expr::Path(path) = &*call.func else { return None };
        // Only the CPU forms are used of this second walk, so its slots and sites are taken back.
        let marks = (self.slots.len(), self.sites.len(), self.constants.len());
        let arguments: Vec<Lowered> = call.args.iter().map(|argument| self.expr(argument)).collect();
        self.slots.truncate(marks.0);
        self.constants.truncate(marks.2);
        let function = super::call::callee(path).function("__warp");
        let arguments = arguments.into_iter().map(|argument| (argument.cpu, argument.facts)).collect();
        Some(Split::Warp(WarpCall { target, function, arguments }))
    }

    fn let_stmt(&mut self, local: &syn::Local, out: &mut LoweredBlock) {
        let Some(binding) = self.binding(&local.pat) else { return };
        match &local.init {
            Some(LocalInit { diverge: Some((token, _)), .. }) => self.diagnostics.error(
                token.span(),
                "`let … else` is not supported in kernels",
                "use `if` and `return`",
            ),
            Some(LocalInit { expr, .. }) => {
                if let Some(ty) = shared_type(expr) {
                    return self.let_shared(&binding, ty, expr, out);
                }
                self.let_value(local, &binding, expr, out);
            }
            None => self.let_later(local, &binding, out),
        }
    }

    fn binding<'a>(&mut self, pattern: &'a Pat) -> Option<Binding<'a>> {
        match pattern {
            Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
                Some(Binding { ident: &ident.ident, mutable: ident.mutability.is_some(), ty: None })
            }
            Pat::Type(typed) => {
                let binding = self.binding(&typed.pat)?;
                Some(Binding { ty: Some(&typed.ty), ..binding })
            }
            _ => {
                self.refuse_pattern(pattern);
                None
            }
        }
    }

    fn let_value(&mut self, local: &syn::Local, binding: &Binding<'_>, init: &Expr, out: &mut LoweredBlock) {
        let warp = self.warp_split(init, WarpTarget::None);
        let value = self.expr(init);
        let kind = if value.memory { LocalKind::Memory } else { LocalKind::Value };
        let id = self.declare(binding.ident, kind, binding.mutable);
        self.locals[id].is_global_id = !binding.mutable && called_intrinsic(init) == Some(Intrinsic::GlobalId);
        let slot = self.slot(Question::Type);

        let (let_token, pattern, probe) = (&local.let_token, &local.pat, &value.probe);
        out.probe.extend(quote!(#let_token #pattern = #probe;));
        out.probe.extend(bind(binding.ident, slot));

        let ident = &self.locals[id].ident;
        let mutability = binding.mutable.then(|| quote!(mut));
        // A slice's element type differs in the CPU form.
        let annotation = binding.ty.filter(|_| !value.memory).map(|ty| quote!(: #ty));
        let cpu = &value.cpu;
        let tokens = quote!(let #mutability #ident #annotation = #cpu;);
        let fixed_type = value.facts.sized || binding.ty.is_some();
        if !binding.mutable && fixed_type && !value.facts.faults {
            self.locals[id].recompute = Some(tokens.clone());
            self.locals[id].facts = value.facts.clone();
        }
        let split = match warp {
            Some(Split::Warp(call)) => Split::Warp(WarpCall { target: WarpTarget::Let(id), ..call }),
            _ => Split::None,
        };
        out.push(CpuStmt { tokens, split, facts: value.facts, declares: Some(id) });
        out.ir.statements.push(ir::Stmt::Let { name: self.unique_name(id), slot, value: Some(value.ir) });
    }

    /// `let x: T;`, assigned later.
    fn let_later(&mut self, local: &syn::Local, binding: &Binding<'_>, out: &mut LoweredBlock) {
        let Some(ty) = binding.ty else {
            self.diagnostics.error(
                local.span(),
                format!("`{}` has neither a value nor a type", binding.ident),
                "write the type: `let x: f32;`",
            );
            return;
        };
        let id = self.declare(binding.ident, LocalKind::Value, true);
        let slot = self.slot(Question::Type);
        let (private, name, ident) = (private(), slot_ident(slot), &self.locals[id].ident);
        let tokens = quote!(let mut #ident: #ty = #private::unset::<#ty>(););
        out.probe.extend(quote!(#local #private::see_type::<#ty>(&#name);));
        out.push(CpuStmt { tokens, split: Split::None, facts: Facts::default(), declares: Some(id) });
        out.ir.statements.push(ir::Stmt::Let { name: self.unique_name(id), slot, value: None });
    }

    /// `let mut tile = shared::<T>();`
    fn let_shared(&mut self, binding: &Binding<'_>, ty: &Type, init: &Expr, out: &mut LoweredBlock) {
        if !self.kernel {
            self.diagnostics.error(
                init.span(),
                "shared memory can only be declared in a kernel",
                "declare it in the kernel and pass `&mut tile[..]`",
            );
            return;
        }
        if let Expr::Call(call) = init
            && let Expr::Path(path) = &*call.func
        {
            let mut companion = path.path.clone();
            companion.segments.last_mut().expect("a path has a segment").arguments = syn::PathArguments::None;
            self.intrinsics.push(quote!(<#companion>));
        }
        let id = self.declare(binding.ident, LocalKind::Shared, binding.mutable);
        let slot = self.slot(Question::Type);
        let (private, ident) = (private(), binding.ident);
        let mutability = binding.mutable.then(|| quote!(mut));
        out.probe.extend(quote!(let #mutability #ident: #ty = #private::any();));
        out.probe.extend(bind(binding.ident, slot));
        self.shared.push((id, ty.clone()));
        out.ir.statements.push(ir::Stmt::Shared { name: self.unique_name(id), slot });
    }

    /// `place = value` and `place += value`. As in Rust the value is evaluated first, then the place.
    fn assign(
        &mut self,
        left: &Expr,
        op: Option<&syn::BinOp>,
        right: &Expr,
        whole: &dyn Spanned,
        out: &mut LoweredBlock,
    ) {
        if let Expr::Infer(_) = left {
            return self.expr_stmt(right, out);
        }
        let warp = self.warp_split(right, WarpTarget::None);
        let value = self.expr(right);
        let Some(place) = self.place(left) else { return };
        let span = whole.span();
        let mut facts = value.facts.clone();
        facts.add(&place.facts);
        if place.whole {
            facts.writes.insert(place.root);
            if op.is_none() && !value.facts.reads.contains(&place.root) {
                facts.reads.remove(&place.root);
            }
        } else if !place.memory {
            facts.writes.insert(place.root);
        }
        facts.opaque |= place.memory;

        let (probe_left, probe_right) = (&place.probe, &value.probe);
        let cpu_value = hidden("__wc_value");
        let cpu_right = &value.cpu;
        let stmt = match op {
            None => {
                out.probe.extend(quote!(#probe_left = #probe_right));
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
            Some(token) => {
                let op = assign_op(token).expect("the caller checked that it assigns");
                out.probe.extend(quote!(#probe_left #token #probe_right));
                let literal_divisor = matches!(value.ir, ir::Expr::Literal { .. });
                let site = match op {
                    ir::BinaryOp::Div | ir::BinaryOp::Rem => {
                        facts.faults |= !literal_divisor;
                        self.site(ir::SiteKind::Division, span, right.to_token_stream().to_string())
                    }
                    _ => 0,
                };
                let tokens = self.assign_op_cpu(&place, op, cpu_right, site, token, span);
                out.ir.statements.push(ir::Stmt::AssignOp { op, place: place.ir.clone(), value: value.ir, site });
                tokens
            }
        };
        let split = match warp {
            Some(Split::Warp(call)) if place.whole && !facts.faults => {
                let target = match op.map(|op| assign_op(op).expect("the caller checked that it assigns")) {
                    None => WarpTarget::Assign(place.root),
                    Some(op) => WarpTarget::AssignOp(place.root, op),
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
        span: proc_macro2::Span,
    ) -> TokenStream {
        let private = private();
        let (value, target) = (hidden("__wc_value"), hidden("__wc_target"));
        let plain = plain_operator(token);
        if place.whole {
            let ident = &self.locals[place.root].ident;
            let result = self.binary_cpu(op, &ident.to_token_stream(), &quote!(#value), site, &plain, span);
            quote!({ let #value = #right; #ident = #result; })
        } else if place.memory {
            let shared = &place.shared;
            let result = self.binary_cpu(op, &quote!(#private::load(#target)), &quote!(#value), site, &plain, span);
            quote!({ let #value = #right; let #target = #shared; #private::store(#target, #result); })
        } else {
            let exclusive = &place.exclusive;
            let result = self.binary_cpu(op, &quote!((*#target)), &quote!(#value), site, &plain, span);
            quote!({ let #value = #right; let #target = #exclusive; *#target = #result; })
        }
    }

    /// An `if` in all forms.
    pub(super) fn if_parts(&mut self, expr: &ExprIf) -> Option<IfParts> {
        let condition = self.expr(&expr.cond);
        let then = self.scoped(|lowerer| lowerer.block(&expr.then_branch));
        let otherwise = match &expr.else_branch {
            None => None,
            Some((_, branch)) => Some(match &**branch {
                Expr::Block(block) => self.scoped(|lowerer| lowerer.block(&block.block)),
                // `else if`: a block that holds only the inner `if`.
                inner => {
                    let stmts = vec![Stmt::Expr(inner.clone(), None)];
                    let block = syn::Block { brace_token: expr.then_branch.brace_token, stmts };
                    self.scoped(|lowerer| lowerer.block(&block))
                }
            }),
        };
        let mut facts = condition.facts.clone();
        facts.add(&then.facts);
        let (if_token, probe_condition, probe_then) = (&expr.if_token, &condition.probe, &then.probe);
        let (cpu_condition, cpu_then) = (&condition.cpu, cpu::plain_block(&then));
        let (mut probe, mut cpu) =
            (quote!(#if_token #probe_condition { #probe_then }), quote!(if #cpu_condition #cpu_then));
        if let Some(block) = &otherwise {
            facts.add(&block.facts);
            let (probe_else, cpu_else) = (&block.probe, cpu::plain_block(block));
            probe.extend(quote!(else { #probe_else }));
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
        let probe = &inner.probe;
        out.probe.extend(quote!({ #probe }));
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
    let (private, name) = (private(), slot_ident(slot));
    quote!(#private::bind(&#ident, &#name);)
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
fn called_intrinsic(expr: &Expr) -> Option<Intrinsic> {
    let Expr::Call(call) = expr else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    intrinsics::find(&path.path.segments.last()?.ident.to_string())
}

/// The `T` of `shared::<T>()`.
fn shared_type(expr: &Expr) -> Option<&Type> {
    if called_intrinsic(expr) != Some(Intrinsic::Shared) {
        return None;
    }
    let Expr::Call(call) = expr else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    let syn::PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else { return None };
    match arguments.args.first()? {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
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

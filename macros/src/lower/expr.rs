//! Expressions.

use super::literal::with_cast_suffix;
use super::{Lowered, Lowerer, see};
use crate::cpu;
use crate::facts::Facts;
use crate::paths::context;
use crate::signature::refused_type;
use crate::spans::Extent;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprBinary, ExprCast, ExprIf, ExprPath, ExprUnary, UnOp};
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
            Expr::Index(_) => match self.place(expr) {
                Some(place) => self.load(place),
                None => self.refused(),
            },
            Expr::Reference(reference) => self.borrow(reference),
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(method) => self.method(method),
            Expr::If(branch) => self.if_value(branch),
            Expr::Block(block) if block.label.is_none() => self.block_value(&block.block),
            Expr::Loop(repeat) => self.loop_value(repeat),
            Expr::Array(array) => self.array(array),
            Expr::Repeat(repeat) => self.repeat(repeat),
            _ => self.refuse_expr(expr),
        }
    }

    /// A local, or else a constant, which rustc evaluates.
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
        self.constants.push(path.to_token_stream());
        // A function has fewer than 2^32 constants.
        let number = (self.constants.len() - 1) as u32;
        Lowered {
            probe: path.to_token_stream(),
            cpu: path.to_token_stream(),
            ir: ir::Expr::Constant(number),
            facts: Facts::default(),
            memory: false,
        }
    }

    fn unary(&mut self, expr: &ExprUnary) -> Lowered {
        let op = match &expr.op {
            UnOp::Neg(minus) => {
                if let Expr::Lit(literal) = &*expr.expr {
                    return self.literal(literal, Some(minus.span));
                }
                ir::UnaryOp::Neg
            }
            UnOp::Not(_) => ir::UnaryOp::Not,
            _ => return self.refuse_expr(&Expr::Unary(expr.clone())),
        };
        let operand = self.expr(&expr.expr);
        let (token, probe, cpu) = (&expr.op, &operand.probe, &operand.cpu);
        Lowered {
            probe: quote!(#token #probe),
            cpu: match op {
                ir::UnaryOp::Neg => {
                    let site = self.site(ir::SiteKind::Overflow, expr.span(), expr.to_token_stream().to_string());
                    let (thread, at) = (context(), self.site_tokens(site));
                    Extent::of(expr).private_call("neg", quote!(#cpu, #thread, #at))
                }
                ir::UnaryOp::Not => quote!((#token #cpu)),
            },
            ir: ir::Expr::Unary { op, operand: Box::new(operand.ir) },
            facts: operand.facts,
            memory: false,
        }
    }

    fn binary(&mut self, expr: &ExprBinary) -> Lowered {
        let (left, right) = (self.expr(&expr.left), self.expr(&expr.right));
        let mut facts = left.facts.clone();
        facts.add(&right.facts);
        let (op, probe_left, probe_right) = (&expr.op, &left.probe, &right.probe);
        let probe = quote!(#probe_left #op #probe_right);
        let (l, r) = (&left.cpu, &right.cpu);
        if let BinOp::And(_) | BinOp::Or(_) = op {
            let (boxed_left, boxed_right) = (Box::new(left.ir), Box::new(right.ir));
            facts.sized = false;
            return Lowered {
                probe,
                cpu: quote!((#l #op #r)),
                ir: if matches!(op, BinOp::And(_)) {
                    ir::Expr::And(boxed_left, boxed_right)
                } else {
                    ir::Expr::Or(boxed_left, boxed_right)
                },
                facts,
                memory: false,
            };
        }
        let Some(op) = binary_op(&expr.op) else {
            return self.refuse_expr(&Expr::Binary(expr.clone()));
        };
        facts.sized &= !op.is_comparison();
        facts.faults |= can_fault(op) && !matches!(right.ir, ir::Expr::Literal { .. });
        let site = self.operator_site(op, expr.span(), &expr.right, expr);
        let cpu = self.binary_cpu(op, l, r, site, &expr.op, Extent::of(expr));
        Lowered {
            probe,
            cpu,
            ir: ir::Expr::Binary { op, left: Box::new(left.ir), right: Box::new(right.ir), site },
            facts,
            memory: false,
        }
    }

    /// Where a fault of an operator is reported: by its divisor, or as a whole.
    pub(super) fn operator_site(
        &mut self,
        op: ir::BinaryOp,
        span: Span,
        right: &dyn ToTokens,
        whole: &dyn ToTokens,
    ) -> ir::SiteId {
        use ir::BinaryOp::*;
        match op {
            Div | Rem => self.site(ir::SiteKind::Division, span, right.to_token_stream().to_string()),
            Add | Sub | Mul | Shl | Shr => self.site(ir::SiteKind::Overflow, span, whole.to_token_stream().to_string()),
            _ => 0,
        }
    }

    /// The CPU form of an operator: wrapping whatever the build's overflow checks, faults reported by site.
    pub(super) fn binary_cpu(
        &self,
        op: ir::BinaryOp,
        left: &TokenStream,
        right: &TokenStream,
        site: ir::SiteId,
        token: &dyn ToTokens,
        extent: Extent,
    ) -> TokenStream {
        use ir::BinaryOp::*;
        let name = match op {
            Add => "add",
            Sub => "sub",
            Mul => "mul",
            Shl => "shl",
            Shr => "shr",
            Div => "div",
            Rem => "rem",
            _ => return extent.call(TokenStream::new(), quote!(#left #token #right)),
        };
        let (thread, at) = (context(), self.site_tokens(site));
        extent.private_call(name, quote!(#left, #right, #thread, #at))
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
                condition: Box::new(parts.condition.ir),
                then: parts.then.ir,
                otherwise: parts.otherwise.map(|block| block.ir),
            },
            facts: parts.facts,
            memory: parts.then.memory,
        }
    }

    /// A block as a value.
    fn block_value(&mut self, block: &syn::Block) -> Lowered {
        let inner = self.scoped(|lowerer| lowerer.block(block));
        let slot = self.slot();
        Lowered {
            probe: see(&inner.braced_probe(), slot),
            cpu: cpu::plain_block(&inner),
            ir: ir::Expr::Block { slot, block: inner.ir },
            facts: inner.facts,
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
        Lowered {
            probe: see(&quote_spanned!(repeat.bracket_token.span.join()=> [#probe; #length]), slot),
            cpu: quote!([#cpu; #length]),
            ir: ir::Expr::Repeat { slot, value: Box::new(value.ir) },
            facts,
            memory: false,
        }
    }
}

/// Whether the operator can end its thread.
pub(super) fn can_fault(op: ir::BinaryOp) -> bool {
    matches!(op, ir::BinaryOp::Div | ir::BinaryOp::Rem)
}

/// The operator, unless it assigns.
fn binary_op(op: &BinOp) -> Option<ir::BinaryOp> {
    use ir::BinaryOp::*;
    Some(match op {
        BinOp::Add(_) => Add,
        BinOp::Sub(_) => Sub,
        BinOp::Mul(_) => Mul,
        BinOp::Div(_) => Div,
        BinOp::Rem(_) => Rem,
        BinOp::BitAnd(_) => BitAnd,
        BinOp::BitOr(_) => BitOr,
        BinOp::BitXor(_) => BitXor,
        BinOp::Shl(_) => Shl,
        BinOp::Shr(_) => Shr,
        BinOp::Eq(_) => Eq,
        BinOp::Ne(_) => Ne,
        BinOp::Lt(_) => Lt,
        BinOp::Le(_) => Le,
        BinOp::Gt(_) => Gt,
        BinOp::Ge(_) => Ge,
        _ => return None,
    })
}

/// The operator of a compound assignment.
pub(super) fn assign_op(op: &BinOp) -> Option<ir::BinaryOp> {
    use ir::BinaryOp::*;
    Some(match op {
        BinOp::AddAssign(_) => Add,
        BinOp::SubAssign(_) => Sub,
        BinOp::MulAssign(_) => Mul,
        BinOp::DivAssign(_) => Div,
        BinOp::RemAssign(_) => Rem,
        BinOp::BitAndAssign(_) => BitAnd,
        BinOp::BitOrAssign(_) => BitOr,
        BinOp::BitXorAssign(_) => BitXor,
        BinOp::ShlAssign(_) => Shl,
        BinOp::ShrAssign(_) => Shr,
        _ => return None,
    })
}

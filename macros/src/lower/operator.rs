//! Operators: the language's own of primitives, and those of structs.
//!
//! Where both operands are surely primitives, the CPU form calls `add` and its like. Elsewhere rustc is asked for the
//! operator, and the CPU form is generic over it; the operator itself stands in a branch that is never run, so that the
//! types of literals are found by the rules of Rust's own operators.

use super::place::Place;
use super::{Lowered, Lowerer, slot_ident};
use crate::facts::Facts;
use crate::paths::{context, hidden_at, private, private_at};
use crate::spans::Extent;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{BinOp, Expr, ExprBinary, ExprUnary, UnOp};
use warpcell_ir as ir;

impl Lowerer<'_> {
    pub(super) fn unary(&mut self, expr: &ExprUnary) -> Lowered {
        let (op, name) = match &expr.op {
            UnOp::Neg(minus) => {
                if let Expr::Lit(literal) = &*expr.expr {
                    return self.literal(literal, Some(minus.span));
                }
                (ir::UnaryOp::Neg, "Neg")
            }
            UnOp::Not(_) => (ir::UnaryOp::Not, "Not"),
            UnOp::Deref(_) => {
                return match self.place(&Expr::Unary(expr.clone())) {
                    Some(place) => self.load(place),
                    None => self.refused(),
                };
            }
            _ => return self.refuse_expr(&Expr::Unary(expr.clone())),
        };
        let operand = self.expr(&expr.expr);
        let (token, extent) = (&expr.op, Extent::of(expr));
        let site = self.site(ir::SiteKind::Overflow, expr.span(), expr.to_token_stream().to_string());
        let (thread, at) = (context(), self.site_tokens(site));
        let (probe, cpu) = (&operand.probe, &operand.cpu);
        let mut facts = operand.facts;
        let (operator, probe, cpu) = if facts.primitive {
            let cpu = match op {
                ir::UnaryOp::Neg => extent.private_call("neg", quote!(#cpu, #thread, #at)),
                ir::UnaryOp::Not => quote!((#token #cpu)),
            };
            (ir::Slot::MAX, quote!(#token #probe), cpu)
        } else {
            facts.faults = true;
            let slot = self.slot();
            let (question, asked) = (which("which_unary", slot, name, extent), operand_of(probe, "operand", slot));
            let value = hidden_at("__wc_operand", extent.first);
            let private = private();
            let operator = operator_name(name);
            let cpu = quote!(({
                let #value = #cpu;
                if false { #token #value } else { #private::operate_unary::<#operator, _>(#value, #thread, #at) }
            }));
            (slot, quote!(({ #question #token #asked })), cpu)
        };
        let ir = ir::Expr::Unary { op, operator, operand: Box::new(operand.ir) };
        Lowered { probe, cpu, ir, facts, memory: false }
    }

    pub(super) fn binary(&mut self, expr: &ExprBinary) -> Lowered {
        let (left, right) = (self.expr(&expr.left), self.expr(&expr.right));
        if let BinOp::And(_) | BinOp::Or(_) = expr.op {
            return logic(expr, left, right);
        }
        let Some(op) = binary_op(&expr.op) else {
            return self.refuse_expr(&Expr::Binary(expr.clone()));
        };
        let mut facts = left.facts.clone();
        facts.add(&right.facts);
        facts.sized = match op {
            // The other side's type says nothing of theirs.
            ir::BinaryOp::Shl | ir::BinaryOp::Shr => left.facts.sized,
            _ => facts.sized && !op.is_comparison(),
        };
        facts.faults |= can_fault(op) && !matches!(right.ir, ir::Expr::Literal { .. });
        let site = self.operator_site(op, expr.span(), &expr.right, expr);
        let known = match op {
            ir::BinaryOp::Shl | ir::BinaryOp::Shr | ir::BinaryOp::Eq | ir::BinaryOp::Ne => true,
            // One that is a primitive makes the other one.
            _ if op.is_comparison() => left.facts.primitive || right.facts.primitive,
            _ => left.facts.primitive && right.facts.primitive,
        };
        facts.primitive = op.is_comparison() || left.facts.primitive && right.facts.primitive;
        let (token, extent) = (&expr.op, Extent::of(expr));
        let (probe_left, probe_right, l, r) = (&left.probe, &right.probe, &left.cpu, &right.cpu);
        let (operator, probe, cpu) = if known {
            let cpu = self.binary_cpu(op, l, r, site, token, extent);
            (ir::Slot::MAX, quote!(#probe_left #token #probe_right), cpu)
        } else {
            facts.faults |= !op.is_comparison();
            let slot = self.slot();
            let question = which("which", slot, name_of(op), extent);
            let (asked_left, asked_right) =
                (operand_of(probe_left, "left", slot), operand_of(probe_right, "right", slot));
            let cpu = if op.is_comparison() {
                self.binary_cpu(op, l, r, site, token, extent)
            } else {
                self.operate(op, l, r, site, token, extent)
            };
            (slot, quote_spanned!(extent.first=> ({ #question #asked_left #token #asked_right })), cpu)
        };
        let (left, right) = (Box::new(left.ir), Box::new(right.ir));
        Lowered { probe, cpu, ir: ir::Expr::Binary { op, operator, left, right, site }, facts, memory: false }
    }

    /// The CPU form of an operator that may be a struct's.
    fn operate(
        &self,
        op: ir::BinaryOp,
        left: &TokenStream,
        right: &TokenStream,
        site: ir::SiteId,
        token: &dyn ToTokens,
        extent: Extent,
    ) -> TokenStream {
        let (thread, at, private) = (context(), self.site_tokens(site), private());
        let (l, r) = (hidden_at("__wc_left", extent.first), hidden_at("__wc_right", extent.last));
        let operator = operator_name(name_of(op));
        // In parentheses: a block can't stand in the header of a `for`.
        quote!(({
            let #l = #left;
            let #r = #right;
            if false { #l #token #r } else { #private::operate::<#operator, _, _>(#l, #r, #thread, #at) }
        }))
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

    /// The CPU form of a primitive's operator: wrapping whatever the build's overflow checks, faults reported by site.
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

    /// `place op= right` in its forms: the probe's questions, the CPU form, and the slot that answers the operator.
    pub(super) fn compound_assignment(
        &mut self,
        place: &Place,
        token: &BinOp,
        value: &Lowered,
        site: ir::SiteId,
        extent: Extent,
    ) -> (TokenStream, TokenStream, ir::Slot) {
        let op = compound(token);
        let (probe_left, probe_right) = (&place.probe, &value.probe);
        let shift = matches!(op, ir::BinaryOp::Shl | ir::BinaryOp::Shr);
        if shift || place.depth == Some(0) && value.facts.primitive {
            let cpu = self.assign_op_cpu(place, op, &value.cpu, site, token, extent);
            return (quote!(#probe_left #token #probe_right), cpu, ir::Slot::MAX);
        }
        let slot = self.slot();
        let question = which("which_assign", slot, &format!("{}Assign", name_of(op)), extent);
        let asked = operand_of(probe_right, "assigned_value", slot);
        let (private, name) = (private_at(extent.first), slot_ident(slot));
        let probe = quote!({ #question #private::assigned(&#probe_left, &#name); #probe_left #token #asked; });
        (probe, self.operate_assign(place, op, &value.cpu, site, token, extent), slot)
    }

    /// The CPU form of a compound assignment that may be a struct's.
    fn operate_assign(
        &self,
        place: &Place,
        op: ir::BinaryOp,
        right: &TokenStream,
        site: ir::SiteId,
        token: &BinOp,
        extent: Extent,
    ) -> TokenStream {
        let (value, target, old) = (
            hidden_at("__wc_value", extent.last),
            hidden_at("__wc_target", extent.first),
            hidden_at("__wc_old", extent.first),
        );
        let (thread, at, private) = (context(), self.site_tokens(site), private());
        let operator = operator_name(&format!("{}Assign", name_of(op)));
        let apply = |place: TokenStream, reference: TokenStream| {
            quote! {
                if false { #place #token #value } else {
                    #private::operate_assign::<#operator, _, _>(#reference, #value, #thread, #at)
                }
            }
        };
        if place.whole {
            let ident = self.whole(place).to_token_stream();
            let apply = apply(ident.clone(), quote!(&mut #ident));
            quote!({ let #value = #right; #apply })
        } else if place.memory {
            let (shared, where_) = (&place.shared, self.site_tokens(place.site));
            let apply = apply(quote!(#old), quote!(&mut #old));
            quote!({
                let #value = #right;
                let #target = #shared;
                let mut #old = #private::load(#target, #thread, #where_);
                #apply
                #private::store(#target, #old, #thread, #where_);
            })
        } else {
            let exclusive = &place.exclusive;
            let apply = apply(quote!(*#target), quote!(#target));
            quote!({ let #value = #right; let #target = #exclusive; #apply })
        }
    }

    fn assign_op_cpu(
        &self,
        place: &Place,
        op: ir::BinaryOp,
        right: &TokenStream,
        site: ir::SiteId,
        token: &BinOp,
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
}

/// `&&` and `||`
fn logic(expr: &ExprBinary, left: Lowered, right: Lowered) -> Lowered {
    let mut facts: Facts = left.facts;
    facts.add(&right.facts);
    facts.sized = false;
    facts.primitive = true;
    let (op, probe_left, probe_right, l, r) = (&expr.op, &left.probe, &right.probe, &left.cpu, &right.cpu);
    let (boxed_left, boxed_right) = (Box::new(left.ir), Box::new(right.ir));
    Lowered {
        probe: quote!(#probe_left #op #probe_right),
        cpu: quote!((#l #op #r)),
        ir: match op {
            BinOp::And(_) => ir::Expr::And(boxed_left, boxed_right),
            _ => ir::Expr::Or(boxed_left, boxed_right),
        },
        facts,
        memory: false,
    }
}

/// `which(&slot, |_: operators::Add| {});`
fn which(function: &str, slot: ir::Slot, operator: &str, extent: Extent) -> TokenStream {
    let (private, slot, operator) = (private_at(extent.first), slot_ident(slot), operator_name(operator));
    let function = Ident::new(function, Span::mixed_site());
    quote!(#private::#function(&#slot, |_: #operator| {});)
}

/// An operand in the probe, with its type as a part of what `slot` asks.
fn operand_of(probe: &TokenStream, function: &str, slot: ir::Slot) -> TokenStream {
    let (extent, slot) = (Extent::of(probe), slot_ident(slot));
    extent.private_call(function, quote!(#probe, &#slot))
}

fn operator_name(name: &str) -> TokenStream {
    let (private, name) = (private(), Ident::new(name, Span::mixed_site()));
    quote!(#private::operators::#name)
}

/// The name of an operator's trait. All orders are one.
fn name_of(op: ir::BinaryOp) -> &'static str {
    use ir::BinaryOp::*;
    match op {
        Add => "Add",
        Sub => "Sub",
        Mul => "Mul",
        Div => "Div",
        Rem => "Rem",
        BitAnd => "BitAnd",
        BitOr => "BitOr",
        BitXor => "BitXor",
        Lt | Le | Gt | Ge | Eq | Ne | Shl | Shr => "Order",
    }
}

/// The operator of a compound assignment.
pub(super) fn compound(token: &BinOp) -> ir::BinaryOp {
    assign_op(token).expect("the caller checked that it assigns")
}

/// `+` for `+=`.
fn plain_operator(op: &BinOp) -> TokenStream {
    use BinOp::*;
    match op {
        BitAndAssign(_) => quote!(&),
        BitOrAssign(_) => quote!(|),
        BitXorAssign(_) => quote!(^),
        // The others have functions of their own; see `binary_cpu`.
        _ => TokenStream::new(),
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

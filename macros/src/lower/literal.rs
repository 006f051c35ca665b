//! Literals: typed by rustc, printed from their bits.

use super::{Lowered, Lowerer, see};
use crate::facts::Facts;
use proc_macro2::Span;
use quote::quote_spanned;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lit, LitFloat, LitInt, Type, UnOp};
use warpcell_ir as ir;

impl Lowerer<'_> {
    /// A literal, `negated` if a minus stands before it (`-128` can't be wrapped as the negation of 128).
    pub(super) fn literal(&mut self, literal: &ExprLit, negated: Option<Span>) -> Lowered {
        let Some(value) = value(&literal.lit, negated.is_some()) else {
            self.diagnostics.error(
                literal,
                "this literal is not supported in kernels",
                "use a number of at most 64 bits or a bool; text can't be used on a GPU",
            );
            return self.refused();
        };
        let slot = self.slot();
        let span = literal.span();
        let tokens = match negated {
            Some(minus) => {
                let minus = syn::token::Minus(minus);
                quote_spanned!(span=> #minus #literal)
            }
            None => quote_spanned!(span=> #literal),
        };
        Lowered {
            probe: see(&tokens, slot),
            cpu: tokens,
            ir: ir::Expr::Literal { slot, value },
            facts: Facts { primitive: true, ..Facts::default() },
            memory: false,
        }
    }
}

/// What a literal says.
pub(super) fn value(literal: &Lit, negated: bool) -> Option<ir::Literal> {
    match literal {
        Lit::Bool(value) => Some(ir::Literal::Bool(value.value)),
        Lit::Byte(value) => Some(ir::Literal::Int(i128::from(value.value()))),
        Lit::Int(int) if matches!(int.suffix(), "f32" | "f64") => float(int.base10_digits(), negated),
        Lit::Int(int) => {
            let value = int.base10_parse::<i128>().ok()?;
            Some(ir::Literal::Int(if negated { -value } else { value }))
        }
        Lit::Float(value) => float(value.base10_digits(), negated),
        _ => None,
    }
}

fn float(digits: &str, negated: bool) -> Option<ir::Literal> {
    let sign = if negated { -1.0 } else { 1.0 };
    // Each is rounded from the text once; negation is exact.
    let (f32_value, f64_value) = (digits.parse::<f32>().ok()?, digits.parse::<f64>().ok()?);
    Some(ir::Literal::Float { f32_bits: (f32_value * sign as f32).to_bits(), f64_bits: (f64_value * sign).to_bits() })
}

/// `operand` as rustc types it directly under a cast to `target`: a literal takes its type from the cast, which the
/// slot would hide, so the suffix is written out.
pub(super) fn with_cast_suffix(operand: &Expr, target: &Type) -> Option<Expr> {
    let Type::Path(path) = target else { return None };
    let name = path.path.get_ident()?.to_string();
    match operand {
        Expr::Paren(paren) => with_cast_suffix(&paren.expr, target),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_) | UnOp::Not(_)) => {
            let mut unary = unary.clone();
            *unary.expr = with_cast_suffix(&unary.expr, target)?;
            Some(Expr::Unary(unary))
        }
        Expr::Lit(literal) => {
            let lit = match &literal.lit {
                Lit::Int(int) if int.suffix().is_empty() && is_integer(&name) => Lit::Int(LitInt::new(
                    &format!("{}{name}", int.token().to_string().trim_end_matches('_')),
                    int.span(),
                )),
                Lit::Float(value) if value.suffix().is_empty() && matches!(&*name, "f32" | "f64") => {
                    // `1.` takes no suffix.
                    let digits = value.base10_digits();
                    let zero = if digits.ends_with('.') { "0" } else { "" };
                    Lit::Float(LitFloat::new(&format!("{digits}{zero}{name}"), value.span()))
                }
                _ => return None,
            };
            Some(Expr::Lit(ExprLit { attrs: Vec::new(), lit }))
        }
        _ => None,
    }
}

fn is_integer(name: &str) -> bool {
    const INTEGERS: [&str; 10] = ["i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize"];
    INTEGERS.contains(&name)
}

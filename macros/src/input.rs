//! What is done to a function before it is read.

use crate::diagnostics::Diagnostics;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Expr, ItemFn, Stmt, Type};

/// Takes off the invisible groups around what a `macro_rules!` macro has inserted.
pub(crate) fn ungroup(item: &mut ItemFn) {
    Ungroup.visit_item_fn_mut(item);
}

/// The same for an expression.
pub(crate) fn ungroup_expr(expr: &mut Expr) {
    Ungroup.visit_expr_mut(expr);
}

struct Ungroup;

impl VisitMut for Ungroup {
    fn visit_stmt_mut(&mut self, stmt: &mut Stmt) {
        // A statement needs no parentheses, and an assignment can't have them.
        while let Stmt::Expr(expr, _) = stmt
            && let Expr::Group(group) = expr
        {
            *expr = (*group.expr).clone();
        }
        visit_mut::visit_stmt_mut(self, stmt);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        while let Expr::Group(group) = expr {
            *expr = parenthesized((*group.expr).clone());
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        while let Type::Group(group) = ty {
            *ty = (*group.elem).clone();
        }
        visit_mut::visit_type_mut(self, ty);
    }
}

/// `expr` as one operand, whatever stands around it.
fn parenthesized(expr: Expr) -> Expr {
    match expr {
        Expr::Binary(_) | Expr::Unary(_) | Expr::Cast(_) | Expr::Range(_) | Expr::Assign(_) | Expr::Reference(_) => {
            Expr::Paren(syn::ExprParen {
                attrs: Vec::new(),
                paren_token: syn::token::Paren::default(),
                expr: Box::new(expr),
            })
        }
        _ => expr,
    }
}

/// Refuses attributes on parameters, statements and expressions. Those for lints say nothing about what a kernel means;
/// any other would be lost.
pub(crate) fn check_attributes(item: &ItemFn, diagnostics: &mut Diagnostics) {
    struct Check<'d>(&'d mut Diagnostics);
    impl<'a> Visit<'a> for Check<'_> {
        fn visit_attribute(&mut self, attribute: &'a Attribute) {
            const HARMLESS: [&str; 6] = ["allow", "expect", "warn", "deny", "forbid", "doc"];
            if !HARMLESS.iter().any(|name| attribute.path().is_ident(name)) {
                self.0.error(
                    attribute,
                    "this attribute is not supported inside a kernel",
                    "put it on the whole function, or write an `if` on a constant",
                );
            }
        }

        fn visit_expr_for_loop(&mut self, repeat: &'a syn::ExprForLoop) {
            let others = repeat.attrs.iter().filter(|attribute| !attribute.path().is_ident("unroll"));
            others.for_each(|attribute| self.visit_attribute(attribute));
            self.visit_pat(&repeat.pat);
            self.visit_expr(&repeat.expr);
            self.visit_block(&repeat.body);
        }

        // The items of a body are rustc's, with their attributes.
        fn visit_item(&mut self, _: &'a syn::Item) {}
    }
    let mut check = Check(diagnostics);
    for input in &item.sig.inputs {
        visit::visit_fn_arg(&mut check, input);
    }
    check.visit_block(&item.block);
}

//! What the language has not, each by name, with what to write instead.

use super::{Lowered, Lowerer};
use syn::spanned::Spanned;
use syn::{Expr, Pat};

impl Lowerer<'_> {
    pub(super) fn refuse_expr(&mut self, expr: &Expr) -> Lowered {
        let (what, help) = refusal(expr);
        self.diagnostics.error(expr.span(), what, help);
        self.refused()
    }

    pub(super) fn refuse_pattern(&mut self, pattern: &Pat) {
        let (what, help) = match pattern {
            Pat::Tuple(_) => ("tuple patterns are not supported in kernels yet", "bind the parts one by one"),
            Pat::Ident(ident) if ident.by_ref.is_some() => {
                ("`ref` bindings are not supported in kernels", "bind the value itself")
            }
            _ => ("this pattern is not supported in kernels", "bind a name: `let x = …;`"),
        };
        self.diagnostics.error(pattern.span(), what, help);
    }
}

fn refusal(expr: &Expr) -> (&'static str, &'static str) {
    match expr {
        Expr::Match(_) => ("`match` is not supported in kernels yet", "write it as `if … else if … else …`"),
        Expr::Tuple(_) => ("tuples are not supported in kernels yet", "use one variable for each part"),
        Expr::Struct(_) => ("structs are not supported in kernels yet", "use one variable for each field"),
        Expr::Field(_) => ("fields are not supported in kernels yet", "use one variable for each field"),
        Expr::Closure(_) => ("closures are not supported in kernels", "write a function marked `#[gpu_fn]`"),
        Expr::Async(_) | Expr::Await(_) => {
            ("`async` is not supported in kernels", "threads wait for each other at `sync_threads()`")
        }
        Expr::Unsafe(_) => ("`unsafe` is not supported in kernels", "remove it; every access is checked"),
        Expr::Try(_) => {
            ("`?` is not supported in kernels", "a kernel has no errors to return; write a flag into an output slice")
        }
        Expr::Macro(_) => ("macros are not supported in kernels yet", "write the code out"),
        Expr::Range(_) => {
            ("a range is only supported in `for` and in `&x[start..end]`", "keep start and end in two variables")
        }
        Expr::Let(_) => ("`if let` and `while let` are not supported in kernels", "compare with `==`"),
        Expr::Block(_) => ("labelled blocks are not supported in kernels yet", "use a flag, or `return`"),
        Expr::Unary(_) => ("`*` is not supported in kernels", "index the slice: `x[i]`"),
        Expr::Assign(_) | Expr::Binary(_) => {
            ("an assignment is no value in kernels", "write it as a statement of its own")
        }
        Expr::While(_) | Expr::ForLoop(_) => {
            ("a `for` or `while` loop has no value", "write it as a statement of its own")
        }
        Expr::Break(_) | Expr::Continue(_) | Expr::Return(_) => {
            ("a jump can't stand inside an expression in kernels", "write it as a statement of its own, under an `if`")
        }
        _ => ("this expression is not supported in kernels", "see `warpcell_runtime::lang` for what is"),
    }
}

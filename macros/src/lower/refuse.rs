//! What the language has not, each by name, with what to write instead.

use super::{LocalKind, Lowered, Lowerer};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::visit::Visit;
use syn::{Expr, Pat};

impl Lowerer<'_> {
    pub(super) fn refuse_expr(&mut self, expr: &Expr) -> Lowered {
        let (what, help) = refusal(expr);
        self.diagnostics.error(emphasis(expr), what, help);
        self.look_inside(expr);
        self.refused()
    }

    /// Refuses a pattern; its names are known from here on, so that their uses don't add errors.
    pub(super) fn refuse_pattern(&mut self, pattern: &Pat) {
        self.report_pattern(pattern);
        self.declare_names(pattern);
    }

    /// Says what is wrong with a pattern.
    pub(super) fn report_pattern(&mut self, pattern: &Pat) {
        let (what, help) = match pattern {
            Pat::Ident(ident) if ident.by_ref.is_some() => {
                ("`ref` bindings are not supported in kernels", "bind the value itself")
            }
            Pat::Wild(_) => ("`_` is not supported here", "give it a name: `let _unused: T = …;`"),
            _ => ("this pattern is not supported in kernels", "bind a name: `let x = …;`"),
        };
        self.diagnostics.error(pattern, what, help);
    }

    pub(super) fn declare_names(&mut self, pattern: &Pat) {
        struct Names(Vec<Ident>);
        impl<'a> Visit<'a> for Names {
            fn visit_pat_ident(&mut self, pattern: &'a syn::PatIdent) {
                self.0.push(pattern.ident.clone());
                syn::visit::visit_pat_ident(self, pattern);
            }
        }
        let mut names = Names(Vec::new());
        names.visit_pat(pattern);
        for name in names.0 {
            self.declare(&name, LocalKind::Value, true);
        }
    }

    /// Finds the mistakes inside of what was refused.
    fn look_inside(&mut self, expr: &Expr) {
        match expr {
            Expr::Let(condition) => {
                self.expr(&condition.expr);
                self.declare_names(&condition.pat);
            }
            Expr::Unsafe(block) => self.look_inside_block(&block.block),
            _ => {}
        }
    }

    pub(super) fn look_inside_block(&mut self, block: &syn::Block) {
        self.scoped(|lowerer| lowerer.block(block));
    }

    /// Refuses what stands where only a variable or an element can.
    pub(super) fn refuse_place(&mut self, expr: &Expr) {
        match expr {
            Expr::Path(path) => match path.path.get_ident() {
                Some(name) if !is_constant_name(name) => self.diagnostics.error(
                    path,
                    format!("cannot find variable `{name}` in this kernel"),
                    "a kernel sees its parameters, the variables of its body, and constants",
                ),
                _ => self.diagnostics.error(
                    path,
                    "only a variable can be used here",
                    "give the value a name with `let` first",
                ),
            },
            Expr::Macro(_) | Expr::Unary(_) | Expr::Unsafe(_) => {
                self.refuse_expr(expr);
            }
            Expr::Call(call) if super::let_stmt::is_shared(expr) => self.refuse_shared(&call.func),
            _ => self.diagnostics.error(
                expr,
                "only a variable or an element of a slice or array can be indexed or assigned",
                "give the value a name with `let` first",
            ),
        }
    }

    pub(super) fn refuse_shared(&mut self, function: &dyn ToTokens) {
        self.diagnostics.error(
            function,
            "shared memory must be declared by a `let` of its own",
            "write `let mut tile = shared::<[f32; 256]>();` or `let tile = shared_slice::<f32>(n);` at the top of the kernel",
        );
    }
}

/// `LIMIT`, by the naming convention.
fn is_constant_name(name: &Ident) -> bool {
    !name.to_string().contains(char::is_lowercase)
}

/// The tokens that name what is refused; all of an expression that is short by nature.
fn emphasis(expr: &Expr) -> TokenStream {
    match expr {
        Expr::Async(block) => block.async_token.to_token_stream(),
        Expr::Unsafe(block) => block.unsafe_token.to_token_stream(),
        Expr::Const(block) => block.const_token.to_token_stream(),
        Expr::While(repeat) => repeat.while_token.to_token_stream(),
        Expr::ForLoop(repeat) => repeat.for_token.to_token_stream(),
        Expr::Try(question) => question.question_token.to_token_stream(),
        Expr::Macro(call) => {
            let (path, bang) = (&call.mac.path, &call.mac.bang_token);
            quote!(#path #bang)
        }
        _ => expr.to_token_stream(),
    }
}

fn refusal(expr: &Expr) -> (&'static str, &'static str) {
    match expr {
        Expr::Closure(_) => ("closures are not supported in kernels", "write a function marked `#[gpu_fn]`"),
        Expr::Async(_) | Expr::Await(_) => {
            ("`async` is not supported in kernels", "threads wait for each other at `sync_threads()`")
        }
        Expr::Unsafe(_) => ("`unsafe` is not supported in kernels", "remove it; every access is checked"),
        Expr::Try(_) => {
            ("`?` is not supported in kernels", "a kernel has no errors to return; write a flag into an output slice")
        }
        Expr::Macro(call) => macro_refusal(&call.mac),
        Expr::Range(_) => {
            ("a range is only supported in `for` and in `&x[start..end]`", "keep start and end in two variables")
        }
        Expr::Let(_) => {
            ("`let` can only stand in a condition joined by `&&`", "nest a second `if let`, or use `match`")
        }
        Expr::Const(_) => ("`const` blocks are not supported in kernels", "write a `const` item: `const X: f32 = …;`"),
        Expr::Unary(_) => ("only a parameter `&T` or `&mut T` can be followed by `*`", "use the value itself"),
        Expr::RawAddr(_) => ("raw pointers are not supported in kernels", "index the slice: `x[i]`"),
        Expr::Infer(_) => ("`_` has no value", "write the value"),
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

fn macro_refusal(call: &syn::Macro) -> (&'static str, &'static str) {
    let name = call.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
    match &*name {
        "dbg" => ("`dbg!` is not supported in kernels", "write `println!(\"x = {x:?}\")`"),
        "panic" | "todo" | "unimplemented" | "unreachable" => {
            ("a panic can't stand inside an expression in kernels", "write it as a statement of its own, under an `if`")
        }
        _ if super::output::is_statement(call) => ("this macro has no value", "write it as a statement of its own"),
        "vec" | "format" => ("a kernel has no heap", "use a local array, `[0.0; 4]`, or a slice parameter"),
        _ => ("macros are not supported in kernels yet", "write the code out, or make the whole kernel by a macro"),
    }
}

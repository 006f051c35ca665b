//! Expressions over a launch's arguments, evaluated on the host before it: requirements, and lengths of shared slices.
//!
//! They may use scalar parameters, lengths of slice parameters, block and grid sizes, and constants. Their arithmetic is
//! checked: one that overflows has no value.

use crate::diagnostics::Diagnostics;
use crate::intrinsics::{self, Intrinsic};
use crate::paths::hidden_at;
use crate::signature::{ParamKind, Signature};
use crate::spans::{Extent, source_text};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use std::collections::{BTreeMap, BTreeSet};
use syn::ext::IdentExt;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, ExprCall, ExprMethodCall};

/// What a name may mean.
#[derive(Clone, Copy)]
pub(crate) enum Names<'a> {
    /// A parameter, or something outside of the kernel.
    Params(&'a Signature),
    /// The same, but for these, which are variables of the body.
    Inside(&'a Signature, &'a BTreeSet<String>),
}

/// A lowered expression.
#[derive(Default)]
pub(crate) struct HostExpr {
    /// The value, in a function that returns an `Option`.
    pub tokens: TokenStream,
    /// What it depends on, as the user wrote it, and how it is read.
    pub values: BTreeMap<String, TokenStream>,
    /// The slice parameters whose lengths are read from `__wc_len_…`.
    pub lengths: BTreeSet<Ident>,
    /// What only compiles if the built-ins used are those of the language.
    pub proofs: Vec<TokenStream>,
}

impl HostExpr {
    /// Lowers `expr`; what is wrong goes to `diagnostics`.
    pub(crate) fn lower(expr: &Expr, names: Names<'_>, diagnostics: &mut Diagnostics) -> HostExpr {
        let mut walk = Walk { names, diagnostics, out: HostExpr::default() };
        let mut expr = expr.clone();
        walk.visit_expr_mut(&mut expr);
        walk.out.tokens = expr.into_token_stream();
        walk.out
    }
}

/// The length of the slice parameter `name`, read before the buffers are borrowed.
pub(crate) fn length(name: &Ident) -> Ident {
    let text = format!("__wc_len_{}", name.unraw());
    hidden_at(&text, name.span())
}

/// The launch, as the host's expressions see it.
pub(crate) fn plan() -> Ident {
    crate::paths::hidden("__wc_plan")
}

struct Walk<'a> {
    names: Names<'a>,
    diagnostics: &'a mut Diagnostics,
    out: HostExpr,
}

impl Walk<'_> {
    fn signature(&self) -> &Signature {
        match self.names {
            Names::Params(signature) | Names::Inside(signature, _) => signature,
        }
    }

    fn param(&self, expr: &Expr) -> Option<(Ident, bool)> {
        let Expr::Path(path) = expr else { return None };
        let name = path.path.get_ident()?;
        let param = self.signature().params.iter().find(|param| param.name == *name)?;
        Some((name.clone(), matches!(param.kind, ParamKind::Slice { .. })))
    }

    /// `x.len()` and `x.is_empty()` of a slice parameter.
    fn length_of(&mut self, call: &ExprMethodCall) -> Option<TokenStream> {
        let (name, true) = self.param(&call.receiver)? else { return None };
        let length = length(&name);
        let text = format!("{name}.len()");
        match &*call.method.to_string() {
            "len" if call.args.is_empty() => self.note(text, name, &length, quote!(#length)),
            "is_empty" if call.args.is_empty() => self.note(text, name, &length, quote!((#length == 0))),
            _ => None,
        }
    }

    fn note(&mut self, text: String, name: Ident, length: &Ident, value: TokenStream) -> Option<TokenStream> {
        self.out.values.insert(text, length.to_token_stream());
        self.out.lengths.insert(name);
        Some(value)
    }

    /// `block_size()` and its like.
    fn built_in(&mut self, call: &ExprCall) -> Option<TokenStream> {
        let Expr::Path(path) = &*call.func else { return None };
        let name = &path.path.segments.last()?.ident;
        match intrinsics::find(&name.to_string())? {
            Intrinsic::BlockUniform if !is_position(name) => {
                self.out.proofs.push(intrinsics::proof(path));
                let plan = plan();
                let method = format_ident!("{name}", span = name.span());
                let value = quote!(#plan.#method());
                self.out.values.insert(source_text(call), value.clone());
                Some(value)
            }
            _ => {
                self.diagnostics.error(
                    call,
                    format!("`{name}` has no value before the launch"),
                    "use parameters, lengths of slices, sizes of block and grid, and constants",
                );
                Some(TokenStream::new())
            }
        }
    }

    fn name(&mut self, expr: &Expr) {
        match self.param(expr) {
            Some((name, true)) => self.diagnostics.error(
                expr,
                format!("the elements of `{name}` are not read before the launch"),
                format!("use its length, `{name}.len()`, or pass the value as a parameter of its own"),
            ),
            Some((name, false)) => {
                self.out.values.insert(name.to_string(), name.to_token_stream());
            }
            None => {
                let Names::Inside(_, locals) = self.names else { return };
                let Expr::Path(path) = expr else { return };
                let Some(name) = path.path.get_ident().filter(|name| locals.contains(&name.to_string())) else {
                    return;
                };
                self.diagnostics.error(
                    expr,
                    format!("`{name}` is a variable of the kernel, and a length must be known before the launch"),
                    "use parameters, lengths of slices, sizes of block and grid, and constants",
                );
            }
        }
    }
}

impl VisitMut for Walk<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let replaced = match expr {
            Expr::Group(group) => {
                let mut inner = (*group.expr).clone();
                self.visit_expr_mut(&mut inner);
                Some(quote!((#inner)))
            }
            Expr::MethodCall(call) if let Some(length) = self.length_of(call) => Some(length),
            Expr::Call(call) if let Some(value) = self.built_in(call) => Some(value),
            // The function of a call is no value.
            Expr::Call(call) => {
                call.args.iter_mut().for_each(|argument| self.visit_expr_mut(argument));
                None
            }
            Expr::Path(_) => {
                self.name(expr);
                None
            }
            // Of a struct, the fields that are used are shown.
            Expr::Field(field) if let Some((_, false)) = self.param(&field.base) => {
                self.out.values.insert(source_text(&*field), field.to_token_stream());
                None
            }
            Expr::Binary(binary) if let Some(function) = checked(&binary.op) => {
                let extent = Extent::of(&*binary);
                self.visit_expr_mut(&mut binary.left);
                self.visit_expr_mut(&mut binary.right);
                let (left, right) = (&binary.left, &binary.right);
                let call = extent.private_call(function, quote!(#left, #right));
                Some(quote!(#call?))
            }
            _ => {
                visit_mut::visit_expr_mut(self, expr);
                None
            }
        };
        if let Some(tokens) = replaced {
            *expr = Expr::Verbatim(tokens);
        }
    }
}

/// Where a block stands, which differs between the blocks of a launch.
fn is_position(name: &Ident) -> bool {
    let name = name.to_string();
    name.starts_with("block_idx") || name == "block_rank"
}

/// The function of checked arithmetic.
fn checked(op: &BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::Add(_) => "checked_add",
        BinOp::Sub(_) => "checked_sub",
        BinOp::Mul(_) => "checked_mul",
        BinOp::Div(_) => "checked_div",
        BinOp::Rem(_) => "checked_rem",
        _ => return None,
    })
}

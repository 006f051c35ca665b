//! What stands in `#[gpu_kernel(…)]`.

use crate::diagnostics::Diagnostics;
use crate::host::{HostExpr, Names};
use crate::signature::Signature;
use crate::spans::{Extent, source_text};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, Meta, Token};

/// Every argument, as it is written.
const KNOWN: [(&str, &str); 5] = [
    ("block", "block = 256"),
    ("min_blocks", "min_blocks = 2"),
    ("max_registers", "max_registers = 64"),
    ("fast_math", "fast_math"),
    ("requires", "requires(a.len() == b.len())"),
];

/// The most threads a block can have.
const MAX_BLOCK: u64 = 1024;

/// The arguments of one kernel's attribute.
#[derive(Default)]
pub(crate) struct Attributes {
    block: Option<Vec<Expr>>,
    min_blocks: Option<Expr>,
    max_registers: Option<Expr>,
    fast_math: bool,
    pub requires: Vec<Requirement>,
}

/// A condition on the arguments, checked before each launch.
pub(crate) struct Requirement {
    /// As the user wrote it.
    pub text: String,
    pub condition: HostExpr,
}

impl Attributes {
    /// Reads `tokens`; what is wrong goes to `diagnostics`.
    pub(crate) fn read(tokens: TokenStream, signature: &Signature, diagnostics: &mut Diagnostics) -> Attributes {
        let mut attributes = Attributes::default();
        let metas = match Punctuated::<Meta, Token![,]>::parse_terminated.parse2(tokens) {
            Ok(metas) => metas,
            Err(error) => {
                let at = quote_spanned!(error.span()=> _);
                diagnostics.error(at, error.to_string(), format!("write `{}`, with commas between", list(", ")));
                return attributes;
            }
        };
        let mut seen: Vec<String> = Vec::new();
        for meta in &metas {
            let name = meta.path().get_ident().map(Ident::to_string).unwrap_or_default();
            if seen.contains(&name) && name != "requires" {
                diagnostics.error(meta, format!("`{name}` is given twice"), "keep one of them");
            }
            attributes.argument(meta, &name, signature, diagnostics);
            seen.push(name);
        }
        attributes.check_bounds(&metas, diagnostics);
        attributes
    }

    fn argument(&mut self, meta: &Meta, name: &str, signature: &Signature, diagnostics: &mut Diagnostics) {
        match (name, meta) {
            ("block", Meta::NameValue(value)) => self.block = block(&value.value, diagnostics),
            ("min_blocks", Meta::NameValue(value)) => {
                self.min_blocks = in_range(&value.value, "the number of blocks", 32, diagnostics)
            }
            ("max_registers", Meta::NameValue(value)) => {
                self.max_registers = in_range(&value.value, "the number of registers", 255, diagnostics)
            }
            ("fast_math", Meta::Path(_)) => self.fast_math = true,
            ("requires", Meta::List(list)) => {
                match Punctuated::<Expr, Token![,]>::parse_terminated.parse2(list.tokens.clone()) {
                    Ok(conditions) if !conditions.is_empty() => {
                        self.requires.extend(conditions.iter().map(|condition| Requirement {
                            text: source_text(condition),
                            condition: HostExpr::lower(condition, Names::Params(signature), diagnostics),
                        }))
                    }
                    Ok(_) => diagnostics.error(meta, "`requires` has no condition", format!("write `{}`", KNOWN[4].1)),
                    Err(error) => diagnostics.error(
                        quote_spanned!(error.span()=> _),
                        error.to_string(),
                        "a requirement is a condition on the parameters, such as `n > 0`",
                    ),
                }
            }
            _ => unknown(meta, name, diagnostics),
        }
    }

    /// CUDA C++ Programming Guide, "Launch Bounds": the minimum of blocks needs the block size; both set the number of
    /// registers.
    fn check_bounds(&self, metas: &Punctuated<Meta, Token![,]>, diagnostics: &mut Diagnostics) {
        let Some(meta) = metas.iter().find(|meta| meta.path().is_ident("min_blocks")) else { return };
        if self.max_registers.is_some() {
            let what = "`min_blocks` and `max_registers` both say how many registers a thread may have";
            diagnostics.error(meta, what, "keep one of them");
        }
        if !metas.iter().any(|meta| meta.path().is_ident("block")) {
            diagnostics.error(meta, "`min_blocks` needs the block size", "add it: `block = 256, min_blocks = 2`");
        }
    }

    /// The runtime's `KernelAttributes`, a constant expression.
    pub(crate) fn tokens(&self, private: &TokenStream) -> TokenStream {
        let some = |value: &Option<Expr>| match value {
            Some(value) => quote!(::core::option::Option::Some(#value)),
            None => quote!(::core::option::Option::None),
        };
        let (min_blocks, max_registers, fast_math) =
            (some(&self.min_blocks), some(&self.max_registers), self.fast_math);
        let block = match &self.block {
            Some(dims) => {
                let extent = Extent::of(quote!(#(#dims)*));
                let dims = dims.iter().map(Expr::to_token_stream).chain(std::iter::repeat(quote!(1))).take(3);
                let checked = extent.private_call("checked_block", quote!([#(#dims),*]));
                quote!(::core::option::Option::Some(#checked))
            }
            None => quote!(::core::option::Option::None),
        };
        quote! {
            #private::KernelAttributes {
                block: #block,
                min_blocks: #min_blocks,
                max_registers: #max_registers,
                fast_math: #fast_math,
            }
        }
    }
}

/// `256`, `(32, 8)` or `(8, 8, 4)`. Literals are checked here, constants by rustc.
fn block(value: &Expr, diagnostics: &mut Diagnostics) -> Option<Vec<Expr>> {
    let dims: Vec<Expr> = match value {
        Expr::Tuple(tuple) => tuple.elems.iter().cloned().collect(),
        Expr::Paren(paren) => vec![(*paren.expr).clone()],
        other => vec![other.clone()],
    };
    if dims.is_empty() || dims.len() > 3 {
        diagnostics.error(value, "a block has one to three dimensions", "write `block = 256` or `block = (32, 8)`");
        return None;
    }
    let size = dims.iter().try_fold(1u64, |size, dim| size.checked_mul(literal(dim)?));
    if let Some(size) = size
        && !(1..=MAX_BLOCK).contains(&size)
    {
        let what = format!("a block of {size} threads is not possible");
        diagnostics.error(value, what, format!("a block has 1 to {MAX_BLOCK} threads; write `block = 256`"));
        return None;
    }
    Some(dims)
}

/// A number from 1 to `most`.
fn in_range(value: &Expr, what: &str, most: u64, diagnostics: &mut Diagnostics) -> Option<Expr> {
    if let Some(number) = literal(value)
        && !(1..=most).contains(&number)
    {
        diagnostics.error(value, format!("{what} can't be {number}"), format!("it is 1 to {most}"));
        return None;
    }
    Some(value.clone())
}

fn literal(expr: &Expr) -> Option<u64> {
    match expr {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) => number.base10_parse().ok(),
        _ => None,
    }
}

/// Refuses an argument that there is not, or one that is written in another way.
fn unknown(meta: &Meta, name: &str, diagnostics: &mut Diagnostics) {
    let path = meta.path();
    if let Some((_, form)) = KNOWN.iter().find(|(known, _)| *known == name) {
        diagnostics.error(meta, format!("`{name}` is written in another way"), format!("write `{form}`"));
        return;
    }
    let near: Vec<&str> = KNOWN.iter().filter(|(known, _)| is_near(name, known)).map(|(_, form)| *form).collect();
    let forms = if near.is_empty() { list("`, `") } else { near.join("`, `") };
    let what = format!("`#[gpu_kernel]` has no argument `{}`", source_text(path));
    diagnostics.error(path, what, format!("there is `{forms}`"));
}

fn list(between: &str) -> String {
    KNOWN.map(|(_, form)| form).join(between)
}

/// Whether one is a part of the other, or two letters or fewer apart.
fn is_near(name: &str, known: &str) -> bool {
    let stem = |name: &str| name.replace('_', "").to_lowercase();
    let (name, known) = (stem(name), stem(known));
    name.len() > 2 && (known.contains(&name) || name.contains(&known) || distance(&name, &known) <= 2)
}

/// The fewest letters to insert, remove or replace (Levenshtein 1966).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

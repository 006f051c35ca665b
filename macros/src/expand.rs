//! From an annotated function to generated code.

use crate::diagnostics::Diagnostics;
use crate::lower::Lowerer;
use crate::signature::Signature;
use crate::{generate, input};
use proc_macro2::TokenStream;
use syn::{Item, ItemFn};

/// `#[gpu_kernel]`
pub(crate) fn kernel(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand(arguments, item, true)
}

/// `#[gpu_fn]`
pub(crate) fn device_fn(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand(arguments, item, false)
}

fn expand(arguments: TokenStream, tokens: TokenStream, kernel: bool) -> TokenStream {
    let attribute = if kernel { "gpu_kernel" } else { "gpu_fn" };
    let mut item: ItemFn = match syn::parse2(tokens.clone()) {
        Ok(item) => item,
        Err(error) => return unread(tokens, error, attribute),
    };
    let mut diagnostics = Diagnostics::default();
    if !arguments.is_empty() {
        let (what, help) = (format!("`#[{attribute}]` takes no arguments yet"), format!("write `#[{attribute}]`"));
        diagnostics.error(arguments, what, help);
    }
    input::ungroup(&mut item);
    input::check_attributes(&item, &mut diagnostics);
    let signature = Signature::check(&item, kernel, &mut diagnostics);
    let body = Lowerer::lower(&signature, &item.block, kernel, &mut diagnostics);
    if diagnostics.any() {
        let mut tokens = diagnostics.into_tokens();
        tokens.extend(generate::fallback(&item, &signature, kernel));
        return tokens;
    }
    if kernel { generate::kernel(&item, &signature, &body) } else { generate::device_fn(&item, &signature, &body) }
}

/// Something that is no function: it stays as it is, so that its users don't add errors.
fn unread(tokens: TokenStream, error: syn::Error, attribute: &str) -> TokenStream {
    if syn::parse2::<Item>(tokens.clone()).is_err() {
        return error.into_compile_error();
    }
    let mut diagnostics = Diagnostics::default();
    diagnostics.error(
        tokens.clone().into_iter().next(),
        format!("`#[{attribute}]` can only stand on a function"),
        "remove it",
    );
    let mut out = diagnostics.into_tokens();
    out.extend(tokens);
    out
}

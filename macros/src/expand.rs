//! From an annotated function to generated code.

use crate::attributes::Attributes;
use crate::diagnostics::Diagnostics;
use crate::lower::Lowerer;
use crate::signature::Signature;
use crate::{generate, input, owner};
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
        Err(error) => return unread(tokens, error, attribute, "a function"),
    };
    let mut diagnostics = Diagnostics::default();
    if !kernel {
        check_no_arguments(arguments.clone(), attribute, &mut diagnostics);
    }
    input::ungroup(&mut item);
    input::check_attributes(&item, &mut diagnostics);
    let signature = Signature::check(&item, kernel, &mut diagnostics);
    let attributes =
        if kernel { Attributes::read(arguments, &signature, &mut diagnostics) } else { Attributes::default() };
    let body = Lowerer::lower(&signature, &item.block, kernel, &mut diagnostics);
    if diagnostics.any() {
        let mut tokens = diagnostics.into_tokens();
        tokens.extend(generate::fallback(&item, &signature, kernel));
        return tokens;
    }
    if kernel {
        generate::kernel(&item, &signature, &attributes, &body)
    } else {
        generate::device_fn(&item, &signature, &body)
    }
}

/// `#[gpu_impl]`
pub(crate) fn gpu_impl(arguments: TokenStream, tokens: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    check_no_arguments(arguments, "gpu_impl", &mut diagnostics);
    let item: syn::ItemImpl = match syn::parse2(tokens.clone()) {
        Ok(item) => item,
        Err(error) => return unread(tokens, error, "gpu_impl", "an `impl`"),
    };
    let mut out = diagnostics.into_tokens();
    out.extend(owner::gpu_impl(item));
    out
}

/// `#[gpu_trait]`
pub(crate) fn gpu_trait(arguments: TokenStream, tokens: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    check_no_arguments(arguments, "gpu_trait", &mut diagnostics);
    let item: syn::ItemTrait = match syn::parse2(tokens.clone()) {
        Ok(item) => item,
        Err(error) => return unread(tokens, error, "gpu_trait", "a `trait`"),
    };
    for part in &item.items {
        match part {
            syn::TraitItem::Fn(function) if function.default.is_some() => diagnostics.error(
                &function.sig.ident,
                "a function of a `#[gpu_trait]` can't have a body in the trait",
                "write the body in each `#[gpu_impl]`, or in a `#[gpu_fn]` that is generic over the trait",
            ),
            syn::TraitItem::Fn(function) if !function.sig.generics.params.is_empty() => diagnostics.error(
                &function.sig.generics,
                "a function of a `#[gpu_trait]` can't have type parameters",
                "make them parameters of the trait",
            ),
            _ => {}
        }
    }
    let mut out = diagnostics.into_tokens();
    out.extend(generate::trait_block(&item));
    out
}

fn check_no_arguments(arguments: TokenStream, attribute: &str, diagnostics: &mut Diagnostics) {
    if !arguments.is_empty() {
        let (what, help) = (format!("`#[{attribute}]` takes no arguments"), format!("write `#[{attribute}]`"));
        diagnostics.error(arguments, what, help);
    }
}

/// Something else than what the attribute is for: it stays as it is, so that its users don't add errors.
fn unread(tokens: TokenStream, error: syn::Error, attribute: &str, place: &str) -> TokenStream {
    if syn::parse2::<Item>(tokens.clone()).is_err() {
        return error.into_compile_error();
    }
    let mut diagnostics = Diagnostics::default();
    diagnostics.error(
        tokens.clone().into_iter().next(),
        format!("`#[{attribute}]` can only stand on {place}"),
        "remove it",
    );
    let mut out = diagnostics.into_tokens();
    out.extend(tokens);
    out
}

//! From an annotated function to generated code.

use crate::diagnostics::Diagnostics;
use crate::generate;
use crate::lower::Lowerer;
use crate::signature::Signature;
use proc_macro2::TokenStream;
use syn::ItemFn;
use syn::spanned::Spanned;

/// `#[gpu_kernel]`
pub(crate) fn kernel(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand(arguments, item, true)
}

/// `#[gpu_fn]`
pub(crate) fn device_fn(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand(arguments, item, false)
}

fn expand(arguments: TokenStream, item: TokenStream, kernel: bool) -> TokenStream {
    let item: ItemFn = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let mut diagnostics = Diagnostics::default();
    if !arguments.is_empty() {
        let name = if kernel { "gpu_kernel" } else { "gpu_fn" };
        diagnostics.error(
            arguments.span(),
            format!("`#[{name}]` takes no arguments yet"),
            format!("write `#[{name}]`"),
        );
    }
    let signature = Signature::check(&item, kernel, &mut diagnostics);
    let body = Lowerer::lower(&signature, &item.block, kernel, &mut diagnostics);
    if diagnostics.any() {
        let mut tokens = diagnostics.into_tokens();
        tokens.extend(generate::fallback(&item, &signature, kernel));
        return tokens;
    }
    if kernel { generate::kernel(&item, &signature, &body) } else { generate::device_fn(&item, &signature, &body) }
}

//! Every path and name that generated code uses, in one place.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;

/// The hidden module of the runtime that generated code calls.
pub(crate) fn private() -> TokenStream {
    quote!(::warpcell_runtime::__private)
}

/// The same, as if it were written at `span`.
pub(crate) fn private_at(span: Span) -> TokenStream {
    quote_spanned!(span=> ::warpcell_runtime::__private)
}

/// A name of the macro's own, which the user's code can neither see nor shadow.
pub(crate) fn hidden(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The same, at `span`.
pub(crate) fn hidden_at(name: &str, span: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(span))
}

/// The thread's context in CPU forms.
pub(crate) fn context() -> Ident {
    hidden("__wc_thread")
}

/// The block's state in CPU forms.
pub(crate) fn block() -> Ident {
    hidden("__wc_block")
}

/// The label a `return` leaves.
pub(crate) fn exit_label() -> syn::Lifetime {
    syn::Lifetime::new("'__wc_exit", Span::mixed_site())
}

/// The struct that names one instance of the function `name`.
pub(crate) fn instance(name: &Ident) -> Ident {
    format_ident!("__wc_instance_{}", name.unraw(), span = name.span())
}

/// Code that the user did not write that way: lints have nothing to say about it.
pub(crate) fn quiet() -> TokenStream {
    quote! {
        #[allow(
            warnings, unused, trivial_casts, trivial_numeric_casts, unused_results, unused_qualifications,
            clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
        )]
    }
}

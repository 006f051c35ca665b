//! Every path and name that generated code uses, in one place.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// The hidden module of the runtime that generated code calls.
pub(crate) fn private() -> TokenStream {
    quote!(::warpcell_runtime::__private)
}

/// A name of the macro's own, which the user's code can neither see nor shadow.
pub(crate) fn hidden(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
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
    Ident::new(&format!("__wc_instance_{name}"), name.span())
}

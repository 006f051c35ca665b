//! Collects every mistake of a function, so that all of them are shown at once.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

/// What was wrong so far.
#[derive(Default)]
pub(crate) struct Diagnostics {
    errors: Vec<(Span, String)>,
}

impl Diagnostics {
    /// Reports `what` at `span`, with what to write instead.
    pub(crate) fn error(&mut self, span: Span, what: impl AsRef<str>, help: impl AsRef<str>) {
        self.errors.push((span, format!("{}\nhelp: {}", what.as_ref(), help.as_ref())));
    }

    /// Whether anything was reported.
    pub(crate) fn any(&self) -> bool {
        !self.errors.is_empty()
    }

    /// The reports as `compile_error!`s.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.errors
            .into_iter()
            .map(|(span, message)| quote_spanned!(span=> ::core::compile_error! { #message }))
            .collect()
    }
}

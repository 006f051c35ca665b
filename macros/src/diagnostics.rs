//! Collects every mistake of a function, so that all of them are shown at once.

use crate::spans::Extent;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};

/// What was wrong so far.
#[derive(Default)]
pub(crate) struct Diagnostics {
    errors: Vec<Mistake>,
}

struct Mistake {
    extent: Extent,
    message: String,
}

impl Diagnostics {
    /// Reports `what` at all of `tokens`, with what to write instead.
    pub(crate) fn error(&mut self, tokens: impl ToTokens, what: impl AsRef<str>, help: impl AsRef<str>) {
        let message = format!("{}\nhelp: {}", what.as_ref(), help.as_ref());
        self.errors.push(Mistake { extent: Extent::of(tokens), message });
    }

    /// Whether anything was reported.
    pub(crate) fn any(&self) -> bool {
        !self.errors.is_empty()
    }

    /// The reports as `compile_error!`s. Spans can't be joined, but rustc shows a macro call from its first token to its
    /// last.
    pub(crate) fn into_tokens(self) -> TokenStream {
        let report = |Mistake { extent, message }| {
            let text = extent.braces(quote!(#message));
            quote_spanned!(extent.first=> ::core::compile_error! #text)
        };
        self.errors.into_iter().map(report).collect()
    }
}

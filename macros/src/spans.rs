//! Where generated code stands in the source: at the user's tokens, so that rustc reports its errors there.

use crate::paths::private_at;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};

/// The tokens from the first to the last. Spans can't be joined, but rustc joins those of what it parses.
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    pub first: Span,
    pub last: Span,
}

impl Extent {
    /// That of `tokens`.
    pub(crate) fn of(tokens: impl ToTokens) -> Extent {
        let mut spans = tokens.into_token_stream().into_iter().map(|token| token.span());
        let first = spans.next().unwrap_or_else(Span::call_site);
        Extent { first, last: spans.last().unwrap_or(first) }
    }

    /// `{ tokens }`, as if it were written here.
    pub(crate) fn braces(self, tokens: TokenStream) -> Group {
        let mut braces = Group::new(Delimiter::Brace, tokens);
        braces.set_span(self.last);
        braces
    }

    /// `function(arguments)`, as if it were written here.
    pub(crate) fn call(self, function: impl ToTokens, arguments: TokenStream) -> TokenStream {
        let mut arguments = Group::new(Delimiter::Parenthesis, arguments);
        arguments.set_span(self.last);
        let function = function.into_token_stream();
        quote_spanned!(self.first=> #function #arguments)
    }

    /// A call of the runtime's function `name`, as if it were written here.
    pub(crate) fn private_call(self, name: &str, arguments: TokenStream) -> TokenStream {
        let (private, name) = (private_at(self.first), Ident::new(name, self.first));
        self.call(quote_spanned!(self.first=> #private::#name), arguments)
    }
}

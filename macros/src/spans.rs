//! Where generated code stands in the source: at the user's tokens, so that rustc reports its errors there.

use crate::paths::private_at;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
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

/// `tokens` as the user wrote them, but for the width of their gaps.
pub(crate) fn source_text(tokens: impl ToTokens) -> String {
    let mut text = String::new();
    let mut end = None;
    write_tokens(tokens.into_token_stream(), &mut text, &mut end);
    text
}

fn write_tokens(tokens: TokenStream, text: &mut String, end: &mut Option<Position>) {
    for token in tokens {
        let (start, stop) = (token.span().unwrap().start(), token.span().unwrap().end());
        let (start, stop) = ((start.line(), start.column()), (stop.line(), stop.column()));
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                write_piece(open, start, (start.0, start.1 + open.len()), text, end);
                write_tokens(group.stream(), text, end);
                write_piece(close, (stop.0, stop.1.saturating_sub(close.len())), stop, text, end);
            }
            other => write_piece(&other.to_string(), start, stop, text, end),
        }
    }
}

/// A line and a column.
type Position = (usize, usize);

/// A space stands where the source has a gap.
fn write_piece(piece: &str, start: Position, stop: Position, text: &mut String, end: &mut Option<Position>) {
    if end.is_some_and(|end| end != start) && !piece.is_empty() {
        text.push(' ');
    }
    text.push_str(piece);
    *end = Some(stop);
}

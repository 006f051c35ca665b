//! Functions whose threads wait for each other.
//!
//! Whether a called function waits, only rustc knows: its companion says so (`__WC_COLLECTIVE`), or a trait that all types
//! have says no. A kernel that calls one that waits has no form in phases. In the form for futures every call is awaited.

use crate::lower::Body;
use crate::paths::private;
use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// An expression that says whether the threads of `body` wait for each other.
pub(crate) fn is_collective(body: &Body) -> TokenStream {
    let (own, callees) = (body.block.facts.collective(), &body.callees);
    quote!(#own #(|| #callees::__WC_COLLECTIVE)*)
}

/// What `is_collective` needs in scope.
pub(crate) fn scope() -> TokenStream {
    let private = private();
    quote!(use #private::MaybeCollective as _;)
}

/// `tokens` with every call of a device function awaited.
pub(crate) fn awaiting(tokens: TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    // Whether the parentheses of a call come next, and how deep in the brackets of its type arguments this is.
    let (mut call, mut depth) = (false, 0usize);
    for token in tokens {
        match token {
            TokenTree::Ident(name) if name == "__cpu" => {
                call = true;
                Ident::new("__cpu_collective", name.span()).to_tokens(&mut out);
            }
            TokenTree::Group(group) => {
                let awaited = call && depth == 0 && group.delimiter() == Delimiter::Parenthesis;
                let mut inner = Group::new(group.delimiter(), awaiting(group.stream()));
                inner.set_span(group.span());
                inner.to_tokens(&mut out);
                if awaited {
                    call = false;
                    out.extend(quote!(.await));
                }
            }
            TokenTree::Punct(punct) => {
                match punct.as_char() {
                    '<' if call => depth += 1,
                    '>' if call => depth = depth.saturating_sub(1),
                    _ => {}
                }
                punct.to_tokens(&mut out);
            }
            other => other.to_tokens(&mut out),
        }
    }
    out
}

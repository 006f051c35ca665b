//! What a kernel asks of a launch: code that runs on the host when the launch's geometry is known.

use crate::attributes::{Attributes, Requirement};
use crate::host::{self, HostExpr};
use crate::lower::{Body, SharedSlice};
use crate::paths::{private, quiet};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::BTreeSet;

/// The lengths to read before the buffers are borrowed, and the launch's method that takes the plan.
pub(super) fn write(attributes: &Attributes, body: &Body) -> (TokenStream, TokenStream) {
    let conditions = attributes.requires.iter().map(|requirement| &requirement.condition);
    let lens = body.shared_slices.iter().filter_map(|slice| slice.len.as_ref());
    let exprs: Vec<&HostExpr> = conditions.chain(lens).collect();
    if exprs.is_empty() && body.shared_slices.is_empty() {
        return Default::default();
    }
    let names: BTreeSet<&Ident> = exprs.iter().flat_map(|expr| &expr.lengths).collect();
    let lengths = names.into_iter().map(|name| {
        let length = host::length(name);
        quote!(let #length = #name.len();)
    });
    let (private, plan, items, quiet) = (private(), host::plan(), &body.items, quiet());
    let requirements = attributes.requires.iter().map(requirement);
    let slices = body.shared_slices.iter().map(shared_slice);
    let proofs = exprs.iter().flat_map(|expr| &expr.proofs);
    let method = quote! {
        .planned(move |#plan: &mut #private::Plan| {
            #quiet
            {
                #(#items)*
                #(const _: () = #proofs;)*
                #(#requirements)*
                #(#slices)*
            }
        })
    };
    (quote!(#(#lengths)*), method)
}

fn requirement(Requirement { text, condition }: &Requirement) -> TokenStream {
    let (plan, tokens) = (host::plan(), &condition.tokens);
    let values = condition.values.iter().map(|(text, value)| quote!((#text, &#value as &dyn ::core::fmt::Debug)));
    let value = optional(quote!(::core::primitive::bool), tokens);
    quote!(let __wc_met = #value; #plan.require(#text, __wc_met, &[#(#values),*]);)
}

fn shared_slice(SharedSlice { element, len, .. }: &SharedSlice) -> TokenStream {
    let plan = host::plan();
    match len {
        None => quote!(#plan.dynamic_shared::<#element>();),
        Some(len) => {
            let value = optional(quote!(::core::primitive::usize), &len.tokens);
            quote!(let __wc_len = #value; #plan.shared_slice::<#element>(__wc_len);)
        }
    }
}

/// The value, or nothing if its arithmetic overflows.
fn optional(ty: TokenStream, tokens: &TokenStream) -> TokenStream {
    quote!((|| -> ::core::option::Option<#ty> { ::core::option::Option::Some(#tokens) })())
}

//! The code that a function expands to.

mod device_fn;
mod fallback;
mod kernel;
mod methods;
mod passable;
mod plan;
mod probe;

pub(crate) use device_fn::device_fn;
pub(crate) use fallback::fallback;
pub(crate) use kernel::kernel;
pub(crate) use methods::{impl_block, operator, trait_block};

use crate::paths::private;
use crate::signature::{ParamKind, Signature};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{GenericParam, ItemFn};

/// Generic parameters as `impl<…>` takes them, and as a path takes them.
pub(crate) struct Generics {
    /// `<T: Real, const N: usize>`
    pub declared: TokenStream,
    /// `<T, N>`
    pub used: TokenStream,
    /// `::<T, N>`
    pub turbofish: TokenStream,
    pub where_clause: TokenStream,
}

impl Generics {
    pub(crate) fn of(signature: &Signature) -> Generics {
        let (declared, used, where_clause) = signature.generics.split_for_impl();
        let turbofish = used.as_turbofish();
        Generics {
            declared: quote!(#declared),
            used: quote!(#used),
            turbofish: quote!(#turbofish),
            where_clause: quote!(#where_clause),
        }
    }
}

/// The struct that names an instance of the function: `struct I<T, const N: usize>(PhantomData<fn() -> (T,)>);`
pub(crate) fn instance_struct(vis: &syn::Visibility, signature: &Signature) -> TokenStream {
    let name = &signature.instance;
    let types = signature.type_params();
    let params = signature.generics.params.iter().filter_map(|param| match param {
        GenericParam::Type(param) => {
            let ident = &param.ident;
            Some(quote!(#ident))
        }
        GenericParam::Const(param) => {
            let (ident, ty) = (&param.ident, &param.ty);
            Some(quote!(const #ident: #ty))
        }
        GenericParam::Lifetime(_) => None,
    });
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code, missing_debug_implementations, missing_copy_implementations)]
        #vis struct #name<#(#params),*>(::core::marker::PhantomData<fn() -> (#(#types,)*)>);
    }
}

/// The companion of the same path: an empty enum, which lives in the other namespace and is imported along.
pub(crate) fn companion_enum(item: &ItemFn) -> TokenStream {
    let (name, vis) = (&item.sig.ident, &item.vis);
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code, missing_debug_implementations, missing_copy_implementations)]
        #vis enum #name {}
    }
}

/// A kernel's parameters as its launch function takes them.
pub(crate) fn launch_params(signature: &Signature) -> Vec<TokenStream> {
    let private = private();
    signature
        .params
        .iter()
        .map(|param| {
            let (name, ty) = (&param.name, &param.ty);
            match &param.kind {
                ParamKind::Slice { element, mutable: true } => quote!(#name: &'__wc mut #private::DSlice<#element>),
                ParamKind::Slice { element, mutable: false } => quote!(#name: &'__wc #private::DSlice<#element>),
                ParamKind::Value | ParamKind::Reference { .. } => quote!(#name: #ty),
                ParamKind::Refused => quote!(#name: impl ::core::marker::Sized),
            }
        })
        .collect()
}

/// The generics with the lifetime of a launch's buffers in front.
pub(crate) fn with_lifetime(signature: &Signature) -> TokenStream {
    let mut generics = signature.generics.clone();
    generics.where_clause = None;
    generics.params.insert(0, syn::parse_quote!('__wc));
    let (declared, ..) = generics.split_for_impl();
    quote!(#declared)
}

/// A name that generated code gives to something of the kernel.
pub(crate) fn member(name: &str) -> proc_macro2::Ident {
    format_ident!("__wc_{name}")
}

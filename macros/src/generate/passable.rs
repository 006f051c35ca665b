//! A device function as a type parameter of a kernel: `map::<square>(&x, &mut y)`.

use super::device_fn::{cpu_call, result};
use crate::paths::{context, private, quiet};
use crate::signature::{ParamKind, Signature};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::ItemFn;

/// The most parameters that a passed function can have; see `lang::GpuFn1` and its like.
const MOST: usize = 4;

/// `impl GpuFn2<A, B> for name`, if the function can be passed: it has no type parameters and takes values.
pub(super) fn impls(item: &ItemFn, signature: &Signature) -> TokenStream {
    let count = signature.params.len();
    let by_value = signature.params.iter().all(|param| matches!(param.kind, ParamKind::Value));
    if count == 0 || count > MOST || !signature.generics.params.is_empty() || !by_value {
        return TokenStream::new();
    }
    let (name, instance, result, private, thread) =
        (&item.sig.ident, &signature.instance, result(signature), private(), context());
    let bound = format_ident!("GpuFn{count}");
    let types: Vec<_> = signature.params.iter().map(|param| &param.ty).collect();
    let names: Vec<Ident> = signature.params.iter().map(|param| param.name.clone()).collect();
    let on_host = cpu_call(signature, &quote!(#private::Thread::host()), |param| {
        let name = &param.name;
        quote!(#name)
    });
    let quiet = quiet();
    quote! {
        #[doc(hidden)]
        #quiet
        impl #private::#bound<#(#types),*> for #name {
            type Output = #result;
            type Instance = #instance;
            fn call(#(#names: #types),*) -> #result { #on_host }
            #[inline(always)]
            fn __cpu_call(#thread: #private::Thread<'_, impl #private::Mode> #(, #names: #types)*) -> #result {
                #instance::__wc_cpu(#thread #(, #names)*)
            }
        }
    }
}

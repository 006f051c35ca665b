//! After a refusal: items of the same names, so that callers don't add errors.

use super::{Generics, companion_enum, launch_params, with_lifetime};
use crate::paths::private;
use crate::signature::{Param, ParamKind, Signature};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{ItemFn, Type};

pub(crate) fn fallback(item: &ItemFn, signature: &Signature, kernel: bool) -> TokenStream {
    if signature.method {
        // An `impl` can't hold what a function expands to.
        let (vis, sig) = (&item.vis, &item.sig);
        return quote!(#[allow(unused)] #vis #sig { ::core::unreachable!() });
    }
    let companion = companion_enum(item);
    let forms = if kernel { kernel_forms(item, signature) } else { device_fn_forms(item, signature) };
    quote!(#companion #forms)
}

fn kernel_forms(item: &ItemFn, signature: &Signature) -> TokenStream {
    let (name, vis, private) = (&item.sig.ident, &item.vis, private());
    let Generics { declared, where_clause, .. } = Generics::of(signature);
    let (params, generics) = (launch_params(signature), with_lifetime(signature));
    quote! {
        #[allow(unused)]
        #vis fn #name #generics (#(#params),*) -> #private::Launch<'__wc> #where_clause { ::core::unreachable!() }

        #[allow(unused)]
        impl #name {
            #vis const NAME: &'static str = "";
            #vis fn kernel #declared () -> #private::KernelInfo #where_clause { ::core::unreachable!() }
            #vis fn cuda_source #declared () -> ::core::result::Result<::std::string::String, #private::Error>
            #where_clause { ::core::unreachable!() }
            #vis fn ptx #declared (_: (u32, u32)) -> ::core::result::Result<::std::string::String, #private::Error>
            #where_clause { ::core::unreachable!() }
            #vis fn cubin #declared (_: (u32, u32)) -> ::core::result::Result<::std::vec::Vec<u8>, #private::Error>
            #where_clause { ::core::unreachable!() }
        }
    }
}

fn device_fn_forms(item: &ItemFn, signature: &Signature) -> TokenStream {
    let (name, vis, private) = (&item.sig.ident, &item.vis, private());
    let Generics { declared, where_clause, .. } = Generics::of(signature);
    let (instance, result) = (&signature.instance, result(signature));
    let params: Vec<TokenStream> = signature.params.iter().map(param).collect();
    let anything: Vec<_> = signature.params.iter().map(|_| quote!(_: impl ::core::marker::Sized)).collect();
    quote! {
        #[allow(unused)]
        #vis fn #name #declared (#(#params),*) -> #result #where_clause { ::core::unreachable!() }

        #[allow(unused, non_camel_case_types)]
        #vis struct #instance;

        impl #private::Function for #instance {
            const MODEL: &'static [u8] = &[];
            fn answers(_: &mut #private::Builder) -> #private::Answers { ::core::unreachable!() }
        }

        #[allow(unused)]
        impl #name {
            #vis fn __gpu #declared (#(#params),*) -> #private::Call<#result, #instance> #where_clause {
                ::core::unreachable!()
            }
            #vis async fn __cpu_collective #declared (_: #private::Thread<'_, #private::Careful> #(, #anything)*) -> #result #where_clause {
                ::core::unreachable!()
            }
            #vis fn __cpu #declared (_: #private::Thread<'_, impl #private::Mode> #(, #anything)*) -> #result #where_clause {
                ::core::unreachable!()
            }
        }
    }
}

fn param(param: &Param) -> TokenStream {
    let (name, ty) = (&param.name, &param.ty);
    match &param.kind {
        ParamKind::Refused => quote!(#name: impl ::core::marker::Sized),
        _ => quote!(#name: #ty),
    }
}

/// The result's type, or one that rustc has no question about.
fn result(signature: &Signature) -> TokenStream {
    match &signature.result {
        None | Some(Type::ImplTrait(_) | Type::TraitObject(_) | Type::Never(_) | Type::Slice(_)) => quote!(()),
        Some(Type::Reference(reference)) => {
            let (mutability, referent) = (&reference.mutability, &reference.elem);
            quote!(&'static #mutability #referent)
        }
        Some(ty) => quote!(#ty),
    }
}

//! `#[gpu_fn]`, and what every device function is made of.

use super::probe::{function_impl, sites_const};
use super::{Generics, companion_enum, instance_struct};
use crate::cpu::{collective, plain_block};
use crate::lower::Body;
use crate::paths::{context, exit_label, private, quiet};
use crate::signature::{Param, ParamKind, Signature};
use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemFn;

/// The function on the host, its companion, and its instance.
pub(crate) fn device_fn(item: &ItemFn, signature: &Signature, body: &Body) -> TokenStream {
    let host = host_fn(item, signature);
    let companion = companion_enum(item);
    let instance = instance(&item.vis, signature, body);
    let forms = forms(item, signature, body);
    let passable = super::passable::impls(item, signature);
    quote!(#host #companion #instance #forms #passable)
}

/// The user's function: its CPU form, called from the host.
fn host_fn(item: &ItemFn, signature: &Signature) -> TokenStream {
    let (attrs, vis) = (&item.attrs, &item.vis);
    let sig = without_patterns(&item.sig);
    let inline = (!attrs.iter().any(|attr| attr.path().is_ident("inline"))).then(|| quote!(#[inline]));
    let call = host_call(signature);
    quote! {
        #[allow(dead_code, clippy::too_many_arguments)]
        #inline
        #(#attrs)*
        #vis #sig { #call }
    }
}

/// A signature whose parameters are plain names, for a body that only passes them on.
pub(crate) fn without_patterns(sig: &syn::Signature) -> syn::Signature {
    let mut sig = sig.clone();
    for input in &mut sig.inputs {
        if let syn::FnArg::Typed(typed) = input
            && let syn::Pat::Ident(ident) = &mut *typed.pat
        {
            ident.mutability = None;
        }
    }
    sig
}

/// The call of the CPU form from the host.
pub(crate) fn host_call(signature: &Signature) -> TokenStream {
    let private = private();
    cpu_call(signature, &quote!(#private::Thread::host()), |param| {
        let name = &param.name;
        quote!(#name)
    })
}

/// The call of the CPU form with arguments as the host has them.
pub(crate) fn cpu_call(
    signature: &Signature,
    thread: &TokenStream,
    argument: impl Fn(&Param) -> TokenStream,
) -> TokenStream {
    let (instance, turbofish, private) = (&signature.instance, &Generics::of(signature).turbofish, private());
    let arguments = signature.params.iter().map(|param| {
        let value = argument(param);
        match &param.kind {
            ParamKind::Slice { mutable: true, .. } => quote!(#private::own_slice(#value)),
            ParamKind::Reference { mutable: true, .. } => quote!(#private::own_ref(#value)),
            _ => value,
        }
    });
    quote!(#instance #turbofish ::__wc_cpu(#thread #(, #arguments)*))
}

/// What names one instance of a device function: its shape, rustc's answers, and its CPU form.
pub(crate) fn instance(vis: &syn::Visibility, signature: &Signature, body: &Body) -> TokenStream {
    let (declaration, function) = (instance_struct(vis, signature), function_impl(signature, body));
    let Generics { declared, used, where_clause, .. } = Generics::of(signature);
    let (name, sites, private, thread) = (&signature.instance, sites_const(signature, body), private(), context());
    let result = signature.checked(result(signature));
    let params = signature.params.iter().map(|param| cpu_param(signature, param));
    let params: Vec<TokenStream> = params.collect();
    let (quiet, items, label, block) = (quiet(), &body.items, exit_label(), plain_block(&body.block));
    let entry = quote! {
        use #private::methods::*;
        #(#items)*
        let #thread = #thread.of(Self::__WC_SITES);
    };
    let collective = collective::awaiting(block.clone());
    // One that waits has no form without futures.
    let plain = if body.block.facts.collective() {
        quote!(#private::waits_only_in_kernels())
    } else {
        quote!({ #entry #label: #block })
    };
    quote! {
        #declaration
        #function

        #[doc(hidden)]
        #quiet
        impl #declared #name #used #where_clause {
            #sites

            #[inline(always)]
            pub fn __wc_cpu(#thread: #private::Thread<'_, impl #private::Mode> #(, #params)*) -> #result {
                #plain
            }

            #[inline(always)]
            pub async fn __wc_cpu_collective(#thread: #private::Thread<'_, #private::Careful> #(, #params)*) -> #result {
                #entry
                #label: #collective
            }
        }
    }
}

/// A parameter of the CPU form: memory of any kind, or a value.
fn cpu_param(signature: &Signature, param: &Param) -> TokenStream {
    let (name, private) = (&param.name, private());
    let mutability = param.mutable.then(|| quote!(mut));
    match &param.kind {
        ParamKind::Slice { element, .. } => {
            let element = signature.checked(element);
            quote!(#name: &[impl #private::Elem<Value = #element>])
        }
        ParamKind::Reference { referent, mutable: true } => {
            let referent = signature.checked(referent);
            quote!(#name: &impl #private::Elem<Value = #referent>)
        }
        ParamKind::Reference { referent, mutable: false } => {
            let referent = signature.checked(referent);
            quote!(#name: &#referent)
        }
        ParamKind::Value | ParamKind::Refused => {
            let ty = signature.checked(&param.ty);
            quote!(#mutability #name: #ty)
        }
    }
}

/// The result's type.
pub(crate) fn result(signature: &Signature) -> TokenStream {
    signature.result.as_ref().map_or(quote!(()), |ty| quote!(#ty))
}

/// What kernels call: `__gpu` in the probe, `__cpu` in the CPU form.
fn forms(item: &ItemFn, signature: &Signature, body: &Body) -> TokenStream {
    let (vis, name, private, thread) = (&item.vis, &signature.name, private(), context());
    let Generics { declared, used, where_clause, turbofish } = Generics::of(signature);
    let (instance, result) = (&signature.instance, result(signature));
    let gpu_params = signature.params.iter().map(|param| {
        let (name, ty) = (&param.name, &param.ty);
        quote!(#name: #ty)
    });
    let cpu_params: Vec<_> = signature.params.iter().map(|param| cpu_param(signature, param)).collect();
    let cpu_result = signature.checked(&result);
    let arguments: Vec<_> = signature.params.iter().map(|param| &param.name).collect();
    let (quiet, items, scope, is_collective) =
        (quiet(), &body.items, collective::scope(), collective::is_collective(body));
    quote! {
        #[doc(hidden)]
        #quiet
        impl #name {
            #vis fn __gpu #declared (#(#gpu_params),*) -> #private::Call<#result, #instance #used> #where_clause {
                #private::any()
            }

            #[inline(always)]
            #vis fn __cpu #declared (#thread: #private::Thread<'_, impl #private::Mode> #(, #cpu_params)*) -> #cpu_result #where_clause {
                #instance #turbofish ::__wc_cpu(#thread #(, #arguments)*)
            }

            #[inline(always)]
            #vis async fn __cpu_collective #declared (#thread: #private::Thread<'_, #private::Careful> #(, #cpu_params)*) -> #cpu_result #where_clause {
                #instance #turbofish ::__wc_cpu_collective(#thread #(, #arguments)*).await
            }

            #vis const __WC_COLLECTIVE: bool = {
                #(#items)*
                #scope
                #is_collective
            };
        }
    }
}

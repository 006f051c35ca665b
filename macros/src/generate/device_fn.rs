//! `#[gpu_fn]`

use super::probe::{function_impl, sites_const};
use super::{Generics, companion_enum, instance_struct};
use crate::cpu::plain_block;
use crate::lower::Body;
use crate::paths::{context, exit_label, instance, private, quiet};
use crate::signature::{ParamKind, Signature};
use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemFn;

/// The function on the host, its companion, and its instance.
pub(crate) fn device_fn(item: &ItemFn, signature: &Signature, body: &Body) -> TokenStream {
    let host = host_fn(item, signature);
    let companion = companion_enum(item);
    let instance = instance_struct(item, signature);
    let function = function_impl(signature, body);
    let forms = forms(item, signature, body);
    quote!(#host #companion #instance #function #forms)
}

/// The user's function: its CPU form, called from the host.
fn host_fn(item: &ItemFn, signature: &Signature) -> TokenStream {
    let (attrs, vis, sig, name, private) = (&item.attrs, &item.vis, &item.sig, &signature.name, private());
    let arguments = signature.params.iter().map(|param| {
        let name = &param.name;
        match &param.kind {
            ParamKind::Slice { mutable: true, .. } => quote!(#private::own_slice(#name)),
            _ => quote!(#name),
        }
    });
    let mut sig = sig.clone();
    for input in &mut sig.inputs {
        if let syn::FnArg::Typed(typed) = input
            && let syn::Pat::Ident(ident) = &mut *typed.pat
        {
            ident.mutability = None;
        }
    }
    let inline = (!attrs.iter().any(|attr| attr.path().is_ident("inline"))).then(|| quote!(#[inline]));
    let turbofish = &Generics::of(signature).turbofish;
    quote! {
        #[allow(dead_code, clippy::too_many_arguments)]
        #inline
        #(#attrs)*
        #vis #sig {
            <#name>::__cpu #turbofish (#private::Thread::host() #(, #arguments)*)
        }
    }
}

/// What kernels call: `__gpu` in the probe, `__cpu` in the CPU form.
fn forms(item: &ItemFn, signature: &Signature, body: &Body) -> TokenStream {
    let (vis, name, private, thread) = (&item.vis, &signature.name, private(), context());
    let Generics { declared, used, where_clause, .. } = Generics::of(signature);
    let (instance, sites) = (instance(name), sites_const(signature, body));
    let result = signature.result.as_ref().map_or(quote!(()), |ty| quote!(#ty));
    let cpu_result = signature.checked(&result);
    let gpu_params = signature.params.iter().map(|param| {
        let (name, ty) = (&param.name, &param.ty);
        quote!(#name: #ty)
    });
    let cpu_params = signature.params.iter().map(|param| {
        let (name, ty) = (&param.name, &param.ty);
        let mutability = param.mutable.then(|| quote!(mut));
        match &param.kind {
            ParamKind::Slice { element, mutable } => {
                let (element, memory) =
                    (signature.checked(element), if *mutable { quote!(ElemMut) } else { quote!(Elem) });
                quote!(#name: &[impl #private::#memory<Value = #element>])
            }
            _ => {
                let ty = signature.checked(ty);
                quote!(#mutability #name: #ty)
            }
        }
    });
    let (quiet, items, label, block) = (quiet(), &body.items, exit_label(), plain_block(&body.block));
    quote! {
        #[doc(hidden)]
        #quiet
        impl #name {
            #sites

            #vis fn __gpu #declared (#(#gpu_params),*) -> #private::Call<#result, #instance #used> #where_clause {
                #private::any()
            }

            #[inline(always)]
            #vis fn __cpu #declared (#thread: #private::Thread<'_, impl #private::Mode> #(, #cpu_params)*) -> #cpu_result #where_clause {
                use #private::methods::*;
                #(#items)*
                let #thread = #thread.of(Self::__WC_SITES);
                #label: #block
            }
        }
    }
}

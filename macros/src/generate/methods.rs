//! `#[gpu_impl]` and `#[gpu_trait]`: functions that belong to types.

use super::Generics;
use super::device_fn::{cpu_call, host_call, result, without_patterns};
use crate::owner::{Method, Owner};
use crate::paths::{context, hidden, private, quiet};
use crate::signature::Param;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{FnArg, ImplItem, ItemImpl, Pat};

/// The `impl` with its functions' forms, and each function's instance.
pub(crate) fn impl_block(item: &ItemImpl, methods: &[Method]) -> TokenStream {
    let mut instances = TokenStream::new();
    let mut item = item.clone();
    let in_trait = item.trait_.is_some();
    item.items.retain(|part| !matches!(part, ImplItem::Fn(_)));
    for method in methods {
        instances.extend(super::device_fn::instance(&method.vis, &method.signature, &method.body));
        let functions = [host_form(method), probe_form(method, in_trait), cpu_form(method), callee(method, in_trait)];
        item.items.extend(functions.into_iter().filter(|tokens| !tokens.is_empty()).map(ImplItem::Verbatim));
    }
    quote!(#item #instances)
}

/// An `impl` of an operator's trait, and what makes kernels know it.
pub(crate) fn operator(item: &ItemImpl, method: &Method, operator: &Ident) -> TokenStream {
    let instance_items = super::device_fn::instance(&method.vis, &method.signature, &method.body);
    let mut host = item.clone();
    host.items.retain(|part| !matches!(part, ImplItem::Fn(_)));
    host.items.push(ImplItem::Verbatim(host_form(method)));
    let (private, thread, quiet) = (private(), context(), quiet());
    let (declared, _, where_clause) = item.generics.split_for_impl();
    let (ty, instance) = (&item.self_ty, &method.signature.instance);
    let used = Generics::of(&method.signature).used;
    let names = ["__wc_left", "__wc_right"].map(hidden);
    let names = &names[..method.signature.params.len()];
    let params: Vec<_> = method.signature.params.iter().zip(names).map(|(param, name)| (name, &param.ty)).collect();
    let declared_params = params.iter().map(|(name, ty)| quote!(#name: #ty));
    let call =
        cpu_call(&method.signature, &thread.to_token_stream(), |param| name_of(param, &method.signature.params, names));
    let bound = match params.len() {
        1 => quote!(UnaryOperator<#private::operators::#operator>),
        _ => {
            let (_, right) = &params[1];
            let bound =
                if operator.to_string().ends_with("Assign") { quote!(AssignOperator) } else { quote!(Operator) };
            quote!(#bound<#private::operators::#operator, #right>)
        }
    };
    let result = result(&method.signature);
    let output = (!operator.to_string().ends_with("Assign")).then(|| quote!(type Output = #result;));
    quote! {
        #host
        #instance_items

        #[doc(hidden)]
        #quiet
        impl #declared #private::#bound for #ty #where_clause {
            #output
            fn callee(builder: &mut #private::Builder) -> #private::Callee {
                builder.function::<#instance #used>()
            }
            #[inline(always)]
            fn apply(#(#declared_params,)* #thread: #private::Thread<'_, impl #private::Mode>, _: u32) -> #result {
                #call
            }
        }
    }
}

fn name_of(param: &Param, params: &[Param], names: &[Ident]) -> TokenStream {
    let position = params.iter().position(|other| other.name == param.name).unwrap_or(0);
    names[position].to_token_stream()
}

/// The function as the user wrote it, on the host.
fn host_form(method: &Method) -> TokenStream {
    let (attrs, vis, sig) = (&method.attrs, &method.vis, without_patterns(&method.original));
    let call = host_call_with_self(method);
    quote! {
        #[allow(dead_code, clippy::too_many_arguments)]
        #[inline]
        #(#attrs)*
        #vis #sig { #call }
    }
}

/// As `host_call`, with the receiver under its name.
fn host_call_with_self(method: &Method) -> TokenStream {
    if !method.has_receiver() {
        return host_call(&method.signature);
    }
    let private = private();
    cpu_call(&method.signature, &quote!(#private::Thread::host()), |param| argument(method, param))
}

fn argument(method: &Method, param: &Param) -> TokenStream {
    if method.has_receiver() && param.name == Owner::RECEIVER {
        // The user's own token: `self` is hygienic.
        let receiver = method.original.receiver().map(|receiver| receiver.self_token);
        return quote!(#receiver);
    }
    let name = &param.name;
    quote!(#name)
}

/// The parameters as the user wrote them, without patterns.
fn original_params(method: &Method) -> Vec<TokenStream> {
    without_patterns(&method.original).inputs.iter().map(FnArg::to_token_stream).collect()
}

/// `__gpu_name`, which the probe calls.
fn probe_form(method: &Method, in_trait: bool) -> TokenStream {
    if in_trait {
        // The trait has it.
        return TokenStream::new();
    }
    let (vis, private, instance) = (&method.vis, private(), &method.signature.instance);
    let name = format_ident!("__gpu_{}", method.name());
    let (declared, _, where_clause) = method.original.generics.split_for_impl();
    let (params, result) = (original_params(method), result(&method.signature));
    let used = Generics::of(&method.signature).used;
    quote! {
        #[doc(hidden)]
        #[allow(unused, clippy::all)]
        #vis fn #name #declared (#(#params),*) -> #private::Call<#result, #instance #used> #where_clause {
            #private::any()
        }
    }
}

/// `__cpu_name`, which CPU forms call.
fn cpu_form(method: &Method) -> TokenStream {
    let (vis, private, thread) = (&method.vis, private(), context());
    let name = format_ident!("__cpu_{}", method.name());
    let (declared, _, where_clause) = method.original.generics.split_for_impl();
    let mut params = original_params(method);
    let at = usize::from(method.has_receiver());
    params.insert(at, quote!(#thread: #private::Thread<'_, impl #private::Mode>));
    let result = result(&method.signature);
    let call = if method.has_slices() {
        // Slices of any memory.
        return cpu_form_of_slices(method);
    } else {
        cpu_call(&method.signature, &thread.to_token_stream(), |param| argument(method, param))
    };
    quote! {
        #[doc(hidden)]
        #[allow(unused, clippy::all)]
        #[inline(always)]
        #vis fn #name #declared (#(#params),*) -> #result #where_clause { #call }
    }
}

/// The same for a function that takes slices or `&mut T`, which may be in any memory.
fn cpu_form_of_slices(method: &Method) -> TokenStream {
    use crate::signature::ParamKind;
    let (vis, private, thread) = (&method.vis, private(), context());
    let name = format_ident!("__cpu_{}", method.name());
    let (declared, _, where_clause) = method.original.generics.split_for_impl();
    let receiver = method.original.receiver().map(ToTokens::to_token_stream);
    let others = method.signature.params.iter().filter(|param| param.name != Owner::RECEIVER);
    let params = others.map(|param| {
        let (name, ty) = (&param.name, &param.ty);
        match &param.kind {
            ParamKind::Slice { element, .. } => quote!(#name: &[impl #private::Elem<Value = #element>]),
            ParamKind::Reference { referent, mutable: true } => {
                quote!(#name: &impl #private::Elem<Value = #referent>)
            }
            _ => quote!(#name: #ty),
        }
    });
    let arguments = method.signature.params.iter().map(|param| {
        let value = argument(method, param);
        let receiver_mut =
            param.name == Owner::RECEIVER && matches!(param.kind, ParamKind::Reference { mutable: true, .. });
        if receiver_mut { quote!(#private::own_ref(#value)) } else { value }
    });
    let (instance, turbofish, result) =
        (&method.signature.instance, Generics::of(&method.signature).turbofish, result(&method.signature));
    let receiver = receiver.map(|receiver| quote!(#receiver,));
    quote! {
        #[doc(hidden)]
        #[allow(unused, clippy::all)]
        #[inline(always)]
        #vis fn #name #declared (#receiver #thread: #private::Thread<'_, impl #private::Mode> #(, #params)*) -> #result #where_clause {
            #instance #turbofish ::__wc_cpu(#thread #(, #arguments)*)
        }
    }
}

/// `__callee_name`, by which a trait's function is found for a type.
fn callee(method: &Method, in_trait: bool) -> TokenStream {
    if !in_trait {
        return TokenStream::new();
    }
    let (private, instance) = (private(), &method.signature.instance);
    let name = format_ident!("__callee_{}", method.name());
    let used = Generics::of(&method.signature).used;
    quote! {
        #[doc(hidden)]
        fn #name(builder: &mut #private::Builder) -> #private::Callee {
            builder.function::<#instance #used>()
        }
    }
}

/// A trait whose functions kernels can call on their type parameters.
pub(crate) fn trait_block(item: &syn::ItemTrait) -> TokenStream {
    let private = private();
    let mut item = item.clone();
    let (trait_name, vis) = (item.ident.clone(), item.vis.clone());
    item.supertraits.push(syn::parse_quote!('static));
    let functions: Vec<syn::Signature> = item
        .items
        .iter()
        .filter_map(|part| if let syn::TraitItem::Fn(function) = part { Some(function.sig.clone()) } else { None })
        .collect();
    let mut markers = TokenStream::new();
    for sig in &functions {
        let marker = format_ident!("__wc_{}_{}", trait_name, sig.ident);
        let (gpu, cpu, callee) = (
            format_ident!("__gpu_{}", sig.ident),
            format_ident!("__cpu_{}", sig.ident),
            format_ident!("__callee_{}", sig.ident),
        );
        let inputs: Vec<_> = sig.inputs.iter().collect();
        let result = match &sig.output {
            syn::ReturnType::Default => quote!(()),
            syn::ReturnType::Type(_, ty) => quote!(#ty),
        };
        let mut cpu_inputs: Vec<TokenStream> = inputs.iter().map(|input| quote!(#input)).collect();
        cpu_inputs
            .insert(usize::from(sig.receiver().is_some()), quote!(thread: #private::Thread<'_, impl #private::Mode>));
        let hidden: [syn::TraitItem; 3] = [
            syn::parse_quote! {
                #[doc(hidden)]
                #[allow(unused, clippy::all)]
                fn #gpu(#(#inputs),*) -> #private::Call<#result, #marker<Self>> where Self: ::core::marker::Sized {
                    #private::any()
                }
            },
            syn::parse_quote! {
                #[doc(hidden)]
                #[allow(clippy::all)]
                fn #cpu(#(#cpu_inputs),*) -> #result where Self: ::core::marker::Sized;
            },
            syn::parse_quote! {
                #[doc(hidden)]
                fn #callee(builder: &mut #private::Builder) -> #private::Callee where Self: ::core::marker::Sized;
            },
        ];
        item.items.extend(hidden);
        markers.extend(quote! {
            #[doc(hidden)]
            #[allow(non_camel_case_types, dead_code, missing_debug_implementations)]
            #vis struct #marker<T>(::core::marker::PhantomData<fn() -> T>);
            impl<T: #trait_name> #private::Callable for #marker<T> {
                fn callee(builder: &mut #private::Builder) -> #private::Callee {
                    T::#callee(builder)
                }
            }
        });
    }
    for part in &mut item.items {
        if let syn::TraitItem::Fn(function) = part {
            // Kernels call its other forms.
            function.attrs.push(syn::parse_quote!(#[allow(dead_code)]));
            for input in &mut function.sig.inputs {
                if let FnArg::Typed(typed) = input
                    && let Pat::Ident(ident) = &mut *typed.pat
                {
                    ident.mutability = None;
                }
            }
        }
    }
    quote!(#item #markers)
}

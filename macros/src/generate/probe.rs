//! The probe: rustc's answers to what the macro can't know.

use super::Generics;
use crate::lower::{Body, Local, LocalKind, ask_type, slot_ident};
use crate::paths::{exit_label, hidden, private, private_at, quiet};
use crate::signature::{Param, ParamKind, Signature};
use crate::spans::Extent;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use warpcell_ir as ir;

/// `impl Function for Instance`: the shape of the body, and rustc's answers.
pub(super) fn function_impl(signature: &Signature, body: &Body) -> TokenStream {
    let (private, instance) = (private(), &signature.instance);
    let Generics { declared, used, where_clause, .. } = Generics::of(signature);
    let bytes = Literal::byte_string(&ir::encode(&model(signature, body)));
    let (probe, items) = (closure(signature, body), &body.items);
    let params = signature.params.iter().map(|param| param_check(signature, param));
    let constants = body.constants.iter().map(|path| Extent::of(path).private_call("constant", borrowed(path)));
    let quiet = quiet();
    quote! {
        #[doc(hidden)]
        #quiet
        impl #declared #instance #used #where_clause {
            const __WC_ANSWERS: fn(&mut #private::Builder) -> #private::Answers = |builder| {
                #(#items)*
                #private::Answers {
                    constants: ::std::vec![#(#constants),*],
                    slots: #probe,
                }
            };

            /// 1, if the parameters' types are ones that a kernel can use.
            const __WC_PARAMS: usize = { #(let _ = #params;)* 1 };

            /// 1, if the probe is free of errors.
            const __WC_CHECKED: usize = { let _answers = Self::__WC_ANSWERS; 1 };
        }

        #[doc(hidden)]
        impl #declared #private::Function for #instance #used #where_clause {
            const MODEL: &'static [u8] = #bytes;

            fn answers(builder: &mut #private::Builder) -> #private::Answers {
                (Self::__WC_ANSWERS)(builder)
            }
        }
    }
}

/// What only compiles if a parameter has a type that a kernel can use.
fn param_check(signature: &Signature, param: &Param) -> TokenStream {
    let (ty, user) = match &param.kind {
        ParamKind::Slice { element, .. } => (&**element, quote!(Launch::value)),
        ParamKind::Reference { referent, .. } => (&**referent, quote!(unset)),
        _ if signature.kernel => (&param.ty, quote!(Launch::value)),
        // Here it may be an array.
        _ => (&param.ty, quote!(unset)),
    };
    let private = private_at(Extent::of(ty).first);
    quote!(#private::#user::<#ty>)
}

fn borrowed(path: &TokenStream) -> TokenStream {
    quote_spanned!(Extent::of(path).first=> &#path)
}

fn model(signature: &Signature, body: &Body) -> ir::Function {
    let params = body.params.iter().zip(&body.param_slots).map(|(id, slot)| {
        let local = &body.locals[*id];
        ir::Param {
            name: local.ident.unraw().to_string(),
            slot: *slot,
            by_reference: local.kind == LocalKind::Reference,
            own: local.is_own(),
        }
    });
    let local_name = |local: &Local| local.ident.unraw().to_string();
    ir::Function {
        name: signature.name.unraw().to_string(),
        file: signature.name.span().unwrap().file(),
        params: params.collect(),
        result: body.result,
        body: body.block.ir.clone(),
        sites: body.sites.clone(),
        grid_barrier: body.grid_barrier,
        assigned: body.locals.iter().filter(|local| local.mutable).map(local_name).collect(),
    }
}

/// `ask(|| { parameters; body; all slots }, builder)`
fn closure(signature: &Signature, body: &Body) -> TokenStream {
    let private = private();
    let slots = (0..body.slots).map(slot_ident);
    let params = signature.params.iter().zip(&body.param_slots).map(|(param, slot)| {
        let (name, ty) = (&param.name, &param.ty);
        let mutability = param.mutable.then(|| quote!(mut));
        let question = match &param.kind {
            ParamKind::Reference { referent, .. } => {
                let (private, slot) = (private_at(Extent::of(ty).first), slot_ident(*slot));
                quote!(#private::see_type::<#referent>(&#slot))
            }
            _ => ask_type(ty, name, *slot),
        };
        let ty = signature.known(ty);
        quote!(let #mutability #name: #ty = #private::any(); #question;)
    });
    let result_ty = signature.result.as_ref().map_or(quote!(()), |ty| quote!(#ty));
    let (result, probe) = (hidden("__wc_result"), body.block.braced_probe());
    let mut label = exit_label();
    label.set_span(label.span().located_at(body.block.brace.span.open()));
    let (result_slot, tuple) = (slot_ident(body.result), tuple(body));
    quote! {
        #private::ask(|| {
            use #private::methods::*;
            #(let #slots = #private::Slot::new();)*
            #(#params)*
            let #result: #result_ty = #label: #probe;
            #private::bind(&#result, &#result_slot);
            #tuple
        }, builder)
    }
}

/// All slots, in groups of eight as a tree: deeply nested pairs overflow the trait recursion limit.
fn tuple(body: &Body) -> TokenStream {
    let private = private();
    let mut level: Vec<TokenStream> = (0..body.slots).map(|slot| slot_ident(slot).into_token_stream()).collect();
    while level.len() > 1 {
        level = level.chunks(8).map(|group| quote!(#private::Group((#(#group,)*)))).collect();
    }
    level.pop().unwrap_or_else(|| quote!(#private::Group(())))
}

/// `const __WC_SITES`: where the CPU form can fault.
pub(super) fn sites_const(signature: &Signature, body: &Body) -> TokenStream {
    let (private, file) = (private(), signature.name.span().unwrap().file());
    let sites = body.sites.iter().map(|site| {
        let (line, column, text) = (site.line, site.column, &site.text);
        let kind = Ident::new(&format!("{:?}", site.kind), Span::mixed_site());
        quote!(#private::Site::new(#private::SiteKind::#kind, #file, #line, #column, #text))
    });
    quote!(#[doc(hidden)] const __WC_SITES: &'static [#private::Site] = &[#(#sites),*];)
}

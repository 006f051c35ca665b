//! The probe: rustc's answers to what the macro can't know.

use super::Generics;
use crate::lower::{Body, Question, slot_ident};
use crate::paths::{exit_label, hidden, instance, private};
use crate::signature::{Signature, position};
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use warpcell_ir as ir;

/// `impl Function for Instance`: the shape of the body, and rustc's answers.
pub(super) fn function_impl(signature: &Signature, body: &Body) -> TokenStream {
    let (private, instance) = (private(), instance(&signature.name));
    let Generics { declared, used, where_clause, .. } = Generics::of(signature);
    let bytes = Literal::byte_string(&ir::encode(&model(signature, body)));
    let (probe, items, constants) = (closure(signature, body), &body.items, &body.constants);
    quote! {
        #[doc(hidden)]
        impl #declared #private::Function for #instance #used #where_clause {
            const MODEL: &'static [u8] = #bytes;

            #[allow(unused, unreachable_code, clippy::all)]
            fn answers(builder: &mut #private::Builder) -> #private::Answers {
                #(#items)*
                #private::Answers {
                    constants: ::std::vec![#(#private::constant(&#constants)),*],
                    slots: #probe,
                }
            }
        }
    }
}

fn model(signature: &Signature, body: &Body) -> ir::Function {
    let params = body.params.iter().zip(&body.param_slots);
    ir::Function {
        name: signature.name.to_string(),
        file: signature.name.span().unwrap().file(),
        params: params.map(|(id, slot)| ir::Param { name: body.locals[*id].ident.to_string(), slot: *slot }).collect(),
        result: body.result,
        body: body.block.ir.clone(),
        sites: body.sites.clone(),
        assigned: body.locals.iter().filter(|local| local.mutable).map(|local| local.ident.to_string()).collect(),
    }
}

/// `ask(|| { parameters; body; all slots }, builder)`
fn closure(signature: &Signature, body: &Body) -> TokenStream {
    let private = private();
    let slots = (0..body.slots.len()).map(|slot| slot_ident(slot as ir::Slot));
    let params = signature.params.iter().zip(&body.param_slots).map(|(param, slot)| {
        let (name, ty, slot) = (&param.name, &param.ty, slot_ident(*slot));
        let mutability = param.mutable.then(|| quote!(mut));
        quote!(let #mutability #name: #ty = #private::any(); #private::bind(&#name, &#slot);)
    });
    let result_ty = signature.result.as_ref().map_or(quote!(()), |ty| quote!(#ty));
    let (label, result, probe) = (exit_label(), hidden("__wc_result"), &body.block.probe);
    let (result_slot, tuple) = (slot_ident(body.result), tuple(body));
    quote! {
        #private::ask(|| {
            #[allow(unused_imports)]
            use #private::methods::*;
            #(let #slots = #private::Slot::new();)*
            #(#params)*
            #[allow(unused_labels)]
            let #result: #result_ty = #label: { #probe };
            #private::bind(&#result, &#result_slot);
            #tuple
        }, builder)
    }
}

/// All slots, in groups of eight as a tree: deeply nested pairs overflow the trait recursion limit.
fn tuple(body: &Body) -> TokenStream {
    let private = private();
    let mut level: Vec<TokenStream> = body
        .slots
        .iter()
        .enumerate()
        .map(|(slot, question)| {
            let name = slot_ident(slot as ir::Slot);
            match question {
                Question::Type => quote!(#name),
                Question::Call => quote!(#name),
            }
        })
        .collect();
    while level.len() > 1 {
        level = level.chunks(8).map(|group| quote!(#private::Group((#(#group,)*)))).collect();
    }
    level.pop().unwrap_or_else(|| quote!(#private::Group(())))
}

/// `const __WC_FILE`: the source file, for the CPU form's sites.
pub(super) fn file_const(signature: &Signature) -> TokenStream {
    let file = signature.name.span().unwrap().file();
    // The line is the function's own, so that a fault without a site still says where.
    let (_line, _) = position(signature.name.span());
    quote!(#[doc(hidden)] const __WC_FILE: &'static str = #file;)
}

//! Functions that belong to a type: `self` and `Self` written out, so that they are device functions like any other.

use crate::diagnostics::Diagnostics;
use crate::lower::{Body, Lowerer};
use crate::signature::Signature;
use crate::{generate, input};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use std::collections::HashMap;
use syn::ext::IdentExt;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Expr, FnArg, ImplItem, ItemFn, ItemImpl, ReceiverKind, Type, Visibility};

/// A function of an `impl`.
pub(crate) struct Method {
    pub attrs: Vec<Attribute>,
    pub vis: Visibility,
    /// As the user wrote it.
    pub original: syn::Signature,
    /// With the receiver as a parameter, and all type parameters.
    pub signature: Signature,
    pub body: Body,
}

impl Method {
    pub(crate) fn name(&self) -> String {
        self.original.ident.unraw().to_string()
    }

    pub(crate) fn has_receiver(&self) -> bool {
        self.original.receiver().is_some()
    }

    /// Whether it takes memory: slices, or `&mut T` beside the receiver.
    pub(crate) fn has_slices(&self) -> bool {
        use crate::signature::ParamKind::{Reference, Slice};
        self.signature.params.iter().any(|param| match &param.kind {
            Slice { .. } => true,
            Reference { mutable: true, .. } => param.name != Owner::RECEIVER,
            _ => false,
        })
    }
}

/// Whose functions they are.
pub(crate) struct Owner<'a> {
    item: &'a ItemImpl,
    /// The `impl`'s associated types.
    types: HashMap<String, Type>,
}

impl<'a> Owner<'a> {
    /// The name of the receiver as a parameter.
    pub(crate) const RECEIVER: &'static str = "__self";

    pub(crate) fn of(item: &'a ItemImpl) -> Owner<'a> {
        let types = item.items.iter().filter_map(|part| match part {
            ImplItem::Type(ty) => Some((ty.ident.to_string(), ty.ty.clone())),
            _ => None,
        });
        Owner { item, types: types.collect() }
    }

    /// The functions of the `impl`; what is wrong goes to `diagnostics`.
    pub(crate) fn methods(&self, diagnostics: &mut Diagnostics) -> Vec<Method> {
        let functions = self.item.items.iter().filter_map(|part| match part {
            ImplItem::Fn(function) => Some(function),
            _ => None,
        });
        functions.map(|function| self.method(function, diagnostics)).collect()
    }

    fn method(&self, function: &syn::ImplItemFn, diagnostics: &mut Diagnostics) -> Method {
        let mut item = ItemFn {
            attrs: Vec::new(),
            vis: function.vis.clone(),
            sig: function.sig.clone(),
            block: Box::new(function.block.clone()),
            ..syn::parse_quote!(
                fn f() {}
            )
        };
        input::ungroup(&mut item);
        input::check_attributes(&item, diagnostics);
        self.write_out(&mut item);
        let mut signature = Signature::check(&item, false, diagnostics);
        signature.method = true;
        signature.instance = self.instance(&function.sig.ident);
        signature.generics = self.all_generics(&function.sig.generics);
        let body = Lowerer::lower(&signature, &item.block, false, diagnostics);
        Method {
            attrs: function.attrs.clone(),
            vis: function.vis.clone(),
            original: function.sig.clone(),
            signature,
            body,
        }
    }

    /// The name of the instance: of the type, the trait and the function.
    fn instance(&self, function: &Ident) -> Ident {
        let text = |tokens: TokenStream| -> String {
            let text = tokens.to_string();
            text.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect()
        };
        let owner = text(self.item.self_ty.to_token_stream());
        let of_trait = self.item.trait_.as_ref().map(|(path, _)| text(path.to_token_stream())).unwrap_or_default();
        format_ident!("__wc_instance_{owner}_{of_trait}_{}", function.unraw(), span = function.span())
    }

    /// The type parameters of the `impl` and of the function.
    fn all_generics(&self, own: &syn::Generics) -> syn::Generics {
        let mut all = self.item.generics.clone();
        all.params.extend(own.params.iter().cloned());
        if let Some(clause) = &own.where_clause {
            all.make_where_clause().predicates.extend(clause.predicates.iter().cloned());
        }
        all
    }

    /// Writes `self` and `Self` out.
    fn write_out(&self, item: &mut ItemFn) {
        if let Some(FnArg::Receiver(receiver)) = item.sig.inputs.first() {
            let name = Ident::new(Self::RECEIVER, receiver.self_token.span);
            let (ty, mutability) = (&self.item.self_ty, receiver.mutability);
            item.sig.inputs[0] = match &receiver.kind {
                ReceiverKind::Reference(_, _, Some(_)) => syn::parse_quote!(#name: &mut #ty),
                ReceiverKind::Reference(_, _, None) => syn::parse_quote!(#name: &#ty),
                _ => syn::parse_quote!(#mutability #name: #ty),
            };
        }
        WriteOut(self).visit_item_fn_mut(item);
    }
}

struct WriteOut<'a, 'o>(&'a Owner<'o>);

impl WriteOut<'_, '_> {
    /// `Self` as an expression's path: type parameters need `::`.
    fn path(&self) -> Option<syn::Path> {
        let Type::Path(ty) = &*self.0.item.self_ty else { return None };
        let mut path = ty.path.clone();
        for segment in &mut path.segments {
            if let syn::PathArguments::AngleBracketed(arguments) = &mut segment.arguments {
                arguments.colon2_token.get_or_insert_default();
            }
        }
        Some(path)
    }

    /// `Self` or `Self::name`, of an expression or pattern.
    fn write_path(&self, qself: &mut Option<syn::QSelf>, path: &mut syn::Path) {
        if qself.is_some() || path.segments.first().is_none_or(|first| first.ident != "Self") {
            return;
        }
        if path.segments.len() == 1 {
            if let Some(written) = self.path() {
                *path = written;
            }
            return;
        }
        let rest: Vec<_> = path.segments.iter().skip(1).cloned().collect();
        let ty = &self.0.item.self_ty;
        if let Ok(written) = syn::parse2::<syn::ExprPath>(quote!(<#ty>::#(#rest)::*)) {
            *qself = written.qself;
            *path = written.path;
        }
    }
}

impl VisitMut for WriteOut<'_, '_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(path) = ty
            && path.qself.is_none()
            && path.path.segments.first().is_some_and(|first| first.ident == "Self")
        {
            let name = path.path.segments.iter().nth(1).map(|segment| segment.ident.to_string());
            match name {
                None => *ty = (*self.0.item.self_ty).clone(),
                Some(name) => {
                    if let Some(found) = self.0.types.get(&name) {
                        *ty = found.clone();
                    }
                }
            }
        }
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Path(path) if path.path.is_ident("self") => {
                let span = path.path.segments[0].ident.span();
                path.path.segments[0].ident = Ident::new(Owner::RECEIVER, span);
            }
            Expr::Path(path) => self.write_path(&mut path.qself, &mut path.path),
            Expr::Struct(found) => self.write_path(&mut found.qself, &mut found.path),
            _ => {}
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_pat_mut(&mut self, pattern: &mut syn::Pat) {
        match pattern {
            syn::Pat::Path(path) => self.write_path(&mut path.qself, &mut path.path),
            syn::Pat::Struct(found) => self.write_path(&mut found.qself, &mut found.path),
            syn::Pat::TupleStruct(found) => self.write_path(&mut found.qself, &mut found.path),
            _ => {}
        }
        visit_mut::visit_pat_mut(self, pattern);
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        let tokens = std::mem::take(&mut call.tokens);
        call.tokens = self.tokens(tokens);
    }
}

impl WriteOut<'_, '_> {
    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let written = tokens.into_iter().map(|token| match token {
            TokenTree::Ident(ident) if ident == "self" => Ident::new(Owner::RECEIVER, ident.span()).into_token_stream(),
            TokenTree::Ident(ident) if ident == "Self" => self.path().to_token_stream(),
            TokenTree::Group(group) => {
                let mut written = Group::new(group.delimiter(), self.tokens(group.stream()));
                written.set_span(group.span());
                written.into_token_stream()
            }
            other => other.into_token_stream(),
        });
        written.collect()
    }
}

/// The operators' traits, by name.
const OPERATORS: [&str; 18] = [
    "Add",
    "Sub",
    "Mul",
    "Div",
    "Rem",
    "BitAnd",
    "BitOr",
    "BitXor",
    "Neg",
    "Not",
    "AddAssign",
    "SubAssign",
    "MulAssign",
    "DivAssign",
    "RemAssign",
    "BitAndAssign",
    "BitOrAssign",
    "BitXorAssign",
];

/// `#[gpu_impl]`
pub(crate) fn gpu_impl(item: ItemImpl) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let methods = Owner::of(&item).methods(&mut diagnostics);
    if diagnostics.any() {
        let mut tokens = diagnostics.into_tokens();
        tokens.extend(unimplemented(&item));
        return tokens;
    }
    let operator = item.trait_.as_ref().and_then(|(path, _)| path.segments.last());
    match operator.filter(|last| OPERATORS.iter().any(|name| last.ident == name)) {
        Some(last) if methods.len() == 1 => generate::operator(&item, &methods[0], &last.ident),
        _ => generate::impl_block(&item, &methods),
    }
}

/// The `impl` after a refusal: its functions are there, so that their users don't add errors.
fn unimplemented(item: &ItemImpl) -> TokenStream {
    let mut item = item.clone();
    for part in &mut item.items {
        if let ImplItem::Fn(function) = part {
            function.block = syn::parse_quote!({ ::core::unreachable!() });
            function.attrs.push(syn::parse_quote!(#[allow(unused)]));
        }
    }
    quote!(#item)
}

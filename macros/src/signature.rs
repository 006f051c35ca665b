//! What a function's signature may look like.

use crate::diagnostics::Diagnostics;
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{FnArg, GenericParam, Generics, ItemFn, Pat, ReturnType, Type};

/// A parameter.
pub(crate) struct Param {
    pub name: Ident,
    pub mutable: bool,
    pub ty: Type,
    pub kind: ParamKind,
}

/// What a parameter is.
pub(crate) enum ParamKind {
    /// `&[T]` or `&mut [T]`
    Slice { element: Type, mutable: bool },
    /// Anything passed by value.
    Value,
}

/// A checked signature.
pub(crate) struct Signature {
    pub name: Ident,
    pub generics: Generics,
    pub params: Vec<Param>,
    /// The result's type; `None` for `()`.
    pub result: Option<Type>,
}

impl Signature {
    /// Checks `item`'s signature; what is wrong goes to `diagnostics`.
    pub(crate) fn check(item: &ItemFn, kernel: bool, diagnostics: &mut Diagnostics) -> Signature {
        check_qualifiers(item, diagnostics);
        check_generics(&item.sig.generics, diagnostics);
        let params = item.sig.inputs.iter().filter_map(|input| check_param(input, kernel, diagnostics)).collect();
        Signature {
            name: item.sig.ident.clone(),
            generics: item.sig.generics.clone(),
            params,
            result: check_result(&item.sig.output, kernel, diagnostics),
        }
    }

    /// The type parameters' names, and the const parameters' names, in order.
    pub(crate) fn type_params(&self) -> impl Iterator<Item = &Ident> {
        self.generics.type_params().map(|param| &param.ident)
    }
}

/// A kernel is an ordinary function: no `async`, `unsafe`, `const` or `extern`.
fn check_qualifiers(item: &ItemFn, diagnostics: &mut Diagnostics) {
    let sig = &item.sig;
    if let Some(token) = &sig.asyncness {
        diagnostics.error(
            token.span(),
            "a kernel can't be `async`",
            "remove `async`; a launch returns before the kernel ends",
        );
    }
    if let syn::Safety::Unsafe(token) = &sig.safety {
        diagnostics.error(token.span(), "a kernel can't be `unsafe`", "remove `unsafe`; every access is checked");
    }
    if let Some(token) = &sig.constness {
        diagnostics.error(token.span(), "a kernel can't be `const`", "remove `const`");
    }
    if let Some(abi) = &sig.abi {
        diagnostics.error(abi.span(), "a kernel can't have an ABI", "remove `extern`");
    }
    if let Some(variadic) = &sig.variadic {
        diagnostics.error(variadic.span(), "a kernel can't be variadic", "pass a slice");
    }
}

/// Type and const parameters are allowed; lifetimes are elided, as instances are keyed by `TypeId`.
fn check_generics(generics: &Generics, diagnostics: &mut Diagnostics) {
    for param in &generics.params {
        if let GenericParam::Lifetime(lifetime) = param {
            diagnostics.error(
                lifetime.span(),
                "explicit lifetimes are not supported in kernels",
                "leave the lifetimes out; they are elided",
            );
        }
    }
}

fn check_param(input: &FnArg, kernel: bool, diagnostics: &mut Diagnostics) -> Option<Param> {
    let FnArg::Typed(typed) = input else {
        diagnostics.error(input.span(), "`self` is not supported here", "pass the value as an ordinary parameter");
        return None;
    };
    let Pat::Ident(pattern) = &*typed.pat else {
        diagnostics.error(
            typed.pat.span(),
            "patterns are not supported in parameters",
            "name the parameter and take it apart in the body",
        );
        return None;
    };
    let kind = check_type(&typed.ty, kernel, diagnostics)?;
    Some(Param { name: pattern.ident.clone(), mutable: pattern.mutability.is_some(), ty: (*typed.ty).clone(), kind })
}

/// Which of the three kinds of parameter a type makes. What else is wrong with a type rustc says, at the probe.
fn check_type(ty: &Type, kernel: bool, diagnostics: &mut Diagnostics) -> Option<ParamKind> {
    match ty {
        Type::Reference(reference) => {
            if let Some(lifetime) = &reference.lifetime {
                diagnostics.error(
                    lifetime.span(),
                    "explicit lifetimes are not supported in kernels",
                    "leave the lifetimes out; they are elided",
                );
            }
            let mutable = reference.mutability.is_some();
            match &*reference.elem {
                Type::Slice(slice) => Some(ParamKind::Slice { element: (*slice.elem).clone(), mutable }),
                _ => {
                    diagnostics.error(
                        ty.span(),
                        "a reference to a single value is not supported here",
                        "pass the value itself, or a slice of one element",
                    );
                    None
                }
            }
        }
        Type::ImplTrait(_) => {
            diagnostics.error(
                ty.span(),
                "`impl Trait` is not supported in kernels",
                "use a named type parameter: `fn f<T: Trait>(x: T)`",
            );
            None
        }
        Type::TraitObject(_) => {
            diagnostics.error(
                ty.span(),
                "`dyn Trait` is not supported in kernels",
                "use a type parameter: a kernel has no pointers to functions",
            );
            None
        }
        Type::Ptr(_) => {
            diagnostics.error(
                ty.span(),
                "raw pointers are not supported in kernels",
                "use a slice: `&[T]` or `&mut [T]`",
            );
            None
        }
        Type::Tuple(tuple) if !tuple.elems.is_empty() => {
            diagnostics.error(ty.span(), "tuples are not supported in kernels yet", "pass the parts one by one");
            None
        }
        Type::Array(_) if kernel => {
            diagnostics.error(
                ty.span(),
                "a kernel can't take an array by value yet",
                "pass a slice, or the elements one by one",
            );
            None
        }
        Type::Path(path) if is_heap_type(path) => {
            diagnostics.error(
                ty.span(),
                "a heap type can't be passed to a kernel",
                "take a slice (`&[T]` or `&mut [T]`) and pass a buffer made by `Device::upload`",
            );
            None
        }
        _ => Some(ParamKind::Value),
    }
}

fn is_heap_type(path: &syn::TypePath) -> bool {
    const HEAP: [&str; 6] = ["Vec", "String", "Box", "Rc", "Arc", "HashMap"];
    path.path.segments.last().is_some_and(|segment| HEAP.iter().any(|heap| segment.ident == heap))
}

fn check_result(output: &ReturnType, kernel: bool, diagnostics: &mut Diagnostics) -> Option<Type> {
    let ReturnType::Type(_, ty) = output else { return None };
    match &**ty {
        Type::Tuple(tuple) if tuple.elems.is_empty() => None,
        _ if kernel => {
            diagnostics.error(
                ty.span(),
                "a kernel returns nothing",
                "take a `&mut [T]` parameter and write the result there",
            );
            None
        }
        Type::Reference(_) => {
            diagnostics.error(ty.span(), "a device function can't return a reference", "return the value, or an index");
            None
        }
        Type::Tuple(_) => {
            diagnostics.error(
                ty.span(),
                "tuples are not supported in kernels yet",
                "return one value, or split the function",
            );
            None
        }
        ty => Some(ty.clone()),
    }
}

/// The place of a span in its file.
pub(crate) fn position(span: Span) -> (u32, u32) {
    let start = span.unwrap().start();
    // Lines and columns of a source file fit; a longer one could not be compiled.
    (start.line() as u32, start.column() as u32)
}

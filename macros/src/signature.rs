//! What a function's signature may look like.

mod types;

use crate::diagnostics::Diagnostics;
use crate::paths::instance;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{FnArg, GenericParam, Generics, ItemFn, Pat, ReturnType, Type};
use types::{Position, refusal};
pub(crate) use types::{primitive_depth, refused_name, refused_type};

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
    Slice { element: Box<Type>, mutable: bool },
    /// `&T` or `&mut T`, of a device function.
    Reference { referent: Box<Type>, mutable: bool },
    /// Anything passed by value.
    Value,
    /// Something that was reported.
    Refused,
}

/// A checked signature.
pub(crate) struct Signature {
    pub name: Ident,
    /// The struct that names an instance.
    pub instance: Ident,
    pub generics: Generics,
    pub params: Vec<Param>,
    /// The result's type; `None` for `()`.
    pub result: Option<Type>,
    /// Whether it is a kernel's.
    pub kernel: bool,
    /// Whether the function stands in an `impl`.
    pub method: bool,
}

impl Signature {
    /// Checks `item`'s signature; what is wrong goes to `diagnostics`.
    pub(crate) fn check(item: &ItemFn, kernel: bool, diagnostics: &mut Diagnostics) -> Signature {
        check_qualifiers(item, kernel, diagnostics);
        check_generics(&item.sig.generics, diagnostics);
        let inputs = item.sig.inputs.iter().enumerate();
        let params = inputs.map(|(number, input)| check_param(input, number, kernel, diagnostics)).collect();
        Signature {
            name: item.sig.ident.clone(),
            instance: instance(&item.sig.ident),
            generics: item.sig.generics.clone(),
            params,
            result: check_result(&item.sig.output, kernel, diagnostics),
            kernel,
            method: item.sig.receiver().is_some(),
        }
    }

    /// `ty` in a CPU form. If rustc has found an error in the probe, it is an erroneous type, so that the CPU form does not
    /// say the same error once more in its own words. In generic functions it is only `ty`: a length can't depend on
    /// parameters.
    pub(crate) fn checked(&self, ty: impl ToTokens) -> TokenStream {
        self.erroneous_unless(ty, quote!(__WC_CHECKED))
    }

    /// `ty` in the probe, erroneous if a parameter has a type that no kernel can use.
    pub(crate) fn known(&self, ty: impl ToTokens) -> TokenStream {
        self.erroneous_unless(ty, quote!(__WC_PARAMS))
    }

    /// `ty`, by way of the constant 1; a constant whose body has errors has no value, nor has a type made of it.
    fn erroneous_unless(&self, ty: impl ToTokens, constant: TokenStream) -> TokenStream {
        if !self.generics.params.is_empty() {
            return ty.into_token_stream();
        }
        let instance = &self.instance;
        quote!(<[#ty; #instance::#constant] as ::core::iter::IntoIterator>::Item)
    }

    /// The type parameters' names, and the const parameters' names, in order.
    pub(crate) fn type_params(&self) -> impl Iterator<Item = &Ident> {
        self.generics.type_params().map(|param| &param.ident)
    }
}

/// A kernel is an ordinary function: no `async`, `unsafe`, `const` or `extern`.
fn check_qualifiers(item: &ItemFn, kernel: bool, diagnostics: &mut Diagnostics) {
    let function = if kernel { "a kernel" } else { "a device function" };
    let mut refuse = |tokens: TokenStream, property: &str, help: &str| {
        diagnostics.error(tokens, format!("{function} can't be {property}"), help);
    };
    let sig = &item.sig;
    if let Some(token) = &sig.asyncness {
        refuse(quote!(#token), "`async`", "remove `async`; a launch returns before the kernel ends");
    }
    if let syn::Safety::Unsafe(token) = &sig.safety {
        refuse(quote!(#token), "`unsafe`", "remove `unsafe`; every access is checked");
    }
    if let Some(token) = &sig.constness {
        refuse(quote!(#token), "`const`", "remove `const`");
    }
    if let Some(abi) = &sig.abi {
        refuse(quote!(#abi), "`extern`", "remove the ABI; the launch passes the arguments");
    }
    if let Some(variadic) = &sig.variadic {
        refuse(quote!(#variadic), "variadic", "pass a slice");
    }
}

const LIFETIME: (&str, &str) =
    ("explicit lifetimes are not supported in kernels", "leave the lifetimes out; they are elided");

/// Type and const parameters are allowed; lifetimes are elided, as instances are keyed by `TypeId`.
fn check_generics(generics: &Generics, diagnostics: &mut Diagnostics) {
    for param in &generics.params {
        match param {
            GenericParam::Lifetime(lifetime) => diagnostics.error(lifetime, LIFETIME.0, LIFETIME.1),
            GenericParam::Type(param) if param.bounds.is_empty() && !bounded_later(generics, &param.ident) => {
                let (name, what) = (&param.ident, format!("nothing is known of the type `{}`", param.ident));
                diagnostics.error(name, what, format!("write `{name}: Num`, `Real`, `Int` or `GpuType`"));
            }
            _ => {}
        }
    }
}

/// Whether a `where` clause bounds the type parameter.
fn bounded_later(generics: &Generics, name: &Ident) -> bool {
    generics.where_clause.iter().flat_map(|clause| &clause.predicates).any(|predicate| {
        matches!(predicate, syn::WherePredicate::Type(bound)
            if matches!(&bound.bounded_ty, Type::Path(path) if path.path.is_ident(name)))
    })
}

fn check_param(input: &FnArg, number: usize, kernel: bool, diagnostics: &mut Diagnostics) -> Param {
    let refused = |ty: Type| Param {
        name: format_ident!("__wc_argument_{number}"),
        mutable: false,
        ty,
        kind: ParamKind::Refused,
    };
    let FnArg::Typed(typed) = input else {
        diagnostics.error(
            input,
            "`self` can't be passed to a kernel, nor to a function marked by itself",
            "mark the whole `impl` with `#[gpu_impl]`; its methods can then be called from kernels",
        );
        return refused(syn::parse_quote!(()));
    };
    let Pat::Ident(pattern) = &*typed.pat else {
        diagnostics.error(
            &typed.pat,
            "patterns are not supported in parameters",
            "name the parameter and take it apart in the body",
        );
        return refused((*typed.ty).clone());
    };
    let kind = check_type(&typed.ty, kernel, diagnostics);
    Param { name: pattern.ident.clone(), mutable: pattern.mutability.is_some(), ty: (*typed.ty).clone(), kind }
}

/// Which kind of parameter a type makes.
fn check_type(ty: &Type, kernel: bool, diagnostics: &mut Diagnostics) -> ParamKind {
    let position = if kernel { Position::KernelParam } else { Position::FunctionParam };
    if let Some((what, help)) = refusal(ty, position) {
        diagnostics.error(ty, what, help);
        return ParamKind::Refused;
    }
    let Type::Reference(reference) = ty else { return ParamKind::Value };
    if let Some(lifetime) = &reference.lifetime {
        diagnostics.error(lifetime, LIFETIME.0, LIFETIME.1);
    }
    match &*reference.elem {
        Type::Slice(slice) => ParamKind::Slice { element: slice.elem.clone(), mutable: reference.mutability.is_some() },
        referent => {
            ParamKind::Reference { referent: Box::new(referent.clone()), mutable: reference.mutability.is_some() }
        }
    }
}

fn check_result(output: &ReturnType, kernel: bool, diagnostics: &mut Diagnostics) -> Option<Type> {
    let ReturnType::Type(_, ty) = output else { return None };
    match &**ty {
        Type::Tuple(tuple) if tuple.elems.is_empty() => return None,
        _ if kernel => {
            diagnostics.error(ty, "a kernel returns nothing", "take a `&mut [T]` parameter and write the result there")
        }
        Type::Never(_) => {
            diagnostics.error(ty, "a device function must return", "leave the result out, and use `return`");
        }
        _ => {
            if let Some((what, help)) = refusal(ty, Position::Result) {
                diagnostics.error(ty, what, help);
            }
        }
    }
    Some((**ty).clone())
}

/// The place of a span in its file.
pub(crate) fn position(span: Span) -> (u32, u32) {
    let start = span.unwrap().start();
    // Lines and columns of a source file fit; a longer one could not be compiled.
    (start.line() as u32, start.column() as u32)
}

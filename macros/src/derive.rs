//! `#[derive(GpuType)]`: structs and field-less enums that buffers and kernels can hold.

use crate::diagnostics::Diagnostics;
use crate::paths::{private, quiet};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Data, DataEnum, DataStruct, DeriveInput, Fields, Member};

pub(crate) fn gpu_type(input: &DeriveInput) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let tokens = match &input.data {
        Data::Struct(data) => struct_impls(input, data, &mut diagnostics),
        Data::Enum(data) => enum_impls(input, data, &mut diagnostics),
        Data::Union(_) => {
            diagnostics.error(&input.ident, "a union can't be a `GpuType`", "use a struct, or bits and `from_bits`");
            TokenStream::new()
        }
    };
    if diagnostics.any() { diagnostics.into_tokens() } else { tokens }
}

/// The `repr` attributes' arguments.
fn reprs(input: &DeriveInput) -> Vec<String> {
    let mut found = Vec::new();
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        // What can't be read rustc reports.
        let _ = attribute.parse_nested_meta(|meta| {
            found.push(meta.path.to_token_stream().to_string());
            if meta.input.peek(syn::token::Paren) {
                let content;
                syn::parenthesized!(content in meta.input);
                content.parse::<TokenStream>()?;
            }
            Ok(())
        });
    }
    found
}

fn struct_impls(input: &DeriveInput, data: &DataStruct, diagnostics: &mut Diagnostics) -> TokenStream {
    let (name, reprs) = (&input.ident, reprs(input));
    if !reprs.iter().any(|repr| repr == "C" || repr == "transparent") || reprs.iter().any(|repr| repr == "packed") {
        diagnostics.error(
            name,
            "the layout of this struct is not that of C",
            "write `#[repr(C)]` before it, so that it is the same on both sides",
        );
    }
    if matches!(data.fields, Fields::Unit) {
        diagnostics.error(name, "a struct without fields can't be a `GpuType`", "a type parameter needs no derive");
    }
    let members: Vec<Member> = data.fields.members().collect();
    let types: Vec<_> = data.fields.iter().map(|field| &field.ty).collect();
    let texts = members.iter().map(|member| member.to_token_stream().to_string());
    let mut generics = input.generics.clone();
    let private = private();
    for param in generics.type_params_mut() {
        param.bounds.push(syn::parse_quote!(#private::GpuType));
    }
    let (declared, used, where_clause) = generics.split_for_impl();
    let (quiet, text) = (quiet(), name.to_string());
    quote! {
        // SAFETY: C's layout, of fields for which the same holds.
        #[doc(hidden)]
        #quiet
        unsafe impl #declared #private::GpuType for #name #used #where_clause {
            const ANY_BITS: bool = true #(&& <#types as #private::GpuType>::ANY_BITS)*;
        }
        #[doc(hidden)]
        #quiet
        impl #declared #private::Value for #name #used #where_clause {
            fn unset() -> Self {
                Self { #(#members: <#types as #private::Value>::unset()),* }
            }
            fn model() -> #private::Type {
                #private::struct_type::<Self>(#text, ::std::vec![
                    #((#texts, <#types as #private::Value>::model())),*
                ])
            }
            fn constant(&self) -> #private::ConstantValue {
                #private::ConstantValue::Composite {
                    ty: Self::model(),
                    parts: ::std::vec![#(#private::Value::constant(&self.#members)),*],
                }
            }
            #[inline(always)]
            fn same(&self, other: &Self) -> bool {
                true #(&& #private::Value::same(&self.#members, &other.#members))*
            }
            #[inline(always)]
            unsafe fn load(place: *const Self) -> Self {
                // SAFETY: the fields of a valid struct are valid.
                unsafe { Self { #(#members: #private::Value::load(&raw const (*place).#members)),* } }
            }
            #[inline(always)]
            unsafe fn store(place: *mut Self, value: Self) {
                // SAFETY: as above.
                unsafe { #(#private::Value::store(&raw mut (*place).#members, value.#members);)* }
            }
        }
    }
}

const INTEGERS: [&str; 8] = ["u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64"];

fn enum_impls(input: &DeriveInput, data: &DataEnum, diagnostics: &mut Diagnostics) -> TokenStream {
    let name = &input.ident;
    for variant in data.variants.iter().filter(|variant| !matches!(variant.fields, Fields::Unit)) {
        diagnostics.error(
            variant,
            "an enum with fields can't be a `GpuType`",
            "use a field-less enum, and a struct with it and the values",
        );
    }
    let repr = reprs(input).into_iter().find(|repr| INTEGERS.contains(&&**repr));
    let Some(repr) = repr else {
        diagnostics.error(
            name,
            "the size of this enum is not fixed",
            "write `#[repr(u8)]` (or another integer) before it, so that it is the same on both sides",
        );
        return TokenStream::new();
    };
    let integer = Ident::new(&repr, name.span());
    let variants: Vec<&Ident> = data.variants.iter().map(|variant| &variant.ident).collect();
    let Some(first) = variants.first() else {
        diagnostics.error(name, "an enum without variants has no values", "add a variant");
        return TokenStream::new();
    };
    let (private, quiet) = (private(), quiet());
    quote! {
        // SAFETY: an integer in memory; zero is one of the variants (checked below).
        #[doc(hidden)]
        #quiet
        unsafe impl #private::GpuType for #name {
            const ANY_BITS: bool = false;
        }
        #[doc(hidden)]
        #quiet
        impl #private::Value for #name {
            fn unset() -> Self {
                const {
                    // Memory that nothing was written to holds zeros.
                    ::core::assert!(
                        false #(|| Self::#variants as #integer == 0)*,
                        "one variant of a `GpuType` enum must be 0, which is what new memory holds"
                    );
                }
                let mut zero = Self::#first;
                #(if Self::#variants as #integer == 0 { zero = Self::#variants; })*
                zero
            }
            fn model() -> #private::Type {
                <#integer as #private::Value>::model()
            }
            fn constant(&self) -> #private::ConstantValue {
                let value = *self;
                #private::Value::constant(&(value as #integer))
            }
            #[inline(always)]
            fn same(&self, other: &Self) -> bool {
                let (a, b) = (*self, *other);
                a as #integer == b as #integer
            }
            #[inline(always)]
            unsafe fn load(place: *const Self) -> Self {
                // SAFETY: an enum is its integer in memory.
                let bits = unsafe { <#integer as #private::Value>::load(place.cast()) };
                #(if bits == Self::#variants as #integer { return Self::#variants; })*
                Self::unset()
            }
            #[inline(always)]
            unsafe fn store(place: *mut Self, value: Self) {
                // SAFETY: as above.
                unsafe { <#integer as #private::Value>::store(place.cast(), value as #integer) }
            }
        }
    }
}

//! Types that a signature can't have, by name. What else is wrong with a type rustc says, at the probe.

use proc_macro2::Ident;
use syn::{Type, TypePath, TypeReference};

/// Where a type stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Position {
    KernelParam,
    FunctionParam,
    /// Behind a reference.
    Referent,
    Result,
    /// In a body.
    Local,
}

/// What is wrong with a type, and what to write instead.
pub(crate) type Refusal = (&'static str, &'static str);

const NO_TEXT: Refusal = ("text is not supported in kernels", "use numbers; bytes are a slice of `u8`");
const NO_HEAP: Refusal = ("a kernel has no heap", "use a local array, `[0.0; 4]`, or a slice parameter");

/// Why `ty` can't stand in a body.
pub(crate) fn refused_type(ty: &Type) -> Option<Refusal> {
    refusal(ty, Position::Local)
}

/// Why no function of the type `name` can be called.
pub(crate) fn refused_name(name: &Ident) -> Option<Refusal> {
    if is_heap_type(name) { Some(NO_HEAP) } else { is_text(name).then_some(NO_TEXT) }
}

/// Why `ty` can't stand at `position`.
pub(super) fn refusal(ty: &Type, position: Position) -> Option<Refusal> {
    Some(match ty {
        Type::Paren(paren) => return refusal(&paren.elem, position),
        Type::Reference(reference) => return refused_reference(reference, position),
        Type::ImplTrait(_) => {
            ("`impl Trait` is not supported in kernels", "use a named type parameter: `fn f<T: Trait>(x: T)`")
        }
        Type::TraitObject(_) => {
            ("`dyn Trait` is not supported in kernels", "use a type parameter: a kernel has no pointers to functions")
        }
        Type::FnPtr(_) => (
            "function pointers are not supported in kernels",
            "call the function by its path, or use a type parameter with a trait",
        ),
        Type::Ptr(_) => ("raw pointers are not supported in kernels", "use a slice: `&[T]` or `&mut [T]`"),
        Type::Tuple(tuple) if !tuple.elems.is_empty() && position == Position::KernelParam => (
            "a tuple can't be passed to a kernel, as its layout is not fixed",
            "pass the parts one by one, or a struct with `#[derive(GpuType)]` and `#[repr(C)]`",
        ),
        Type::Slice(_) => ("a slice must be borrowed", "write `&[T]` or `&mut [T]`"),
        Type::Path(path) if last(path).is_some_and(is_text) => NO_TEXT,
        Type::Path(path) if last(path).is_some_and(is_heap_type) => match position {
            Position::Result => ("a kernel has no heap", "return one value, or write into a `&mut [T]` parameter"),
            Position::Local => NO_HEAP,
            _ => (
                "a heap type can't be passed to a kernel",
                "take a slice (`&[T]` or `&mut [T]`) and pass a buffer made by `Device::upload`",
            ),
        },
        _ => return None,
    })
}

fn refused_reference(reference: &TypeReference, position: Position) -> Option<Refusal> {
    match (position, &*reference.elem) {
        (Position::Result, _) => Some(("a device function can't return a reference", "return the value, or an index")),
        (Position::Referent, _) => Some((
            "a slice of references is not supported in kernels",
            "put the rows one after the other into one slice, and pass where each starts",
        )),
        (_, Type::Slice(slice)) => refusal(&slice.elem, Position::Referent),
        (Position::KernelParam, referent) => Some(refusal(referent, Position::Referent).unwrap_or((
            "a kernel can't take a reference to a single value",
            "pass the value itself, or a slice of one element",
        ))),
        (Position::Local, referent) => Some(refusal(referent, Position::Referent).unwrap_or((
            "a variable can't hold a reference to a single value",
            "copy the value: `let v = x[i];`, or use its place by its name",
        ))),
        (_, referent) => refusal(referent, Position::Referent),
    }
}

fn last(path: &TypePath) -> Option<&Ident> {
    path.path.segments.last().map(|segment| &segment.ident)
}

fn is_text(name: &Ident) -> bool {
    ["str", "String", "CStr", "CString"].iter().any(|text| name == text)
}

fn is_heap_type(name: &Ident) -> bool {
    ["Vec", "Box", "Rc", "Arc", "HashMap", "BTreeMap"].iter().any(|heap| name == heap)
}

/// How often a value of this type must be indexed for a primitive, if its name tells.
pub(crate) fn primitive_depth(ty: &Type) -> Option<usize> {
    const PRIMITIVES: [&str; 15] =
        ["bool", "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize", "f16", "bf16", "f32", "f64"];
    match ty {
        Type::Paren(paren) => primitive_depth(&paren.elem),
        Type::Path(path) => {
            let name = path.path.get_ident()?;
            PRIMITIVES.iter().any(|primitive| name == primitive).then_some(0)
        }
        Type::Array(array) => Some(primitive_depth(&array.elem)? + 1),
        Type::Reference(reference) => match &*reference.elem {
            Type::Slice(slice) => Some(primitive_depth(&slice.elem)? + 1),
            referent => primitive_depth(referent),
        },
        _ => None,
    }
}

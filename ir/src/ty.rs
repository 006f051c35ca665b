//! Types as the CUDA emitter sees them.

use serde::{Deserialize, Serialize};

/// A primitive type. `usize` is `U64` and `isize` is `I64`: the language is for 64-bit targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Scalar {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
}

impl Scalar {
    /// The type's name in the emitted CUDA C, which is Rust's.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// The width in bits; 8 for `bool`, which is stored as a byte.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 8,
            Scalar::I16 | Scalar::U16 => 16,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 32,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 64,
        }
    }

    /// Whether this is `f32` or `f64`.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// Whether this is a signed integer.
    pub fn is_signed(self) -> bool {
        matches!(self, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64)
    }

    /// The unsigned integer of the same width.
    pub fn unsigned(self) -> Scalar {
        match self.bits() {
            8 => Scalar::U8,
            16 => Scalar::U16,
            32 => Scalar::U32,
            _ => Scalar::U64,
        }
    }
}

/// A field of a [`Struct`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Field {
    /// Its Rust name; a number in a tuple struct.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// A struct with C's layout.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Struct {
    /// Its Rust name; two structs may share it.
    pub name: String,
    /// In the order of the source.
    pub fields: Vec<Field>,
    /// The size in bytes.
    pub size: u64,
    /// The alignment in bytes.
    pub align: u64,
}

/// A type a kernel can use.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Type {
    /// `()`
    Unit,
    /// A primitive, or an enum without fields, which is the integer of its `repr`.
    Scalar(Scalar),
    /// `[T; N]`
    Array(Box<Type>, u64),
    /// `(A, B)`
    Tuple(Vec<Type>),
    /// A struct.
    Struct(Box<Struct>),
    /// `Option<T>`
    Option(Box<Type>),
    /// `&[T]` or `&mut [T]`
    Slice {
        /// The element's type.
        element: Box<Type>,
        /// Whether it may be written.
        mutable: bool,
    },
    /// `&mut T`
    Reference(Box<Type>),
}

impl Type {
    /// The primitive, if it is one.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Type::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// The type of a field of a struct or tuple.
    pub fn field(&self, name: &str) -> Option<&Type> {
        match self {
            Type::Struct(found) => found.fields.iter().find(|field| field.name == name).map(|field| &field.ty),
            Type::Tuple(parts) => parts.get(name.parse::<usize>().ok()?),
            _ => None,
        }
    }
}

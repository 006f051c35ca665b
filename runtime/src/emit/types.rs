//! Types and literals as CUDA C.

use super::Builder;
use crate::lang::ConstantValue;
use warpcell_ir::{Literal, Scalar, Struct, Type};

/// A Rust name as one in C. The underscore at the end keeps it apart from C's keywords, macros and our own names. A name
/// with other letters than C has gets all of them, and its underscores, as hexadecimal numbers: so no two names meet.
pub(crate) fn identifier(name: &str) -> String {
    const ESCAPED: &str = "wcu_";
    let name = name.trim_start_matches("r#");
    if name.is_ascii() && !name.starts_with(ESCAPED) {
        return format!("{name}_");
    }
    let mut out = ESCAPED.to_string();
    for letter in name.chars() {
        if letter.is_ascii_alphanumeric() {
            out.push(letter);
        } else {
            out.push_str(&format!("_{:x}_", letter as u32));
        }
    }
    out
}

impl Builder {
    /// The C name of a type; structs are declared at their first use.
    pub(super) fn type_name(&mut self, ty: &Type) -> String {
        if let Some(name) = self.types.get(ty) {
            return name.clone();
        }
        let name = match ty {
            Type::Unit => "void".to_string(),
            Type::Scalar(scalar) => scalar.name().to_string(),
            Type::Reference(element) => format!("{}*", self.type_name(element)),
            Type::Array(element, count) => {
                let element = self.type_name(element);
                let name = format!("wc_array_{element}_{count}");
                self.declarations.push(format!("struct {name} {{ {element} v[{}]; }};", (*count).max(1)));
                name
            }
            Type::Slice { element, mutable } => {
                let element = self.type_name(element);
                let (prefix, qualifier) = if *mutable { ("wc_slice_mut", "") } else { ("wc_slice", "const ") };
                let name = format!("{prefix}_{element}");
                self.declarations.push(format!("struct {name} {{ {qualifier}{element}* p; u64 n; }};"));
                name
            }
            Type::Option(value) => {
                let value = self.type_name(value);
                let name = format!("wc_option_{value}");
                self.declarations.push(format!("struct {name} {{ bool some; {value} value; }};"));
                name
            }
            Type::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.type_name(part)).collect();
                let name = self.name("wc", "tuple");
                let members =
                    parts.iter().enumerate().map(|(number, part)| format!("{part} {};", member(&number.to_string())));
                let members = members.collect::<Vec<_>>().join(" ");
                self.declarations.push(format!("struct {name} {{ {members} }};"));
                name
            }
            Type::Struct(found) => self.declare_struct(found),
        };
        self.types.insert(ty.clone(), name.clone());
        name
    }

    /// A struct, with the proof that its layout is the host's: both sides place the fields by C's rule, so the offsets are
    /// equal if the sizes and alignments of all structs are.
    fn declare_struct(&mut self, found: &Struct) -> String {
        let types: Vec<String> = found.fields.iter().map(|field| self.type_name(&field.ty)).collect();
        let name = self.name(&found.name, "struct");
        let mut text = format!("struct {name} {{");
        for (field, ty) in found.fields.iter().zip(&types) {
            text.push_str(&format!(" {ty} {};", member(&field.name)));
        }
        text.push_str(" };\n");
        let proof = format!("sizeof({name}) == {} && alignof({name}) == {}", found.size.max(1), found.align);
        text.push_str(&format!("static_assert({proof}, \"the layout is the host's\");"));
        self.declarations.push(text);
        name
    }

    /// A constant as an expression; one of several parts is declared at its first use.
    pub(super) fn constant(&mut self, value: &ConstantValue) -> String {
        let ty = match value {
            ConstantValue::Scalar { scalar, bits } => return constant(*scalar, *bits),
            ConstantValue::Composite { ty, .. } => self.type_name(ty),
        };
        let initialiser = initialiser(value);
        if let Some(name) = self.constants.get(&(ty.clone(), initialiser.clone())) {
            return name.clone();
        }
        let name = self.name("wc", "const");
        self.declarations.push(format!("static __device__ const {ty} {name} = {initialiser};"));
        self.constants.insert((ty, initialiser), name.clone());
        name
    }
}

/// The C name of a field.
pub(super) fn member(name: &str) -> String {
    if name.starts_with(|first: char| first.is_ascii_digit()) { format!("_{name}") } else { identifier(name) }
}

/// A constant as the initialiser of a variable, which must not call anything.
fn initialiser(value: &ConstantValue) -> String {
    match value {
        ConstantValue::Scalar { scalar: Scalar::F32, bits } => {
            format!("__builtin_bit_cast(f32, 0x{:08x}u)", *bits as u32)
        }
        ConstantValue::Scalar { scalar: Scalar::F64, bits } => format!("__builtin_bit_cast(f64, 0x{bits:016x}ull)"),
        ConstantValue::Scalar { scalar, bits } => constant(*scalar, *bits),
        ConstantValue::Composite { ty, parts } => {
            let parts = parts.iter().map(initialiser).collect::<Vec<_>>().join(", ");
            if matches!(ty, Type::Array(..)) { format!("{{{{{parts}}}}}") } else { format!("{{{parts}}}") }
        }
    }
}

/// A literal of the type that rustc found.
pub(super) fn literal(value: Literal, scalar: Scalar) -> String {
    match value {
        Literal::Bool(value) => value.to_string(),
        // Two's complement: the low bits are those of the value in any integer type.
        Literal::Int(value) if !scalar.is_float() => constant(scalar, value as u64),
        Literal::Int(value) if scalar == Scalar::F32 => constant(scalar, u64::from((value as f32).to_bits())),
        Literal::Int(value) => constant(scalar, (value as f64).to_bits()),
        Literal::Float { f32_bits, .. } if scalar == Scalar::F32 => constant(scalar, u64::from(f32_bits)),
        Literal::Float { f64_bits, .. } => constant(scalar, f64_bits),
    }
}

/// The value with these bits.
pub(super) fn constant(scalar: Scalar, bits: u64) -> String {
    match scalar {
        Scalar::Bool => (bits != 0).to_string(),
        Scalar::F32 => {
            float(f64::from(f32::from_bits(bits as u32)), "f", || format!("__uint_as_float(0x{:08x}u)", bits as u32))
        }
        Scalar::F64 => float(f64::from_bits(bits), "", || format!("__longlong_as_double((long long)0x{bits:016x}ull)")),
        Scalar::U32 => format!("{}u", bits as u32),
        Scalar::U64 => format!("{bits}ull"),
        Scalar::U8 | Scalar::U16 => format!("({}){}", scalar.name(), bits & (u64::MAX >> (64 - scalar.bits()))),
        Scalar::I8 => signed(scalar, i64::from(bits as i8)),
        Scalar::I16 => signed(scalar, i64::from(bits as i16)),
        Scalar::I32 => signed(scalar, i64::from(bits as i32)),
        Scalar::I64 => signed(scalar, bits as i64),
    }
}

fn signed(scalar: Scalar, value: i64) -> String {
    let name = scalar.name();
    match (scalar, value) {
        (Scalar::I64, i64::MIN) => "((i64)0x8000000000000000ull)".to_string(),
        (Scalar::I64, value) if value < 0 => format!("({value}ll)"),
        (Scalar::I64, value) => format!("{value}ll"),
        (Scalar::I32, value) if value == i64::from(i32::MIN) => "((i32)0x80000000u)".to_string(),
        (Scalar::I32, value) if value >= 0 => format!("{value}"),
        (Scalar::I32, value) => format!("({value})"),
        (_, value) => format!("(({name})({value}))"),
    }
}

/// In decimal where that is short and exact, else by its bits.
fn float(value: f64, suffix: &str, exact: impl Fn() -> String) -> String {
    let short = value.is_finite()
        && value.abs() < 1e6
        && (value * 1024.0).fract() == 0.0
        && !(value == 0.0 && value.is_sign_negative());
    match (short, value.is_sign_negative()) {
        (true, false) => format!("{value:?}{suffix}"),
        (true, true) => format!("({value:?}{suffix})"),
        (false, _) => exact(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_names_meet() {
        let names = ["x", "ü", "ufc", "wcu_x", "wcu__fc_", "ü_", "_fc_", "über", "r#match"];
        let found: std::collections::HashSet<String> = names.iter().map(|name| identifier(name)).collect();
        assert_eq!(found.len(), names.len(), "{found:?}");
        assert!(found.iter().all(|name| name.is_ascii()));
    }

    #[test]
    fn floats_keep_their_bits() {
        assert_eq!(constant(Scalar::F32, u64::from(0.5f32.to_bits())), "0.5f");
        assert_eq!(constant(Scalar::F32, u64::from((-0.0f32).to_bits())), "__uint_as_float(0x80000000u)");
        assert_eq!(constant(Scalar::F64, (-2.0f64).to_bits()), "(-2.0)");
        assert_eq!(constant(Scalar::F64, 0.1f64.to_bits()), "__longlong_as_double((long long)0x3fb999999999999aull)");
    }

    #[test]
    fn integers_are_of_their_type() {
        assert_eq!(literal(Literal::Int(-1), Scalar::U8), "(u8)255");
        assert_eq!(literal(Literal::Int(i128::from(i64::MIN)), Scalar::I64), "((i64)0x8000000000000000ull)");
        assert_eq!(literal(Literal::Int(7), Scalar::F32), "7.0f");
    }
}

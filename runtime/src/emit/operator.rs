//! Operators with Rust's rules.

use super::function::{Emitter, Value};
use super::types::member;
use warpcell_ir::{BinaryOp, Scalar, Type};

impl Emitter<'_> {
    /// `left op right`
    pub(super) fn binary(&mut self, op: BinaryOp, left: Value, right: Value, site: u32) -> Value {
        use BinaryOp::*;
        if let (Eq | Ne, None) = (op, left.ty.scalar()) {
            let (left, right) = (self.spill(left), self.spill(right));
            let equal = equal(&left.text, &right.text, &left.ty);
            let text = if op == Eq { equal } else { format!("(!{equal})") };
            return Value::stable(text, Type::Scalar(Scalar::Bool));
        }
        let scalar = left.ty.scalar().expect("operators work on primitives");
        let (a, b, name) = (&left.text, &right.text, scalar.name());
        let stable = left.stable && right.stable;
        let wraps_by_itself = scalar.is_float() || matches!(scalar, Scalar::U32 | Scalar::U64);
        let ty = if op.is_comparison() { Type::Scalar(Scalar::Bool) } else { left.ty.clone() };
        let text = match op {
            Add if wraps_by_itself => format!("({a} + {b})"),
            Sub if wraps_by_itself => format!("({a} - {b})"),
            Mul if wraps_by_itself => format!("({a} * {b})"),
            Add => format!("wc_add_{name}({a}, {b})"),
            Sub => format!("wc_sub_{name}({a}, {b})"),
            Mul => format!("wc_mul_{name}({a}, {b})"),
            Div if scalar.is_float() => format!("({a} / {b})"),
            Rem if scalar == Scalar::F32 => format!("fmodf({a}, {b})"),
            Rem if scalar == Scalar::F64 => format!("fmod({a}, {b})"),
            Div | Rem => return self.division(op, scalar, left, right, site),
            BitAnd => format!("(({name})({a} & {b}))"),
            BitOr => format!("(({name})({a} | {b}))"),
            BitXor => format!("(({name})({a} ^ {b}))"),
            Shl => format!("wc_shl_{name}({a}, (u32){b})"),
            Shr => format!("wc_shr_{name}({a}, (u32){b})"),
            Eq => format!("({a} == {b})"),
            Ne => format!("({a} != {b})"),
            Lt => format!("({a} < {b})"),
            Le => format!("({a} <= {b})"),
            Gt => format!("({a} > {b})"),
            Ge => format!("({a} >= {b})"),
        };
        Value { text, ty, stable }
    }

    /// Integer division: a divisor of 0 and `MIN / -1` are faults. A literal divisor other than 0 and -1 needs no check.
    fn division(&mut self, op: BinaryOp, scalar: Scalar, left: Value, right: Value, site: u32) -> Value {
        let name = scalar.name();
        let digits = right.text.trim_end_matches(['u', 'l']);
        let harmless = digits.parse::<u64>().is_ok_and(|divisor| divisor != 0);
        let (left, right) = if harmless { (left, right) } else { (self.spill(left), self.spill(right)) };
        let (a, b) = (&left.text, &right.text);
        if !harmless {
            let mut fails = format!("{b} == ({name})0");
            if scalar.is_signed() {
                let min = super::types::constant(scalar, 1 << (scalar.bits() - 1));
                fails.push_str(&format!(" || ({a} == {min} && {b} == ({name})-1)"));
            }
            self.line(format!("if ({fails}) wc_fault(wc_e, {site}u, 0ull, 0ull);"));
        }
        let op = if op == BinaryOp::Div { "/" } else { "%" };
        let value = Value {
            text: format!("(({name})({a} {op} {b}))"),
            ty: left.ty.clone(),
            stable: left.stable && right.stable,
        };
        // It must stand after its check.
        if harmless { value } else { self.spill(value) }
    }
}

/// Whether two values are equal in all their parts, as `#[derive(PartialEq)]` compares.
pub(super) fn equal(a: &str, b: &str, ty: &Type) -> String {
    let parts: Vec<String> = match ty {
        Type::Tuple(types) => {
            types.iter().enumerate().map(|(number, ty)| part(a, b, &member(&number.to_string()), ty)).collect()
        }
        Type::Struct(found) => found.fields.iter().map(|field| part(a, b, &member(&field.name), &field.ty)).collect(),
        Type::Array(ty, count) => (0..*count).map(|number| part(a, b, &format!("v[{number}]"), ty)).collect(),
        Type::Option(ty) => {
            return format!("({a}.some == {b}.some && (!{a}.some || {}))", part(a, b, "value", ty));
        }
        Type::Unit => Vec::new(),
        Type::Scalar(_) | Type::Slice { .. } | Type::Reference(_) => return format!("({a} == {b})"),
    };
    if parts.is_empty() { "true".to_string() } else { format!("({})", parts.join(" && ")) }
}

fn part(a: &str, b: &str, member: &str, ty: &Type) -> String {
    equal(&format!("{a}.{member}"), &format!("{b}.{member}"), ty)
}

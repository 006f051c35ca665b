//! Values written down.

use super::Generator;
use crate::inputs::Element;
use crate::scalar::Scalar;

impl Generator {
    pub(super) fn literal(&mut self, ty: Scalar) -> String {
        let bits = ty.value(&mut self.random);
        text(ty, bits)
    }

    /// A value that is not 0, and not -1.
    pub(super) fn divisor_literal(&mut self, ty: Scalar) -> String {
        let divisor = 2 + self.random.below(14);
        if ty.is_signed() && self.random.chance(40) {
            format!("(-{divisor}{})", ty.name())
        } else {
            format!("{divisor}{}", ty.name())
        }
    }
}

/// The value of a type that tells nothing.
pub(super) fn plain(ty: Scalar) -> &'static str {
    match ty {
        Scalar::Bool => "false",
        Scalar::F32 | Scalar::F64 => "1.0",
        _ => "1",
    }
}

/// The value of `ty` with these low bits, in Rust.
fn text(ty: Scalar, bits: u64) -> String {
    let name = ty.name();
    let signed = ((bits << (64 - ty.bits())) as i64) >> (64 - ty.bits());
    match ty {
        Scalar::Bool => (bits & 1 == 1).to_string(),
        Scalar::F32 => float(f32::of(bits).into(), format!("{:?}f32", f32::of(bits).abs()), name),
        Scalar::F64 => float(f64::of(bits), format!("{:?}f64", f64::of(bits).abs()), name),
        _ if ty.is_signed() && signed == i64::MIN >> (64 - ty.bits()) => format!("{name}::MIN"),
        _ if ty.is_signed() && signed < 0 => format!("({signed}{name})"),
        _ if ty.is_signed() => format!("{signed}{name}"),
        _ if bits > 1000 => format!("0x{bits:x}{name}"),
        _ => format!("{bits}{name}"),
    }
}

fn float(value: f64, magnitude: String, name: &str) -> String {
    if value.is_nan() {
        return format!("{name}::NAN");
    }
    if value.is_infinite() {
        return format!("{name}::{}", if value > 0.0 { "INFINITY" } else { "NEG_INFINITY" });
    }
    if value.is_sign_negative() { format!("(-{magnitude})") } else { magnitude }
}

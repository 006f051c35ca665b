//! Errors planted into the emitted C, one at a time, each as the emitter or its prelude might have made it.

use crate::host::Unit;
use anyhow::{Result, ensure};

/// An error: a change of the emitted text.
pub struct Planted {
    /// What is wrong.
    pub name: &'static str,
    change: Change,
}

enum Change {
    /// In the prelude the first text becomes the second.
    Prelude(&'static str, &'static str),
    /// In the kernels the first text becomes the second.
    Kernels(&'static str, &'static str),
    /// For the kernels, functions are replaced by macros.
    Define(&'static str),
    /// Any other change of the kernels.
    With(fn(&str) -> String),
}

use Change::{Define, Kernels, Prelude, With};

const fn planted(name: &'static str, change: Change) -> Planted {
    Planted { name, change }
}

/// The errors.
pub const PLANTED: &[Planted] = &[
    planted("u8 addition is not narrowed", Define("#define wc_add_u8(a, b) ((a) + (b))")),
    planted("i16 multiplication is not narrowed", Define("#define wc_mul_i16(a, b) ((a) * (b))")),
    planted("shifts are not masked", Prelude("(s & (sizeof(T) * 8 - 1))", "(s)")),
    planted(">> of signed integers is logical", Prelude("return (T)(a >> (s", "return (T)((W)a >> (s")),
    planted("max of u32 compares as signed", Define("#define wc_max_u32(a, b) ((u32)wc_max_i32((i32)(a), (i32)(b)))")),
    planted("casts of floats do not saturate", Prelude("x >= above ? high : ", "")),
    planted("casts of NaN are not 0", Prelude("x != x ? (T)0 : ", "")),
    planted("unsigned integers become f64 as if signed", Kernels("((f64)", "((f64)(i64)")),
    planted("remainders have the divisor's sign", With(floored_remainders)),
    planted("operands are read late", With(late_operands)),
    planted("barriers are missing", Kernels("__syncthreads();", "")),
    planted("min of floats takes NaN", Prelude("(a < b || b != b || ", "(a < b || ")),
    planted(
        "mul_add is not fused",
        Define("#define fmaf(a, b, c) ((a) * (b) + (c))\n#define fma(a, b, c) ((a) * (b) + (c))"),
    ),
    planted("counted loops do one turn more", Kernels(" - 1ull)", ")")),
    planted(
        "shuffles down wrap around",
        Prelude("__shfl_down_sync(m, (C)x, k & 31u, (int)w)", "__shfl_sync(m, (C)x, (int)(threadIdx.x + k))"),
    ),
];

impl Planted {
    /// `unit` with the error in it.
    ///
    /// # Errors
    /// The text has nothing to change: the emitter has changed, and the error must be written anew.
    pub fn into(&self, unit: &Unit) -> Result<Unit> {
        let mut unit = unit.clone();
        let before = unit.text();
        match &self.change {
            Prelude(from, to) => unit.prelude = unit.prelude.replace(from, to),
            Kernels(from, to) => unit.kernels = unit.kernels.replace(from, to),
            Define(text) => unit.kernels.insert_str(0, &format!("{text}\n")),
            With(change) => unit.kernels = change(&unit.kernels),
        }
        ensure!(unit.text() != before, "the emitted text has no place for the error: {}", self.name);
        Ok(unit)
    }
}

/// `a % b` with the sign of `b`.
fn floored_remainders(kernels: &str) -> String {
    const OPERATOR: &str = "static struct host_floored_type {} host_floored;\n\
        template <class T> struct host_left { T value; };\n\
        template <class T> host_left<T> operator*(T value, host_floored_type) { return { value }; }\n\
        template <class T, class U> T operator*(host_left<T> left, U right) {\n\
            T rest = (T)(left.value % right);\n\
            return rest != 0 && ((rest < 0) != (right < 0)) ? (T)(rest + right) : rest;\n\
        }\n";
    format!("{OPERATOR}{}", kernels.replace(" % ", " *host_floored* "))
}

/// A variable or element that was copied before what may change it is only looked at afterwards.
fn late_operands(kernels: &str) -> String {
    let late = |line: &str| -> Option<String> {
        let (head, place) = line.trim().strip_suffix(';')?.split_once(" = ")?;
        let (ty, name) = head.split_once(' ')?;
        let is_place = place.starts_with(|first: char| first.is_ascii_alphabetic())
            && place.contains('_')
            && place.chars().all(|letter| letter.is_ascii_alphanumeric() || "_.[]".contains(letter));
        (name.starts_with("wc_t") && ty != "bool" && is_place).then(|| format!("{ty} const& {name} = {place};"))
    };
    kernels.lines().map(|line| late(line).unwrap_or_else(|| line.to_string()) + "\n").collect()
}

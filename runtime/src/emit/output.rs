//! What a kernel prints, and the messages of its panics: only the values' bits are written down.

use super::builder::PrintInfo;
use super::function::Emitter;
use warpcell_ir::{Expr, Scalar, SiteId, Slot, Type};

impl Emitter<'_> {
    /// `println!` and its like.
    pub(super) fn print(&mut self, slot: Slot, to_stderr: bool, arguments: &[Expr]) {
        let formatter = self.formatter(slot);
        let number = self.builder.prints.len();
        self.builder.prints.push(PrintInfo { formatter, to_stderr });
        self.with_words(arguments, |words, count| format!("wc_print(wc_e, {number}ull, {words}, {count}ull);"));
    }

    /// `panic!` and its like.
    pub(super) fn panic(&mut self, slot: Slot, arguments: &[Expr], site: SiteId) {
        let site = self.site(site);
        self.builder.sites[site as usize].message = Some(self.formatter(slot));
        self.with_words(arguments, |words, count| format!("wc_panic(wc_e, {site}u, {words}, {count}u);"));
        self.line("__builtin_unreachable();");
    }

    /// A call with the arguments' bits in an array.
    fn with_words(&mut self, arguments: &[Expr], call: impl FnOnce(&str, usize) -> String) {
        let values = self.all_operands(&arguments.iter().collect::<Vec<_>>());
        if values.is_empty() {
            return self.line(call("0", 0));
        }
        let words: Vec<String> = values.iter().map(|value| word(&value.text, &value.ty)).collect();
        let call = call("wc_w", words.len());
        self.line(format!("{{ const u64 wc_w[] = {{ {} }}; {call} }}", words.join(", ")));
    }
}

/// The bits of a value, as `Primitive::from_bits64` takes them.
fn word(text: &str, ty: &Type) -> String {
    match ty.scalar().expect("rustc allows only primitives in a message") {
        Scalar::F32 => format!("(u64)__float_as_uint({text})"),
        Scalar::F64 => format!("(u64)__double_as_longlong({text})"),
        _ => format!("(u64)({text})"),
    }
}

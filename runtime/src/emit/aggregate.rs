//! Values of several parts: arrays, tuples, structs, options.

use super::function::{Emitter, Value};
use super::types::member;
use warpcell_ir::{Expr, Slot, Type};

impl Emitter<'_> {
    pub(super) fn array(&mut self, slot: Slot, elements: &[Expr]) -> Value {
        let ty = self.slot_type(slot);
        let values = self.all_operands(&elements.iter().collect::<Vec<_>>());
        let array = self.declare(&ty);
        for (number, value) in values.iter().enumerate() {
            self.line(format!("{}.v[{number}] = {};", array.text, value.text));
        }
        array
    }

    pub(super) fn repeat(&mut self, slot: Slot, value: &Expr) -> Value {
        let ty = self.slot_type(slot);
        let Type::Array(_, count) = ty else { unreachable!("the probe puts an array into this slot") };
        let value = self.expr(value);
        let value = if value.stable { value } else { self.spill(value) };
        let array = self.declare(&ty);
        self.line("#pragma unroll");
        self.line(format!("for (int wc_k = 0; wc_k < {count}; ++wc_k) {}.v[wc_k] = {};", array.text, value.text));
        array
    }

    pub(super) fn tuple(&mut self, slot: Slot, elements: &[Expr]) -> Value {
        let ty = self.slot_type(slot);
        if ty == Type::Unit {
            return Value::unit();
        }
        let values = self.all_operands(&elements.iter().collect::<Vec<_>>());
        let tuple = self.declare(&ty);
        for (number, value) in values.iter().enumerate() {
            self.line(format!("{}.{} = {};", tuple.text, member(&number.to_string()), value.text));
        }
        tuple
    }

    /// The fields in the order of the source, then what is left of `base`.
    pub(super) fn struct_value(&mut self, slot: Slot, fields: &[(String, Expr)], base: Option<&Expr>) -> Value {
        let ty = self.slot_type(slot);
        let operands: Vec<&Expr> = fields.iter().map(|(_, value)| value).chain(base).collect();
        let values = self.all_operands(&operands);
        let result = self.declare(&ty);
        if base.is_some()
            && let Some(base) = values.last()
        {
            self.line(format!("{} = {};", result.text, base.text));
        }
        for ((name, _), value) in fields.iter().zip(&values) {
            self.line(format!("{}.{} = {};", result.text, member(name), value.text));
        }
        result
    }

    pub(super) fn option(&mut self, slot: Slot, value: Option<&Expr>) -> Value {
        let ty = self.slot_type(slot);
        let value = value.map(|value| self.expr(value));
        let option = self.declare(&ty);
        self.line(format!("{}.some = {};", option.text, value.is_some()));
        if let Some(value) = value {
            self.line(format!("{}.value = {};", option.text, value.text));
        }
        option
    }

    /// A field of a value that is no place.
    pub(super) fn field_of(&mut self, base: &Expr, name: &str) -> Value {
        let base = self.expr(base);
        // rustc has found that the field is there.
        let ty = base.ty.field(name).expect("the type has this field").clone();
        Value { text: format!("{}.{}", base.text, member(name)), ty, stable: base.stable }
    }
}

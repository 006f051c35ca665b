//! Expressions.

use super::function::{Emitter, Value};
use super::types::{identifier, literal};
use crate::lang::Callee;
use warpcell_ir::{Expr, Scalar, Type, UnaryOp};

impl Emitter<'_> {
    /// Evaluates `expr`; what has side effects or can fault goes into statements.
    pub(super) fn expr(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Local(name) => {
                let ty = self.locals[name].clone();
                Value { text: identifier(name), ty, stable: !self.assigned.contains(name) }
            }
            Expr::Literal { slot, value } => {
                let ty = self.literal_type(*slot);
                // The probe has put every literal under the type it has.
                let scalar = ty.scalar().expect("a literal is a primitive");
                Value::stable(literal(*value, scalar), ty)
            }
            Expr::Constant(number) => {
                let value = self.constants[*number as usize].clone();
                Value::stable(self.builder.constant(&value), value.ty())
            }
            Expr::Unary { op, operator, operand } => {
                let operand = self.expr(operand);
                match self.operator(*operator) {
                    Some(function) => self.call_function(function, vec![operand]),
                    None => unary(*op, operand),
                }
            }
            Expr::Binary { op, operator, left, right, site } => {
                let [left, right] = self.operands([left, right]);
                match self.operator(*operator) {
                    Some(function) => self.call_function(function, vec![left, right]),
                    None => self.binary(*op, left, right, self.site(*site)),
                }
            }
            Expr::And(left, right) => self.short_circuit(left, right, true),
            Expr::Or(left, right) => self.short_circuit(left, right, false),
            Expr::Cast { operand, slot } => {
                let operand = self.expr(operand);
                let target = self.slot_type(*slot);
                cast(operand, target)
            }
            Expr::Index { .. } | Expr::Deref(_) => self.load(expr),
            Expr::Field { base, name } => match is_place(base) {
                true => self.load(expr),
                false => self.field_of(base, name),
            },
            Expr::Part { base, start, end, mutable, site } => {
                self.part(base, start.as_deref(), end.as_deref(), *mutable, self.site(*site))
            }
            Expr::Address(place) => {
                let place = self.place(place);
                Value::stable(format!("(&{})", place.text), Type::Reference(Box::new(place.ty)))
            }
            Expr::Call { slot, arguments, site } => self.call(*slot, arguments, self.site(*site)),
            Expr::If { slot, conditions, then, otherwise } => {
                self.if_value(*slot, conditions, then, otherwise.as_ref())
            }
            Expr::Match { slot, subject, arms } => self.match_value(*slot, subject, arms),
            Expr::Block { slot, label, block } => self.block_value(*slot, *label, block),
            Expr::Loop { slot, label, body } => self.loop_value(*slot, *label, body),
            Expr::Tuple { slot, elements } => self.tuple(*slot, elements),
            Expr::Struct { slot, fields, base } => self.struct_value(*slot, fields, base.as_deref()),
            Expr::Option { slot, value } => self.option(*slot, value.as_deref()),
            Expr::Array { slot, elements } => self.array(*slot, elements),
            Expr::Repeat { slot, value } => self.repeat(*slot, value),
        }
    }

    /// The type of a literal. The macro's own literals (see `part` in the macros) are lengths.
    fn literal_type(&self, slot: warpcell_ir::Slot) -> Type {
        if slot == warpcell_ir::Slot::MAX { Type::Scalar(Scalar::U64) } else { self.slot_type(slot) }
    }

    /// Operands, evaluated in order: one that a later one's statements could change is kept in a temporary.
    pub(super) fn operands<const N: usize>(&mut self, operands: [&Expr; N]) -> [Value; N] {
        let values = self.all_operands(&operands);
        // As many come out as went in.
        values.try_into().expect("one value for each operand")
    }

    pub(super) fn all_operands(&mut self, operands: &[&Expr]) -> Vec<Value> {
        let parts: Vec<(Vec<String>, Value)> =
            operands.iter().map(|operand| self.apart(|emitter| emitter.expr(operand))).collect();
        let last_with_lines = parts.iter().rposition(|(lines, _)| !lines.is_empty());
        let mut values = Vec::with_capacity(parts.len());
        for (number, (lines, value)) in parts.into_iter().enumerate() {
            self.lines.extend(lines);
            let changed_later = last_with_lines.is_some_and(|last| number < last);
            values.push(if changed_later && !value.stable { self.spill(value) } else { value });
        }
        values
    }

    fn short_circuit(&mut self, left: &Expr, right: &Expr, and: bool) -> Value {
        let left = self.expr(left);
        let (lines, right) = self.apart(|emitter| emitter.expr(right));
        let bool_type = Type::Scalar(Scalar::Bool);
        if lines.is_empty() {
            let op = if and { "&&" } else { "||" };
            return Value {
                text: format!("({} {op} {})", left.text, right.text),
                ty: bool_type,
                stable: left.stable && right.stable,
            };
        }
        let name = self.temporary();
        self.line(format!("bool {name} = {};", left.text));
        self.line(format!("if ({}{name}) {{", if and { "" } else { "!" }));
        self.indented(lines);
        self.line(format!("  {name} = {};", right.text));
        self.line("}");
        Value::stable(name, bool_type)
    }

    fn call(&mut self, slot: warpcell_ir::Slot, arguments: &[Expr], site: u32) -> Value {
        let callee = self.callee(slot);
        if matches!(callee, Callee::Length) {
            return self.length(&arguments[0]);
        }
        let values = match &callee {
            Callee::Function { params, .. } => self.arguments(arguments, params),
            _ => self.all_operands(&arguments.iter().collect::<Vec<_>>()),
        };
        match callee {
            Callee::Intrinsic { template, pure, result } => {
                let stable = pure && values.iter().all(|value| value.stable);
                let mut text = template.replace("{site}", &format!("{site}u"));
                for (number, value) in values.iter().enumerate() {
                    text = text.replace(&format!("{{{number}}}"), &value.text);
                }
                self.called(Value { text, ty: result, stable }, pure)
            }
            Callee::Function { .. } => self.call_function(callee, values),
            Callee::Length | Callee::BuiltInOperator => unreachable!("handled above, or never called"),
        }
    }

    /// A call of a device function.
    pub(super) fn call_function(&mut self, callee: Callee, values: Vec<Value>) -> Value {
        let Callee::Function { name, params, result } = callee else {
            unreachable!("only functions are called this way")
        };
        let mut text = format!("{name}(wc_e");
        for (value, param) in values.into_iter().zip(&params) {
            text.push_str(", ");
            text.push_str(&self.coerce(value, param).text);
        }
        text.push(')');
        self.called(Value { text, ty: result, stable: false }, false)
    }

    /// The arguments of a function. A method that changes its receiver gets the place, whatever stands before the dot.
    fn arguments(&mut self, arguments: &[Expr], params: &[Type]) -> Vec<Value> {
        let places: Vec<Expr> = arguments
            .iter()
            .zip(params)
            .map(|(argument, param)| match (argument, param) {
                (Expr::Index { .. } | Expr::Field { .. } | Expr::Deref(_), Type::Reference(_)) => {
                    Expr::Address(Box::new(argument.clone()))
                }
                (Expr::Local(name), Type::Reference(_)) if !matches!(self.locals[name], Type::Reference(_)) => {
                    Expr::Address(Box::new(argument.clone()))
                }
                _ => argument.clone(),
            })
            .collect();
        self.all_operands(&places.iter().collect::<Vec<_>>())
    }

    /// The function that a struct's operator is; nothing for primitives.
    pub(super) fn operator(&self, slot: warpcell_ir::Slot) -> Option<Callee> {
        if slot == warpcell_ir::Slot::MAX {
            return None;
        }
        match self.callee(slot) {
            Callee::BuiltInOperator => None,
            function => Some(function),
        }
    }

    /// The result of a call: one with side effects is made now.
    fn called(&mut self, value: Value, pure: bool) -> Value {
        if value.ty == Type::Unit {
            self.line(format!("{};", value.text));
            return Value::unit();
        }
        if pure { value } else { self.spill(value) }
    }

    fn length(&mut self, base: &Expr) -> Value {
        let place = self.place(base);
        let length = Type::Scalar(Scalar::U64);
        match &place.ty {
            Type::Array(_, count) => Value::stable(format!("{count}ull"), length),
            // A slice's length can't change, but the variable that holds the slice can.
            _ => Value { text: format!("{}.n", place.text), ty: length, stable: false },
        }
    }
}

/// Whether `expr` is a place, not a value computed on the way.
pub(super) fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Local(_) | Expr::Index { .. } | Expr::Deref(_) | Expr::Constant(_) => true,
        Expr::Field { base, .. } => is_place(base),
        _ => false,
    }
}

fn unary(op: UnaryOp, operand: Value) -> Value {
    let scalar = operand.ty.scalar().expect("rustc allows `-` and `!` on primitives only");
    let text = match (op, scalar) {
        (UnaryOp::Not, Scalar::Bool) => format!("(!{})", operand.text),
        (UnaryOp::Not, _) => format!("(({})(~{}))", scalar.name(), operand.text),
        (UnaryOp::Neg, _) if scalar.is_float() => format!("(-{})", operand.text),
        (UnaryOp::Neg, _) => format!("wc_neg_{}({})", scalar.name(), operand.text),
    };
    Value { text, ..operand }
}

fn cast(operand: Value, target: Type) -> Value {
    let from = operand.ty.scalar().expect("rustc allows casts of primitives only");
    let to = target.scalar().expect("rustc allows casts to primitives only");
    let text = match (from.is_float(), to.is_float()) {
        _ if from == to => operand.text.clone(),
        (true, false) => format!("wc_cast_{}_{}({})", from.name(), to.name(), operand.text),
        _ => format!("(({}){})", to.name(), operand.text),
    };
    Value { text, ty: target, stable: operand.stable }
}

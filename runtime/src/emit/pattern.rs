//! Patterns, `match`, and conditions that bind.

use super::function::{Emitter, Value};
use super::operator::equal;
use super::types::{identifier, literal, member};
use warpcell_ir::{Arm, Block, Condition, Expr, Pattern, PatternValue, Slot, Type};

impl Emitter<'_> {
    /// `match`: the arms in order. One with a guard may be tried in vain, so those behind it stand under a flag.
    pub(super) fn match_value(&mut self, slot: Slot, subject: &Expr, arms: &[Arm]) -> Value {
        let subject = self.expr(subject);
        let subject = if subject.ty == Type::Unit { subject } else { self.spill(subject) };
        let ty = self.slot_type(slot);
        let target = if ty == Type::Unit { Value::unit() } else { self.declare(&ty) };
        self.arms(&subject, arms, &target);
        target
    }

    fn arms(&mut self, subject: &Value, arms: &[Arm], target: &Value) {
        let Some((arm, rest)) = arms.split_first() else { return };
        let test = self.test(&arm.pattern, subject);
        // rustc has found that the arms leave nothing out.
        let test = if rest.is_empty() { None } else { test };
        let flag = arm.guard.as_ref().map(|_| self.temporary());
        if let Some(flag) = &flag {
            self.line(format!("bool {flag} = true;"));
        }
        self.line(match &test {
            Some(test) => format!("if ({test}) {{"),
            None => "{".to_string(),
        });
        let (lines, ()) = self.apart(|emitter| {
            emitter.bind(&arm.pattern, subject);
            let Some((guard, flag)) = arm.guard.as_ref().zip(flag.as_ref()) else {
                return emitter.branch(&arm.body, target);
            };
            let guard = emitter.expr(guard);
            emitter.line(format!("if ({}) {{", guard.text));
            emitter.line(format!("  {flag} = false;"));
            emitter.branch(&arm.body, target);
            emitter.line("}");
        });
        self.indented(lines);
        let open = match (&flag, &test) {
            (Some(flag), _) => Some(format!("}} if ({flag}) {{")),
            (None, Some(_)) => Some("} else {".to_string()),
            // Nothing gets behind an arm that always matches.
            (None, None) => None,
        };
        if let (Some(open), false) = (open, rest.is_empty()) {
            self.line(open);
            let (lines, ()) = self.apart(|emitter| emitter.arms(subject, rest, target));
            self.indented(lines);
        }
        self.line("}");
    }

    /// What must hold for `value` to match; nothing if every value does.
    pub(super) fn test(&mut self, pattern: &Pattern, value: &Value) -> Option<String> {
        match pattern {
            Pattern::Wild => None,
            Pattern::Binding { pattern, .. } => self.test(pattern.as_deref()?, value),
            Pattern::Value(expected) => {
                let expected = self.pattern_value(expected, &value.ty);
                Some(equal(&value.text, &expected, &value.ty))
            }
            Pattern::Range { start, end, inclusive } => {
                let text = &value.text;
                let below = if *inclusive { "<=" } else { "<" };
                let start = start.as_ref().map(|start| format!("{text} >= {}", self.pattern_value(start, &value.ty)));
                let end = end.as_ref().map(|end| format!("{text} {below} {}", self.pattern_value(end, &value.ty)));
                Some(format!("({})", start.into_iter().chain(end).collect::<Vec<_>>().join(" && ")))
            }
            Pattern::Fields(fields) => {
                let tests = fields.iter().filter_map(|(name, pattern)| self.test(pattern, &field(value, name)));
                all(tests.collect())
            }
            Pattern::Elements(patterns) => {
                let tests = patterns.iter().enumerate();
                all(tests.filter_map(|(number, pattern)| self.test(pattern, &element(value, number))).collect())
            }
            Pattern::Some(pattern) => {
                let inner = self.test(pattern, &payload(value));
                let some = format!("{}.some", value.text);
                Some(inner.map_or(some.clone(), |inner| format!("({some} && {inner})")))
            }
            Pattern::None => Some(format!("(!{}.some)", value.text)),
            Pattern::Or(patterns) => {
                let tests: Option<Vec<String>> = patterns.iter().map(|pattern| self.test(pattern, value)).collect();
                tests.map(|tests| format!("({})", tests.join(" || ")))
            }
        }
    }

    /// A value in a pattern, of the type of what it is compared with.
    fn pattern_value(&mut self, value: &PatternValue, ty: &Type) -> String {
        match value {
            // rustc has found that a literal can be compared with it.
            PatternValue::Literal(value) => literal(*value, ty.scalar().expect("a literal is a primitive")),
            PatternValue::Constant(number) => {
                let constant = self.constants[*number as usize].clone();
                self.builder.constant(&constant)
            }
        }
    }

    /// Declares what the pattern binds.
    pub(super) fn bind(&mut self, pattern: &Pattern, value: &Value) {
        match pattern {
            Pattern::Binding { name, slot, pattern } => {
                let ty = self.slot_type(*slot);
                if ty != Type::Unit {
                    let type_name = self.builder.type_name(&ty);
                    self.line(format!("{type_name} {} = {};", identifier(name), value.text));
                }
                self.locals.insert(name.clone(), ty);
                if let Some(pattern) = pattern {
                    self.bind(pattern, value);
                }
            }
            Pattern::Fields(fields) => {
                for (name, pattern) in fields {
                    self.bind(pattern, &field(value, name));
                }
            }
            Pattern::Elements(patterns) => {
                for (number, pattern) in patterns.iter().enumerate() {
                    self.bind(pattern, &element(value, number));
                }
            }
            Pattern::Some(pattern) => self.bind(pattern, &payload(value)),
            Pattern::Or(patterns) => self.bind_one_of(patterns, value),
            Pattern::Wild | Pattern::Value(_) | Pattern::Range { .. } | Pattern::None => {}
        }
    }

    /// All alternatives bind the same names: declared once, then set by the one that matches.
    fn bind_one_of(&mut self, patterns: &[Pattern], value: &Value) {
        let Some(first) = patterns.first() else { return };
        let mut names = Vec::new();
        bound_names(first, &mut names);
        if names.is_empty() {
            return;
        }
        for (name, slot) in names {
            let ty = self.slot_type(slot);
            let type_name = self.builder.type_name(&ty);
            self.line(format!("{type_name} {};", identifier(&name)));
            self.locals.insert(name, ty);
        }
        for (number, pattern) in patterns.iter().enumerate() {
            let test = self.test(pattern, value).unwrap_or_else(|| "true".into());
            let otherwise = if number == 0 { "" } else { "else " };
            self.line(format!("{otherwise}if ({test}) {{"));
            self.assign_bound(pattern, value);
            self.line("}");
        }
    }

    fn assign_bound(&mut self, pattern: &Pattern, value: &Value) {
        match pattern {
            Pattern::Binding { name, pattern, .. } => {
                self.line(format!("  {} = {};", identifier(name), value.text));
                if let Some(pattern) = pattern {
                    self.assign_bound(pattern, value);
                }
            }
            Pattern::Fields(fields) => {
                fields.iter().for_each(|(name, pattern)| self.assign_bound(pattern, &field(value, name)));
            }
            Pattern::Elements(patterns) => {
                let elements = patterns.iter().enumerate();
                elements.for_each(|(number, pattern)| self.assign_bound(pattern, &element(value, number)));
            }
            Pattern::Some(pattern) => self.assign_bound(pattern, &payload(value)),
            Pattern::Or(patterns) => {
                for pattern in patterns {
                    let test = self.test(pattern, value).unwrap_or_else(|| "true".into());
                    self.line(format!("if ({test}) {{"));
                    self.assign_bound(pattern, value);
                    self.line("}");
                }
            }
            Pattern::Wild | Pattern::Value(_) | Pattern::Range { .. } | Pattern::None => {}
        }
    }

    /// `conditions` hold: runs `then` inside of them. `taken`, if there is one, is set there.
    pub(super) fn under_conditions(
        &mut self,
        conditions: &[Condition],
        taken: Option<&str>,
        then: &mut dyn FnMut(&mut Self),
    ) {
        let Some((condition, rest)) = conditions.split_first() else {
            if let Some(taken) = taken {
                self.line(format!("{taken} = true;"));
            }
            return then(self);
        };
        let (test, bound) = match condition {
            Condition::Holds(condition) => (Some(self.expr(condition).text), None),
            Condition::Let { pattern, value } => {
                let value = self.expr(value);
                let value = if value.ty == Type::Unit { value } else { self.spill(value) };
                (self.test(pattern, &value), Some((pattern, value)))
            }
        };
        self.line(test.map_or("{".to_string(), |test| format!("if ({test}) {{")));
        let (lines, ()) = self.apart(|emitter| {
            if let Some((pattern, value)) = &bound {
                emitter.bind(pattern, value);
            }
            emitter.under_conditions(rest, taken, then);
        });
        self.indented(lines);
        self.line("}");
    }

    /// `let pattern = value else { otherwise };`
    pub(super) fn let_pattern(&mut self, pattern: &Pattern, value: &Expr, otherwise: Option<&Block>) {
        let value = self.expr(value);
        let value = if value.ty == Type::Unit { value } else { self.spill(value) };
        if let (Some(otherwise), Some(test)) = (otherwise, self.test(pattern, &value)) {
            self.line(format!("if (!{test}) {{"));
            self.branch(otherwise, &Value::unit());
            self.line("}");
        }
        self.bind(pattern, &value);
    }
}

fn field(value: &Value, name: &str) -> Value {
    // rustc has found that the field is there.
    let ty = value.ty.field(name).expect("the type has this field").clone();
    Value { text: format!("{}.{}", value.text, member(name)), ty, stable: value.stable }
}

fn element(value: &Value, number: usize) -> Value {
    let Type::Array(ty, _) = &value.ty else { unreachable!("rustc allows these patterns for arrays only") };
    Value { text: format!("{}.v[{number}]", value.text), ty: (**ty).clone(), stable: value.stable }
}

/// What is in an option.
fn payload(value: &Value) -> Value {
    let Type::Option(ty) = &value.ty else { unreachable!("rustc allows `Some` for options only") };
    Value { text: format!("{}.value", value.text), ty: (**ty).clone(), stable: value.stable }
}

fn all(tests: Vec<String>) -> Option<String> {
    if tests.is_empty() { None } else { Some(format!("({})", tests.join(" && "))) }
}

/// The names that a pattern binds.
fn bound_names(pattern: &Pattern, out: &mut Vec<(String, Slot)>) {
    match pattern {
        Pattern::Binding { name, slot, pattern } => {
            out.push((name.clone(), *slot));
            if let Some(pattern) = pattern {
                bound_names(pattern, out);
            }
        }
        Pattern::Fields(fields) => fields.iter().for_each(|(_, pattern)| bound_names(pattern, out)),
        Pattern::Elements(patterns) => patterns.iter().for_each(|pattern| bound_names(pattern, out)),
        Pattern::Some(pattern) => bound_names(pattern, out),
        Pattern::Or(patterns) => patterns.iter().take(1).for_each(|pattern| bound_names(pattern, out)),
        Pattern::Wild | Pattern::Value(_) | Pattern::Range { .. } | Pattern::None => {}
    }
}

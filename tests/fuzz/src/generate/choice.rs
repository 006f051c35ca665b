//! `match`, on integers: alternatives, ranges, guards and bindings.

use super::{Generator, Reach, Variable};
use crate::program::Stmt;
use crate::scalar::{self, Scalar};

impl Generator {
    /// `match` as a value.
    pub(super) fn match_value(&mut self, ty: Scalar, depth: usize) -> String {
        let of = self.ty(&scalar::INTEGERS);
        let value = self.expr(of, Reach::Thread, depth - 1);
        let mut arms = String::new();
        for _ in 0..1 + self.random.below(3) {
            let pattern = self.pattern(of);
            let result = self.expr(ty, Reach::Thread, depth - 1);
            arms.push_str(&format!("{pattern} => {result}, "));
        }
        let result = self.expr(ty, Reach::Thread, depth - 1);
        format!("(match {value} {{ {arms}_ => {result} }})")
    }

    /// `match` as a statement.
    pub(super) fn match_statement(&mut self) -> Vec<Stmt> {
        let of = self.ty(&scalar::INTEGERS);
        let value = self.expr(of, Reach::Thread, 3);
        let mut arms = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let (variables, pattern) = (self.variables.len(), self.pattern(of));
            let pattern = match self.random.below(4) {
                0 => {
                    let name = self.name("n");
                    let (ty, reach) = (of, Reach::Thread);
                    self.variables.push(Variable { name: name.clone(), ty, assignable: false, reach });
                    format!("{name} if {}", self.condition(Reach::Thread, 2))
                }
                1 => format!("{pattern} if {}", self.condition(Reach::Thread, 1)),
                _ => pattern,
            };
            let body = self.block(Reach::Thread, 3);
            self.variables.truncate(variables);
            arms.push((pattern, body));
        }
        arms.push(("_".to_string(), self.block(Reach::Thread, 3)));
        vec![Stmt::Match { value, arms }]
    }

    /// A pattern that takes some of the small numbers.
    fn pattern(&mut self, ty: Scalar) -> String {
        let name = ty.name();
        let low = self.random.below(8);
        match self.random.below(4) {
            0 if ty.is_signed() => format!("{name}::MIN..=-{}{name}", low + 1),
            0 => format!("{}{name}..={name}::MAX", low + 20),
            1 => format!("{low}{name}..={}{name}", low + 1 + self.random.below(20)),
            2 => format!("{low}{name} | {}{name} | {}{name}", low + 1, low + 3),
            _ => format!("{low}{name}"),
        }
    }
}

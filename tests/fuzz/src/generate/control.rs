//! Branches, loops and jumps.

use super::{Generator, Loop, Reach};
use crate::program::Stmt;
use crate::scalar::{self, Scalar};
use std::fmt;

impl Generator {
    /// The statements of a block in braces, at a place that the threads of `reach` come to together.
    pub(super) fn block(&mut self, reach: Reach, most: usize) -> Vec<Stmt> {
        let (variables, arrays) = (self.variables.len(), self.arrays.len());
        self.depth += 1;
        let mut body = Vec::new();
        for _ in 0..1 + self.random.below(most) {
            if self.fuel > 0 || body.is_empty() {
                let statement = self.statement(reach);
                body.extend(statement);
            }
        }
        self.depth -= 1;
        let left = matches!(body.last(), Some(Stmt::Plain(last)) if last.starts_with("return"));
        if !left {
            body.extend(self.mixes(variables, arrays));
        }
        self.variables.truncate(variables);
        self.arrays.truncate(arrays);
        body
    }

    /// Whose threads will agree on the control flow of a new statement.
    fn header_reach(&mut self, reach: Reach) -> Reach {
        if reach > Reach::Thread && self.random.chance(60) { reach } else { Reach::Thread }
    }

    /// The body of a loop, between two of whose turns no barrier is sure to stand.
    fn loop_body(&mut self, reach: Reach, label: &Label) -> Vec<Stmt> {
        self.shared.iter_mut().for_each(|shared| shared.read = true);
        self.loops.push(Loop { reach, label: label.0.clone() });
        let body = self.block(reach, 4);
        self.loops.pop();
        self.shared.iter_mut().for_each(|shared| shared.read = true);
        body
    }

    pub(super) fn if_statement(&mut self, reach: Reach) -> Vec<Stmt> {
        let reach = self.header_reach(reach);
        let mut heads = vec![format!("if {}", self.condition(reach, 3))];
        if self.random.chance(25) {
            heads.push(format!("else if {}", self.condition(reach, 2)));
        }
        if self.random.chance(50) {
            heads.push("else".to_string());
        }
        self.branches(reach, heads)
    }

    /// An `if` with its branches. Each starts with shared memory as it was, and any of them may have been taken.
    pub(super) fn branches(&mut self, reach: Reach, heads: Vec<String>) -> Vec<Stmt> {
        let before: Vec<bool> = self.shared.iter().map(|shared| shared.read).collect();
        let mut after = before.clone();
        let mut parts = Vec::new();
        for head in heads {
            self.shared.iter_mut().zip(&before).for_each(|(shared, read)| shared.read = *read);
            parts.push((head, self.block(reach, 4)));
            self.shared.iter().zip(&mut after).for_each(|(shared, read)| *read |= shared.read);
        }
        self.shared.iter_mut().zip(after).for_each(|(shared, read)| shared.read = read);
        vec![Stmt::Nested(parts)]
    }

    pub(super) fn for_statement(&mut self, reach: Reach) -> Vec<Stmt> {
        let reach = self.header_reach(reach);
        let ty = self.ty(&scalar::INTEGERS);
        let turns = [9, 5, 3][self.depth.min(2)];
        let (start, end) = self.ends(ty, reach, turns);
        let dots = self.random.pick(&["..", "..", "..="]);
        let range = match self.random.below(6) {
            0 => format!("({start}{dots}{end}).rev()"),
            1 => {
                let step = self.expr(Scalar::Usize, reach, 1);
                format!("({start}{dots}{end}).step_by({step} % 4 + 1)")
            }
            _ => format!("{start}{dots}{end}"),
        };
        let (name, label) = (self.name("n"), self.label());
        self.variables.push(super::Variable { name: name.clone(), ty, assignable: false, reach });
        let body = self.loop_body(reach, &label);
        self.variables.retain(|variable| variable.name != name);
        vec![Stmt::Nested(vec![(format!("{label}for {name} in {range}"), body)])]
    }

    /// The ends of a range of few numbers; sometimes of none.
    fn ends(&mut self, ty: Scalar, reach: Reach, turns: usize) -> (String, String) {
        let name = ty.name();
        let end = if self.random.chance(50) {
            format!("{}{name}", self.random.below(turns))
        } else {
            let value = self.expr(ty, reach, 2);
            format!("({value} % {turns}{name})")
        };
        let start = match self.random.below(4) {
            0 if ty.is_signed() => format!("-{}{name}", self.random.below(4)),
            1 => {
                let value = self.expr(ty, reach, 1);
                format!("({value} % 4{name})")
            }
            _ => format!("{}{name}", self.random.below(3)),
        };
        (start, end)
    }

    pub(super) fn while_statement(&mut self, reach: Reach) -> Vec<Stmt> {
        let reach = self.header_reach(reach);
        let counter = self.counter(reach);
        let turns = [9, 5, 3][self.depth.min(2)];
        let condition = self.condition(reach, 2);
        let mut body = vec![Stmt::Kept(format!("{counter} += 1;"))];
        let label = self.label();
        body.extend(self.loop_body(reach, &label));
        let head = if self.random.chance(50) {
            format!("{label}while {counter} < {turns} && {condition}")
        } else {
            format!("{label}while {counter} < {}", 1 + self.random.below(turns))
        };
        self.counted(counter, Stmt::Nested(vec![(head, body)]))
    }

    pub(super) fn loop_statement(&mut self, reach: Reach) -> Vec<Stmt> {
        let reach = self.header_reach(reach);
        let counter = self.counter(reach);
        let turns = 1 + self.random.below([9, 5, 3][self.depth.min(2)]);
        let mut body =
            vec![Stmt::Kept(format!("{counter} += 1;")), Stmt::Kept(format!("if {counter} >= {turns} {{ break; }}"))];
        let label = self.label();
        body.extend(self.loop_body(reach, &label));
        self.counted(counter, Stmt::Nested(vec![(format!("{label}loop"), body)]))
    }

    fn label(&mut self) -> Label {
        Label(self.random.chance(30).then(|| self.name("'l")))
    }

    /// A variable that counts a loop's turns.
    fn counter(&mut self, reach: Reach) -> String {
        let name = self.name("c");
        self.variables.push(super::Variable { name: name.clone(), ty: Scalar::U32, assignable: false, reach });
        name
    }

    fn counted(&mut self, counter: String, repeat: Stmt) -> Vec<Stmt> {
        self.variables.retain(|variable| variable.name != counter);
        vec![Stmt::Together(vec![Stmt::Kept(format!("let mut {counter} = 0u32;")), repeat])]
    }

    /// `break` or `continue`, by those who agree on the loop's turns.
    pub(super) fn jump(&mut self, reach: Reach) -> Vec<Stmt> {
        // The innermost loop, or one with a label; all between have turns that no more threads agree on.
        let (mut around, mut target) =
            self.loops.last().map_or((Reach::Thread, String::new()), |inner| (inner.reach, String::new()));
        let labelled = self.loops[self.random.below(self.loops.len())].clone();
        if let Some(label) = labelled.label
            && labelled.reach <= reach
        {
            (around, target) = (labelled.reach, format!(" {label}"));
        }
        if around > reach {
            return self.if_statement(Reach::Thread);
        }
        let condition = self.condition(around, 3);
        let word = self.random.pick(&["break", "continue"]);
        let mut body = if around == Reach::Thread { self.block(around, 2) } else { Vec::new() };
        body.push(Stmt::Plain(format!("{word}{target};")));
        vec![Stmt::Nested(vec![(format!("if {condition}"), body)])]
    }

    /// An early return: of a function, or of some threads of the kernel.
    pub(super) fn return_statement(&mut self, reach: Reach) -> Vec<Stmt> {
        let condition = self.condition(Reach::Thread, 3);
        let body = match self.function {
            Some(result) => {
                let value = self.expr(result, Reach::Thread, 3);
                vec![Stmt::Plain(format!("return {value};"))]
            }
            None => {
                let condition =
                    if reach == Reach::Block && self.random.chance(20) { "i % 7 == 3" } else { "t % 5 == 4" };
                let mut body = vec![Stmt::Plain("result[i] = 1;".into())];
                body.extend(self.output_anything());
                body.push(Stmt::Plain("return;".into()));
                return vec![Stmt::Nested(vec![(format!("if {condition}"), body)])];
            }
        };
        vec![Stmt::Nested(vec![(format!("if {condition}"), body)])]
    }

    fn output_anything(&mut self) -> Option<Stmt> {
        let (name, ty) = self.own_variable()?;
        Some(Stmt::Plain(format!("result[i] = {};", super::as_bits(&name, ty))))
    }
}

/// The label of a loop, if it has one.
struct Label(Option<String>);

impl fmt::Display for Label {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |name| write!(out, "{name}: "))
    }
}

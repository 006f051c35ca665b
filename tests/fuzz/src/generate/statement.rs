//! Statements without control flow, and the choice among all statements.

use super::literal::plain;
use super::{Array, Generator, Reach, Variable};
use crate::program::Stmt;
use crate::scalar::{self, Scalar};

/// The kinds of statements.
#[derive(Clone, Copy)]
enum Kind {
    Let,
    LetAgreed,
    LetArray,
    LetAggregate,
    Assign,
    AssignElement,
    Output,
    Stride,
    If,
    Match,
    For,
    While,
    Loop,
    Jump,
    Return,
    Count,
    Exchange,
    Histogram,
    Tree,
    Barrier,
    Shuffle,
    Vote,
    WarpIf,
}

impl Generator {
    /// A statement at a place that all threads of `reach` come to together.
    pub(super) fn statement(&mut self, reach: Reach) -> Vec<Stmt> {
        self.fuel = self.fuel.saturating_sub(1);
        let nested = self.depth < 3;
        let when = |weight: usize, condition: bool| if condition { weight } else { 0 };
        let (block, warp) =
            (reach == Reach::Block && self.features.barriers, reach >= Reach::Warp && self.features.warps);
        let returns = self.function.is_some() || (self.features.exits && self.loops.len() < 2);
        let kernel = self.function.is_none();
        let kind = self.random.weighted(&[
            (12, Kind::Let),
            (when(6, reach > Reach::Thread), Kind::LetAgreed),
            (4, Kind::LetArray),
            (4, Kind::LetAggregate),
            (26, Kind::Assign),
            (when(10, self.arrays.iter().any(|array| array.assignable)), Kind::AssignElement),
            (when(6, !self.outputs.is_empty()), Kind::Output),
            (when(1, !self.outputs.is_empty() && nested && self.loops.is_empty()), Kind::Stride),
            (when(10, nested), Kind::If),
            (when(4, nested), Kind::Match),
            (when(8, nested), Kind::For),
            (when(4, nested), Kind::While),
            (when(4, nested), Kind::Loop),
            (when(6, !self.loops.is_empty()), Kind::Jump),
            (when(2, returns), Kind::Return),
            (when(5, !self.counters.is_empty() && kernel), Kind::Count),
            (when(14, block), Kind::Exchange),
            (when(4, block), Kind::Histogram),
            (when(3, block && self.depth < 2), Kind::Tree),
            (when(3, block), Kind::Barrier),
            (when(14, warp), Kind::Shuffle),
            (when(8, warp), Kind::Vote),
            (when(3, warp && nested), Kind::WarpIf),
        ]);
        match kind {
            Kind::Let => self.let_value(Reach::Thread, reach),
            Kind::LetAgreed => self.let_value(reach, reach),
            Kind::LetArray => self.let_array(),
            Kind::LetAggregate => self.let_aggregate(),
            Kind::Assign => self.assign(reach),
            Kind::AssignElement => self.assign_element(),
            Kind::Output => self.output(),
            Kind::Stride => self.stride(),
            Kind::If => self.if_statement(reach),
            Kind::Match => self.match_statement(),
            Kind::For => self.for_statement(reach),
            Kind::While => self.while_statement(reach),
            Kind::Loop => self.loop_statement(reach),
            Kind::Jump => self.jump(reach),
            Kind::Return => self.return_statement(reach),
            Kind::Count => self.count(),
            Kind::Exchange => self.exchange(),
            Kind::Histogram => self.histogram(),
            Kind::Tree => self.tree(),
            Kind::Barrier => self.barrier(),
            Kind::Shuffle => self.shuffle(),
            Kind::Vote => self.vote(),
            Kind::WarpIf => self.warp_if(),
        }
    }

    /// `let`, with a value on which the threads of `agreed` agree.
    fn let_value(&mut self, agreed: Reach, reach: Reach) -> Vec<Stmt> {
        let hidden = agreed == Reach::Block && self.features.hidden_uniform && self.random.chance(40);
        if hidden && let Some(statement) = self.let_hidden() {
            return vec![statement];
        }
        let ty = self.ty(&scalar::ALL);
        let value = self.expr(ty, agreed, 4);
        let assignable = self.random.chance(70);
        let name = self.declare(ty, assignable, agreed.min(reach));
        vec![let_statement(&name, ty, assignable, value)]
    }

    /// The same in all threads of the block, but read from memory, so nobody can prove it.
    fn let_hidden(&mut self) -> Option<Stmt> {
        let array = self.inputs.get(self.random.below(self.inputs.len().max(1)))?.clone();
        let name = self.declare(array.ty, false, Reach::Block);
        let value = format!("{}[block_rank() % {}]", array.name, array.length);
        Some(let_statement(&name, array.ty, false, value))
    }

    pub(super) fn declare(&mut self, ty: Scalar, assignable: bool, reach: Reach) -> String {
        let name = self.name("v");
        self.variables.push(Variable { name: name.clone(), ty, assignable, reach });
        name
    }

    fn let_array(&mut self) -> Vec<Stmt> {
        let (ty, length) = (self.ty(&scalar::ALL), 2 + self.random.below(5));
        let value = if self.random.chance(50) {
            let value = self.expr(ty, Reach::Thread, 2);
            format!("[{value}; {length}]")
        } else {
            let elements: Vec<String> = (0..length).map(|_| self.expr(ty, Reach::Thread, 2)).collect();
            format!("[{}]", elements.join(", "))
        };
        let name = self.name("l");
        let head = format!("let mut {name}: [{}; {length}]", ty.name());
        self.arrays.push(Array { name, ty, length: length.to_string(), assignable: true });
        vec![Stmt::Let { head, value, plain: format!("[{}; {length}]", plain(ty)) }]
    }

    /// `=` and its like, of a variable that may be assigned here.
    fn assign(&mut self, reach: Reach) -> Vec<Stmt> {
        let found: Vec<Variable> =
            self.variables.iter().filter(|variable| variable.assignable && variable.reach <= reach).cloned().collect();
        // What a whole block agrees on is not changed by a part of it: at its own level only.
        let found: Vec<&Variable> = found.iter().filter(|it| it.reach == Reach::Thread || it.reach == reach).collect();
        if found.is_empty() {
            return self.let_value(Reach::Thread, reach);
        }
        let variable = found[self.random.below(found.len())].clone();
        let (operator, value) = self.assigned(variable.ty, variable.reach);
        vec![Stmt::Plain(format!("{} {operator} {value};", variable.name))]
    }

    /// An operator of assignment with its value.
    fn assigned(&mut self, ty: Scalar, reach: Reach) -> (&'static str, String) {
        let operator = match ty {
            Scalar::Bool => self.random.pick(&["=", "&=", "|=", "^="]),
            Scalar::F32 | Scalar::F64 => self.random.pick(&["=", "+=", "-=", "*=", "/=", "%="]),
            _ => self.random.pick(&["=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", "/=", "%="]),
        };
        let value = match operator {
            "/=" | "%=" if ty.is_integer() => self.divisor(ty, reach, 3),
            "<<=" | ">>=" => {
                let by = self.random.pick(&scalar::INTEGERS);
                self.expr(by, reach, 2)
            }
            _ => self.expr(ty, reach, 4),
        };
        (operator, value)
    }

    fn assign_element(&mut self) -> Vec<Stmt> {
        let found: Vec<Array> = self.arrays.iter().filter(|array| array.assignable).cloned().collect();
        let array = found[self.random.below(found.len())].clone();
        let index = self.index(&array.length, 3);
        let (operator, value) = self.assigned(array.ty, Reach::Thread);
        vec![Stmt::Plain(format!("{}[{index}] {operator} {value};", array.name))]
    }

    /// Writes the thread's own element of an output.
    fn output(&mut self) -> Vec<Stmt> {
        let array = self.outputs[self.random.below(self.outputs.len())].clone();
        let (operator, value) = self.assigned(array.ty, Reach::Thread);
        let write = Stmt::Plain(format!("{}[i] {operator} {value};", array.name));
        vec![Stmt::Nested(vec![(format!("if i < {}.len()", array.name), vec![write])])]
    }

    /// Writes every element of an output, each by one thread.
    fn stride(&mut self) -> Vec<Stmt> {
        let array = self.outputs[self.random.below(self.outputs.len())].clone();
        let k = self.name("k");
        let (operator, value) = self.assigned(array.ty, Reach::Thread);
        let body = vec![
            Stmt::Plain(format!("{}[{k}] {operator} {value};", array.name)),
            Stmt::Kept(format!("{k} += global_size();")),
        ];
        let head = format!("while {k} < {}", array.length);
        vec![Stmt::Together(vec![Stmt::Kept(format!("let mut {k} = global_id();")), Stmt::Nested(vec![(head, body)])])]
    }
}

/// `let name: ty = value;`
pub(super) fn let_statement(name: &str, ty: Scalar, assignable: bool, value: String) -> Stmt {
    let mutable = if assignable { "mut " } else { "" };
    Stmt::Let { head: format!("let {mutable}{name}: {}", ty.name()), value, plain: plain(ty).to_string() }
}

//! Statements and control flow.

use super::function::{Emitter, Value};
use super::types::identifier;
use warpcell_ir::{BinaryOp, Block, Expr, Range, SiteId, Slot, Stmt, Type};

impl Emitter<'_> {
    pub(super) fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Let { name, slot, value } => self.let_statement(name, *slot, value.as_ref()),
            Stmt::Shared { name, slot } => {
                let ty = self.slot_type(*slot);
                let type_name = self.builder.type_name(&ty);
                self.line(format!("__shared__ {type_name} {};", identifier(name)));
                self.locals.insert(format!("__shared__ {name}"), Type::Unit);
                self.locals.insert(name.clone(), ty);
            }
            Stmt::Assign { place, value } => self.assign(place, value),
            Stmt::AssignOp { op, place, value, site } => self.assign_op(*op, place, value, *site),
            Stmt::Expr(expr) => {
                let value = self.expr(expr);
                self.discard(value);
            }
            Stmt::While { condition, body } => self.while_statement(condition, body),
            Stmt::For { name, slot, range, body } => self.for_statement(name, *slot, range, body),
            Stmt::Break(value) => {
                if let Some(value) = value {
                    let value = self.expr(value);
                    let target = self.loops.last().cloned().flatten();
                    match target.filter(|target| target.ty != Type::Unit) {
                        Some(target) => self.line(format!("{} = {};", target.text, value.text)),
                        None => self.discard(value),
                    }
                }
                self.line("break;");
            }
            Stmt::Continue => self.line("continue;"),
            Stmt::Return(value) => match value {
                Some(value) => {
                    let value = self.expr(value);
                    self.line(format!("return {};", value.text));
                }
                None => self.line("return;"),
            },
        }
    }

    fn let_statement(&mut self, name: &str, slot: Slot, value: Option<&Expr>) {
        let ty = self.slot_type(slot);
        let value = value.map(|value| {
            let value = self.expr(value);
            self.coerce(value, &ty)
        });
        self.locals.insert(name.to_string(), ty.clone());
        if ty == Type::Unit {
            return;
        }
        let type_name = self.builder.type_name(&ty);
        match value {
            Some(value) => self.line(format!("{type_name} {} = {};", identifier(name), value.text)),
            None => self.line(format!("{type_name} {};", identifier(name))),
        }
    }

    /// The value first, then the place, as in Rust.
    fn assign(&mut self, place: &Expr, value: &Expr) {
        let value = self.expr(value);
        let (lines, place) = self.apart(|emitter| emitter.place(place));
        let value = if lines.is_empty() || value.stable { value } else { self.spill(value) };
        self.lines.extend(lines);
        let value = self.coerce(value, &place.ty);
        self.line(format!("{} = {};", place.text, value.text));
    }

    fn assign_op(&mut self, op: BinaryOp, place: &Expr, value: &Expr, site: SiteId) {
        let value = self.expr(value);
        let (lines, place) = self.apart(|emitter| emitter.place(place));
        let value = if lines.is_empty() || value.stable { value } else { self.spill(value) };
        self.lines.extend(lines);
        let current = Value { text: place.text.clone(), ty: place.ty, stable: false };
        let result = self.binary(op, current, value, self.site(site));
        self.line(format!("{} = {};", place.text, result.text));
    }

    pub(super) fn if_value(&mut self, slot: Slot, condition: &Expr, then: &Block, otherwise: Option<&Block>) -> Value {
        let ty = self.slot_type(slot);
        let condition = self.expr(condition);
        let target = if ty == Type::Unit { Value::unit() } else { self.declare(&ty) };
        self.line(format!("if ({}) {{", condition.text));
        self.branch(then, &target);
        if let Some(otherwise) = otherwise {
            self.line("} else {");
            self.branch(otherwise, &target);
        }
        self.line("}");
        target
    }

    /// The statements of a branch, with its value put into `target`.
    fn branch(&mut self, block: &Block, target: &Value) {
        let (mut lines, value) = self.apart(|emitter| emitter.statements(block));
        if let Some(value) = value {
            let (more, value) = self.apart(|emitter| emitter.coerce(value, &target.ty));
            lines.extend(more);
            if target.ty != Type::Unit {
                lines.push(format!("  {} = {};", target.text, value.text));
            } else if !value.text.is_empty() && !value.stable {
                lines.push(format!("  (void)({});", value.text));
            }
        }
        self.indented(lines);
    }

    pub(super) fn block_value(&mut self, slot: Slot, block: &Block) -> Value {
        let ty = self.slot_type(slot);
        let target = if ty == Type::Unit { Value::unit() } else { self.declare(&ty) };
        self.line("{");
        self.branch(block, &target);
        self.line("}");
        target
    }

    pub(super) fn loop_value(&mut self, slot: Slot, body: &Block) -> Value {
        let ty = self.slot_type(slot);
        let target = if ty == Type::Unit { Value::unit() } else { self.declare(&ty) };
        self.line("for (;;) {");
        self.loop_body(body, Some(target.clone()));
        self.line("}");
        target
    }

    fn loop_body(&mut self, body: &Block, target: Option<Value>) {
        self.loops.push(target);
        self.branch(body, &Value::unit());
        self.loops.pop();
    }

    fn while_statement(&mut self, condition: &Expr, body: &Block) {
        let (lines, condition) = self.apart(|emitter| emitter.expr(condition));
        if lines.is_empty() {
            self.line(format!("while ({}) {{", condition.text));
        } else {
            self.line("for (;;) {");
            self.indented(lines);
            self.line(format!("  if (!{}) break;", condition.text));
        }
        self.loop_body(body, None);
        self.line("}");
    }

    /// `for`: the ends are evaluated once, and a counter of its own runs, so that the body may change its variable.
    fn for_statement(&mut self, name: &str, slot: Slot, range: &Range, body: &Block) {
        let ty = self.slot_type(slot);
        let scalar = ty.scalar().expect("a range is of integers");
        let type_name = scalar.name();
        let ends = self.operands([&range.start, &range.end]);
        let [start, end] = ends.map(|end| if end.stable { end } else { self.spill(end) });
        let step = range.step.as_ref().map(|step| {
            let step = self.expr(step);
            let step = self.spill(step);
            self.line(format!("if ({} == 0ull) wc_fault(wc_e, {}u, 0ull, 0ull);", step.text, self.site(range.site)));
            step
        });
        let (from, to) = (&start.text, &end.text);
        let below = if range.inclusive { "<=" } else { "<" };
        // How many values there are to go, as an unsigned number that can't overflow but for the whole of u64.
        let left = self.temporary();
        let last = if range.inclusive { "" } else { " - 1ull" };
        let divide = step.as_ref().map(|step| format!(" / {}", step.text)).unwrap_or_default();
        self.line(format!("bool {left}_any = {from} {below} {to};"));
        self.line(format!("u64 {left} = ((u64){to} - (u64){from}{last}){divide};"));
        let counter = self.temporary();
        let by = step.as_ref().map_or("1ull".to_string(), |step| step.text.clone());
        let (first, advance) = if range.reversed {
            let first = if range.inclusive { to.clone() } else { format!("wc_sub_{type_name}({to}, ({type_name})1)") };
            (first, format!("wc_sub_{type_name}({counter}, ({type_name}){by})"))
        } else {
            (from.clone(), format!("wc_add_{type_name}({counter}, ({type_name}){by})"))
        };
        let simple = !range.reversed && !range.inclusive && step.is_none();
        if simple {
            // The plain form, which compilers know best.
            self.lines.truncate(self.lines.len() - 2);
            self.line(format!("for ({type_name} {counter} = {first}; {counter} < {to}; {counter} = {advance}) {{"));
        } else {
            self.line(format!(
                "for ({type_name} {counter} = {first}; {left}_any; {left}_any = {left}-- != 0ull, {counter} = {advance}) {{"
            ));
        }
        self.line(format!("  {type_name} {} = {counter};", identifier(name)));
        self.locals.insert(name.to_string(), ty);
        self.loop_body(body, None);
        self.line("}");
    }
}

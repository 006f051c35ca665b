//! Statements and control flow.

use super::function::{Emitter, Value};
use super::types::identifier;
use warpcell_ir::{BinaryOp, Block, Condition, Expr, LoopId, Range, SiteId, Slot, Stmt, Type, Unroll};

/// A loop or labelled block that is being emitted.
pub(super) struct Target {
    id: LoopId,
    /// Where the value of a `break` goes.
    value: Option<Value>,
    /// Whether it is a loop in C.
    is_loop: bool,
    /// Whether a jump from an inner loop leaves it, or goes on with it.
    left: bool,
    continued: bool,
}

impl Emitter<'_> {
    pub(super) fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Let { name, slot, value } => self.let_statement(name, *slot, value.as_ref()),
            Stmt::LetPattern { pattern, value, otherwise } => self.let_pattern(pattern, value, otherwise.as_ref()),
            Stmt::Shared { name, slot } => {
                let ty = self.slot_type(*slot);
                let type_name = self.builder.type_name(&ty);
                self.line(format!("__shared__ {type_name} {};", identifier(name)));
                self.locals.insert(format!("__shared__ {name}"), Type::Unit);
                self.locals.insert(name.clone(), ty);
            }
            Stmt::SharedSlice { name, slot, number } => self.shared_slice(name, *slot, *number),
            Stmt::Assign { place, value } => self.assign(place, value),
            Stmt::AssignOp { op, place, value, site, operator } => self.assign_op(*op, place, value, *site, *operator),
            Stmt::Expr(expr) => {
                let value = self.expr(expr);
                self.discard(value);
            }
            Stmt::While { label, conditions, body } => self.while_statement(*label, conditions, body),
            Stmt::For { label, name, slot, range, unroll, body } => {
                self.for_statement(*label, name, *slot, range, *unroll, body);
            }
            Stmt::StartWaiting => {
                self.waits = true;
                self.line("wc_since = 0ull;");
            }
            Stmt::Wait(site) => self.line(format!("wc_wait(wc_e, {}u, &wc_since);", self.site(*site))),
            Stmt::Break { target, value } => self.break_statement(*target, value.as_ref()),
            Stmt::Continue { target } => {
                if self.innermost_loop() == Some(*target) {
                    self.line("continue;");
                } else {
                    self.target(*target).continued = true;
                    self.line(format!("goto wc_next_{target};"));
                }
            }
            Stmt::Return(value) => match value {
                Some(value) => {
                    let value = self.expr(value);
                    self.line(format!("return {};", value.text));
                }
                None if self.grid_barrier => self.line("{ wc_grid_leave(wc_e); return; }"),
                None => self.line("return;"),
            },
            Stmt::Print { slot, to_stderr, arguments } => self.print(*slot, *to_stderr, arguments),
            Stmt::Panic { slot, arguments, site } => self.panic(*slot, arguments, *site),
        }
    }

    /// A part of the launch's dynamic shared memory.
    fn shared_slice(&mut self, name: &str, slot: Slot, number: u32) {
        let ty = self.slot_type(slot);
        let Type::Slice { element, .. } = &ty else { unreachable!("the probe puts a slice into this slot") };
        let element = self.builder.type_name(element);
        let type_name = self.builder.type_name(&ty);
        let (start, length) = (format!("wc_start{number}"), format!("wc_length{number}"));
        self.line(format!("{type_name} {} = {{ ({element}*)(wc_shared + {start}), {length} }};", identifier(name)));
        self.shared_slices = self.shared_slices.max(number + 1);
        self.locals.insert(name.to_string(), ty);
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

    fn assign_op(&mut self, op: BinaryOp, place: &Expr, value: &Expr, site: SiteId, operator: Slot) {
        let value = self.expr(value);
        let (lines, place) = self.apart(|emitter| emitter.place(place));
        let value = if lines.is_empty() || value.stable { value } else { self.spill(value) };
        self.lines.extend(lines);
        if let Some(function) = self.operator(operator) {
            let address =
                Value { text: format!("(&{})", place.text), ty: Type::Reference(Box::new(place.ty)), stable: true };
            let result = self.call_function(function, vec![address, value]);
            return self.discard(result);
        }
        let current = Value { text: place.text.clone(), ty: place.ty, stable: false };
        let result = self.binary(op, current, value, self.site(site));
        self.line(format!("{} = {};", place.text, result.text));
    }

    /// `break`, with the value of its loop or block.
    fn break_statement(&mut self, target: LoopId, value: Option<&Expr>) {
        if let Some(value) = value {
            let value = self.expr(value);
            let goes_to = self.target(target).value.clone();
            match goes_to.filter(|target| target.ty != Type::Unit) {
                Some(target) => self.line(format!("{} = {};", target.text, value.text)),
                None => self.discard(value),
            }
        }
        if self.innermost_loop() == Some(target) {
            self.line("break;");
        } else {
            self.target(target).left = true;
            self.line(format!("goto wc_end_{target};"));
        }
    }

    fn innermost_loop(&self) -> Option<LoopId> {
        self.loops.iter().rev().find(|target| target.is_loop).map(|target| target.id)
    }

    fn target(&mut self, id: LoopId) -> &mut Target {
        // The macro has found the loop by its label.
        self.loops.iter_mut().rev().find(|target| target.id == id).expect("a jump's target is around it")
    }

    /// `if`: with one plain condition it is C's; else a flag says whether `then` was run.
    pub(super) fn if_value(
        &mut self,
        slot: Slot,
        conditions: &[Condition],
        then: &Block,
        otherwise: Option<&Block>,
    ) -> Value {
        let ty = self.slot_type(slot);
        let [Condition::Holds(condition)] = conditions else {
            let target = if ty == Type::Unit { Value::unit() } else { self.declare(&ty) };
            let taken = otherwise.map(|_| self.temporary());
            if let Some(taken) = &taken {
                self.line(format!("bool {taken} = false;"));
            }
            self.under_conditions(conditions, taken.as_deref(), &mut |emitter| emitter.branch(then, &target));
            if let Some((otherwise, taken)) = otherwise.zip(taken) {
                self.line(format!("if (!{taken}) {{"));
                self.branch(otherwise, &target);
                self.line("}");
            }
            return target;
        };
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
    pub(super) fn branch(&mut self, block: &Block, target: &Value) {
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

    pub(super) fn block_value(&mut self, slot: Slot, label: Option<LoopId>, block: &Block) -> Value {
        let ty = self.slot_type(slot);
        let target = if ty == Type::Unit { Value::unit() } else { self.declare(&ty) };
        self.line("{");
        if let Some(id) = label {
            self.loops.push(Target { id, value: Some(target.clone()), is_loop: false, left: false, continued: false });
        }
        self.branch(block, &target);
        self.line("}");
        if label.is_some() {
            self.end_of_target();
        }
        target
    }

    pub(super) fn loop_value(&mut self, slot: Slot, label: LoopId, body: &Block) -> Value {
        let ty = self.slot_type(slot);
        let target = if ty == Type::Unit { Value::unit() } else { self.declare(&ty) };
        self.line("for (;;) {");
        self.loop_body(label, body, Some(target.clone()));
        target
    }

    /// The body of a loop, its end, and the labels that jumps from inner loops need.
    fn loop_body(&mut self, id: LoopId, body: &Block, value: Option<Value>) {
        self.loops.push(Target { id, value, is_loop: true, left: false, continued: false });
        let (lines, ()) = self.apart(|emitter| emitter.branch(body, &Value::unit()));
        self.end_of_loop(id, lines);
    }

    fn end_of_loop(&mut self, id: LoopId, body: Vec<String>) {
        if self.target(id).continued {
            // In a scope of its own, so that the jump passes no declaration.
            self.line("  {");
            self.lines.extend(body);
            self.line(format!("  }} wc_next_{id}:;"));
        } else {
            self.lines.extend(body);
        }
        self.line("}");
        self.end_of_target();
    }

    fn end_of_target(&mut self) {
        if let Some(Target { id, left: true, .. }) = self.loops.pop() {
            self.line(format!("wc_end_{id}:;"));
        }
    }

    fn while_statement(&mut self, label: LoopId, conditions: &[Condition], body: &Block) {
        let [Condition::Holds(condition)] = conditions else { return self.while_let(label, conditions, body) };
        let (lines, condition) = self.apart(|emitter| emitter.expr(condition));
        if lines.is_empty() {
            self.line(format!("while ({}) {{", condition.text));
        } else {
            self.line("for (;;) {");
            self.indented(lines);
            self.line(format!("  if (!{}) break;", condition.text));
        }
        self.loop_body(label, body, None);
    }

    /// `while let`, or several conditions: a flag says whether the body was run.
    fn while_let(&mut self, id: LoopId, conditions: &[Condition], body: &Block) {
        let taken = self.temporary();
        self.line("for (;;) {");
        self.line(format!("  bool {taken} = false;"));
        self.loops.push(Target { id, value: None, is_loop: true, left: false, continued: false });
        let (mut lines, ()) = self.apart(|emitter| {
            emitter.under_conditions(conditions, Some(&taken), &mut |emitter| emitter.branch(body, &Value::unit()));
        });
        lines.push(format!("  if (!{taken}) break;"));
        self.end_of_loop(id, lines);
    }

    /// `for`: the ends are evaluated once, and a counter of its own runs, so that the body may change its variable.
    fn for_statement(
        &mut self,
        label: LoopId,
        name: &str,
        slot: Slot,
        range: &Range,
        unroll: Option<Unroll>,
        body: &Block,
    ) {
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
        }
        match unroll {
            Some(Unroll::Whole) => self.line("#pragma unroll"),
            Some(Unroll::Turns(turns)) => self.line(format!("#pragma unroll {turns}")),
            None => {}
        }
        if simple {
            self.line(format!("for ({type_name} {counter} = {first}; {counter} < {to}; {counter} = {advance}) {{"));
        } else {
            self.line(format!(
                "for ({type_name} {counter} = {first}; {left}_any; {left}_any = {left}-- != 0ull, {counter} = {advance}) {{"
            ));
        }
        self.line(format!("  {type_name} {} = {counter};", identifier(name)));
        self.locals.insert(name.to_string(), ty);
        self.loop_body(label, body, None);
    }
}

//! Functions: signature, body, and the state of emitting one.

use super::types::identifier;
use super::{Builder, SiteInfo};
use crate::kernel::KernelAttributes;
use crate::lang::{AnswerValue, Answers, Callee, ConstantValue, Formatter};
use std::collections::{HashMap, HashSet};
use warpcell_ir::{Block, Function, Slot, Type};

/// A value: a C expression without side effects.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub text: String,
    pub ty: Type,
    /// Nothing that is evaluated later can change it.
    pub stable: bool,
}

impl Value {
    pub(super) fn stable(text: impl Into<String>, ty: Type) -> Value {
        Value { text: text.into(), ty, stable: true }
    }

    pub(super) fn unit() -> Value {
        Value::stable("", Type::Unit)
    }
}

/// Emits one function.
pub(super) struct Emitter<'b> {
    pub builder: &'b mut Builder,
    pub slots: &'b [AnswerValue],
    pub constants: &'b [ConstantValue],
    pub locals: HashMap<String, Type>,
    /// Locals that are assigned after their declaration.
    pub assigned: HashSet<String>,
    /// The number of the function's first site in the text.
    pub first_site: u32,
    pub lines: Vec<String>,
    pub temporaries: u32,
    /// Whether it is a kernel whose blocks wait for each other, so that each thread says when it ends.
    pub grid_barrier: bool,
    /// The number of shared slices so far.
    pub shared_slices: u32,
    /// The loops and labelled blocks around.
    pub loops: Vec<super::control::Target>,
    /// Whether it waits for what other threads write.
    pub waits: bool,
}

/// A kernel: `extern "C" __global__`, with the launch's environment as the last parameter.
pub(super) fn kernel(
    builder: &mut Builder,
    model: &Function,
    answers: &Answers,
    name: &str,
    attributes: &KernelAttributes,
) -> String {
    let mut emitter = Emitter::new(builder, model, answers);
    let mut params = Vec::new();
    for param in &model.params {
        let (name, ty) = (identifier(&param.name), emitter.slot_type(param.slot));
        if let Type::Slice { element, mutable } = &ty {
            let element = emitter.builder.type_name(element);
            let struct_name = emitter.builder.type_name(&ty);
            let qualifier = if *mutable { "" } else { "const " };
            // To the compiler no other thread writes what `__restrict__` points to, even across a barrier.
            let restrict = if *mutable && !param.own { "" } else { "__restrict__ " };
            params.push(format!("{qualifier}{element}* {restrict}{name}p, u64 {name}n"));
            emitter.line(format!("{struct_name} {name} = {{ {name}p, {name}n }};"));
        } else {
            params.push(format!("{} {name}", emitter.builder.type_name(&ty)));
        }
        emitter.locals.insert(param.name.clone(), ty);
    }
    params.push("wc_env wc_e".to_string());
    if model.grid_barrier {
        emitter.line("wc_grid_enter();");
    }
    emitter.statements(&model.body);
    if model.grid_barrier {
        emitter.line("wc_grid_leave(wc_e);");
    }
    // The launch knows where each of them lies.
    let slices = emitter.shared_slices;
    params.extend((0..slices).map(|number| format!("u64 wc_start{number}, u64 wc_length{number}")));
    let memory = if slices == 0 { "" } else { "  extern __shared__ __align__(16) u8 wc_shared[];\n" };
    let (bounds, params, body) = (attributes.launch_bounds(), params.join(", "), emitter.text());
    format!("extern \"C\" __global__ void {bounds}{name}({params})\n{{\n{memory}{body}\n}}\n")
}

/// A device function.
pub(super) fn device(builder: &mut Builder, model: &Function, answers: &Answers, name: &str) -> (String, Callee) {
    let mut emitter = Emitter::new(builder, model, answers);
    let mut params = vec!["wc_env wc_e".to_string()];
    let mut types = Vec::new();
    for param in &model.params {
        let ty = emitter.slot_type(param.slot);
        let ty = if param.by_reference { Type::Reference(Box::new(ty)) } else { ty };
        params.push(format!("{} {}", emitter.builder.type_name(&ty), identifier(&param.name)));
        emitter.locals.insert(param.name.clone(), ty.clone());
        types.push(ty);
    }
    let result = emitter.slot_type(model.result);
    if let Some(value) = emitter.statements(&model.body) {
        let value = emitter.coerce(value, &result);
        if result == Type::Unit {
            emitter.discard(value);
        } else {
            emitter.line(format!("return {};", value.text));
        }
    }
    let body = emitter.text();
    let text = format!(
        "static __device__ __forceinline__ {} {name}({})\n{{\n{body}\n}}\n",
        emitter.builder.type_name(&result),
        params.join(", ")
    );
    (text, Callee::Function { name: name.to_string(), params: types, result })
}

impl<'b> Emitter<'b> {
    fn new(builder: &'b mut Builder, model: &Function, answers: &'b Answers) -> Emitter<'b> {
        // A text with 2^32 sites can't be compiled.
        let first_site = builder.sites.len() as u32;
        builder.sites.extend(model.sites.iter().map(|site| SiteInfo {
            kind: site.kind,
            file: model.file.clone(),
            line: site.line,
            column: site.column,
            text: site.text.clone(),
            message: None,
        }));
        Emitter {
            builder,
            slots: &answers.slots,
            constants: &answers.constants,
            locals: HashMap::new(),
            assigned: model.assigned.iter().cloned().collect(),
            first_site,
            lines: Vec::new(),
            temporaries: 0,
            grid_barrier: model.grid_barrier,
            shared_slices: 0,
            loops: Vec::new(),
            waits: false,
        }
    }

    /// The whole body.
    fn text(&self) -> String {
        let since = if self.waits { "  u64 wc_since = 0ull;\n" } else { "" };
        format!("{since}{}", self.lines.join("\n"))
    }

    pub(super) fn line(&mut self, text: impl Into<String>) {
        self.lines.push(format!("  {}", text.into()));
    }

    /// The type that a slot answers.
    pub(super) fn slot_type(&self, slot: Slot) -> Type {
        match self.slots.get(slot as usize) {
            Some(AnswerValue::Type(ty)) => ty.clone(),
            Some(AnswerValue::Callee(_) | AnswerValue::Formatter(_)) => {
                unreachable!("the macro asks for a type in this slot")
            }
            // A statement whose value nobody uses.
            None => Type::Unit,
        }
    }

    pub(super) fn callee(&self, slot: Slot) -> Callee {
        match &self.slots[slot as usize] {
            AnswerValue::Callee(callee) => callee.clone(),
            AnswerValue::Type(_) | AnswerValue::Formatter(_) => {
                unreachable!("the macro asks for a function in this slot")
            }
        }
    }

    pub(super) fn formatter(&self, slot: Slot) -> Formatter {
        match &self.slots[slot as usize] {
            AnswerValue::Formatter(formatter) => formatter.clone(),
            AnswerValue::Type(_) | AnswerValue::Callee(_) => {
                unreachable!("the macro asks for a message in this slot")
            }
        }
    }

    /// A new temporary with `value`.
    pub(super) fn spill(&mut self, value: Value) -> Value {
        if value.ty == Type::Unit {
            return value;
        }
        let name = self.temporary();
        let ty = self.builder.type_name(&value.ty);
        self.line(format!("{ty} {name} = {};", value.text));
        Value::stable(name, value.ty)
    }

    /// A new temporary without a value.
    pub(super) fn declare(&mut self, ty: &Type) -> Value {
        let name = self.temporary();
        let ty_name = self.builder.type_name(ty);
        self.line(format!("{ty_name} {name};"));
        Value::stable(name, ty.clone())
    }

    pub(super) fn temporary(&mut self) -> String {
        self.temporaries += 1;
        format!("wc_t{}", self.temporaries)
    }

    /// A writable slice where one that is only read is expected.
    pub(super) fn coerce(&mut self, value: Value, ty: &Type) -> Value {
        match (&value.ty, ty) {
            (Type::Slice { mutable: true, .. }, Type::Slice { mutable: false, .. }) => {
                let name = self.builder.type_name(ty);
                let text = &value.text;
                Value { text: format!("{name}{{{text}.p, {text}.n}}"), ty: ty.clone(), stable: value.stable }
            }
            // A whole array where a slice is expected.
            (Type::Array(_, count), Type::Slice { .. }) => {
                let name = self.builder.type_name(ty);
                Value { text: format!("{name}{{{}.v, {count}ull}}", value.text), ty: ty.clone(), stable: value.stable }
            }
            (Type::Reference(found), ty) if **found == *ty => {
                Value { text: format!("(*{})", value.text), ty: ty.clone(), stable: false }
            }
            _ => value,
        }
    }

    /// An expression as a statement.
    pub(super) fn discard(&mut self, value: Value) {
        if !value.text.is_empty() && !value.stable {
            self.line(format!("(void)({});", value.text));
        }
    }

    /// The lines of `walk`, apart.
    pub(super) fn apart<R>(&mut self, walk: impl FnOnce(&mut Self) -> R) -> (Vec<String>, R) {
        let outer = std::mem::take(&mut self.lines);
        let result = walk(self);
        (std::mem::replace(&mut self.lines, outer), result)
    }

    /// Appends `lines`, one level deeper.
    pub(super) fn indented(&mut self, lines: Vec<String>) {
        self.lines.extend(lines.into_iter().map(|line| format!("  {line}")));
    }

    /// The statements of a block, and its value.
    pub(super) fn statements(&mut self, block: &Block) -> Option<Value> {
        for statement in &block.statements {
            self.statement(statement);
        }
        block.value.as_ref().map(|value| self.expr(value))
    }

    pub(super) fn site(&self, site: warpcell_ir::SiteId) -> u32 {
        self.first_site + site
    }
}

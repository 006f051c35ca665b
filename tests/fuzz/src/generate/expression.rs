//! Expressions of a type.

use super::method::{METHODS, Part};
use super::{Array, Generator, Reach};
use crate::scalar::{self, Scalar};

/// The forms an expression can have.
#[derive(Clone, Copy)]
enum Form {
    Leaf,
    Arithmetic,
    Method,
    Cast,
    If,
    Block,
    Match,
    Element,
    Call,
}

impl Generator {
    /// An expression of type `ty` on which all threads of `reach` agree; one for threads on their own may have effects.
    pub(super) fn expr(&mut self, ty: Scalar, reach: Reach, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(ty, reach);
        }
        let own = usize::from(reach == Reach::Thread);
        let form = self.random.weighted(&[
            (3, Form::Leaf),
            (9, Form::Arithmetic),
            (3, Form::Method),
            (3, Form::Cast),
            (own, Form::If),
            (own, Form::Block),
            (own, Form::Match),
            (own * 4, Form::Element),
            (own * 2, Form::Call),
        ]);
        let made = match form {
            Form::Leaf => None,
            Form::Arithmetic if ty == Scalar::Bool => Some(self.condition(reach, depth)),
            Form::Arithmetic => Some(self.arithmetic(ty, reach, depth)),
            Form::Method => self.method(ty, reach, depth),
            Form::Cast if ty == Scalar::Bool => Some(self.condition(reach, depth)),
            Form::Cast => Some(self.cast(ty, reach, depth)),
            Form::If => Some(self.if_value(ty, depth)),
            Form::Block => Some(self.block_value(ty, depth)),
            Form::Match => Some(self.match_value(ty, depth)),
            Form::Element => self.element(ty, depth),
            Form::Call => self.call(ty, depth),
        };
        made.unwrap_or_else(|| self.leaf(ty, reach))
    }

    /// A variable, what is built in, or a literal.
    fn leaf(&mut self, ty: Scalar, reach: Reach) -> String {
        let names: Vec<String> = self
            .variables
            .iter()
            .filter(|variable| variable.ty == ty && variable.reach >= reach)
            .map(|variable| variable.name.clone())
            .collect();
        if !names.is_empty() && self.random.chance(75) {
            return names[self.random.below(names.len())].clone();
        }
        if ty == Scalar::Usize && self.random.chance(50) {
            return self.index_built_in(reach).to_string();
        }
        // The value of a variable of another type, if there is one that can be cast.
        let others: Vec<String> = self
            .variables
            .iter()
            .filter(|other| other.reach >= reach && ty != Scalar::Bool && (other.ty != Scalar::Bool || ty.is_integer()))
            .map(|variable| variable.name.clone())
            .collect();
        if !others.is_empty() && self.random.chance(60) {
            return format!("({} as {})", others[self.random.below(others.len())], ty.name());
        }
        self.literal(ty)
    }

    fn index_built_in(&mut self, reach: Reach) -> &'static str {
        const BLOCK: [&str; 8] = [
            "block_rank()",
            "block_size()",
            "grid_size()",
            "block_dim_x()",
            "block_dim_y()",
            "block_idx_x()",
            "grid_dim_x()",
            "global_size()",
        ];
        const WARP: [&str; 2] = ["warp_id()", "global_warp_id()"];
        const THREAD: [&str; 7] = [
            "thread_rank()",
            "global_id()",
            "lane_id()",
            "thread_idx_x()",
            "thread_idx_y()",
            "global_id_x()",
            "thread_idx_z()",
        ];
        match reach {
            Reach::Block => self.random.pick(&BLOCK),
            Reach::Warp => self.random.pick(&WARP),
            Reach::Thread => self.random.pick(&THREAD),
        }
    }

    fn arithmetic(&mut self, ty: Scalar, reach: Reach, depth: usize) -> String {
        let left = self.expr(ty, reach, depth - 1);
        if ty.is_float() {
            let operator = self.random.weighted(&[(4, "+"), (4, "-"), (4, "*"), (3, "/"), (1, "%"), (1, "neg")]);
            if operator == "neg" {
                return format!("(-{left})");
            }
            let right = self.expr(ty, reach, depth - 1);
            return format!("({left} {operator} {right})");
        }
        let operator = self.random.pick(&["+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%", "!", "+", "-", "*"]);
        match operator {
            "!" if ty.is_signed() && self.random.chance(50) => format!("(-{left})"),
            "!" => format!("(!{left})"),
            "<<" | ">>" => {
                let by = self.ty(&scalar::INTEGERS);
                let by = if self.random.chance(40) {
                    format!("{}{}", self.random.below(70), by.name())
                } else {
                    self.expr(by, reach, depth - 1)
                };
                format!("({left} {operator} {by})")
            }
            "/" | "%" => {
                let divisor = self.divisor(ty, reach, depth - 1);
                format!("({left} {operator} {divisor})")
            }
            _ => {
                let right = self.expr(ty, reach, depth - 1);
                format!("({left} {operator} {right})")
            }
        }
    }

    /// A divisor that is not 0 and not -1, known or not known to be so.
    pub(super) fn divisor(&mut self, ty: Scalar, reach: Reach, depth: usize) -> String {
        if self.random.chance(40) {
            return self.divisor_literal(ty);
        }
        let value = self.expr(ty, reach, depth);
        format!("(({value} & 63) | 1)")
    }

    /// An expression of type `bool`.
    pub(super) fn condition(&mut self, reach: Reach, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(Scalar::Bool, reach);
        }
        match self.random.below(10) {
            0 | 1 => {
                let operator = self.random.pick(&["&&", "||", "&", "|", "^"]);
                let left = self.condition(reach, depth - 1);
                let right = self.condition(reach, depth - 1);
                format!("({left} {operator} {right})")
            }
            2 => {
                let value = self.condition(reach, depth - 1);
                format!("(!{value})")
            }
            3 => self.method(Scalar::Bool, reach, depth).unwrap_or_else(|| self.leaf(Scalar::Bool, reach)),
            _ => {
                let ty = self.ty(&scalar::NUMBERS);
                let operator = self.random.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let left = self.expr(ty, reach, depth - 1);
                let right = self.expr(ty, reach, depth - 1);
                format!("({left} {operator} {right})")
            }
        }
    }

    fn cast(&mut self, ty: Scalar, reach: Reach, depth: usize) -> String {
        let from = if ty.is_float() { self.ty(&scalar::NUMBERS) } else { self.ty(&scalar::ALL) };
        let value = self.expr(from, reach, depth - 1);
        format!("({value} as {})", ty.name())
    }

    fn method(&mut self, ty: Scalar, reach: Reach, depth: usize) -> Option<String> {
        if ty.is_float() && self.random.chance(10) {
            let bits = if ty == Scalar::F32 { Scalar::U32 } else { Scalar::U64 };
            let value = self.expr(bits, reach, depth - 1);
            return Some(format!("{}::from_bits({value})", ty.name()));
        }
        let possible: Vec<_> = METHODS.iter().filter(|method| !method.receivers_for(ty).is_empty()).collect();
        if possible.is_empty() {
            return None;
        }
        let method = possible[self.random.below(possible.len())];
        let receiver = self.random.pick(method.receivers_for(ty));
        let value = self.expr(receiver, reach, depth - 1);
        let mut arguments = Vec::new();
        for part in method.arguments {
            let ty = if let Part::Of(ty) = part { *ty } else { receiver };
            arguments.push(self.expr(ty, reach, depth - 1));
        }
        Some(format!("{value}.{}({})", method.name, arguments.join(", ")))
    }

    fn if_value(&mut self, ty: Scalar, depth: usize) -> String {
        let condition = self.condition(Reach::Thread, depth - 1);
        let then = self.expr(ty, Reach::Thread, depth - 1);
        let otherwise = self.expr(ty, Reach::Thread, depth - 1);
        format!("(if {condition} {{ {then} }} else {{ {otherwise} }})")
    }

    /// A block that changes a variable on its way, or has one of its own.
    fn block_value(&mut self, ty: Scalar, depth: usize) -> String {
        let value = self.expr(ty, Reach::Thread, depth - 1);
        if let Some((name, of)) = self.own_variable()
            && self.random.chance(60)
        {
            let change = self.expr(of, Reach::Thread, depth - 1);
            let operator = if of == Scalar::Bool { "=" } else { self.random.pick(&["=", "+=", "-="]) };
            return format!("{{ {name} {operator} {change}; {value} }}");
        }
        let name = self.name("b");
        let result = if ty == Scalar::Bool { format!("{name} ^ true") } else { format!("{name} + {name}") };
        format!("{{ let {name}: {} = {value}; {result} }}", ty.name())
    }

    /// A variable that this thread may assign anywhere.
    pub(super) fn own_variable(&mut self) -> Option<(String, Scalar)> {
        let found: Vec<(String, Scalar)> = self
            .variables
            .iter()
            .filter(|variable| variable.assignable && variable.reach == Reach::Thread)
            .map(|variable| (variable.name.clone(), variable.ty))
            .collect();
        (!found.is_empty()).then(|| found[self.random.below(found.len())].clone())
    }

    /// An element of a local array, of an input, or of shared memory.
    fn element(&mut self, ty: Scalar, depth: usize) -> Option<String> {
        let fits = |array: &&Array| array.ty == ty;
        let mut found: Vec<(String, String)> = self
            .arrays
            .iter()
            .filter(fits)
            .chain(self.inputs.iter().filter(fits))
            .map(|array| (array.name.clone(), array.length.clone()))
            .collect();
        let length = self.block_size().to_string();
        found.extend(self.shared.iter().filter(|shared| shared.ty == ty).map(|it| (it.name.clone(), length.clone())));
        if found.is_empty() {
            return None;
        }
        let (name, length) = found[self.random.below(found.len())].clone();
        let index = self.index(&length, depth);
        self.shared.iter_mut().filter(|shared| shared.name == name).for_each(|shared| shared.read = true);
        Some(format!("{name}[{index}]"))
    }

    /// An index below `length`.
    pub(super) fn index(&mut self, length: &str, depth: usize) -> String {
        let known: Option<usize> = length.parse().ok();
        match known {
            Some(length) if self.random.chance(30) => self.random.below(length).to_string(),
            Some(length) if length.is_power_of_two() && self.random.chance(40) => {
                let value = self.expr(Scalar::U32, Reach::Thread, depth.saturating_sub(1));
                format!("({value} & {}) as usize", length - 1)
            }
            _ if self.random.chance(40) => format!("({} + {}) % {length}", self.leaf(Scalar::Usize, Reach::Thread), 1),
            _ => {
                let value = self.expr(Scalar::Usize, Reach::Thread, depth.saturating_sub(1));
                format!("{value} % {length}")
            }
        }
    }

    /// A call of a device function.
    fn call(&mut self, ty: Scalar, depth: usize) -> Option<String> {
        let found: Vec<_> = self.callables.iter().filter(|callable| callable.result == ty).cloned().collect();
        if found.is_empty() {
            return None;
        }
        let callable = found[self.random.below(found.len())].clone();
        let mut arguments = Vec::new();
        for param in &callable.params {
            arguments.push(self.expr(*param, Reach::Thread, depth - 1));
        }
        if let Some((element, writable)) = callable.slice {
            arguments.push(self.slice_argument(element, writable)?);
        }
        Some(format!("{}({})", callable.name, arguments.join(", ")))
    }

    /// A part, which is not empty, of a local array or an input.
    fn slice_argument(&mut self, element: Scalar, writable: bool) -> Option<String> {
        let inputs = self.inputs.iter().filter(|_| !writable);
        let found: Vec<Array> = self
            .arrays
            .iter()
            .chain(inputs)
            .filter(|it| it.ty == element && (it.assignable || !writable))
            .cloned()
            .collect();
        if found.is_empty() {
            return None;
        }
        let array = found[self.random.below(found.len())].clone();
        // Of a device function's own slice only the length is known not to be 0.
        let any = self.function.is_none() || array.length.parse::<usize>().is_ok();
        let part = if any { self.random.pick(&["..", "1..", "0..2", "..=1"]) } else { ".." };
        Some(format!("&{}{}[{part}]", if writable { "mut " } else { "" }, array.name))
    }
}

//! Device functions.

use super::{Array, Callable, Generator, Reach, Variable};
use crate::program::{Function, Stmt};
use crate::scalar::{self, Scalar};

impl Generator {
    /// A device function, which those after it and the kernel can call.
    pub(super) fn device_function(&mut self) -> Function {
        let result = self.ty(&scalar::ALL);
        let name = self.name("f");
        let mut params = Vec::new();
        let mut texts = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let (name, ty) = (self.name("a"), self.ty(&scalar::ALL));
            let assignable = self.random.chance(30);
            texts.push(format!("{}{name}: {}", if assignable { "mut " } else { "" }, ty.name()));
            self.variables.push(Variable { name, ty, assignable, reach: Reach::Thread });
            params.push(ty);
        }
        let slice = self.random.chance(50).then(|| {
            let (name, ty, assignable) = (self.name("s"), self.ty(&scalar::NUMBERS), self.random.chance(60));
            texts.push(format!("{name}: &{}[{}]", if assignable { "mut " } else { "" }, ty.name()));
            self.arrays.push(Array { length: format!("{name}.len()"), name, ty, assignable });
            (ty, assignable)
        });
        self.function = Some(result);
        self.fuel = 2 + self.random.below(6);
        let mut body = vec![Stmt::Kept(super::MIXED.into())];
        while self.fuel > 0 {
            let statement = self.statement(Reach::Thread);
            body.extend(statement);
        }
        body.extend(self.mixes(0, 0));
        let value = self.expr(result, Reach::Thread, 3);
        let value = match result {
            Scalar::Bool => format!("({value} ^ (mixed % 2 == 1))"),
            Scalar::F32 | Scalar::F64 => format!("({value} + (mixed % 1000) as {})", result.name()),
            _ => format!("({value} ^ mixed as {})", result.name()),
        };
        self.function = None;
        self.variables.clear();
        self.arrays.clear();
        let head = format!("fn {name}({}) -> {}", texts.join(", "), result.name());
        self.callables.push(Callable { name, params, slice, result });
        Function { head, body, value }
    }
}

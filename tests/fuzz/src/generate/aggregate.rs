//! Structs and tuples: their fields are variables as others are.

use super::literal::plain;
use super::{Generator, Reach, Variable};
use crate::program::Stmt;
use crate::scalar::{self, Scalar};

/// A struct of the kernel's module.
#[derive(Clone, Debug)]
pub(super) struct Struct {
    pub name: String,
    pub fields: Vec<Scalar>,
}

impl Struct {
    /// Its declaration.
    pub(super) fn declaration(&self) -> String {
        let fields = self.fields.iter().enumerate().map(|(number, ty)| format!("pub m{number}: {}", ty.name()));
        let fields = fields.collect::<Vec<_>>().join(", ");
        format!(
            "#[derive(Clone, Copy, Debug, Default, PartialEq, GpuType)]\n    #[repr(C)]\n    pub struct {} {{ {fields} }}",
            self.name
        )
    }
}

impl Generator {
    /// A struct that the kernel and its functions use.
    pub(super) fn declare_struct(&mut self) -> Struct {
        let fields = (0..2 + self.random.below(3)).map(|_| self.ty(&scalar::ALL)).collect();
        Struct { name: self.name("S"), fields }
    }

    /// A variable that holds a struct, a tuple, or the parts of a tuple.
    pub(super) fn let_aggregate(&mut self) -> Vec<Stmt> {
        let structs = self.structs.clone();
        let assignable = self.random.chance(70);
        let mutable = if assignable { "mut " } else { "" };
        if !structs.is_empty() && self.random.chance(50) {
            let of = &structs[self.random.below(structs.len())];
            let values: Vec<String> = of.fields.iter().map(|ty| self.expr(*ty, Reach::Thread, 3)).collect();
            let name = self.name("v");
            let members: Vec<String> = (0..values.len()).map(|number| format!("m{number}")).collect();
            self.fields(&name, &members, &of.fields, assignable);
            let literal = |values: &[String]| {
                let fields = members.iter().zip(values).map(|(member, value)| format!("{member}: {value}"));
                format!("{} {{ {} }}", of.name, fields.collect::<Vec<_>>().join(", "))
            };
            let plain = literal(&plains(&of.fields));
            return vec![Stmt::Let {
                head: format!("let {mutable}{name}: {}", of.name),
                value: literal(&values),
                plain,
            }];
        }
        let types: Vec<Scalar> = (0..2 + self.random.below(2)).map(|_| self.ty(&scalar::ALL)).collect();
        let values: Vec<String> = types.iter().map(|ty| self.expr(*ty, Reach::Thread, 3)).collect();
        let (value, plain) = (format!("({})", values.join(", ")), format!("({})", plains(&types).join(", ")));
        let names: Vec<&str> = types.iter().map(|ty| ty.name()).collect();
        let of = format!("({})", names.join(", "));
        let head = if self.random.chance(50) {
            let parts: Vec<String> =
                types.iter().map(|ty| format!("{mutable}{}", self.declare(*ty, assignable, Reach::Thread))).collect();
            format!("let ({}): {of}", parts.join(", "))
        } else {
            let name = self.name("v");
            let members: Vec<String> = (0..types.len()).map(|number| number.to_string()).collect();
            self.fields(&name, &members, &types, assignable);
            format!("let {mutable}{name}: {of}")
        };
        vec![Stmt::Let { head, value, plain }]
    }

    /// Makes the fields of `name` known.
    fn fields(&mut self, name: &str, members: &[String], types: &[Scalar], assignable: bool) {
        for (member, ty) in members.iter().zip(types) {
            let name = format!("{name}.{member}");
            self.variables.push(Variable { name, ty: *ty, assignable, reach: Reach::Thread });
        }
    }
}

fn plains(types: &[Scalar]) -> Vec<String> {
    types.iter().map(|ty| plain(*ty).to_string()).collect()
}

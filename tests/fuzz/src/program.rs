//! Kernels as data: what the generator makes, the printer writes, and the reducer takes apart.

use crate::scalar::Scalar;
use std::fmt::Write as _;

/// A kernel, the functions it calls, and how it is launched.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// The seed of its arguments' values.
    pub seed: u64,
    /// Blocks.
    pub grid: [usize; 3],
    /// Threads in a block.
    pub block: [usize; 3],
    /// Its parameters.
    pub params: Vec<Param>,
    /// The structs it uses.
    pub structs: Vec<String>,
    /// The device functions it calls, in their order.
    pub functions: Vec<Function>,
    /// Its statements.
    pub body: Vec<Stmt>,
}

/// A parameter of a kernel.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Its type, or that of its elements.
    pub ty: Scalar,
    /// What is passed.
    pub kind: ParamKind,
}

/// What is passed for a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// A value.
    Value,
    /// A slice of that length.
    Input(usize),
    /// A writable slice of that length.
    Output(usize),
}

/// A device function.
#[derive(Clone, Debug)]
pub struct Function {
    /// What stands in front of its body.
    pub head: String,
    /// Its statements.
    pub body: Vec<Stmt>,
    /// Its value.
    pub value: String,
}

/// A statement, in Rust. What the reducer may leave out is told apart from what must stay.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// Can be left out.
    Plain(String),
    /// Must stay where it is: a barrier, the step of a loop, an output.
    Kept(String),
    /// `let name = value;`: others use the name, so `plain` can stand for the value.
    Let {
        /// All up to the value.
        head: String,
        /// What it is bound to.
        value: String,
        /// A value without expressions.
        plain: String,
    },
    /// Heads with their blocks: the branches of an `if`, or a loop.
    Nested(Vec<(String, Vec<Stmt>)>),
    /// A `match`, with its arms' patterns.
    Match {
        /// What is matched.
        value: String,
        /// The patterns with their blocks; the last takes all.
        arms: Vec<(String, Vec<Stmt>)>,
    },
    /// Statements that can be left out only together.
    Together(Vec<Stmt>),
}

impl Kernel {
    /// How many statements it has, with those of its functions, and without those that every kernel has.
    pub fn statements(&self) -> usize {
        count(&self.body) + self.functions.iter().map(|function| count(&function.body) + 1).sum::<usize>()
    }

    /// Whether any of its statements has this text.
    pub fn mentions(&self, text: &str) -> bool {
        self.source().contains(text)
    }

    /// Its module in Rust.
    pub fn source(&self) -> String {
        let mut out = format!("pub mod {} {{\n    use warpcell_fuzz::kernel_prelude::*;\n", self.name);
        for declaration in &self.structs {
            let _ = writeln!(out, "\n    {declaration}");
        }
        for function in &self.functions {
            let _ = writeln!(out, "\n    #[gpu_fn]\n    {} {{", function.head);
            print(&function.body, 2, &mut out);
            let _ = writeln!(out, "        {}\n    }}", function.value);
        }
        let params: Vec<String> =
            self.params.iter().map(|param| format!("{}: {}", param.name, param.rust_type())).collect();
        let _ = writeln!(out, "\n    #[gpu_kernel]\n    pub fn {}({}) {{", self.name, params.join(", "));
        print(&self.body, 2, &mut out);
        out.push_str("    }\n\n");
        self.print_entry(&mut out);
        out.push_str("}\n");
        out
    }

    /// The function that launches it, and its row in the table of the batch.
    fn print_entry(&self, out: &mut String) {
        let name = &self.name;
        let _ = writeln!(out, "    fn launch(run: &Run<'_>) -> Result<Output, Error> {{");
        for (number, param) in self.params.iter().enumerate() {
            let ty = param.ty.name();
            let _ = match param.kind {
                ParamKind::Value => writeln!(out, "        let p{number}: {ty} = run.value({number});"),
                ParamKind::Input(_) => writeln!(out, "        let p{number} = run.buffer::<{ty}>({number})?;"),
                ParamKind::Output(_) => writeln!(out, "        let mut p{number} = run.buffer::<{ty}>({number})?;"),
            };
        }
        let arguments = self.params.iter().enumerate().map(|(number, param)| match param.kind {
            ParamKind::Value => format!("p{number}"),
            ParamKind::Input(_) => format!("&p{number}"),
            ParamKind::Output(_) => format!("&mut p{number}"),
        });
        let arguments = arguments.collect::<Vec<_>>().join(", ");
        let _ = writeln!(out, "        run.launch({name}({arguments}))?;");
        let outputs = self.params.iter().enumerate().filter(|(_, param)| matches!(param.kind, ParamKind::Output(_)));
        let outputs: String = outputs.map(|(number, _)| format!(".with(&p{number}.download()?)")).collect();
        let _ = writeln!(out, "        Ok(Output::default(){outputs})\n    }}\n");
        let params = self.params.iter().map(|param| format!("(Scalar::{:?}, ParamKind::{:?})", param.ty, param.kind));
        let params = params.collect::<Vec<_>>().join(", ");
        let _ = writeln!(
            out,
            "    pub const ENTRY: Entry = Entry {{ name: \"{name}\", seed: {}, grid: {:?}, block: {:?}, params: &[{params}], \
             kernel: {name}::kernel, launch }};",
            self.seed, self.grid, self.block
        );
    }
}

impl Param {
    fn rust_type(&self) -> String {
        let ty = self.ty.name();
        match self.kind {
            ParamKind::Value => ty.to_string(),
            ParamKind::Input(_) => format!("&[{ty}]"),
            ParamKind::Output(_) => format!("&mut [{ty}]"),
        }
    }
}

fn count(statements: &[Stmt]) -> usize {
    let one = |statement: &Stmt| match statement {
        Stmt::Kept(_) => 0,
        Stmt::Plain(_) | Stmt::Let { .. } => 1,
        Stmt::Nested(parts) | Stmt::Match { arms: parts, .. } => {
            1 + parts.iter().map(|(_, body)| count(body)).sum::<usize>()
        }
        Stmt::Together(body) => count(body),
    };
    statements.iter().map(one).sum()
}

fn print(statements: &[Stmt], depth: usize, out: &mut String) {
    let indent = "    ".repeat(depth);
    for statement in statements {
        // Writing to a string can't fail.
        let _ = match statement {
            Stmt::Plain(text) | Stmt::Kept(text) => writeln!(out, "{indent}{text}"),
            Stmt::Let { head, value, .. } => writeln!(out, "{indent}{head} = {value};"),
            Stmt::Together(body) => {
                print(body, depth, out);
                Ok(())
            }
            Stmt::Match { value, arms } => {
                let _ = writeln!(out, "{indent}match {value} {{");
                for (pattern, body) in arms {
                    let _ = writeln!(out, "{indent}    {pattern} => {{");
                    print(body, depth + 2, out);
                    let _ = writeln!(out, "{indent}    }}");
                }
                writeln!(out, "{indent}}}")
            }
            Stmt::Nested(parts) => {
                for (number, (head, body)) in parts.iter().enumerate() {
                    let _ = writeln!(out, "{}{head} {{", if number == 0 { &*indent } else { " " });
                    print(body, depth + 1, out);
                    let _ = write!(out, "{indent}}}");
                }
                writeln!(out)
            }
        };
    }
}

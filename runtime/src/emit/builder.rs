//! Puts a whole translation unit together.

use super::function;
use crate::kernel::Kernel;
use crate::lang::{Callee, Formatter, Function};
use std::any::TypeId;
use std::collections::HashMap;
use warpcell_ir::{SiteKind, Type};

/// What the text of every kernel starts with, in order.
const PRELUDE: [&str; 5] = [
    include_str!("prelude.cu"),
    include_str!("prelude_warp.cu"),
    include_str!("prelude_atomics.cu"),
    include_str!("prelude_memory.cu"),
    include_str!("prelude_spin.cu"),
];
const PRELUDE_GRID: &str = include_str!("prelude_grid.cu");

/// What kernels that print have besides; see the prelude's `wc_env`.
const PRINTS: &str = "#define WC_PRINTS";
const PRELUDE_PRINT: &str = include_str!("prelude_print.cu");

/// A place in the Rust source where a thread can fault, by its number in the emitted text.
#[derive(Clone, Debug)]
pub(crate) struct SiteInfo {
    pub kind: SiteKind,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub text: String,
    /// Of a panic: how its values become the message.
    pub message: Option<Formatter>,
}

/// A `println!` or its like, by its number in the emitted text.
#[derive(Clone, Debug)]
pub(crate) struct PrintInfo {
    pub formatter: Formatter,
    pub to_stderr: bool,
}

/// An emitted translation unit.
#[derive(Clone, Debug)]
pub(crate) struct Emitted {
    pub source: String,
    /// The bytes of the text that are the same for every kernel.
    pub prelude_len: usize,
    pub sites: Vec<SiteInfo>,
    pub prints: Vec<PrintInfo>,
}

/// The translation unit of one kernel, as it is put together.
///
/// Functions are named in the order of their first use, so the text depends on nothing but the source.
pub struct Builder {
    pub(super) declarations: Vec<String>,
    functions: Vec<String>,
    known: HashMap<TypeId, Callee>,
    open: Vec<(TypeId, String)>,
    names: HashMap<String, usize>,
    pub(super) types: HashMap<Type, String>,
    /// Constants of several parts, by type and initialiser.
    pub(super) constants: HashMap<(String, String), String>,
    pub(super) sites: Vec<SiteInfo>,
    pub(super) prints: Vec<PrintInfo>,
    recursion: Option<String>,
}

impl Builder {
    /// Emits the kernel `F`.
    ///
    /// # Errors
    /// The cycle of device functions that call each other.
    pub(crate) fn kernel<F: Kernel>() -> Result<Emitted, String> {
        let mut builder = Builder {
            declarations: Vec::new(),
            functions: Vec::new(),
            known: HashMap::new(),
            open: Vec::new(),
            names: HashMap::new(),
            types: HashMap::new(),
            constants: HashMap::new(),
            sites: Vec::new(),
            prints: Vec::new(),
            recursion: None,
        };
        let model = decode::<F>();
        builder.open.push((TypeId::of::<F>(), model.name.clone()));
        let answers = F::answers(&mut builder);
        let name = super::types::identifier(&model.name);
        let text = function::kernel(&mut builder, &model, &answers, &name, &F::ATTRIBUTES);
        if let Some(cycle) = builder.recursion {
            return Err(cycle);
        }
        let mut prelude = PRELUDE.to_vec();
        if !builder.prints.is_empty() {
            prelude.insert(0, PRINTS);
            prelude.push(PRELUDE_PRINT);
        }
        if model.grid_barrier {
            prelude.push(PRELUDE_GRID);
        }
        let prelude = prelude.join("\n");
        let parts: Vec<&str> = std::iter::once(&*prelude)
            .chain(builder.declarations.iter().map(String::as_str))
            .chain(builder.functions.iter().map(String::as_str))
            .chain([&*text])
            .collect();
        let (source, prelude_len) = (parts.join("\n"), prelude.len());
        Ok(Emitted { source, prelude_len, sites: builder.sites, prints: builder.prints })
    }

    /// The device function `F`, emitted at its first use.
    pub fn function<F: Function>(&mut self) -> Callee {
        let id = TypeId::of::<F>();
        if let Some(callee) = self.known.get(&id) {
            return callee.clone();
        }
        let model = decode::<F>();
        if let Some(start) = self.open.iter().position(|(open, _)| *open == id) {
            let names = self.open[start..].iter().map(|(_, name)| name.as_str()).chain([&*model.name]);
            self.recursion = Some(names.collect::<Vec<_>>().join(" -> "));
            return Callee::Function { name: model.name, params: Vec::new(), result: Type::Unit };
        }
        self.open.push((id, model.name.clone()));
        let answers = F::answers(self);
        self.open.pop();
        let name = self.name(&model.name, "fn");
        let (text, callee) = function::device(self, &model, &answers, &name);
        self.functions.push(text);
        self.known.insert(id, callee.clone());
        callee
    }

    /// A name for `rust_name` that nothing else in the text has: variables' names end with an underscore.
    pub(super) fn name(&mut self, rust_name: &str, kind: &str) -> String {
        let base = super::types::identifier(rust_name) + kind;
        let count = self.names.entry(base.clone()).or_insert(0);
        *count += 1;
        if *count == 1 { base } else { format!("{base}{count}") }
    }
}

fn decode<F: Function>() -> warpcell_ir::Function {
    // The macro of the same version wrote it into the same program.
    warpcell_ir::decode(F::MODEL).expect("a kernel's model was written by the macro of this version")
}

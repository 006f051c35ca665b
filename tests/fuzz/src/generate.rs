//! Makes random kernels that are well typed and have one right result.
//!
//! A value has a `Reach`: whose threads agree on it. Control flow around a barrier must be the same for a block, that
//! around a warp operation the same for a warp; everything else may differ from thread to thread.

mod aggregate;
mod choice;
mod control;
mod cooperate;
mod expression;
mod function;
mod literal;
mod method;
mod statement;

use crate::program::{Kernel, Param, ParamKind, Stmt};
use crate::random::Random;
use crate::scalar::{self, Scalar};

/// Kernel number `number` of the sequence of `seed`.
pub fn kernel(seed: u64, number: usize) -> Kernel {
    Generator::new(Random::of(seed, number as u64)).kernel(format!("k{number}"))
}

/// Whose threads agree: on a value, or on being here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// Each thread is on its own.
    Thread,
    /// All of a warp.
    Warp,
    /// All of a block.
    Block,
}

/// A scalar variable.
#[derive(Clone, Debug)]
struct Variable {
    name: String,
    ty: Scalar,
    assignable: bool,
    reach: Reach,
}

/// A local array, or a slice.
#[derive(Clone, Debug)]
struct Array {
    name: String,
    ty: Scalar,
    /// Its length in Rust: a number, or `x.len()`.
    length: String,
    assignable: bool,
}

/// A shared array with one element for each thread of the block.
#[derive(Clone, Debug)]
struct Shared {
    name: String,
    ty: Scalar,
    /// Whether it was read since the last barrier, so that nobody may write it before the next one.
    read: bool,
}

/// A device function that can be called.
#[derive(Clone, Debug)]
struct Callable {
    name: String,
    params: Vec<Scalar>,
    /// The element type of a last parameter that is a slice, and whether it is writable.
    slice: Option<(Scalar, bool)>,
    result: Scalar,
}

/// A writable slice for atomics: only operations of one kind, whose order doesn't matter.
#[derive(Clone, Debug)]
struct Counters {
    name: String,
    ty: Scalar,
    operations: &'static [&'static str],
}

/// A loop around the current place.
#[derive(Clone, Debug)]
struct Loop {
    /// Whose threads agree on its turns.
    reach: Reach,
    /// Its label, such as `'l3`.
    label: Option<String>,
}

/// What kind of kernel it is to be.
#[derive(Clone, Copy, Debug)]
struct Features {
    barriers: bool,
    /// Votes, and shuffles from lanes that are there.
    warps: bool,
    /// Shuffles between all lanes: all warps are whole and stay so.
    shuffles: bool,
    /// Threads may return early.
    exits: bool,
    /// Control flow may depend on what is uniform without being provably so: such kernels run as futures.
    hidden_uniform: bool,
}

struct Generator {
    random: Random,
    features: Features,
    /// The types it mostly uses, so that values meet.
    types: Vec<Scalar>,
    block: [usize; 3],
    grid: [usize; 3],
    variables: Vec<Variable>,
    arrays: Vec<Array>,
    inputs: Vec<Array>,
    outputs: Vec<Array>,
    shared: Vec<Shared>,
    counters: Vec<Counters>,
    structs: Vec<aggregate::Struct>,
    callables: Vec<Callable>,
    /// Statements that may still be made.
    fuel: usize,
    /// Loops and branches around.
    depth: usize,
    /// The loops around.
    loops: Vec<Loop>,
    names: usize,
    /// The result of the device function that is being made.
    function: Option<Scalar>,
}

/// Blocks of whole warps.
const WHOLE: [[usize; 3]; 6] = [[32, 1, 1], [64, 1, 1], [96, 1, 1], [128, 1, 1], [8, 8, 1], [4, 4, 4]];
/// Blocks of any size.
const ANY: [[usize; 3]; 9] =
    [[1, 1, 1], [31, 1, 1], [33, 1, 1], [64, 1, 1], [72, 1, 1], [100, 1, 1], [128, 1, 1], [9, 5, 1], [3, 4, 5]];
const GRIDS: [[usize; 3]; 5] = [[1, 1, 1], [2, 1, 1], [3, 1, 1], [5, 1, 1], [2, 2, 1]];

impl Generator {
    fn new(mut random: Random) -> Generator {
        let shuffles = random.chance(45);
        let features = Features {
            barriers: random.chance(50),
            warps: shuffles || random.chance(15),
            shuffles,
            exits: !shuffles && random.chance(60),
            hidden_uniform: random.chance(12),
        };
        let block = random.pick(if shuffles { &WHOLE[..] } else { &ANY[..] });
        let mut types = vec![random.pick(&scalar::INTEGERS), Scalar::Usize];
        types.extend((0..1 + random.below(4)).map(|_| random.pick(&scalar::ALL)));
        Generator {
            features,
            types,
            block,
            grid: random.pick(&GRIDS),
            variables: Vec::new(),
            arrays: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            shared: Vec::new(),
            counters: Vec::new(),
            structs: Vec::new(),
            callables: Vec::new(),
            fuel: 0,
            depth: 0,
            loops: Vec::new(),
            names: 0,
            function: None,
            random,
        }
    }

    fn kernel(mut self, name: String) -> Kernel {
        self.structs = (0..self.random.below(3)).map(|_| self.declare_struct()).collect();
        let structs = self.structs.iter().map(aggregate::Struct::declaration).collect();
        let functions = (0..self.random.below(3)).map(|_| self.device_function()).collect();
        let params = self.params();
        let mut body = self.prologue();
        self.fuel = 16 + self.random.below(24);
        while self.fuel > 0 {
            let statement = self.statement(Reach::Block);
            body.extend(statement);
        }
        body.extend(self.epilogue());
        Kernel { name, seed: self.random.bits(), grid: self.grid, block: self.block, params, structs, functions, body }
    }

    /// A type, of which `choices` has one at least.
    fn ty(&mut self, choices: &[Scalar]) -> Scalar {
        let usual: Vec<Scalar> = self.types.iter().copied().filter(|ty| choices.contains(ty)).collect();
        if usual.is_empty() || self.random.chance(15) { self.random.pick(choices) } else { self.random.pick(&usual) }
    }

    /// A name that nothing else has.
    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn threads(&self) -> usize {
        self.block_size() * self.grid.iter().product::<usize>()
    }

    fn block_size(&self) -> usize {
        self.block.iter().product()
    }

    fn params(&mut self) -> Vec<Param> {
        let mut params = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let (name, ty) = (self.name("p"), self.ty(&scalar::ALL));
            self.variables.push(Variable { name: name.clone(), ty, assignable: false, reach: Reach::Block });
            params.push(Param { name, ty, kind: ParamKind::Value });
        }
        for _ in 0..1 + self.random.below(3) {
            let (name, ty) = (self.name("x"), self.ty(&scalar::ALL));
            let length = format!("{name}.len()");
            self.inputs.push(Array { name: name.clone(), ty, length, assignable: false });
            params.push(Param { name, ty, kind: ParamKind::Input(5 + self.random.below(300)) });
        }
        for _ in 0..self.random.below(3) {
            let (name, ty) = (self.name("out"), self.ty(&scalar::ALL));
            let length = format!("{name}.len()");
            self.outputs.push(Array { name: name.clone(), ty, length, assignable: true });
            // Some threads have no element, or some elements no thread.
            let length = (self.threads() + 3).saturating_sub(self.random.below(12)).max(1);
            params.push(Param { name, ty, kind: ParamKind::Output(length) });
        }
        for _ in 0..self.random.below(3) {
            let (name, ty) = (self.name("counts"), self.ty(&scalar::ATOMIC));
            self.counters.push(Counters { name: name.clone(), ty, operations: self.random.pick(&cooperate::ATOMICS) });
            params.push(Param { name, ty, kind: ParamKind::Output(1 + self.random.below(20)) });
        }
        params.push(Param { name: "result".into(), ty: Scalar::U64, kind: ParamKind::Output(self.threads()) });
        params
    }

    /// The thread's number, and shared memory with its first values.
    fn prologue(&mut self) -> Vec<Stmt> {
        let mut body = Vec::new();
        let shared = if self.features.barriers { 1 + self.random.below(2) } else { 0 };
        for _ in 0..shared {
            let (name, ty) = (self.name("tile"), self.ty(&scalar::ALL));
            body.push(Stmt::Kept(format!("let mut {name} = shared::<[{}; {}]>();", ty.name(), self.block_size())));
            self.shared.push(Shared { name, ty, read: false });
        }
        body.push(Stmt::Kept("let i = global_id();".into()));
        body.push(Stmt::Kept("let t = thread_rank();".into()));
        for name in ["i", "t"] {
            self.variables.push(Variable {
                name: name.into(),
                ty: Scalar::Usize,
                assignable: false,
                reach: Reach::Thread,
            });
        }
        for number in 0..self.shared.len() {
            let (name, ty) = (self.shared[number].name.clone(), self.shared[number].ty);
            let cast = if ty == Scalar::Bool { "t % 3 == 0".to_string() } else { format!("t as {}", ty.name()) };
            body.push(Stmt::Kept(format!("{name}[t] = {cast};")));
        }
        if shared > 0 {
            body.push(Stmt::Kept("sync_threads();".into()));
        }
        for input in self.inputs.clone() {
            let name = self.declare(input.ty, true, Reach::Thread);
            let value = format!(
                "{}[(i * {} + {}) % {}]",
                input.name,
                1 + self.random.below(7),
                self.random.below(50),
                input.length
            );
            body.push(statement::let_statement(&name, input.ty, true, value));
        }
        body.push(Stmt::Kept(MIXED.into()));
        body
    }

    /// All that is left in variables and memory, mixed into the result.
    fn epilogue(&mut self) -> Vec<Stmt> {
        let shared: Vec<(String, Scalar)> = self
            .shared
            .iter()
            .map(|shared| (format!("{}[(t * 5 + 1) % {}]", shared.name, self.block_size()), shared.ty))
            .collect();
        let mut body = self.mixes(0, 0);
        body.extend(shared.iter().map(|(element, ty)| mix(element, *ty)));
        body.push(Stmt::Kept("result[i] = mixed;".into()));
        body
    }

    /// What was declared since there were that many variables and arrays, mixed, so that every statement matters.
    fn mixes(&self, variables: usize, arrays: usize) -> Vec<Stmt> {
        let mut body = Vec::new();
        for variable in self.variables[variables..].iter().filter(|variable| variable.name.starts_with('v')) {
            body.push(mix(&variable.name, variable.ty));
        }
        for array in self.arrays[arrays..].iter() {
            for element in 0..array.length.parse().unwrap_or(0) {
                body.push(mix(&format!("{}[{element}]", array.name), array.ty));
            }
        }
        body
    }
}

/// What gathers the values of all variables.
const MIXED: &str = "let mut mixed = 0u64;";

/// Changes `mixed` by `value`.
fn mix(value: &str, ty: Scalar) -> Stmt {
    Stmt::Kept(format!("mixed = (mixed ^ {}) * 0x9e3779b97f4a7c15u64;", as_bits(value, ty)))
}

/// `value` as a `u64`.
fn as_bits(value: &str, ty: Scalar) -> String {
    match ty {
        Scalar::F32 | Scalar::F64 => format!("{value}.to_bits() as u64"),
        Scalar::U64 => value.to_string(),
        _ => format!("{value} as u64"),
    }
}

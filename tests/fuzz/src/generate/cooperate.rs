//! What threads do together: shared memory between barriers, warp operations, atomics.

use super::statement::let_statement;
use super::{Generator, Reach};
use crate::program::Stmt;
use crate::scalar::{self, Scalar};

/// Atomics of which any number gives the same in any order.
pub(super) const ATOMICS: [&[&str]; 6] =
    [&["atomic_add", "atomic_sub"], &["atomic_min"], &["atomic_max"], &["atomic_and"], &["atomic_or"], &["atomic_xor"]];

impl Generator {
    /// An atomic on a counter.
    pub(super) fn count(&mut self) -> Vec<Stmt> {
        let counters = self.counters[self.random.below(self.counters.len())].clone();
        let operation = self.random.pick(counters.operations);
        let index = self.index(&format!("{}.len()", counters.name), 2);
        let value = self.expr(counters.ty, Reach::Thread, 3);
        vec![Stmt::Plain(format!("{operation}(&mut {}[{index}], {value});", counters.name))]
    }

    pub(super) fn barrier(&mut self) -> Vec<Stmt> {
        self.shared.iter_mut().for_each(|shared| shared.read = false);
        vec![Stmt::Kept("sync_threads();".into())]
    }

    /// Each thread writes an element, and after a barrier all may read.
    pub(super) fn exchange(&mut self) -> Vec<Stmt> {
        let number = self.random.below(self.shared.len());
        let (name, ty) = (self.shared[number].name.clone(), self.shared[number].ty);
        let size = self.block_size();
        // The value is found before anyone writes.
        let value = self.expr(ty, Reach::Thread, 3);
        let own = self.name("w");
        let mut round = vec![Stmt::Kept(format!("let {own}: {} = {value};", ty.name()))];
        if self.shared[number].read || self.random.chance(10) {
            round.extend(self.barrier());
        }
        let mut index = match self.random.below(4) {
            0 => format!("(t + {}) % {size}", self.random.below(size)),
            1 => format!("{} - t", size - 1),
            _ => "t".to_string(),
        };
        if size.is_power_of_two() && self.random.chance(20) {
            index = format!("t ^ {}", self.random.below(size));
        }
        round.push(Stmt::Kept(format!("{name}[{index}] = {own};")));
        round.extend(self.barrier());
        vec![Stmt::Together(round)]
    }

    /// Atomics on shared memory, by some threads, in any order.
    pub(super) fn histogram(&mut self) -> Vec<Stmt> {
        let found: Vec<(String, Scalar)> = self
            .shared
            .iter()
            .filter(|shared| scalar::ATOMIC.contains(&shared.ty))
            .map(|shared| (shared.name.clone(), shared.ty))
            .collect();
        if found.is_empty() {
            return self.exchange();
        }
        let (name, ty) = found[self.random.below(found.len())].clone();
        let value = self.expr(ty, Reach::Thread, 3);
        let index = self.index(&self.block_size().to_string(), 3);
        let condition = self.condition(Reach::Thread, 2);
        let operations = self.random.pick(&ATOMICS);
        let operation = self.random.pick(operations);
        let (own, place, takes) = (self.name("w"), self.name("w"), self.name("w"));
        let count = Stmt::Kept(format!("{operation}(&mut {name}[{place}], {own});"));
        let mut round = vec![
            Stmt::Kept(format!("let {own}: {} = {value};", ty.name())),
            Stmt::Kept(format!("let {place}: usize = {index};")),
            Stmt::Kept(format!("let {takes}: bool = {condition};")),
        ];
        round.extend(self.barrier());
        round.push(Stmt::Nested(vec![(format!("if {takes}"), vec![count])]));
        round.extend(self.barrier());
        vec![Stmt::Together(round)]
    }

    /// A reduction by halves.
    pub(super) fn tree(&mut self) -> Vec<Stmt> {
        let number = self.random.below(self.shared.len());
        let (name, ty) = (self.shared[number].name.clone(), self.shared[number].ty);
        let half = self.name("h");
        let operator = if ty == Scalar::Bool { "^" } else { self.random.pick(&["+", "*", "-"]) };
        let assign = format!("{name}[t] = {name}[t] {operator} {name}[t + {half}];");
        let mut round = self.barrier();
        round.push(Stmt::Kept(format!("let mut {half} = {}usize;", self.block_size() / 2)));
        let body = vec![
            Stmt::Nested(vec![(format!("if t < {half}"), vec![Stmt::Kept(assign)])]),
            Stmt::Kept("sync_threads();".into()),
            Stmt::Kept(format!("{half} /= 2;")),
        ];
        round.push(Stmt::Nested(vec![(format!("while {half} > 0"), body)]));
        vec![Stmt::Together(round)]
    }

    /// A shuffle: from any lane if all are there, else from the first.
    pub(super) fn shuffle(&mut self) -> Vec<Stmt> {
        if !self.features.shuffles {
            return self.vote();
        }
        let ty = self.ty(&scalar::ALL);
        let value = self.expr(ty, Reach::Thread, 3);
        let by = match self.random.below(3) {
            0 => self.expr(Scalar::U32, Reach::Thread, 1),
            _ => self.random.below(34).to_string(),
        };
        let call = match self.random.below(4) {
            0 => format!("shfl_sync(FULL_MASK, {value}, {by})"),
            1 => format!("shfl_up_sync(FULL_MASK, {value}, {by})"),
            2 => format!("shfl_down_sync(FULL_MASK, {value}, {by})"),
            _ => format!("shfl_xor_sync(FULL_MASK, {value}, {by})"),
        };
        self.bound(call, ty, Reach::Thread)
    }

    pub(super) fn vote(&mut self) -> Vec<Stmt> {
        let value = self.condition(Reach::Thread, 3);
        match self.random.below(4) {
            0 => self.bound(format!("all_sync(FULL_MASK, {value})"), Scalar::Bool, Reach::Warp),
            1 => self.bound(format!("any_sync(FULL_MASK, {value})"), Scalar::Bool, Reach::Warp),
            2 => vec![Stmt::Kept("sync_warp();".into())],
            _ => self.bound(format!("ballot_sync(FULL_MASK, {value})"), Scalar::U32, Reach::Warp),
        }
    }

    /// A warp operation whose value a variable gets.
    fn bound(&mut self, call: String, ty: Scalar, reach: Reach) -> Vec<Stmt> {
        let own = self.own_variable().filter(|(_, of)| *of == ty);
        if let Some((name, _)) = own {
            let operator = if ty == Scalar::Bool { "=" } else { self.random.pick(&["=", "+="]) };
            return vec![Stmt::Plain(format!("{name} {operator} {call};"))];
        }
        let assignable = reach == Reach::Thread && self.random.chance(50);
        let name = self.declare(ty, assignable, reach);
        vec![let_statement(&name, ty, assignable, call)]
    }

    /// A branch that whole warps take.
    pub(super) fn warp_if(&mut self) -> Vec<Stmt> {
        let condition = if self.random.chance(50) {
            format!("warp_id() % 2 == {}", self.random.below(2))
        } else {
            self.condition(Reach::Warp, 2)
        };
        let mut heads = vec![format!("if {condition}")];
        if self.random.chance(40) {
            heads.push("else".to_string());
        }
        self.branches(Reach::Warp, heads)
    }
}

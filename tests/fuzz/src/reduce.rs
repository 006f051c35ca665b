//! Makes a kernel smaller as long as it still differs.

use crate::program::{Function, Kernel, Stmt};
use anyhow::Result;
use std::collections::BTreeSet;

/// The most rounds; each builds two crates.
const ROUNDS: usize = 8;

/// Leaves out statements of `kernel` as long as `differs` finds the results of what is left different. `differs` is given
/// several kernels at once, and says for which of them they are.
///
/// # Errors
/// Those of `differs`.
pub fn reduce(kernel: &Kernel, mut differs: impl FnMut(&[Kernel]) -> Result<Vec<bool>>) -> Result<Kernel> {
    let mut smallest = kernel.clone();
    for _ in 0..ROUNDS {
        let pieces = count(&smallest);
        let singles: Vec<Kernel> = (0..pieces).map(|piece| without(&smallest, &BTreeSet::from([piece]))).collect();
        let verdicts = differs(&named(singles))?;
        let dispensable: Vec<usize> = (0..pieces).filter(|piece| verdicts[*piece]).collect();
        if dispensable.is_empty() {
            break;
        }
        let together: Vec<Kernel> = (1..=dispensable.len())
            .map(|count| without(&smallest, &dispensable[..count].iter().copied().collect()))
            .collect();
        let verdicts = differs(&named(together.clone()))?;
        // One alone differs still, so there is such a number.
        let most = verdicts.iter().rposition(|differs| *differs).unwrap_or(0);
        smallest = together[most].clone();
    }
    smallest.name.clone_from(&kernel.name);
    Ok(smallest)
}

/// The kernels under names of their own.
fn named(mut kernels: Vec<Kernel>) -> Vec<Kernel> {
    for (number, kernel) in kernels.iter_mut().enumerate() {
        kernel.name = format!("k{number}");
    }
    kernels
}

/// How many pieces can be left out.
fn count(kernel: &Kernel) -> usize {
    let mut walk = Walk { dropped: &BTreeSet::new(), next: 0 };
    walk.kernel(kernel);
    walk.next
}

fn without(kernel: &Kernel, dropped: &BTreeSet<usize>) -> Kernel {
    Walk { dropped, next: 0 }.kernel(kernel)
}

/// A walk that numbers the pieces in their order.
struct Walk<'a> {
    dropped: &'a BTreeSet<usize>,
    next: usize,
}

impl Walk<'_> {
    fn kernel(&mut self, kernel: &Kernel) -> Kernel {
        let functions = kernel
            .functions
            .iter()
            .map(|function| Function { body: self.statements(&function.body), ..function.clone() })
            .collect();
        Kernel { functions, body: self.statements(&kernel.body), ..kernel.clone() }
    }

    fn statements(&mut self, statements: &[Stmt]) -> Vec<Stmt> {
        statements.iter().flat_map(|statement| self.statement(statement)).collect()
    }

    /// What is left of a statement.
    fn statement(&mut self, statement: &Stmt) -> Vec<Stmt> {
        if matches!(statement, Stmt::Kept(_)) || matches!(statement, Stmt::Let { value, plain, .. } if value == plain) {
            return vec![statement.clone()];
        }
        let dropped = self.dropped.contains(&self.next);
        self.next += 1;
        match statement {
            Stmt::Let { head, plain, .. } if dropped => {
                vec![Stmt::Let { head: head.clone(), value: plain.clone(), plain: plain.clone() }]
            }
            Stmt::Plain(_) if dropped => Vec::new(),
            Stmt::Plain(_) | Stmt::Let { .. } | Stmt::Kept(_) => vec![statement.clone()],
            Stmt::Nested(parts) => {
                let left = parts.iter().map(|(head, body)| (head.clone(), self.statements(body))).collect();
                if dropped { Vec::new() } else { vec![Stmt::Nested(left)] }
            }
            Stmt::Match { value, arms } => {
                let left = arms.iter().map(|(pattern, body)| (pattern.clone(), self.statements(body))).collect();
                if dropped { Vec::new() } else { vec![Stmt::Match { value: value.clone(), arms: left }] }
            }
            Stmt::Together(body) => {
                let left = self.statements(body);
                // What comes next may rely on its barriers.
                let barriers = || left.iter().filter(|it| matches!(it, Stmt::Kept(text) if text == "sync_threads();"));
                if dropped { barriers().cloned().collect() } else { vec![Stmt::Together(left)] }
            }
        }
    }
}

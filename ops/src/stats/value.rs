//! Which values the statistics are of.

use warpcell_runtime::prelude::*;

/// Which value of an entry is meant. A stored entry whose value is 0 counts as one that isn't stored.
#[derive(Clone, Copy)]
pub enum Value<'a> {
    /// The entry itself.
    Plain,
    /// `exp_m1(entry)`: what it was before `ln_1p`.
    ExpM1,
    /// `exp_m1(entry · ln base)`: what it was before a logarithm of 1 + x to this base.
    ExpM1Base(f64),
    /// The entry times a factor of its row; there is one factor for each row of the whole matrix.
    Scaled(&'a DSlice<f64>),
}

impl Value<'_> {
    /// What the entry is multiplied by before `exp_m1`; 0 stands for no `exp_m1`.
    pub(super) fn exponent(&self) -> f64 {
        match self {
            Value::Plain | Value::Scaled(_) => 0.0,
            Value::ExpM1 => 1.0,
            Value::ExpM1Base(base) => warpcell_runtime::lang::maths::ln_f64(*base),
        }
    }

    /// The factors of the rows, if there are any.
    pub(super) fn factors(&self) -> Option<&DSlice<f64>> {
        match self {
            Value::Scaled(factors) => Some(factors),
            _ => None,
        }
    }
}

/// The value of an entry, see [`Value`].
#[gpu_fn]
pub(super) fn value_of(entry: f64, factor: f64, exponent: f64) -> f64 {
    if exponent == 0.0 { entry * factor } else { (entry * exponent).exp_m1() }
}

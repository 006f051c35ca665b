//! The methods of the primitives, as a table: one row a method.

use crate::scalar::Scalar::{self, *};

/// What an argument or the result of a method is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The receiver's own type.
    Own,
    /// This type.
    Of(Scalar),
}

/// A method of some primitives.
pub(super) struct Method {
    pub name: &'static str,
    pub receivers: &'static [Scalar],
    pub arguments: &'static [Part],
    pub result: Part,
}

const fn method(name: &'static str, receivers: &'static [Scalar], arguments: &'static [Part], result: Part) -> Method {
    Method { name, receivers, arguments, result }
}

const FLOATS: &[Scalar] = &[F32, F64];
const WORDS: &[Scalar] = &[U32, U64];
const WRAPPING: &[Scalar] = &[I32, I64, U32, U64, Usize];
const ORDERED: &[Scalar] = &[F32, F64, I32, I64, Isize, U32, U64, Usize];
const OWN: Part = Part::Own;

/// All methods that give the same bits everywhere.
pub(super) const METHODS: &[Method] = &[
    method("sqrt", FLOATS, &[], OWN),
    method("abs", &[F32, F64, I32, I64], &[], OWN),
    method("mul_add", FLOATS, &[OWN, OWN], OWN),
    method("min", ORDERED, &[OWN], OWN),
    method("max", ORDERED, &[OWN], OWN),
    method("floor", FLOATS, &[], OWN),
    method("ceil", FLOATS, &[], OWN),
    method("trunc", FLOATS, &[], OWN),
    method("round_ties_even", FLOATS, &[], OWN),
    method("is_nan", FLOATS, &[], Part::Of(Bool)),
    method("is_finite", FLOATS, &[], Part::Of(Bool)),
    method("to_bits", &[F32], &[], Part::Of(U32)),
    method("to_bits", &[F64], &[], Part::Of(U64)),
    method("ln", FLOATS, &[], OWN),
    method("exp", FLOATS, &[], OWN),
    method("count_ones", WORDS, &[], Part::Of(U32)),
    method("leading_zeros", WORDS, &[], Part::Of(U32)),
    method("trailing_zeros", WORDS, &[], Part::Of(U32)),
    method("wrapping_add", WRAPPING, &[OWN], OWN),
    method("wrapping_sub", WRAPPING, &[OWN], OWN),
    method("wrapping_mul", WRAPPING, &[OWN], OWN),
];

impl Method {
    /// The receiver for a result of type `ty`, if there is one that `choose` finds among the possible.
    pub(super) fn receivers_for(&self, ty: Scalar) -> &'static [Scalar] {
        match self.result {
            Part::Of(result) if result == ty => self.receivers,
            Part::Of(_) => &[],
            Part::Own => self.receivers.iter().position(|own| *own == ty).map_or(&[], |at| &self.receivers[at..=at]),
        }
    }
}

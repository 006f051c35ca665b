//! Text made of a kernel's values: `println!`, `panic!`, `assert!` and their like.
//!
//! A kernel only writes down the values' bits. The text is made on the host by Rust's own `format!`, in a closure that the
//! macro writes around the user's format string; its argument has the types that rustc has found.

use super::probe::{Answer, AnswerValue, Slot};
use super::types::Primitive;
use crate::emit::Builder;
use std::marker::PhantomData;
use warpcell_ir::Scalar;

/// A value that can be formatted in a kernel.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be formatted in a kernel",
    label = "not a number or `bool`",
    note = "a kernel can print integers, floats and `bool`; of anything else, print the parts one by one"
)]
pub trait Format: Primitive {}
impl<T: Primitive> Format for T {}

/// The values of a message: `(a, (b, ()))`.
pub trait Message: Sized {
    /// How many there are.
    const COUNT: usize;
    /// Their types, appended in order.
    fn types(out: &mut Vec<Scalar>);
    /// The values of these bits.
    fn read(words: &mut impl Iterator<Item = u64>) -> Self;
}
impl Message for () {
    const COUNT: usize = 0;
    fn types(_: &mut Vec<Scalar>) {}
    fn read(_: &mut impl Iterator<Item = u64>) {}
}
impl<T: Primitive, R: Message> Message for (T, R) {
    const COUNT: usize = 1 + R::COUNT;
    fn types(out: &mut Vec<Scalar>) {
        out.push(T::SCALAR);
        R::types(out);
    }
    fn read(words: &mut impl Iterator<Item = u64>) -> (T, R) {
        // The emitter writes as many words as there are values.
        let value = T::from_bits64(words.next().unwrap_or_default());
        (value, R::read(words))
    }
}

/// A value in the probe that is to be formatted.
pub fn formatted<T: Format>(value: T) -> T {
    value
}

/// Asks for the values of a message and the closure that makes it, in the probe.
pub fn message<M: Message, F: Fn(M) -> String + Copy>(_: M, _: F, _: &Slot<Text<M, F>>) {}

/// The same for a message that ends the thread.
pub fn last_message<M: Message, F: Fn(M) -> String + Copy>(_: M, _: F, _: &Slot<Text<M, F>>) -> ! {
    unreachable!("the probe of a kernel is type-checked and never runs")
}

/// The answer of [`message`].
pub struct Text<M, F>(PhantomData<(M, F)>);

/// How the bits of values become text.
#[derive(Clone, Debug)]
pub struct Formatter {
    /// The values' types.
    pub types: Vec<Scalar>,
    /// Makes the text.
    pub format: fn(&[u64]) -> String,
}

impl<M: Message, F: Fn(M) -> String + Copy> Answer for Text<M, F> {
    fn answer(_: &mut Builder) -> AnswerValue {
        let mut types = Vec::new();
        M::types(&mut types);
        AnswerValue::Formatter(Formatter { types, format: format_words::<M, F> })
    }
}

fn format_words<M: Message, F: Fn(M) -> String + Copy>(words: &[u64]) -> String {
    const { assert!(size_of::<F>() == 0, "the closure that the macro writes around a format string captures nothing") };
    // SAFETY: a closure without captures has no bytes and is `Copy`, so a value of it can be made at any time.
    let format: F = unsafe { std::mem::zeroed() };
    format(M::read(&mut words.iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formatter<M: Message, F: Fn(M) -> String + Copy>(_: M, _: F) -> fn(&[u64]) -> String {
        format_words::<M, F>
    }

    #[test]
    fn closures_are_called_with_the_values_of_the_words() {
        let format = formatter((0i8, (0f32, (false, ()))), |(a, (b, (c, ())))| format!("{a:+} {b:.2} {c}"));
        assert_eq!(format(&[0xff, u64::from(2.5f32.to_bits()), 1]), "-1 2.50 true");
    }
}

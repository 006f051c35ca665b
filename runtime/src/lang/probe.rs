//! Asking rustc: the probe's slots, and how its answers are read.
//!
//! The probe is a closure that is type-checked and never called. Each of its slots takes the type of one literal, binding
//! or call; the closure returns the tuple of all slots, whose type therefore holds all answers.

use super::types::Value;
use crate::emit::Builder;
use std::marker::PhantomData;
use warpcell_ir::Type;

/// A question to rustc, answered by the type `A`.
pub struct Slot<A>(PhantomData<A>);

impl<A> Slot<A> {
    /// An open question.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Slot<A> {
        Slot(PhantomData)
    }
}

/// What rustc answered.
#[derive(Clone, Debug)]
pub enum AnswerValue {
    /// A type.
    Type(Type),
    /// Which function a call names.
    Callee(Callee),
    /// How values become text.
    Formatter(super::format::Formatter),
}

/// What a call compiles to.
#[derive(Clone, Debug)]
pub enum Callee {
    /// Text of CUDA C, with `{0}`, `{1}`… for the arguments.
    Intrinsic {
        /// The text.
        template: &'static str,
        /// Whether the call may be left out, repeated or moved.
        pure: bool,
        /// The result's type.
        result: Type,
    },
    /// The length of a slice or array.
    Length,
    /// An operator of primitives.
    BuiltInOperator,
    /// A device function.
    Function {
        /// Its name in the emitted text.
        name: String,
        /// The parameters' types.
        params: Vec<Type>,
        /// The result's type.
        result: Type,
    },
}

/// A type that answers a slot.
pub trait Answer {
    /// The answer.
    fn answer(builder: &mut Builder) -> AnswerValue;
}

/// A type that a value in a kernel can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type a kernel can use",
    note = "kernels work on integers, floats and `bool`, on arrays, tuples and `Option` of these, on structs and enums with `#[derive(GpuType)]`, and on slices as parameters"
)]
pub trait Describe {
    /// The same without lifetimes.
    type Erased: Answer;
}

/// `T` as an answer.
pub struct Of<T: ?Sized>(PhantomData<T>);

impl<T: Value> Describe for T {
    type Erased = Of<T>;
}
impl<T: Value> Answer for Of<T> {
    fn answer(_: &mut Builder) -> AnswerValue {
        AnswerValue::Type(T::model())
    }
}
impl<T: Value> Describe for &[T] {
    type Erased = Of<&'static [T]>;
}
impl<T: Value> Answer for Of<&'static [T]> {
    fn answer(_: &mut Builder) -> AnswerValue {
        AnswerValue::Type(Type::Slice { element: Box::new(T::model()), mutable: false })
    }
}
impl<T: Value> Describe for &mut [T] {
    type Erased = Of<&'static mut [T]>;
}
impl<T: Value> Answer for Of<&'static mut [T]> {
    fn answer(_: &mut Builder) -> AnswerValue {
        AnswerValue::Type(Type::Slice { element: Box::new(T::model()), mutable: true })
    }
}

/// Asks for the type of a value that goes on.
pub fn see<T: Describe>(value: T, _: &Slot<T::Erased>) -> T {
    value
}

/// Asks for the type of a binding.
pub fn bind<T: Describe>(_: &T, _: &Slot<T::Erased>) {}

/// Asks for a type that the source names.
pub fn see_type<T: Describe>(_: &Slot<T::Erased>) {}

/// A value that is never there.
pub fn any<T>() -> T {
    unreachable!("the probe of a kernel is type-checked and never runs")
}

/// A call in the probe: its result, and which function it names.
pub struct Call<R, F>(R, PhantomData<F>);

/// The function `F` as an answer.
pub struct Fun<F>(PhantomData<F>);

impl<R, F> Call<R, F> {
    /// Asks which function this is.
    pub fn at(self, _: &Slot<Fun<F>>) -> R {
        self.0
    }
}

impl<F: Callable> Answer for Fun<F> {
    fn answer(builder: &mut Builder) -> AnswerValue {
        AnswerValue::Callee(F::callee(builder))
    }
}

/// Something a kernel can call.
pub trait Callable: 'static {
    /// What the call compiles to.
    fn callee(builder: &mut Builder) -> Callee;
}

/// What the macros implement for a kernel or device function.
pub trait Function: 'static {
    /// The shape, as `warpcell_ir::encode` wrote it.
    const MODEL: &'static [u8];
    /// The types and values that only rustc knows.
    fn answers(builder: &mut Builder) -> Answers;
}

impl<F: Function> Callable for F {
    fn callee(builder: &mut Builder) -> Callee {
        builder.function::<F>()
    }
}

/// All answers of a function.
pub struct Answers {
    /// The values of constants, in order.
    pub constants: Vec<ConstantValue>,
    /// The slots' answers, in order.
    pub slots: Vec<AnswerValue>,
}

/// The value of a constant path.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum ConstantValue {
    /// A primitive.
    Scalar { scalar: warpcell_ir::Scalar, bits: u64 },
    /// An array, tuple or struct. An `Option` is a `bool` and a value.
    Composite { ty: Type, parts: Vec<ConstantValue> },
}

impl ConstantValue {
    /// Its type.
    pub fn ty(&self) -> Type {
        match self {
            ConstantValue::Scalar { scalar, .. } => Type::Scalar(*scalar),
            ConstantValue::Composite { ty, .. } => ty.clone(),
        }
    }
}

/// Evaluates a constant.
pub fn constant<T: Value>(value: &T) -> ConstantValue {
    value.constant()
}

/// A tuple of slots or of groups.
pub struct Group<T>(pub T);

/// Slots, or groups of them.
pub trait Slots {
    /// Appends the answers.
    fn collect(builder: &mut Builder, out: &mut Vec<AnswerValue>);
}
impl<A: Answer> Slots for Slot<A> {
    fn collect(builder: &mut Builder, out: &mut Vec<AnswerValue>) {
        out.push(A::answer(builder));
    }
}
macro_rules! group {
    ($($name:ident)*) => {
        impl<$($name: Slots),*> Slots for Group<($($name,)*)> {
            #[allow(unused_variables)]
            fn collect(builder: &mut Builder, out: &mut Vec<AnswerValue>) {
                $($name::collect(builder, out);)*
            }
        }
    };
}
group!();
group!(A);
group!(A B);
group!(A B C);
group!(A B C D);
group!(A B C D E);
group!(A B C D E F);
group!(A B C D E F G);
group!(A B C D E F G H);

/// Reads the answers off the type of `probe`, which is not called.
pub fn ask<S: Slots>(_: impl FnOnce() -> S, builder: &mut Builder) -> Vec<AnswerValue> {
    let mut out = Vec::new();
    S::collect(builder, &mut out);
    out
}

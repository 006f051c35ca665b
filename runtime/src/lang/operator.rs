//! Operators of any type: of primitives the language's own, of structs those of an `impl` marked `#[gpu_impl]`.
//!
//! Where a macro can't see that both operands are primitives, the probe asks for the operator by the types of its operands,
//! and the CPU form calls [`Operator::apply`].

use super::probe::{Answer, AnswerValue, Callee, Describe, Of, Slot};
use super::types::Value;
use crate::cpu::{Mode, Thread};
use crate::emit::Builder;
use std::marker::PhantomData;

/// Names the operators.
#[allow(missing_docs)]
pub mod operators {
    macro_rules! names {
        ($($name:ident)*) => {$( pub enum $name {} )*};
    }
    names!(Add Sub Mul Div Rem BitAnd BitOr BitXor Neg Not Order);
    names!(AddAssign SubAssign MulAssign DivAssign RemAssign BitAndAssign BitOrAssign BitXorAssign);
}

/// `self op right`
#[diagnostic::on_unimplemented(
    message = "kernels have no such operator of `{Self}` and `{R}`",
    note = "mark the `impl` of the operator's trait with `#[gpu_impl]`"
)]
pub trait Operator<O, R>: Sized {
    /// The result's type.
    type Output;
    /// What it compiles to.
    fn callee(builder: &mut Builder) -> Callee;
    /// Its CPU form.
    fn apply(left: Self, right: R, thread: Thread<'_, impl Mode>, site: u32) -> Self::Output;
}

/// `self op= right`
#[diagnostic::on_unimplemented(
    message = "kernels have no such assignment of `{R}` to `{Self}`",
    note = "mark the `impl` of the operator's trait with `#[gpu_impl]`"
)]
pub trait AssignOperator<O, R>: Sized {
    /// What it compiles to.
    fn callee(builder: &mut Builder) -> Callee;
    /// Its CPU form.
    fn apply(place: &mut Self, right: R, thread: Thread<'_, impl Mode>, site: u32);
}

/// `op self`
#[diagnostic::on_unimplemented(
    message = "kernels have no such operator of `{Self}`",
    note = "mark the `impl` of the operator's trait with `#[gpu_impl]`"
)]
pub trait UnaryOperator<O>: Sized {
    /// The result's type.
    type Output;
    /// What it compiles to.
    fn callee(builder: &mut Builder) -> Callee;
    /// Its CPU form.
    fn apply(operand: Self, thread: Thread<'_, impl Mode>, site: u32) -> Self::Output;
}

macro_rules! numbers {
    ($($ty:ty)*) => {$(
        numbers!(@ $ty, Add AddAssign add, Sub SubAssign sub, Mul MulAssign mul, Div DivAssign div, Rem RemAssign rem);
    )*};
    (@ $ty:ty, $($op:ident $assign:ident $function:ident),*) => {$(
        impl Operator<operators::$op, $ty> for $ty {
            type Output = $ty;
            fn callee(_: &mut Builder) -> Callee { Callee::BuiltInOperator }
            #[inline(always)]
            fn apply(left: $ty, right: $ty, thread: Thread<'_, impl Mode>, site: u32) -> $ty {
                super::numeric::$function(left, right, thread, site)
            }
        }
        impl AssignOperator<operators::$assign, $ty> for $ty {
            fn callee(_: &mut Builder) -> Callee { Callee::BuiltInOperator }
            #[inline(always)]
            fn apply(place: &mut $ty, right: $ty, thread: Thread<'_, impl Mode>, site: u32) {
                *place = super::numeric::$function(*place, right, thread, site);
            }
        }
    )*};
}
numbers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64);

macro_rules! bits {
    ($($ty:ty)*) => {$(
        bits!(@ $ty, BitAnd BitAndAssign |a, b| a & b);
        bits!(@ $ty, BitOr BitOrAssign |a, b| a | b);
        bits!(@ $ty, BitXor BitXorAssign |a, b| a ^ b);
        impl UnaryOperator<operators::Not> for $ty {
            type Output = $ty;
            fn callee(_: &mut Builder) -> Callee { Callee::BuiltInOperator }
            #[inline(always)]
            fn apply(operand: $ty, _: Thread<'_, impl Mode>, _: u32) -> $ty { !operand }
        }
    )*};
    (@ $ty:ty, $op:ident $assign:ident |$a:ident, $b:ident| $result:expr) => {
        impl Operator<operators::$op, $ty> for $ty {
            type Output = $ty;
            fn callee(_: &mut Builder) -> Callee { Callee::BuiltInOperator }
            #[inline(always)]
            fn apply(left: $ty, right: $ty, _: Thread<'_, impl Mode>, _: u32) -> $ty {
                let ($a, $b) = (left, right);
                $result
            }
        }
        impl AssignOperator<operators::$assign, $ty> for $ty {
            fn callee(_: &mut Builder) -> Callee { Callee::BuiltInOperator }
            #[inline(always)]
            fn apply(place: &mut $ty, right: $ty, _: Thread<'_, impl Mode>, _: u32) {
                let ($a, $b) = (*place, right);
                *place = $result;
            }
        }
    };
}
bits!(bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

macro_rules! negatives {
    ($($ty:ty)*) => {$(
        impl UnaryOperator<operators::Neg> for $ty {
            type Output = $ty;
            fn callee(_: &mut Builder) -> Callee { Callee::BuiltInOperator }
            #[inline(always)]
            fn apply(operand: $ty, thread: Thread<'_, impl Mode>, site: u32) -> $ty {
                super::numeric::neg(operand, thread, site)
            }
        }
    )*};
}
negatives!(i8 i16 i32 i64 isize f32 f64);

/// `<`, `<=`, `>` and `>=`, which only primitives have.
macro_rules! ordered {
    ($($ty:ty)*) => {$(
        impl Operator<operators::Order, $ty> for $ty {
            type Output = bool;
            fn callee(_: &mut Builder) -> Callee { Callee::BuiltInOperator }
            fn apply(left: $ty, right: $ty, _: Thread<'_, impl Mode>, _: u32) -> bool { left < right }
        }
    )*};
}
ordered!(bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64);

/// `left op right`, for the CPU form.
#[inline(always)]
pub fn operate<O, L: Operator<O, R>, R>(left: L, right: R, thread: Thread<'_, impl Mode>, site: u32) -> L::Output {
    L::apply(left, right, thread, site)
}

/// `left op= right`, for the CPU form.
#[inline(always)]
pub fn operate_assign<O, L: AssignOperator<O, R>, R>(left: &mut L, right: R, thread: Thread<'_, impl Mode>, site: u32) {
    L::apply(left, right, thread, site);
}

/// `op operand`, for the CPU form.
#[inline(always)]
pub fn operate_unary<O, T: UnaryOperator<O>>(operand: T, thread: Thread<'_, impl Mode>, site: u32) -> T::Output {
    T::apply(operand, thread, site)
}

/// The operator `O` of `L` and `R` as an answer.
pub struct OperatorOf<O, L, R>(PhantomData<(O, L, R)>);
/// The assignment `O` of `R` to `L` as an answer.
pub struct AssignOperatorOf<O, L, R>(PhantomData<(O, L, R)>);
/// The operator `O` of `T` as an answer.
pub struct UnaryOperatorOf<O, T>(PhantomData<(O, T)>);

impl<O, L: Operator<O, R>, R> Answer for OperatorOf<O, Of<L>, Of<R>> {
    fn answer(builder: &mut Builder) -> AnswerValue {
        AnswerValue::Callee(L::callee(builder))
    }
}
impl<O, L: AssignOperator<O, R>, R> Answer for AssignOperatorOf<O, Of<L>, Of<R>> {
    fn answer(builder: &mut Builder) -> AnswerValue {
        AnswerValue::Callee(L::callee(builder))
    }
}
impl<O, T: UnaryOperator<O>> Answer for UnaryOperatorOf<O, Of<T>> {
    fn answer(builder: &mut Builder) -> AnswerValue {
        AnswerValue::Callee(T::callee(builder))
    }
}

/// Says which operator a slot asks for.
pub fn which<O, L, R>(_: &Slot<OperatorOf<O, L, R>>, _: fn(O)) {}
/// Says which assignment a slot asks for.
pub fn which_assign<O, L, R>(_: &Slot<AssignOperatorOf<O, L, R>>, _: fn(O)) {}
/// Says which operator a slot asks for.
pub fn which_unary<O, T>(_: &Slot<UnaryOperatorOf<O, T>>, _: fn(O)) {}

/// Asks for the operator by its left operand.
pub fn left<T: Describe, O, R>(value: T, _: &Slot<OperatorOf<O, T::Erased, R>>) -> T {
    value
}
/// Asks for the operator by its right operand.
pub fn right<T: Describe, O, L>(value: T, _: &Slot<OperatorOf<O, L, T::Erased>>) -> T {
    value
}
/// Asks for the assignment by its place.
pub fn assigned<T: Describe, O, R>(_: &T, _: &Slot<AssignOperatorOf<O, T::Erased, R>>) {}
/// Asks for the assignment by its value.
pub fn assigned_value<T: Describe, O, L>(value: T, _: &Slot<AssignOperatorOf<O, L, T::Erased>>) -> T {
    value
}
/// Asks for the operator by its operand.
pub fn operand<T: Describe, O>(value: T, _: &Slot<UnaryOperatorOf<O, T::Erased>>) -> T {
    value
}

/// Numbers have all operators of numbers, also where they are generic.
pub trait NumberOperators:
    Value
    + Operator<operators::Add, Self, Output = Self>
    + Operator<operators::Sub, Self, Output = Self>
    + Operator<operators::Mul, Self, Output = Self>
    + Operator<operators::Div, Self, Output = Self>
    + Operator<operators::Rem, Self, Output = Self>
    + Operator<operators::Order, Self, Output = bool>
    + AssignOperator<operators::AddAssign, Self>
    + AssignOperator<operators::SubAssign, Self>
    + AssignOperator<operators::MulAssign, Self>
    + AssignOperator<operators::DivAssign, Self>
    + AssignOperator<operators::RemAssign, Self>
{
}
macro_rules! number_operators {
    ($($ty:ty)*) => {$( impl NumberOperators for $ty {} )*};
}
number_operators!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64);

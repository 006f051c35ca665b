//! Methods of `Option`.

use crate::cpu::{Mode, Thread};
use crate::emit::Builder;
use crate::lang::probe::{Call, Callable, Callee, any};
use crate::lang::types::Value;
use std::marker::PhantomData;

/// Methods of `Option`.
pub trait OptionMethods<T>: Sized {
    #[doc(hidden)]
    fn __gpu_is_some(&self) -> Call<bool, OptionMethod<IsSome, T>> {
        any()
    }
    #[doc(hidden)]
    fn __gpu_is_none(&self) -> Call<bool, OptionMethod<IsNone, T>> {
        any()
    }
    #[doc(hidden)]
    fn __gpu_unwrap_or(self, _: T) -> Call<T, OptionMethod<UnwrapOr, T>> {
        any()
    }
    #[doc(hidden)]
    fn __cpu_is_some(&self, thread: Thread<'_, impl Mode>) -> bool;
    #[doc(hidden)]
    fn __cpu_is_none(&self, thread: Thread<'_, impl Mode>) -> bool;
    #[doc(hidden)]
    fn __cpu_unwrap_or(self, thread: Thread<'_, impl Mode>, default: T) -> T;
}
impl<T: Value> OptionMethods<T> for Option<T> {
    #[inline(always)]
    fn __cpu_is_some(&self, _: Thread<'_, impl Mode>) -> bool {
        self.is_some()
    }
    #[inline(always)]
    fn __cpu_is_none(&self, _: Thread<'_, impl Mode>) -> bool {
        self.is_none()
    }
    #[inline(always)]
    fn __cpu_unwrap_or(self, _: Thread<'_, impl Mode>, default: T) -> T {
        self.unwrap_or(default)
    }
}

/// The method `M` of `Option<T>`, as an instance to call.
pub struct OptionMethod<M, T>(PhantomData<(M, T)>);
/// Names `is_some`.
pub enum IsSome {}
/// Names `is_none`.
pub enum IsNone {}
/// Names `unwrap_or`.
pub enum UnwrapOr {}
impl<T: Value> Callable for OptionMethod<IsSome, T> {
    fn callee(_: &mut Builder) -> Callee {
        Callee::Intrinsic { template: "({0}.some)", pure: true, result: bool::model() }
    }
}
impl<T: Value> Callable for OptionMethod<IsNone, T> {
    fn callee(_: &mut Builder) -> Callee {
        Callee::Intrinsic { template: "(!{0}.some)", pure: true, result: bool::model() }
    }
}
impl<T: Value> Callable for OptionMethod<UnwrapOr, T> {
    fn callee(_: &mut Builder) -> Callee {
        Callee::Intrinsic { template: "({0}.some ? {0}.value : {1})", pure: true, result: T::model() }
    }
}

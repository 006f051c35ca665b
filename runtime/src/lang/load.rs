//! Loads with a hint.

use super::probe::{Call, Callable, Callee, any};
use super::types::{Elem, Primitive};
use crate::cpu::{Careful, Mode, Thread};
use crate::emit::Builder;
use std::marker::PhantomData;

/// CUDA's `__ldg(&x[i])`: reads `x[i]` through the read-only cache. For memory that the kernel does not write; elements of
/// a `&[T]` parameter are read so anyway.
///
/// On the host it is an ordinary read.
pub fn ldg<T: Primitive>(place: &T) -> T {
    *place
}
#[doc(hidden)]
#[allow(non_camel_case_types)]
pub enum ldg {}
/// `ldg` of `T`.
pub struct LdgOf<T>(PhantomData<T>);
#[doc(hidden)]
impl ldg {
    pub const __WC_BUILT_IN: () = ();
    pub fn __gpu<T: Primitive>(_: &T) -> Call<T, LdgOf<T>> {
        any()
    }
    #[inline(always)]
    pub fn __cpu<T: Primitive>(_: Thread<'_, impl Mode>, place: &impl Elem<Value = T>) -> T {
        place.load()
    }
    #[inline(always)]
    pub async fn __cpu_collective<T: Primitive>(thread: Thread<'_, Careful>, place: &impl Elem<Value = T>) -> T {
        Self::__cpu(thread, place)
    }
}
impl<T: Primitive> Callable for LdgOf<T> {
    fn callee(_: &mut Builder) -> Callee {
        Callee::Intrinsic { template: "wc_ldg({0})", pure: false, result: T::model() }
    }
}

//! Device functions as type parameters of kernels.

use super::probe::{Call, Callable, any};
use crate::cpu::{Mode, Thread};

macro_rules! passed_functions {
    ($($(#[$doc:meta])* $name:ident($($param:ident: $ty:ident),*);)*) => {$(
        $(#[$doc])*
        ///
        /// Every `#[gpu_fn]` of such parameters, by value, is one under its own name:
        ///
        /// ```
        /// use warpcell_runtime::prelude::*;
        ///
        /// #[gpu_fn]
        /// fn square(x: f32) -> f32 {
        ///     x * x
        /// }
        ///
        /// #[gpu_kernel]
        /// fn map<F: GpuFn1<f32, Output = f32>>(x: &[f32], y: &mut [f32]) {
        ///     let i = global_id();
        ///     if i < y.len() {
        ///         y[i] = F::call(x[i]);
        ///     }
        /// }
        ///
        /// # fn main() -> Result<(), warpcell_runtime::Error> {
        /// let device = Device::cpu();
        /// let x = device.upload(&[1.0, 2.0, 3.0])?;
        /// let mut y = device.zeros(3)?;
        /// map::<square>(&x, &mut y).threads(3).launch()?;
        /// assert_eq!(y.download()?, [1.0, 4.0, 9.0]);
        /// # Ok(())
        /// # }
        /// ```
        #[diagnostic::on_unimplemented(
            message = "`{Self}` is not a device function of these parameters",
            note = "pass a function marked `#[gpu_fn]` by its name, without type parameters of its own"
        )]
        pub trait $name<$($ty),*>: 'static {
            /// The result's type.
            type Output;
            #[doc(hidden)]
            type Instance: Callable;
            /// Calls the function; in a kernel, `F::call(…)`.
            fn call($($param: $ty),*) -> Self::Output;
            #[doc(hidden)]
            fn __gpu_call($(_: $ty),*) -> Call<Self::Output, Self::Instance> {
                any()
            }
            #[doc(hidden)]
            fn __cpu_call(thread: Thread<'_, impl Mode>, $($param: $ty),*) -> Self::Output;
        }
    )*};
}

passed_functions! {
    /// A device function of one parameter, as a type parameter.
    GpuFn1(a: A);
    /// A device function of two parameters, as a type parameter.
    GpuFn2(a: A, b: B);
    /// A device function of three parameters, as a type parameter.
    GpuFn3(a: A, b: B, c: C);
    /// A device function of four parameters, as a type parameter.
    GpuFn4(a: A, b: B, c: C, d: D);
}

//! Values: what a local can be, and what can be in memory.

use super::super::probe::ConstantValue;
use warpcell_ir::{Field, Scalar, Struct, Type};

/// A value a local can have: what a buffer can hold, tuples and `Option` of such.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type a kernel can use",
    note = "kernels work on integers, floats and `bool`, on arrays, tuples and `Option` of these, on structs and enums with `#[derive(GpuType)]`, and on slices as parameters"
)]
pub trait Value: Copy + 'static {
    /// What it is before it is assigned.
    #[doc(hidden)]
    fn unset() -> Self;
    /// The type in the model of a kernel.
    #[doc(hidden)]
    fn model() -> Type;
    /// The value as a constant of a kernel.
    #[doc(hidden)]
    fn constant(&self) -> ConstantValue;
    /// Whether both have the same bits.
    #[doc(hidden)]
    fn same(&self, other: &Self) -> bool;
    /// Reads the value. What a buffer can hold reads each primitive by a relaxed atomic access.
    ///
    /// # Safety
    /// `place` is valid; if other threads write it meanwhile, they do it atomically and this is a [`GpuType`].
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn load(place: *const Self) -> Self {
        // SAFETY: the place is valid, and as this is no `GpuType`, only this thread touches it.
        unsafe { *place }
    }
    /// Writes the value. What a buffer can hold writes each primitive by a relaxed atomic access.
    ///
    /// # Safety
    /// As of `load`.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn store(place: *mut Self, value: Self) {
        // SAFETY: as in `load`.
        unsafe { *place = value }
    }
}

/// A type a buffer can hold: a primitive, an array, or a struct or enum with `#[derive(GpuType)]`.
///
/// # Safety
/// The layout is that of the [`Type`] that `model` gives, which is C's; bytes of zeros are a value; and `load` and
/// `store` of [`Value`] touch the value by relaxed atomics only.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type a kernel can use",
    label = "not a type that buffers, shared memory and parameters of kernels can hold",
    note = "these hold integers, floats and `bool`, arrays of these, and structs and enums with `#[derive(GpuType)]`"
)]
pub unsafe trait GpuType: Value + Send + Sync {
    /// Whether every bit pattern is a value.
    #[doc(hidden)]
    const ANY_BITS: bool;
}

/// The type of the struct `T`, whose fields have these names and types.
pub fn struct_type<T>(name: &str, fields: Vec<(&'static str, Type)>) -> Type {
    let fields = fields.into_iter().map(|(name, ty)| Field { name: name.trim_start_matches("r#").to_string(), ty });
    Type::Struct(Box::new(Struct {
        name: name.to_string(),
        fields: fields.collect(),
        size: size_of::<T>() as u64,
        align: align_of::<T>() as u64,
    }))
}

impl Value for () {
    fn unset() {}
    fn model() -> Type {
        Type::Unit
    }
    fn constant(&self) -> ConstantValue {
        ConstantValue::Composite { ty: Type::Unit, parts: Vec::new() }
    }
    fn same(&self, (): &()) -> bool {
        true
    }
}

impl<T: Value, const N: usize> Value for [T; N] {
    fn unset() -> [T; N] {
        [T::unset(); N]
    }
    fn model() -> Type {
        Type::Array(Box::new(T::model()), N as u64)
    }
    fn constant(&self) -> ConstantValue {
        ConstantValue::Composite { ty: Self::model(), parts: self.iter().map(T::constant).collect() }
    }
    #[inline(always)]
    fn same(&self, other: &[T; N]) -> bool {
        self.iter().zip(other).all(|(a, b)| a.same(b))
    }
    #[inline(always)]
    unsafe fn load(place: *const [T; N]) -> [T; N] {
        // SAFETY: the elements of a valid array are valid.
        std::array::from_fn(|k| unsafe { T::load(place.cast::<T>().add(k)) })
    }
    #[inline(always)]
    unsafe fn store(place: *mut [T; N], value: [T; N]) {
        for (k, element) in value.into_iter().enumerate() {
            // SAFETY: as above.
            unsafe { T::store(place.cast::<T>().add(k), element) };
        }
    }
}

// SAFETY: an array is its elements, one after the other, as in C.
unsafe impl<T: GpuType, const N: usize> GpuType for [T; N] {
    const ANY_BITS: bool = T::ANY_BITS;
}

impl<T: Value> Value for Option<T> {
    fn unset() -> Option<T> {
        None
    }
    fn model() -> Type {
        Type::Option(Box::new(T::model()))
    }
    fn constant(&self) -> ConstantValue {
        let some = ConstantValue::Scalar { scalar: Scalar::Bool, bits: u64::from(self.is_some()) };
        let value = self.unwrap_or_else(T::unset).constant();
        ConstantValue::Composite { ty: Self::model(), parts: vec![some, value] }
    }
    #[inline(always)]
    fn same(&self, other: &Option<T>) -> bool {
        match (self, other) {
            (Some(a), Some(b)) => a.same(b),
            (None, None) => true,
            _ => false,
        }
    }
}

macro_rules! tuples {
    ($($($name:ident $number:tt)+;)*) => {$(
        impl<$($name: Value),+> Value for ($($name,)+) {
            fn unset() -> Self {
                ($($name::unset(),)+)
            }
            fn model() -> Type {
                Type::Tuple(vec![$($name::model()),+])
            }
            #[allow(non_snake_case)]
            fn constant(&self) -> ConstantValue {
                let ($($name,)+) = self;
                ConstantValue::Composite { ty: Self::model(), parts: vec![$($name.constant()),+] }
            }
            #[inline(always)]
            fn same(&self, other: &Self) -> bool {
                true $(&& self.$number.same(&other.$number))+
            }
        }
    )*};
}
tuples! {
    A 0;
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
    A 0 B 1 C 2 D 3 E 4;
    A 0 B 1 C 2 D 3 E 4 F 5;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
}

//! Memory in the CPU form: the wrappers say how its elements are touched.
//!
//! | wrapper | memory | accesses |
//! | --- | --- | --- |
//! | none | read-only global memory, local arrays | plain |
//! | [`Atomic`] | writable global memory | relaxed atomics: a racy kernel has unspecified values but no undefined behaviour |
//! | [`Shared`] | shared memory | plain: a block runs on one thread of the operating system |
//! | [`Own`] | writable memory of which each thread touches its own elements only | plain |

use super::{GpuType, Primitive, Value};
use std::cell::UnsafeCell;

/// An element of memory.
///
/// # Safety
/// `pointer` is valid as long as the element, and `Part<F>` has the layout of `F`.
pub unsafe trait Elem {
    /// What is there.
    type Value: Value;
    /// A part of the type `F` in this memory.
    type Part<F: Value>: Elem<Value = F>;
    /// Where it is.
    fn pointer(&self) -> *mut Self::Value;
    /// Reads it.
    fn load(&self) -> Self::Value;
    /// Writes it. Never called for memory that is only read: rustc has found that the kernel doesn't.
    fn store(&self, value: Self::Value);
    /// Replaces it by `change` of it, as one step, and returns what it was.
    fn update(&self, change: impl Fn(Self::Value) -> Self::Value) -> Self::Value
    where
        Self::Value: Primitive;

    /// The part that `get` gives of a value, which is one of its fields.
    #[inline(always)]
    fn part<F: Value>(&self, get: impl Fn(&Self::Value) -> &F) -> &Self::Part<F> {
        let value = Self::Value::unset();
        let offset = std::ptr::from_ref(get(&value)) as usize - std::ptr::from_ref(&value) as usize;
        assert!(offset + size_of::<F>() <= size_of::<Self::Value>(), "a part is inside of its value");
        // SAFETY: the part is inside of the value (checked above), alive as long as `self`, and touched in the same way.
        unsafe { &*self.pointer().cast::<u8>().add(offset).cast::<Self::Part<F>>() }
    }
}

/// An array in memory is indexed like a slice.
impl<F: Value, const N: usize, P: Elem<Value = [F; N]>> crate::cpu::Elements for P {
    type Item = P::Part<F>;
    #[inline(always)]
    fn all(&self) -> &[P::Part<F>] {
        // SAFETY: an array is its elements, alive as long as `self`, and touched in the same way.
        unsafe { std::slice::from_raw_parts(self.pointer().cast::<P::Part<F>>(), N) }
    }
}

// SAFETY: the pointer is that of the value itself.
unsafe impl<T: Value> Elem for T {
    type Value = T;
    type Part<F: Value> = F;
    #[inline(always)]
    fn pointer(&self) -> *mut T {
        std::ptr::from_ref(self).cast_mut()
    }
    #[inline(always)]
    fn load(&self) -> T {
        *self
    }
    fn store(&self, _: T) {
        unreachable!("memory that is only read is never written")
    }
    fn update(&self, _: impl Fn(T) -> T) -> T {
        unreachable!("memory that is only read is never written")
    }
}

macro_rules! memory {
    ($($(#[$doc:meta])* $name:ident, |$place:ident| $load:expr, |$to:ident, $value:ident| $store:expr, |$at:ident, $change:ident| $update:expr;)*) => {$(
        $(#[$doc])*
        #[repr(transparent)]
        pub struct $name<T>(UnsafeCell<T>);

        // SAFETY: the pointer is that of the cell's value, and the wrapper is transparent.
        unsafe impl<T: Value> Elem for $name<T> {
            type Value = T;
            type Part<F: Value> = $name<F>;
            #[inline(always)]
            fn pointer(&self) -> *mut T {
                self.0.get()
            }
            #[inline(always)]
            fn load(&self) -> T {
                let $place = self.0.get();
                $load
            }
            #[inline(always)]
            fn store(&self, $value: T) {
                let $to = self.0.get();
                $store
            }
            #[inline(always)]
            fn update(&self, $change: impl Fn(T) -> T) -> T
            where
                T: Primitive,
            {
                let $at = self.0.get();
                $update
            }
        }
    )*};
}
memory! {
    /// Writable global memory.
    Atomic,
        // SAFETY: the place is a valid one of this type, and all accesses to it are atomic.
        |place| unsafe { T::load(place) },
        // SAFETY: as above.
        |place, value| unsafe { T::store(place, value) },
        // SAFETY: as above.
        |place, change| unsafe { T::update(place, change) };
    /// Shared memory.
    Shared,
        // SAFETY: no reference into it is ever given out, and one thread of the operating system runs the whole block.
        |place| unsafe { *place },
        // SAFETY: as above.
        |place, value| unsafe { *place = value },
        // SAFETY: as above.
        |place, change| unsafe { std::ptr::replace(place, change(*place)) };
    /// Writable memory of which each thread provably touches its own elements only, or that was borrowed exclusively.
    Own,
        // SAFETY: no reference into it is ever given out, and no other thread touches this element.
        |place| unsafe { *place },
        // SAFETY: as above.
        |place, value| unsafe { *place = value },
        // SAFETY: as above.
        |place, change| unsafe { std::ptr::replace(place, change(*place)) };
}

// SAFETY: every access is a relaxed atomic one.
unsafe impl<T: GpuType> Sync for Atomic<T> {}
// SAFETY: the macro proves that no two threads touch the same element, or the slice was borrowed exclusively.
unsafe impl<T: GpuType> Sync for Own<T> {}

/// A slice borrowed exclusively, as the CPU form takes writable slices.
#[inline(always)]
pub fn own_slice<T: Value>(slice: &mut [T]) -> &[Own<T>] {
    // SAFETY: `Own<T>` has `T`'s layout; the exclusive borrow lasts as long as the result, so nothing else touches it.
    unsafe { &*(slice as *mut [T] as *const [Own<T>]) }
}

/// A value borrowed exclusively, as the CPU form takes `&mut T`.
#[inline(always)]
pub fn own_ref<T: Value>(value: &mut T) -> &Own<T> {
    // SAFETY: as in `own_slice`.
    unsafe { &*std::ptr::from_mut(value).cast::<Own<T>>() }
}

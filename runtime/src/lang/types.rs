//! The types a kernel can use.

use std::cell::{Cell, UnsafeCell};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};
use warpcell_ir::{Scalar, Type};

mod sealed {
    /// The element types are the primitives whose layout is the same on both sides.
    pub trait Sealed {}
}

/// A type a buffer can hold: a primitive.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type a kernel can use",
    note = "kernels work on integers, `f32`, `f64` and `bool`, on arrays of these, and on slices as parameters"
)]
pub trait GpuType: sealed::Sealed + Copy + Default + PartialEq + std::fmt::Debug + Send + Sync + 'static {
    /// The type in the model of a kernel.
    #[doc(hidden)]
    const SCALAR: Scalar;
    /// The bits, in the low part of a `u64`.
    #[doc(hidden)]
    fn to_bits64(self) -> u64;
    /// The value of these bits.
    #[doc(hidden)]
    fn from_bits64(bits: u64) -> Self;
}

macro_rules! gpu_type {
    ($($ty:ty, $scalar:ident, $this:ident => $to:expr, $bits:ident => $from:expr;)*) => {$(
        impl sealed::Sealed for $ty {}
        impl GpuType for $ty {
            const SCALAR: Scalar = Scalar::$scalar;
            #[inline(always)]
            fn to_bits64(self) -> u64 { let $this = self; $to }
            #[inline(always)]
            fn from_bits64($bits: u64) -> Self { $from }
        }
    )*};
}
gpu_type! {
    bool, Bool, x => x as u64, bits => bits & 0xff != 0;
    i8, I8, x => x as u8 as u64, bits => bits as i8;
    i16, I16, x => x as u16 as u64, bits => bits as i16;
    i32, I32, x => x as u32 as u64, bits => bits as i32;
    i64, I64, x => x as u64, bits => bits as i64;
    isize, I64, x => x as u64, bits => bits as isize;
    u8, U8, x => x as u64, bits => bits as u8;
    u16, U16, x => x as u64, bits => bits as u16;
    u32, U32, x => x as u64, bits => bits as u32;
    u64, U64, x => x, bits => bits;
    usize, U64, x => x as u64, bits => bits as usize;
    f32, F32, x => x.to_bits() as u64, bits => f32::from_bits(bits as u32);
    f64, F64, x => x.to_bits(), bits => f64::from_bits(bits);
}

/// A value a local can have: a primitive, or an array of such.
pub trait Value: Copy + 'static {
    /// What it is before it is assigned.
    fn unset() -> Self;
    /// The type in the model of a kernel.
    fn model() -> Type;
}
impl<T: GpuType> Value for T {
    fn unset() -> T {
        T::default()
    }
    fn model() -> Type {
        Type::Scalar(T::SCALAR)
    }
}
impl<T: Value, const N: usize> Value for [T; N] {
    fn unset() -> [T; N] {
        [T::unset(); N]
    }
    fn model() -> Type {
        Type::Array(Box::new(T::model()), N as u64)
    }
}

/// An element of memory that can be read, in any of the memories of the CPU form.
pub trait Elem {
    /// What is read.
    type Value: GpuType;
    /// Reads it.
    fn load(&self) -> Self::Value;
}

/// An element of memory that can be written too.
pub trait ElemMut: Elem {
    /// Writes it.
    fn store(&self, value: Self::Value);
    /// Replaces it by `change` of it, as one step, and returns what it was.
    fn update(&self, change: impl Fn(Self::Value) -> Self::Value) -> Self::Value;
}

impl<T: GpuType> Elem for T {
    type Value = T;
    #[inline(always)]
    fn load(&self) -> T {
        *self
    }
}

/// Shared memory: a block runs on one thread of the operating system.
impl<T: GpuType> Elem for Cell<T> {
    type Value = T;
    #[inline(always)]
    fn load(&self) -> T {
        self.get()
    }
}
impl<T: GpuType> ElemMut for Cell<T> {
    #[inline(always)]
    fn store(&self, value: T) {
        self.set(value);
    }
    #[inline(always)]
    fn update(&self, change: impl Fn(T) -> T) -> T {
        self.replace(change(self.get()))
    }
}

/// Writable global memory: relaxed atomics, so that a racy kernel has unspecified values but no undefined behaviour.
#[repr(transparent)]
pub struct Atomic<T>(UnsafeCell<T>);

// SAFETY: every access is a relaxed atomic one (see `load`, `store`, `update`).
unsafe impl<T: GpuType> Sync for Atomic<T> {}

/// `self` as the atomic integer of its width, widened to 64 bits.
macro_rules! by_width {
    ($self:ident, $atomic:ident => $body:expr, $int:ident) => {
        match size_of::<T>() {
            1 => by_width!(@ $self, AtomicU8, u8, $atomic, $body, $int),
            2 => by_width!(@ $self, AtomicU16, u16, $atomic, $body, $int),
            4 => by_width!(@ $self, AtomicU32, u32, $atomic, $body, $int),
            _ => by_width!(@ $self, AtomicU64, u64, $atomic, $body, $int),
        }
    };
    (@ $self:ident, $ty:ident, $width:ty, $atomic:ident, $body:expr, $int:ident) => {{
        #[allow(dead_code)]
        type $int = $width;
        // SAFETY: `T` is a primitive of this width and alignment, alive as long as `self`, and only accessed atomically.
        let $atomic = unsafe { $ty::from_ptr($self.0.get().cast()) };
        $body
    }};
}

/// An integer of any width, as the low part of a `u64`.
#[inline(always)]
fn widened(bits: impl Into<u64>) -> u64 {
    bits.into()
}

impl<T: GpuType> Elem for Atomic<T> {
    type Value = T;
    #[inline(always)]
    fn load(&self) -> T {
        T::from_bits64(by_width!(self, atomic => widened(atomic.load(Relaxed)), Int))
    }
}
impl<T: GpuType> ElemMut for Atomic<T> {
    #[inline(always)]
    fn store(&self, value: T) {
        by_width!(self, atomic => atomic.store(value.to_bits64() as Int, Relaxed), Int)
    }
    #[inline(always)]
    fn update(&self, change: impl Fn(T) -> T) -> T {
        let next = |bits: u64| change(T::from_bits64(bits)).to_bits64();
        T::from_bits64(by_width!(self, atomic => {
            let old = atomic.fetch_update(Relaxed, Relaxed, |bits| Some(next(widened(bits)) as Int));
            widened(old.unwrap_or_else(|bits| bits))
        }, Int))
    }
}

/// Writable global memory of which each thread provably touches its own element only: plain accesses.
#[repr(transparent)]
pub struct Own<T>(UnsafeCell<T>);

// SAFETY: the macro proves that no two threads touch the same element, or the slice was borrowed exclusively.
unsafe impl<T: GpuType> Sync for Own<T> {}

impl<T: GpuType> Elem for Own<T> {
    type Value = T;
    #[inline(always)]
    fn load(&self) -> T {
        // SAFETY: no other thread touches this element, and no reference into it is ever given out.
        unsafe { *self.0.get() }
    }
}
impl<T: GpuType> ElemMut for Own<T> {
    #[inline(always)]
    fn store(&self, value: T) {
        // SAFETY: as in `load`.
        unsafe { *self.0.get() = value }
    }
    #[inline(always)]
    fn update(&self, change: impl Fn(T) -> T) -> T {
        let old = self.load();
        self.store(change(old));
        old
    }
}

/// A slice borrowed exclusively, as the CPU form takes writable slices.
#[inline(always)]
pub fn own_slice<T: GpuType>(slice: &mut [T]) -> &[Own<T>] {
    // SAFETY: `Own<T>` has `T`'s layout; the exclusive borrow lasts as long as the result, so nothing else touches it.
    unsafe { &*(slice as *mut [T] as *const [Own<T>]) }
}

/// A type that can be shared memory, and its form with cells.
pub trait Shareable {
    /// The same layout, with a `Cell` around each primitive.
    type Cells;
    /// Whether every bit pattern is a value; else the memory is zeroed first.
    const ANY_BITS: bool;
}
impl<T: GpuType> Shareable for T {
    type Cells = Cell<T>;
    const ANY_BITS: bool = !matches!(T::SCALAR, Scalar::Bool);
}
impl<T: Shareable, const N: usize> Shareable for [T; N] {
    type Cells = [T::Cells; N];
    const ANY_BITS: bool = T::ANY_BITS;
}

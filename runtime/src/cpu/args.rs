//! A launch's arguments on the CPU.

use crate::lang::{Atomic, GpuType, Own};
use std::marker::PhantomData;

/// One argument.
#[derive(Clone, Copy)]
pub enum Argument {
    /// The elements of a slice.
    #[allow(missing_docs)]
    Slice { pointer: *mut u8, len: usize },
    /// A value, in the launch's own memory.
    Value(*const u8),
}

/// The arguments of a launch, in the order of the kernel's parameters. They live as long as the launch.
pub struct Args<'a> {
    arguments: Vec<Argument>,
    borrowed: PhantomData<&'a ()>,
}

// SAFETY: the pointers are to memory that the launch borrows for `'a`; what may be written is accessed through `Atomic`
// or, disjointly, through `Own`.
unsafe impl Sync for Args<'_> {}

impl<'a> Args<'a> {
    /// # Safety
    /// Each slice is borrowed for `'a` (exclusively, where the kernel writes), and of the type of its parameter.
    pub(crate) unsafe fn new(arguments: Vec<Argument>) -> Args<'a> {
        Args { arguments, borrowed: PhantomData }
    }

    #[inline(always)]
    fn elements<E>(&self, number: usize) -> &'a [E] {
        match self.arguments[number] {
            // SAFETY: by `new`'s contract; generated code asks for the type of the parameter, from which the launch
            // function took the argument.
            Argument::Slice { pointer, len } => unsafe { std::slice::from_raw_parts(pointer.cast::<E>(), len) },
            Argument::Value(_) => unreachable!("the launch function passes a slice for a slice parameter"),
        }
    }

    /// A slice that nothing writes.
    #[inline(always)]
    pub fn slice<T: GpuType>(&self, number: usize) -> &'a [T] {
        self.elements(number)
    }

    /// A slice that any thread may write.
    #[inline(always)]
    pub fn atomic<T: GpuType>(&self, number: usize) -> &'a [Atomic<T>] {
        self.elements(number)
    }

    /// A slice of which each thread writes its own element.
    #[inline(always)]
    pub fn own<T: GpuType>(&self, number: usize) -> &'a [Own<T>] {
        self.elements(number)
    }

    /// A value.
    #[inline(always)]
    pub fn value<T: GpuType>(&self, number: usize) -> T {
        match self.arguments[number] {
            // SAFETY: as in `elements`; the launch has copied a value of this type there, aligned.
            Argument::Value(pointer) => unsafe { pointer.cast::<T>().read() },
            Argument::Slice { .. } => unreachable!("the launch function passes a value for a parameter by value"),
        }
    }
}

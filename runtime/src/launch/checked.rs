//! Arithmetic of requirements and lengths: what overflows, or divides by zero, has no value.

/// A number of the host, with arithmetic that is checked. Floats never fail.
pub trait Checked: Sized {
    /// `self + other`
    fn plus(self, other: Self) -> Option<Self>;
    /// `self - other`
    fn minus(self, other: Self) -> Option<Self>;
    /// `self * other`
    fn times(self, other: Self) -> Option<Self>;
    /// `self / other`
    fn over(self, other: Self) -> Option<Self>;
    /// `self % other`
    fn modulo(self, other: Self) -> Option<Self>;
}

macro_rules! integers {
    ($($ty:ty)*) => {$(
        impl Checked for $ty {
            fn plus(self, other: Self) -> Option<Self> { self.checked_add(other) }
            fn minus(self, other: Self) -> Option<Self> { self.checked_sub(other) }
            fn times(self, other: Self) -> Option<Self> { self.checked_mul(other) }
            fn over(self, other: Self) -> Option<Self> { self.checked_div(other) }
            fn modulo(self, other: Self) -> Option<Self> { self.checked_rem(other) }
        }
    )*};
}
integers!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

macro_rules! floats {
    ($($ty:ty)*) => {$(
        impl Checked for $ty {
            fn plus(self, other: Self) -> Option<Self> { Some(self + other) }
            fn minus(self, other: Self) -> Option<Self> { Some(self - other) }
            fn times(self, other: Self) -> Option<Self> { Some(self * other) }
            fn over(self, other: Self) -> Option<Self> { Some(self / other) }
            fn modulo(self, other: Self) -> Option<Self> { Some(self % other) }
        }
    )*};
}
floats!(f32 f64);

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident: $method:ident;)*) => {$(
        $(#[$doc])*
        pub fn $name<T: Checked>(left: T, right: T) -> Option<T> {
            left.$method(right)
        }
    )*};
}
functions! {
    /// `left + right`
    checked_add: plus;
    /// `left - right`
    checked_sub: minus;
    /// `left * right`
    checked_mul: times;
    /// `left / right`
    checked_div: over;
    /// `left % right`
    checked_rem: modulo;
}

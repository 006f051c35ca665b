//! Warp operations, under CUDA's names: 32 threads exchange values without memory.
//!
//! `mask` names the lanes that take part; all of them must call the same operation. [`FULL_MASK`] names all 32. Lanes that
//! have returned, or that a partial last warp does not have, take no part, whatever the mask says.

mod lanes;
mod matching;
mod reduce;
mod shuffle;
mod vote;

pub use lanes::*;
pub use matching::*;
pub use reduce::*;
pub use shuffle::*;
pub use vote::*;

use super::types::Primitive;
use crate::cpu::Lanes;
use std::marker::PhantomData;

/// All 32 lanes.
pub const FULL_MASK: u32 = 0xffff_ffff;

/// The warp operation `O` on `T`.
pub struct WarpOp<O, T>(PhantomData<(O, T)>);

/// The values of a warp's lanes, as one lane sees them.
struct Gathered<'a, T> {
    lanes: &'a Lanes<T>,
    /// The lanes that take part.
    present: u32,
    /// This lane.
    lane: u32,
}

impl<T: Primitive> Gathered<'_, T> {
    /// The value of `lane`, or this lane's own if there is no such lane (CUDA leaves it open then).
    #[inline(always)]
    fn of(&self, lane: u32) -> T {
        let there = lane < 32 && self.present >> (lane & 31) & 1 == 1;
        self.lanes.get_lane(if there { lane } else { self.lane })
    }

    /// The value of this lane.
    #[inline(always)]
    fn own(&self) -> T {
        self.lanes.get_lane(self.lane)
    }

    /// The bits of the lanes for which `test` holds.
    #[inline(always)]
    fn ballot(&self, test: impl Fn(T) -> bool) -> u32 {
        let mut bits = 0;
        for lane in 0..32 {
            if self.present >> lane & 1 == 1 && test(self.lanes.get_lane(lane)) {
                bits |= 1 << lane;
            }
        }
        bits
    }

    /// The values of all lanes, combined from the lowest lane on.
    #[inline(always)]
    fn fold(&self, combine: impl Fn(T, T) -> T) -> T {
        let values = (0..32).filter(|lane| self.present >> lane & 1 == 1).map(|lane| self.lanes.get_lane(lane));
        values.reduce(combine).unwrap_or_else(|| self.own())
    }
}

/// Declares warp operations: each lane brings a value and perhaps more, and gets what is computed of all lanes' values.
macro_rules! warp_ops {
    ($(
        $(#[$doc:meta])*
        $name:ident $(<$T:ident: $bound:ident>)? ($value:ident: $V:ty $(, $extra:ident)*) -> $result:ty:
        $cuda:literal, |$warp:ident| $outcome:expr;
    )*) => {$(
        $(#[$doc])*
        ///
        /// # Panics
        /// On the host: it is for kernels only.
        pub fn $name $(<$T: $bound>)? (mask: u32, $value: $V $(, $extra: u32)*) -> $result {
            let _ = (mask, $value $(, $extra)*);
            panic!(concat!("`", stringify!($name), "` is for kernels only"))
        }
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        pub enum $name {}
        #[doc(hidden)]
        impl $name {
            pub const __WC_BUILT_IN: () = ();
            pub fn __gpu $(<$T: $bound>)? (_: u32, _: $V $(, $extra: u32)*) -> Call<$result, WarpOp<$name, $V>> {
                $(let _ = $extra;)*
                any()
            }
            #[inline(always)]
            pub fn __warp $(<$T: $bound>)? (
                thread: Thread<'_, impl Mode>,
                present: u32,
                mask: &Lanes<u32>,
                values: &Lanes<$V>
                $(, $extra: &Lanes<u32>)*
            ) -> $result {
                $(let $extra = $extra.get(thread);)*
                let $warp = Gathered { lanes: values, present: present & mask.get(thread), lane: thread.lane() };
                $outcome
            }
            pub async fn __future $(<$T: $bound>)? (
                thread: Thread<'_, Careful>,
                mask: u32,
                $value: $V
                $(, $extra: u32)*
            ) -> $result {
                let (values, present) = thread.waits().exchange(thread, mask, $value).await;
                let $warp = Gathered { lanes: &values, present: present & mask, lane: thread.lane() };
                $outcome
            }
        }
        impl $(<$T: $bound>)? Callable for WarpOp<$name, $V> {
            fn callee(_: &mut Builder) -> Callee {
                Callee::Intrinsic { template: $cuda, pure: false, result: <$result>::model() }
            }
        }
    )*};
}
use warp_ops;

/// What the declarations of warp operations name.
mod declare {
    pub(super) use super::super::probe::{Call, Callable, Callee, any};
    pub(super) use super::super::types::{Primitive, Value};
    pub(super) use super::{Gathered, WarpOp, warp_ops};
    pub(super) use crate::cpu::{Careful, Lanes, Mode, Thread};
    pub(super) use crate::emit::Builder;
}

//! Warp operations, under CUDA's names: 32 threads exchange values without memory.
//!
//! `mask` names the lanes that take part; all of them must call the same operation. [`FULL_MASK`] names all 32.

use super::probe::{Call, Callable, Callee, any};
use super::types::{Primitive, Value};
use crate::cpu::{Careful, Lanes, Mode, Thread};
use crate::emit::Builder;
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
    lane: u32,
}

impl<T: Primitive> Gathered<'_, T> {
    /// The value of `lane`, or this lane's own if there is no such lane (CUDA leaves it open then).
    #[inline(always)]
    fn of(&self, lane: u32) -> T {
        let there = lane < 32 && self.present >> (lane & 31) & 1 == 1;
        self.lanes.get_lane(if there { lane } else { self.lane })
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
}

macro_rules! shuffles {
    ($($(#[$doc:meta])* $name:ident($extra:ident): $cuda:literal, |$lane:ident| $from:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// # Panics
        /// On the host: it is for kernels only.
        pub fn $name<T: Primitive>(mask: u32, value: T, $extra: u32) -> T {
            let _ = (mask, value, $extra);
            panic!(concat!("`", stringify!($name), "` is for kernels only"))
        }
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        pub enum $name {}
        #[doc(hidden)]
        impl $name {
            pub const __WC_BUILT_IN: () = ();
            pub fn __gpu<T: Primitive>(_: u32, _: T, _: u32) -> Call<T, WarpOp<$name, T>> { any() }
            #[inline(always)]
            pub fn __warp<T: Primitive>(thread: Thread<'_, impl Mode>, present: u32, mask: &Lanes<u32>, values: &Lanes<T>, extra: &Lanes<u32>) -> T {
                let ($lane, $extra) = (thread.lane(), extra.get(thread));
                let gathered = Gathered { lanes: values, present: present & mask.get(thread), lane: $lane };
                gathered.of($from)
            }
            pub async fn __future<T: Primitive>(thread: Thread<'_, Careful>, mask: u32, value: T, $extra: u32) -> T {
                let (values, present) = thread.waits().exchange(thread, mask, value).await;
                let $lane = thread.lane();
                Gathered { lanes: &values, present: present & mask, lane: $lane }.of($from)
            }
        }
        impl<T: Primitive> Callable for WarpOp<$name, T> {
            fn callee(_: &mut Builder) -> Callee {
                Callee::Intrinsic { template: $cuda, pure: false, result: T::model() }
            }
        }
    )*};
}

shuffles! {
    /// CUDA's `__shfl_sync`: the value of lane `source % 32`.
    shfl_sync(source): "wc_shfl({0}, {1}, {2})", |_lane| source & 31;
    /// CUDA's `__shfl_up_sync`: the value of the lane `delta` below; the lowest lanes keep their own.
    shfl_up_sync(delta): "wc_shfl_up({0}, {1}, {2})", |lane| lane.wrapping_sub(delta & 31);
    /// CUDA's `__shfl_down_sync`: the value of the lane `delta` above; the highest lanes keep their own.
    shfl_down_sync(delta): "wc_shfl_down({0}, {1}, {2})", |lane| lane + (delta & 31);
    /// CUDA's `__shfl_xor_sync`: the value of the lane whose number differs in the bits of `lane_mask`.
    shfl_xor_sync(lane_mask): "wc_shfl_xor({0}, {1}, {2})", |lane| lane ^ (lane_mask & 31);
}

macro_rules! votes {
    ($($(#[$doc:meta])* $name:ident -> $result:ty: $cuda:literal, |$bits:ident, $voters:ident| $outcome:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// # Panics
        /// On the host: it is for kernels only.
        pub fn $name(mask: u32, predicate: bool) -> $result {
            let _ = (mask, predicate);
            panic!(concat!("`", stringify!($name), "` is for kernels only"))
        }
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        pub enum $name {}
        #[doc(hidden)]
        impl $name {
            pub const __WC_BUILT_IN: () = ();
            pub fn __gpu(_: u32, _: bool) -> Call<$result, $name> { any() }
            #[inline(always)]
            pub fn __warp(thread: Thread<'_, impl Mode>, present: u32, mask: &Lanes<u32>, values: &Lanes<bool>) -> $result {
                let $voters = present & mask.get(thread);
                let gathered = Gathered { lanes: values, present: $voters, lane: thread.lane() };
                let $bits = gathered.ballot(|value| value);
                $outcome
            }
            pub async fn __future(thread: Thread<'_, Careful>, mask: u32, predicate: bool) -> $result {
                let (values, present) = thread.waits().exchange(thread, mask, predicate).await;
                let $voters = present & mask;
                let $bits = Gathered { lanes: &values, present: $voters, lane: thread.lane() }.ballot(|value| value);
                $outcome
            }
        }
        impl Callable for $name {
            fn callee(_: &mut Builder) -> Callee {
                Callee::Intrinsic { template: $cuda, pure: false, result: <$result>::model() }
            }
        }
    )*};
}

votes! {
    /// CUDA's `__all_sync`: whether the predicate holds in all lanes of `mask`.
    all_sync -> bool: "(__all_sync({0}, {1}) != 0)", |bits, voters| bits == voters;
    /// CUDA's `__any_sync`: whether the predicate holds in any lane of `mask`.
    any_sync -> bool: "(__any_sync({0}, {1}) != 0)", |bits, _voters| bits != 0;
    /// CUDA's `__ballot_sync`: the lanes of `mask` in which the predicate holds, as bits.
    ballot_sync -> u32: "__ballot_sync({0}, {1})", |bits, _voters| bits;
}

//! Time. What these return is not the same from run to run, nor on two devices.

use super::probe::{Call, Callable, Callee, any};
use super::types::Value;
use crate::cpu::{Careful, Mode, Thread};
use crate::emit::Builder;
use std::sync::OnceLock;
use std::time::Instant;
use warpcell_ir::Type;

/// Nanoseconds since the first question.
fn nanoseconds() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    // A u64 holds 584 years.
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

macro_rules! clocks {
    ($($(#[$doc:meta])* $name:ident: $cuda:literal;)*) => {$(
        $(#[$doc])*
        pub fn $name() -> u64 {
            nanoseconds()
        }
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        pub enum $name {}
        #[doc(hidden)]
        impl $name {
            pub fn __gpu() -> Call<u64, $name> { any() }
            pub fn __cpu(_: Thread<'_, impl Mode>) -> u64 { nanoseconds() }
            pub async fn __cpu_collective(_: Thread<'_, Careful>) -> u64 { nanoseconds() }
        }
        impl Callable for $name {
            fn callee(_: &mut Builder) -> Callee {
                Callee::Intrinsic { template: $cuda, pure: false, result: u64::model() }
            }
        }
    )*};
}

clocks! {
    /// CUDA's `clock()`: the same as [`clock64`].
    clock: "(u64)clock64()";
    /// CUDA's `clock64()`: cycles of the multiprocessor that the thread runs on; on the CPU, nanoseconds.
    clock64: "(u64)clock64()";
    /// PTX's `%globaltimer`: nanoseconds, the same clock for the whole device.
    global_timer: "wc_global_timer()";
}

/// CUDA's `__nanosleep`: pauses the thread for about that long, at most a millisecond. On the CPU it only lets other threads
/// of the operating system run.
///
/// On the host it does the same as on the CPU.
pub fn nanosleep(nanoseconds: u32) {
    let _ = nanoseconds;
    std::thread::yield_now();
}
#[doc(hidden)]
#[allow(non_camel_case_types)]
pub enum nanosleep {}
#[doc(hidden)]
impl nanosleep {
    pub const __WC_BUILT_IN: () = ();
    pub fn __gpu(_: u32) -> Call<(), nanosleep> {
        any()
    }
    pub fn __cpu(_: Thread<'_, impl Mode>, _: u32) {
        std::thread::yield_now();
    }
    pub async fn __cpu_collective(thread: Thread<'_, Careful>, nanoseconds: u32) {
        Self::__cpu(thread, nanoseconds);
    }
}
impl Callable for nanosleep {
    fn callee(_: &mut Builder) -> Callee {
        Callee::Intrinsic { template: "__nanosleep({0})", pure: false, result: Type::Unit }
    }
}

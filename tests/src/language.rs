//! The kernel language, construct by construct.

mod arithmetic;
mod control;
pub mod faults;
mod found;
mod functions;
mod memory;
mod odd;
mod warp;

use crate::Case;
use warpcell_runtime::KernelInfo;

/// All checks.
pub fn cases() -> Vec<Case> {
    [
        arithmetic::cases(),
        control::cases(),
        found::cases(),
        functions::cases(),
        memory::cases(),
        odd::cases(),
        warp::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Every kernel of this crate, for compiling all of them.
pub fn kernels() -> Vec<KernelInfo> {
    cases().iter().map(|case| (case.kernel)()).chain(faults::kernels()).collect()
}

//! The kernel language, construct by construct.

mod arithmetic;
mod collective;
mod control;
pub mod faults;
mod functions;
mod memory;
mod objects;
mod odd;
mod output;
mod values;
mod warp;

use crate::Case;
use warpcell_runtime::KernelInfo;

/// All checks.
pub fn cases() -> Vec<Case> {
    [
        arithmetic::cases(),
        collective::cases(),
        control::cases(),
        functions::cases(),
        memory::cases(),
        objects::cases(),
        odd::cases(),
        output::cases(),
        values::cases(),
        warp::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Every kernel of this crate, for compiling all of them.
pub fn kernels() -> Vec<KernelInfo> {
    cases().iter().map(|case| (case.kernel)()).chain(faults::kernels()).chain(output::kernels()).collect()
}

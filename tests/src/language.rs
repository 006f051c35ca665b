//! The kernel language, construct by construct.

mod arithmetic;
pub mod barriers;
mod collective;
mod control;
pub mod faults;
mod found;
mod functions;
pub mod launches;
mod maths;
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
        barriers::cases(),
        collective::cases(),
        control::cases(),
        found::cases(),
        functions::cases(),
        launches::cases(),
        maths::cases(),
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
    let others = [barriers::kernels(), faults::kernels(), launches::kernels(), output::kernels()];
    cases().iter().map(|case| (case.kernel)()).chain(others.into_iter().flatten()).collect()
}

//! The kernel language, construct by construct.

mod arithmetic;
mod atomics;
pub mod barriers;
mod block_votes;
mod collective;
mod control;
mod endless;
pub mod faults;
mod found;
mod functions;
mod lanes;
pub mod launches;
mod maths;
mod memory;
mod objects;
mod odd;
mod ordering;
mod output;
mod random;
mod values;
mod warp;

use crate::Case;
use warpcell_runtime::KernelInfo;

/// All checks.
pub fn cases() -> Vec<Case> {
    [
        arithmetic::cases(),
        atomics::cases(),
        barriers::cases(),
        block_votes::cases(),
        collective::cases(),
        control::cases(),
        found::cases(),
        functions::cases(),
        lanes::cases(),
        launches::cases(),
        maths::cases(),
        memory::cases(),
        objects::cases(),
        odd::cases(),
        ordering::cases(),
        output::cases(),
        random::cases(),
        values::cases(),
        warp::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Every kernel of this crate, for compiling all of them.
pub fn kernels() -> Vec<KernelInfo> {
    let others = [barriers::kernels(), endless::kernels(), faults::kernels(), launches::kernels(), output::kernels()];
    cases().iter().map(|case| (case.kernel)()).chain(others.into_iter().flatten()).collect()
}

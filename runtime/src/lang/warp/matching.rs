//! Matches: which lanes hold the same value. Floats are compared by their bits, where every NaN is the same.

use super::super::folded::FoldedBits;
use super::declare::*;

warp_ops! {
    /// CUDA's `__match_any_sync`: the lanes of `mask` that hold the same value as this one, as bits.
    ///
    /// Floats are compared by their bits, where every NaN is the same: -0 is not +0.
    match_any_sync<T: FoldedBits>(value: T) -> u32: "wc_match_any({0}, {1})", |warp| {
        let own = warp.own().folded_bits();
        warp.ballot(|other| other.folded_bits() == own)
    };
    /// CUDA's `__match_all_sync`: the lanes of `mask` if all of them hold the same value, else 0. That it is not 0 is
    /// CUDA's predicate.
    ///
    /// Floats are compared by their bits, where every NaN is the same: -0 is not +0.
    match_all_sync<T: FoldedBits>(value: T) -> u32: "wc_match_all({0}, {1})", |warp| {
        let own = warp.own().folded_bits();
        let same = warp.ballot(|other| other.folded_bits() == own);
        if same == warp.present { same } else { 0 }
    };
}

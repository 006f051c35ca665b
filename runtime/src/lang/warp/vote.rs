//! Votes: what the lanes' predicates are together.

use super::declare::*;

warp_ops! {
    /// CUDA's `__all_sync`: whether the predicate holds in all lanes of `mask`.
    all_sync(predicate: bool) -> bool: "(__all_sync({0}, {1}) != 0)", |warp| warp.ballot(|holds| holds) == warp.present;
    /// CUDA's `__any_sync`: whether the predicate holds in any lane of `mask`.
    any_sync(predicate: bool) -> bool: "(__any_sync({0}, {1}) != 0)", |warp| warp.ballot(|holds| holds) != 0;
    /// CUDA's `__ballot_sync`: the lanes of `mask` in which the predicate holds, as bits.
    ballot_sync(predicate: bool) -> u32: "__ballot_sync({0}, {1})", |warp| warp.ballot(|holds| holds);
}

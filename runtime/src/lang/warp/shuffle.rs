//! Shuffles: a lane gets the value of another lane.

use super::declare::*;

warp_ops! {
    /// CUDA's `__shfl_sync`: the value of lane `source % 32`.
    shfl_sync<T: Primitive>(value: T, source) -> T: "wc_shfl({0}, {1}, {2}, 32u)", |warp| warp.of(source & 31);
    /// CUDA's `__shfl_up_sync`: the value of the lane `delta` below; the lowest lanes keep their own.
    shfl_up_sync<T: Primitive>(value: T, delta) -> T: "wc_shfl_up({0}, {1}, {2}, 32u)", |warp| warp.of(up(warp.lane, delta, 32));
    /// CUDA's `__shfl_down_sync`: the value of the lane `delta` above; the highest lanes keep their own.
    shfl_down_sync<T: Primitive>(value: T, delta) -> T: "wc_shfl_down({0}, {1}, {2}, 32u)", |warp| warp.of(down(warp.lane, delta, 32));
    /// CUDA's `__shfl_xor_sync`: the value of the lane whose number differs in the bits of `lane_mask`.
    shfl_xor_sync<T: Primitive>(value: T, lane_mask) -> T: "wc_shfl_xor({0}, {1}, {2}, 32u)", |warp| warp.of(xor(warp.lane, lane_mask, 32));

    /// CUDA's `__shfl_sync` with a width: the warp is cut into groups of `width` lanes (1, 2, 4, 8, 16 or 32), and the
    /// value is that of lane `source % width` of the lane's own group.
    shfl_sync_width<T: Primitive>(value: T, source, width) -> T: "wc_shfl({0}, {1}, {2}, {3})",
        |warp| warp.of(index(warp.lane, source, width));
    /// CUDA's `__shfl_up_sync` with a width: as [`shfl_up_sync`] in groups of `width` lanes (1, 2, 4, 8, 16 or 32); the
    /// lowest lanes of each keep their own.
    shfl_up_sync_width<T: Primitive>(value: T, delta, width) -> T: "wc_shfl_up({0}, {1}, {2}, {3})",
        |warp| warp.of(up(warp.lane, delta, width));
    /// CUDA's `__shfl_down_sync` with a width: as [`shfl_down_sync`] in groups of `width` lanes (1, 2, 4, 8, 16 or 32); the
    /// highest lanes of each keep their own.
    shfl_down_sync_width<T: Primitive>(value: T, delta, width) -> T: "wc_shfl_down({0}, {1}, {2}, {3})",
        |warp| warp.of(down(warp.lane, delta, width));
    /// CUDA's `__shfl_xor_sync` with a width: as [`shfl_xor_sync`], but a lane keeps its own where the other is in a
    /// higher group of `width` lanes (1, 2, 4, 8, 16 or 32); lower groups can be reached, as in CUDA.
    shfl_xor_sync_width<T: Primitive>(value: T, lane_mask, width) -> T: "wc_shfl_xor({0}, {1}, {2}, {3})",
        |warp| warp.of(xor(warp.lane, lane_mask, width));
}

/// No lane: a lane that would read there keeps its own value.
const OUTSIDE: u32 = 32;

/// The first lane of the group; the formulas here are those of PTX `shfl.sync`.
#[inline(always)]
fn first(lane: u32, width: u32) -> u32 {
    lane & 32u32.wrapping_sub(width) & 31
}

/// The last lane of the group.
#[inline(always)]
fn last(lane: u32, width: u32) -> u32 {
    first(lane, width) | (!32u32.wrapping_sub(width) & 31)
}

#[inline(always)]
fn index(lane: u32, source: u32, width: u32) -> u32 {
    first(lane, width) | (source & !32u32.wrapping_sub(width) & 31)
}

#[inline(always)]
fn up(lane: u32, delta: u32, width: u32) -> u32 {
    let from = lane.wrapping_sub(delta & 31);
    if (from as i32) < first(lane, width) as i32 { OUTSIDE } else { from }
}

#[inline(always)]
fn down(lane: u32, delta: u32, width: u32) -> u32 {
    let from = lane + (delta & 31);
    if from > last(lane, width) { OUTSIDE } else { from }
}

#[inline(always)]
fn xor(lane: u32, lane_mask: u32, width: u32) -> u32 {
    let from = lane ^ (lane_mask & 31);
    if from > last(lane, width) { OUTSIDE } else { from }
}

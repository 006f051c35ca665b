//! What the tests of the primitives share.

use proptest::prelude::*;
use warpcell_runtime::{CpuOptions, Device, InstructionSet};

/// Lengths around the sizes of warps, blocks and tiles.
pub(crate) const LENGTHS: [usize; 14] = [0, 1, 31, 32, 33, 255, 257, 2047, 2048, 2049, 4095, 4096, 4097, 100_003];

/// The CPU, in each way to run a kernel.
pub(crate) fn devices() -> [Device; 3] {
    let options = [
        CpuOptions::default(),
        CpuOptions { futures: true, ..CpuOptions::default() },
        CpuOptions { instruction_set: Some(InstructionSet::Base), workers: Some(1), ..CpuOptions::default() },
    ];
    options.map(Device::cpu_with)
}

/// Numbers that look random, of `bits` bits.
pub(crate) fn numbers(n: usize, bits: u32, seed: u64) -> Vec<u64> {
    // Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014): SplitMix64.
    let mix = |i: u64| {
        let z = i.wrapping_add(seed << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31) >> (64 - bits)
    };
    (1..=n as u64).map(mix).collect()
}

/// Up to three tiles of keys, of few or many bits.
pub(crate) fn keys() -> impl Strategy<Value = Vec<u64>> {
    (0u32..64, 0u32..64).prop_flat_map(|(narrow, shift)| {
        prop::collection::vec(any::<u64>().prop_map(move |key| key >> narrow << shift), 0..10_000)
    })
}

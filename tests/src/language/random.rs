//! Random numbers: the same bits as on the host.

use crate::{Case, Output, assert_same};
use warpcell_runtime::prelude::*;
use warpcell_runtime::{Device, Error};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case { name: "Philox known answers", kernel: known::kernel, run: run_known },
        Case { name: "uniform and normal numbers", kernel: numbers::kernel, run: run_numbers },
    ]
}

#[gpu_kernel]
fn known(counters: &[u32], keys: &[u32], out: &mut [u32]) {
    let i = thread_rank();
    let counter = [counters[4 * i], counters[4 * i + 1], counters[4 * i + 2], counters[4 * i + 3]];
    let words = random::philox_4x32(counter, [keys[2 * i], keys[2 * i + 1]]);
    for k in 0..4usize {
        out[4 * i + k] = words[k];
    }
}

/// The known answers of Random123.
fn run_known(device: &Device, _: usize) -> Result<Output, Error> {
    let counters = [[0; 4], [u32::MAX; 4], [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344]].concat();
    let keys = [[0; 2], [u32::MAX; 2], [0xa409_3822, 0x299f_31d0]].concat();
    let mut out = device.zeros(12)?;
    known(&*device.upload(&counters)?, &*device.upload(&keys)?, &mut out).grid(1).block(3).launch()?;
    let expected = [
        [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8],
        [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd],
        [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
    ];
    assert_same("words", &out.download()?, &expected.concat());
    Ok(Output::new().with(&out.download()?))
}

#[gpu_kernel]
fn numbers(seed: u64, singles: &mut [f32], doubles: &mut [f64], whole: &mut [u64]) {
    let i = global_id();
    if i < whole.len() {
        singles[2 * i] = random::uniform_f32(seed, 1, i, 0);
        singles[2 * i + 1] = random::normal_f32(seed, 2, i, 0);
        doubles[2 * i] = random::uniform_f64(seed, 3, i, 1);
        doubles[2 * i + 1] = random::normal_f64(seed, 4, i, 1);
        whole[i] = random::below(seed, 5, i, 2, i as u64 * 1_000_003) + random::bits_u64(seed, 6, i, 3) * 3;
    }
}

fn run_numbers(device: &Device, n: usize) -> Result<Output, Error> {
    let seed = 0x0123_4567_89ab_cdef;
    let (mut singles, mut doubles) = (device.zeros(2 * n)?, device.zeros(2 * n)?);
    let mut whole = device.zeros(n)?;
    numbers(seed, &mut singles, &mut doubles, &mut whole).threads(n).launch()?;
    let (singles, doubles, whole) = (singles.download()?, doubles.download()?, whole.download()?);
    let single = |i: usize| [random::uniform_f32(seed, 1, i, 0), random::normal_f32(seed, 2, i, 0)];
    let double = |i: usize| [random::uniform_f64(seed, 3, i, 1), random::normal_f64(seed, 4, i, 1)];
    let number = |i: usize| {
        let below = random::below(seed, 5, i, 2, (i as u64).wrapping_mul(1_000_003));
        below.wrapping_add(random::bits_u64(seed, 6, i, 3).wrapping_mul(3))
    };
    assert_same("f32", &singles, &(0..n).flat_map(single).collect::<Vec<_>>());
    assert_same("f64", &doubles, &(0..n).flat_map(double).collect::<Vec<_>>());
    assert_same("u64", &whole, &(0..n).map(number).collect::<Vec<_>>());
    Ok(Output::new().with(&singles).with(&doubles).with(&whole))
}

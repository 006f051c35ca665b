//! The emitted C on the host: the shims mean what CUDA means, and planted errors are seen.

use warpcell_fuzz::host::{Argument, HostLibrary, Unit, compile};
use warpcell_fuzz::planted::PLANTED;
use warpcell_fuzz::program::ParamKind;
use warpcell_fuzz::scalar::Scalar;
use warpcell_runtime::prelude::*;

/// Barriers, an early return, votes, shuffles, atomics and their order.
#[gpu_kernel]
fn together(x: &[u32], counts: &mut [i32], out: &mut [u32]) {
    let mut tile = shared::<[u32; 64]>();
    let t = thread_rank();
    let i = global_id();
    tile[t] = x[i];
    sync_threads();
    let mut sum = tile[63 - t];
    sum += shfl_xor_sync(FULL_MASK, sum, 1) + shfl_down_sync(FULL_MASK, sum, 5) + shfl_up_sync(FULL_MASK, sum, 7);
    sum ^= shfl_sync(FULL_MASK, sum, 3) + ballot_sync(FULL_MASK, sum % 3 == 0);
    sync_threads();
    if sum % 4 == 1 {
        return;
    }
    atomic_max(&mut counts[0], sum as i32);
    atomic_add(&mut counts[1], 1);
    if all_sync(FULL_MASK, sum % 4 != 1) && any_sync(FULL_MASK, sum % 5 == 0) {
        sum += 1;
    }
    tile[t] = sum;
    sync_threads();
    out[i] = tile[(t + 1) % 64];
}

/// What the planted errors are about.
#[gpu_kernel]
fn arithmetic(x: &[f32], n: &[u32], out: &mut [u64]) {
    let i = global_id();
    let a = n[i] as u8;
    let b = n[i] as i16;
    let mut sum = (a + 200 > a) as u64 + (b * b) as u64;
    sum += (n[i] << n[i]) as u64 + (n[i] as i32 >> 3) as u64 + n[i].max(7) as u64 + (n[i] as f64 * 0.5) as u64;
    sum += x[i] as i32 as u64 + (n[i] as i32 % 7) as u64;
    sum += x[i].min(2.0).to_bits() as u64 + x[i].mul_add(x[i], -1.0).to_bits() as u64;
    for k in (0..a % 5).rev() {
        sum += k as u64;
    }
    let old = sum + {
        sum = 3;
        sum
    };
    out[i] = old;
    sync_threads();
    out[i] += shfl_down_sync(FULL_MASK, sum, 1);
}

fn names() -> Vec<(String, String)> {
    [together::kernel(), arithmetic::kernel()]
        .iter()
        .map(|kernel| (kernel.name().to_string(), kernel.cuda_source().unwrap()))
        .collect()
}

#[test]
fn the_host_runs_what_the_cpu_runs() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let library = folder.join("together.so");
    compile(&Unit::new(&names()), &library).unwrap();
    let library = HostLibrary::open(&library).unwrap();
    let x: Vec<u32> = (0..128u32).map(|i| i.wrapping_mul(0x9e37_79b9) >> 20).collect();
    let mut arguments: Vec<Argument> = vec![
        (Scalar::U32, ParamKind::Input(128), x.iter().map(|x| u64::from(*x)).collect()),
        (Scalar::I32, ParamKind::Output(2), vec![0; 2]),
        (Scalar::U32, ParamKind::Output(128), vec![7; 128]),
    ];
    library.run("together", [2, 1, 1], [64, 1, 1], &mut arguments).unwrap();

    let device = Device::cpu();
    let (mut counts, mut out) = (device.zeros::<i32>(2).unwrap(), device.upload(&[7u32; 128]).unwrap());
    together(&device.upload(&x).unwrap(), &mut counts, &mut out).grid(2).block(64).launch().unwrap();
    let bits = |values: Vec<u32>| values.into_iter().map(u64::from).collect::<Vec<_>>();
    assert_eq!(arguments[1].2, bits(counts.download().unwrap().into_iter().map(|count| count as u32).collect()));
    assert_eq!(arguments[2].2, bits(out.download().unwrap()));
    assert!(arguments[2].2.contains(&7), "some threads return early");
}

#[test]
fn a_fault_is_reported() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let library = folder.join("faults.so");
    compile(&Unit::new(&names()), &library).unwrap();
    let library = HostLibrary::open(&library).unwrap();
    let mut arguments: Vec<Argument> = vec![
        (Scalar::U32, ParamKind::Input(70), vec![1; 70]),
        (Scalar::I32, ParamKind::Output(2), vec![0; 2]),
        (Scalar::U32, ParamKind::Output(128), vec![0; 128]),
    ];
    let error = library.run("together", [2, 1, 1], [64, 1, 1], &mut arguments).unwrap_err();
    assert!(error.contains("block 1, thread 6"), "{error}");
    assert!(library.run("missing", [1, 1, 1], [1, 1, 1], &mut []).is_err());
}

#[test]
fn the_emitted_text_has_a_place_for_each_planted_error() {
    let unit = Unit::new(&names());
    assert!(PLANTED.len() >= 10);
    for planted in PLANTED {
        planted.into(&unit).unwrap();
    }
}

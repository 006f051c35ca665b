//! What a kernel compiles to: its CUDA C against the files of `golden_cuda/`, and what NVRTC makes of it.
//!
//! After a change of the emitter: `WARPCELL_BLESS=1 cargo test -p warpcell-tests --test inspection`, and read the
//! difference.

use std::path::Path;
use warpcell_runtime::cuda::Nvrtc;
use warpcell_runtime::prelude::*;
use warpcell_runtime::{Error, KernelInfo};

/// Kernels that between them have every construct.
const GOLDEN: [&str; 14] = [
    "vector_add",
    "operators_i32",
    "casts_f32",
    "loops",
    "ranges",
    "evaluation",
    "scaled",
    "slices",
    "tree",
    "atomics",
    "votes",
    "flat_block",
    "shared_slices",
    "grid_rows",
];

fn kernel(name: &str) -> KernelInfo {
    let all = warpcell_tests::language::kernels();
    *all.iter().find(|kernel| kernel.name() == name).unwrap_or_else(|| panic!("there is no kernel `{name}`"))
}

/// J10: without the prelude, so that a change of it does not change all files.
#[test]
fn cuda_sources_are_those_that_were_read_and_the_same_twice() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden_cuda");
    let bless = std::env::var_os("WARPCELL_BLESS").is_some();
    for name in GOLDEN {
        let (kernel, path) = (kernel(name), folder.join(format!("{name}.cu")));
        let source = kernel.own_cuda_source().unwrap();
        assert_eq!(kernel.cuda_source().unwrap(), kernel.cuda_source().unwrap(), "{name}");
        assert!(kernel.cuda_source().unwrap().ends_with(&source), "{name}");
        if bless {
            std::fs::write(&path, &source).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(source == expected, "{name}: {} says\n{expected}\nand the emitter\n{source}", path.display());
    }
}

#[test]
fn every_golden_file_is_compared() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden_cuda");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(GOLDEN.contains(&name), "{}: no kernel is compared with it", path.display());
    }
}

#[gpu_kernel]
fn plain(a: f32, x: &[f32], out: &mut [f32]) {
    let i = global_id();
    if i < out.len() {
        out[i] = a * x[i] + x[i] / 3.0;
    }
}

#[gpu_kernel(fast_math)]
fn fast(a: f32, x: &[f32], out: &mut [f32]) {
    let i = global_id();
    if i < out.len() {
        out[i] = a * x[i] + x[i] / 3.0;
    }
}

/// Keeps 64 values at a time.
#[gpu_kernel(max_registers = 32)]
fn spilling(x: &[f32], out: &mut [f32]) {
    let mut kept = [0.0f32; 64];
    for k in 0..64 {
        kept[k] = x[k];
    }
    let mut sum = 0.0;
    for k in 0..64 {
        sum += kept[k] * kept[63 - k] * x[k + 64];
    }
    out[0] = sum;
}

#[gpu_kernel(block = 1024, min_blocks = 2)]
fn bounded(out: &mut [f32]) {
    let mut tile = shared::<[f32; 1024]>();
    tile[thread_rank()] = 1.0;
    sync_threads();
    out[0] = tile[1023 - thread_rank()];
}

/// NVRTC needs no GPU, but it may be missing.
fn with_nvrtc(check: impl FnOnce() -> Result<(), Error>) {
    match Nvrtc::load() {
        Ok(_) => check().unwrap(),
        Err(error) => println!("not tested: {error}"),
    }
}

/// J09
#[test]
fn ptx_cubin_and_resources_are_known_without_a_gpu() {
    assert!(plain::cuda_source().unwrap().contains("plain_("));
    with_nvrtc(|| {
        let ptx = plain::ptx((9, 0))?;
        assert!(ptx.contains(".entry plain_(") && ptx.contains("sm_90"), "{ptx}");
        assert!(plain::cubin((9, 0))?.starts_with(b"\x7fELF"));
        for capability in [(7, 5), (8, 0), (9, 0), (12, 0)] {
            let found = plain::kernel().resources(capability)?.expect("NVRTC's files are known");
            assert!(found.registers > 0 && found.static_shared_bytes == 0, "{found:?}");
            let found = bounded::kernel().resources(capability)?.expect("NVRTC's files are known");
            assert_eq!(found.static_shared_bytes, 4096, "{found:?}");
        }
        let error = plain::ptx((1, 0)).unwrap_err();
        assert!(error.to_string().contains("10"), "{error}");
        Ok(())
    });
}

#[test]
fn attributes_reach_the_compiler() {
    with_nvrtc(|| {
        let (strict, fast) = (plain::ptx((9, 0))?, fast::ptx((9, 0))?);
        assert!(!strict.contains("fma.") && !strict.contains(".ftz") && strict.contains("div.rn.f32"), "{strict}");
        assert!(fast.contains("fma.rn.ftz.f32") && !fast.contains("div.rn.f32"), "{fast}");
        let bounds = bounded::ptx((9, 0))?;
        assert!(bounds.contains(".maxntid 1024") && bounds.contains(".minnctapersm 2"), "{bounds}");
        for capability in [(8, 0), (9, 0)] {
            let found = spilling::kernel().resources(capability)?.expect("NVRTC's files are known");
            assert!(found.registers <= 32, "{found:?}");
            let found = bounded::kernel().resources(capability)?.expect("NVRTC's files are known");
            assert!(found.registers <= 32, "2 blocks of 1024 threads leave 32 of 65536 registers each: {found:?}");
        }
        Ok(())
    });
}

/// `__restrict__` would tell the compiler that the value can't have changed.
#[test]
fn memory_is_read_again_after_a_barrier() {
    with_nvrtc(|| {
        let ptx = kernel("twice_read").ptx((9, 0))?;
        assert_eq!(ptx.matches("ld.global").count(), 2, "{ptx}");
        Ok(())
    });
}

#[test]
fn attributes_are_shown() {
    assert_eq!(bounded::kernel().attributes().block, Some([1024, 1, 1]));
    assert_eq!(bounded::kernel().attributes().min_blocks, Some(2));
    assert_eq!(spilling::kernel().attributes().max_registers, Some(32));
    assert!(fast::kernel().attributes().fast_math && !plain::kernel().attributes().fast_math);
}

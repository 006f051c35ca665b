//! Every kernel of the crate runs in phases on the CPU, and compiles for every generation of devices.

use warpcell_ops::kernels;
use warpcell_runtime::KernelInfo;
use warpcell_runtime::cuda::{Nvrtc, Target};

#[test]
fn all_run_in_phases() {
    let waiting: Vec<&str> = kernels().iter().filter(|kernel| !kernel.runs_in_phases()).map(KernelInfo::name).collect();
    assert!(waiting.is_empty(), "these run as futures: {waiting:?}");
}

#[test]
fn all_compile_from_turing_to_blackwell() {
    let nvrtc = match Nvrtc::load() {
        Ok(nvrtc) => nvrtc,
        Err(error) => return println!("not checked: {error}"),
    };
    for kernel in kernels() {
        let source = kernel.cuda_source().unwrap();
        for (major, minor) in [(7, 5), (8, 0), (9, 0), (12, 0)] {
            let compiled = nvrtc.compile(kernel.name(), &source, Target::Cubin { major, minor }, &[]);
            let compiled = compiled.unwrap_or_else(|error| panic!("{} for sm_{major}{minor}: {error}", kernel.name()));
            assert!(!compiled.is_empty());
        }
    }
}

//! Compiles every kernel of the workspace with NVRTC, to PTX and to CUBIN, for each generation of devices. Needs no GPU.

use anyhow::{Context, Result, ensure};
use warpcell_runtime::KernelInfo;
use warpcell_runtime::cuda::{Nvrtc, Target};

/// Turing, Ampere, Hopper, Blackwell.
const ARCHITECTURES: [(u32, u32); 4] = [(7, 5), (8, 0), (9, 0), (12, 0)];

fn main() -> Result<()> {
    let nvrtc = Nvrtc::load()?;
    let kernels: Vec<KernelInfo> = warpcell_tests::all_kernels();
    for kernel in &kernels {
        let source = kernel.cuda_source()?;
        ensure!(source == kernel.cuda_source()?, "{}: two emissions differ", kernel.name());
        // A launch of one dimension is compiled with cheaper indices; each form is tried with one of the targets.
        for (major, minor) in ARCHITECTURES {
            for (target, options) in [
                (Target::Cubin { major, minor }, kernel.options(true)),
                (Target::Ptx { major, minor }, kernel.options(false)),
            ] {
                let image = nvrtc
                    .compile(kernel.name(), &source, target, &options)
                    .with_context(|| format!("{} for sm_{major}{minor}", kernel.name()))?;
                ensure!(!image.is_empty(), "{}: an empty image", kernel.name());
            }
        }
    }
    println!("{} kernels compiled for {} architectures, to PTX and CUBIN", kernels.len(), ARCHITECTURES.len());
    Ok(())
}

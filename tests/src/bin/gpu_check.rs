//! Runs every check on the CPU and on a CUDA device, compares the bits, measures, and prints a table.
//!
//! `cargo run --release -p warpcell-tests --bin gpu_check [-- OUTPUT.md [FILE.h5ad …]]`

use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use warpcell::pipeline::{DeviceData, Options, Pipeline, digests};
use warpcell_runtime::{Device, Error, KernelInfo, KernelTime};
use warpcell_tests::language::faults::{self, FaultCase};
use warpcell_tests::language::launches;
use warpcell_tests::{Output, SIZES, bench, ops};

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let output = arguments.next();
    let (cpu, cuda) = (Device::cpu(), Device::cuda(0)?);
    let mut report = Report::default();
    report.line(format!("# {} against {}\n", cuda.name(), cpu.name()));
    check_language(&cpu, &cuda, &mut report);
    check_ops(&cpu, &cuda, &mut report);
    check_faults(&cuda, &mut report);
    for file in arguments {
        check_pipeline(&cpu, &cuda, &file, &mut report)?;
    }
    report.line("\n| benchmark | size | ms | rate | share |\n| --- | ---: | ---: | ---: | ---: |".into());
    for row in bench::device(&cuda)? {
        report.line(row.to_string());
    }
    report.line(format!("\n{} passed, {} failed", report.passed, report.failed));
    if let Some(path) = output {
        std::fs::write(&path, &report.text).with_context(|| format!("writing {path}"))?;
    }
    anyhow::ensure!(report.failed == 0, "{} checks failed", report.failed);
    Ok(())
}

/// What was found, printed as it comes.
#[derive(Default)]
struct Report {
    text: String,
    passed: usize,
    failed: usize,
}

impl Report {
    fn line(&mut self, line: String) {
        println!("{line}");
        // Writing to a string can't fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn count(&mut self, passed: bool) -> &'static str {
        if passed {
            self.passed += 1;
            "equal"
        } else {
            self.failed += 1;
            "**DIFFERENT**"
        }
    }
}

const HEADER: &str = "| check | size | CPU digest | CUDA digest | bits | kernel time, ms | launches | registers |\n\
                      | --- | ---: | --- | --- | --- | ---: | ---: | ---: |";

fn check_language(cpu: &Device, cuda: &Device, report: &mut Report) {
    report.line(HEADER.into());
    for case in warpcell_tests::cases() {
        let registers = match cuda.attributes(&(case.kernel)()) {
            Ok(Some(attributes)) => attributes.registers.to_string(),
            Ok(None) => "-".into(),
            Err(error) => format!("does not compile: {error}"),
        };
        for size in SIZES {
            let row = compare(cpu, cuda, report, |device| (case.run)(device, size).map_err(|error| error.to_string()));
            report.line(format!("| {} | {size} | {row} | {registers} |", case.name));
        }
    }
}

fn check_ops(cpu: &Device, cuda: &Device, report: &mut Report) {
    report.line(format!("\n{HEADER}"));
    for case in ops::cases() {
        for size in SIZES {
            let row = compare(cpu, cuda, report, |device| (case.run)(device, size).map_err(|error| error.to_string()));
            report.line(format!("| {} | {size} | {row} | - |", case.name));
        }
    }
    report.line("\n| kernel | registers | shared, bytes | local, bytes | block | occupancy |".into());
    report.line("| --- | ---: | ---: | ---: | ---: | ---: |".into());
    for kernel in warpcell_ops::kernels() {
        let row = compiled(cuda, &kernel).unwrap_or_else(|error| format!("does not compile: {error} | - | - | - | -"));
        report.line(format!("| {} | {row} |", kernel.name()));
    }
}

/// What the compiler gave a kernel, and how well blocks of its size, or 256 threads, fill a multiprocessor.
fn compiled(cuda: &Device, kernel: &KernelInfo) -> Result<String, Error> {
    let [x, y, z] = kernel.attributes().block.unwrap_or([256, 1, 1]);
    let (Some(found), Some(occupancy)) = (cuda.attributes(kernel)?, cuda.occupancy(kernel, (x, y, z), 0)?) else {
        return Ok("- | - | - | - | -".into());
    };
    let share = 100 * occupancy.threads / occupancy.max_threads;
    let (registers, shared, local) = (found.registers, found.static_shared_bytes, found.local_bytes);
    Ok(format!("{registers} | {shared} | {local} | {} | {share} %", x * y * z))
}

/// Runs a check on both devices, and the CUDA device twice: the digests, whether they are equal, and the times of the
/// second, warm run.
fn compare(
    cpu: &Device,
    cuda: &Device,
    report: &mut Report,
    run: impl Fn(&Device) -> Result<Output, String>,
) -> String {
    let expected = guarded(|| run(cpu));
    let first = guarded(|| run(cuda));
    let second = measured(cuda, &run);
    match (expected, first, second) {
        (Ok(expected), Ok(first), Ok((second, times))) => {
            let verdict = report.count(expected == first && first == second);
            // The sum of no floats is -0.
            let milliseconds = times.iter().fold(0.0, |sum, time| sum + time.milliseconds);
            let launches: u64 = times.iter().map(|time| time.launches).sum();
            let (expected, found) = (expected.digest(), second.digest());
            format!("{expected:016x} | {found:016x} | {verdict} | {milliseconds:.4} | {launches}")
        }
        (expected, first, second) => {
            report.count(false);
            let problems = [expected.err(), first.err(), second.err()].into_iter().flatten().collect::<Vec<_>>();
            format!("- | - | **FAILED**: {} | - | -", problems.join("; ").replace('\n', " "))
        }
    }
}

/// A panic as an error.
fn guarded<R>(work: impl FnOnce() -> Result<R, String>) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(message(&*panic)))
}

fn measured(
    cuda: &Device,
    run: &impl Fn(&Device) -> Result<Output, String>,
) -> Result<(Output, Vec<KernelTime>), String> {
    guarded(|| {
        let (output, times) = cuda.profiled(|| Ok(run(cuda))).map_err(|error| error.to_string())?;
        Ok((output?, times))
    })
}

/// The whole pipeline on a file: every output's digest, and what each step took.
fn check_pipeline(cpu: &Device, cuda: &Device, file: &str, report: &mut Report) -> Result<()> {
    let input = warpcell::io::read(file.as_ref())?;
    report.line(format!("\n## {file}: {} cells x {} genes\n", input.n_obs(), input.n_vars()));
    let pipeline = Pipeline::standard(&Options::default());
    let run = |device: &Device| -> Result<_> {
        let mut data = DeviceData::upload(device, input.clone())?;
        let steps = pipeline.run(&mut data, |_, _, _| {})?;
        Ok((digests(&data.download()?), steps))
    };
    let (expected, cpu_steps) = run(cpu)?;
    run(cuda)?;
    let (found, cuda_steps) = run(cuda)?;
    report.line("| output | CPU digest | CUDA digest | bits |\n| --- | --- | --- | --- |".into());
    for (name, digest) in &expected {
        let other = found.get(name).map_or("-", String::as_str);
        let verdict = report.count(digest == other);
        report.line(format!("| {name} | {digest} | {other} | {verdict} |"));
    }
    report.line("\n| step | CPU, s | CUDA, s | launches | bytes to device | bytes to host |".into());
    report.line("| --- | ---: | ---: | ---: | ---: | ---: |".into());
    for (slow, fast) in cpu_steps.steps.iter().zip(&cuda_steps.steps) {
        let moved = format!("{} | {}", fast.bytes_to_device, fast.bytes_to_host);
        report.line(format!(
            "| {} | {:.4} | {:.4} | {} | {moved} |",
            fast.name, slow.seconds, fast.seconds, fast.launches
        ));
    }
    Ok(())
}

fn check_faults(cuda: &Device, report: &mut Report) {
    report.line("\n| fault | outcome |\n| --- | --- |".into());
    let large = FaultCase { name: "G05 an index above two gigabytes", run: launches::above_two_gigabytes };
    for case in faults::cases().into_iter().chain([large]) {
        let outcome = match catch_unwind(AssertUnwindSafe(|| (case.run)(cuda))) {
            Ok(Ok(())) => "reported as on the CPU; the device works on".to_string(),
            Ok(Err(error)) => format!("**FAILED**: {error}"),
            Err(panic) => format!("**FAILED**: {}", message(&*panic)),
        };
        report.count(!outcome.starts_with("**"));
        report.line(format!("| {} | {outcome} |", case.name));
    }
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string())).unwrap_or_else(|| "a panic".into())
}

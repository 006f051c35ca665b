//! Runs every check on the CPU and on a CUDA device, compares the bits, measures, and prints a table.
//!
//! `cargo run --release -p warpcell-tests --bin gpu_check [-- OUTPUT.md [FILE.h5ad …]]`

use anyhow::{Context, Result};
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use warpcell_runtime::{Device, KernelTime};
use warpcell_tests::{Case, Output, SIZES, language::faults};

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let output = arguments.next();
    let (cpu, cuda) = (Device::cpu(), Device::cuda(0)?);
    let mut report = Report::default();
    report.line(format!("# {} against {}\n", cuda.name(), cpu.name()));
    check_cases(&cpu, &cuda, &mut report);
    check_faults(&cuda, &mut report);
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

fn check_cases(cpu: &Device, cuda: &Device, report: &mut Report) {
    report.line("| check | size | CPU digest | CUDA digest | bits | kernel time, ms | launches | registers |".into());
    report.line("| --- | ---: | --- | --- | --- | ---: | ---: | ---: |".into());
    for case in warpcell_tests::cases() {
        let registers = match cuda.attributes(&(case.kernel)()) {
            Ok(Some(attributes)) => attributes.registers.to_string(),
            Ok(None) => "-".into(),
            Err(error) => format!("does not compile: {error}"),
        };
        for size in SIZES {
            let row = match (run(&case, cpu, size), run(&case, cuda, size)) {
                (Ok((expected, _)), Ok((found, times))) => {
                    let verdict = report.count(expected == found);
                    let milliseconds: f64 = times.iter().map(|time| time.milliseconds).sum();
                    let launches: u64 = times.iter().map(|time| time.launches).sum();
                    let (expected, found) = (expected.digest(), found.digest());
                    format!("{expected:016x} | {found:016x} | {verdict} | {milliseconds:.4} | {launches}")
                }
                (expected, found) => {
                    report.count(false);
                    let problem = [expected.err(), found.err()].into_iter().flatten().collect::<Vec<_>>().join("; ");
                    format!("- | - | **FAILED**: {} | - | -", problem.replace('\n', " "))
                }
            };
            report.line(format!("| {} | {size} | {row} | {registers} |", case.name));
        }
    }
}

/// Runs a check twice on a CUDA device, so that the times are of the second, warm run.
fn run(case: &Case, device: &Device, size: usize) -> Result<(Output, Vec<KernelTime>), String> {
    let once = || match catch_unwind(AssertUnwindSafe(|| device.profiled(|| (case.run)(device, size)))) {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(error)) => Err(error.to_string()),
        Err(panic) => Err(message(&*panic)),
    };
    if device.is_cuda() {
        let (first, _) = once()?;
        let (second, times) = once()?;
        if first != second {
            return Err("two runs differ".into());
        }
        return Ok((second, times));
    }
    once()
}

fn check_faults(cuda: &Device, report: &mut Report) {
    report.line("\n| fault | outcome |\n| --- | --- |".into());
    for case in faults::cases() {
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

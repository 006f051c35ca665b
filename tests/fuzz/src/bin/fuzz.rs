//! Runs random kernels on every target that this machine has, and compares.
//!
//! `cargo run -p warpcell-fuzz --bin fuzz -- --seed 1 --count 200`

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use warpcell_fuzz::batch::{DIFFERENT, RUNNING};
use warpcell_fuzz::host::{self, Unit};
use warpcell_fuzz::package::{Built, Package};
use warpcell_fuzz::planted::{PLANTED, Planted};
use warpcell_fuzz::program::Kernel;
use warpcell_fuzz::{generate, reduce};

/// Random kernels, whose results must be equal on all targets: the CPU's forms, and the emitted C on the host.
#[derive(Parser)]
struct Arguments {
    /// The seed of the sequence of kernels.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The first kernel of the sequence.
    #[arg(long, default_value_t = 0)]
    first: usize,
    /// How many kernels.
    #[arg(long, default_value_t = 200)]
    count: usize,
    /// How many are compiled at once.
    #[arg(long, default_value_t = 200)]
    batch: usize,
    /// rustc's optimisation of the kernels.
    #[arg(long, default_value_t = 0)]
    opt_level: u8,
    /// Plant errors into the emitted C, one at a time, and say after how many kernels each is found.
    #[arg(long)]
    planted: bool,
    /// The name of the crate of kernels; runs with different names can go on side by side.
    #[arg(long, default_value = "batch")]
    name: String,
    /// Put the source of each kernel that differs there, as it is and made smaller.
    #[arg(long)]
    save: Option<PathBuf>,
    /// Only build the kernels, all at once, into this program, which can be run elsewhere: `PROGRAM run phases cuda`.
    #[arg(long)]
    build_only: Option<PathBuf>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let package = Package { name: arguments.name.clone(), opt_level: arguments.opt_level };
    let kernels: Vec<Kernel> = (arguments.first..arguments.first + arguments.count)
        .map(|number| generate::kernel(arguments.seed, number))
        .collect();
    if let Some(to) = &arguments.build_only {
        return match package.build(&kernels)? {
            Built::Program(program) => {
                std::fs::copy(program, to).map(|_| ()).with_context(|| format!("writing {}", to.display()))
            }
            Built::Refused(refused) => bail!("these do not compile: {refused:?}"),
        };
    }
    host::compiler()?;
    describe(&kernels);
    if arguments.planted {
        find_planted(&kernels, &arguments, &package)
    } else {
        find_differences(&kernels, &arguments, &package)
    }
}

fn describe(kernels: &[Kernel]) {
    let statements: usize = kernels.iter().map(Kernel::statements).sum();
    let with = |text: &str| kernels.iter().filter(|kernel| kernel.mentions(text)).count();
    println!(
        "{} kernels, {:.1} statements on average, {} with barriers, {} with shuffles",
        kernels.len(),
        statements as f64 / kernels.len().max(1) as f64,
        with("sync_threads()"),
        with("shfl_")
    );
}

/// A batch, built and emitted.
struct Batch {
    /// Reports on kernels that do not compile.
    refused: Vec<String>,
    folder: PathBuf,
    program: PathBuf,
    unit: Unit,
}

impl Batch {
    fn new(kernels: &[Kernel], package: &Package) -> Result<Batch> {
        let mut kernels = kernels.to_vec();
        let mut refused = Vec::new();
        let program = loop {
            match package.build(&kernels)? {
                Built::Program(program) => break program,
                Built::Refused(found) => {
                    kernels.retain(|kernel| found.iter().all(|(name, _)| *name != kernel.name));
                    refused.extend(
                        found.into_iter().map(|(name, message)| format!("{name}: does not compile: {message}")),
                    );
                }
            }
        };
        let folder = package.folder();
        let texts = folder.join("emitted");
        let run = Command::new(&program).arg("emit").arg(&texts).output()?;
        ensure!(run.status.success(), "emitting: {}", String::from_utf8_lossy(&run.stderr));
        let names: Vec<String> = kernels.iter().map(|kernel| kernel.name.clone()).collect();
        let unit = Unit::new(&host::emitted(&texts, &names)?);
        Ok(Batch { refused, folder, program, unit })
    }

    /// The reports on kernels whose results differ on `targets` or on the host, where `unit` runs.
    fn run(&self, unit: &Unit, targets: &[&str]) -> Result<Vec<String>> {
        let library = self.folder.join("host.so");
        host::compile(unit, &library)?;
        let report = self.folder.join("report.txt");
        let mut run = Command::new(&self.program)
            .arg("run")
            .args(targets)
            .arg(format!("host={}", library.display()))
            .stdout(std::fs::File::create(&report)?)
            .stderr(Stdio::null())
            .spawn()?;
        let status = wait(&mut run)?;
        let text = std::fs::read_to_string(&report)?;
        let mut reports: Vec<String> =
            text.lines().filter_map(|line| line.strip_prefix(DIFFERENT)).map(str::to_string).collect();
        if !status.is_some_and(|status| status.success() || status.code() == Some(1)) {
            let last = text.lines().filter_map(|line| line.strip_prefix(RUNNING)).next_back();
            let how = status.map_or("does not end".to_string(), |status| status.to_string());
            reports.push(format!("{}: {how}", last.unwrap_or("no kernel was reached")));
        }
        reports.extend(self.refused.iter().cloned());
        Ok(reports)
    }
}

/// How long a batch may run.
const LIMIT: Duration = Duration::from_secs(300);

/// Waits for the end of `run`, or ends it.
fn wait(run: &mut Child) -> Result<Option<ExitStatus>> {
    let start = Instant::now();
    while start.elapsed() < LIMIT {
        if let Some(status) = run.try_wait()? {
            return Ok(Some(status));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    run.kill()?;
    run.wait()?;
    Ok(None)
}

const CPU: [&str; 3] = ["phases", "base", "futures"];

fn find_differences(kernels: &[Kernel], arguments: &Arguments, package: &Package) -> Result<()> {
    let (start, mut different) = (Instant::now(), 0);
    for (number, batch) in kernels.chunks(arguments.batch.max(1)).enumerate() {
        let built = Batch::new(batch, package)?;
        let reports = built.run(&built.unit, &CPU)?;
        for report in &reports {
            println!("{report}");
            let name = report.split(':').next().unwrap_or_default();
            if let (Some(folder), Some(kernel)) = (&arguments.save, batch.iter().find(|kernel| kernel.name == name)) {
                save(folder, kernel, package)?;
            }
        }
        different += reports.len();
        let done = number * arguments.batch + batch.len();
        println!("{done} kernels, {different} different, {:.0} s", start.elapsed().as_secs_f64());
    }
    ensure!(different == 0, "{different} kernels gave different results");
    Ok(())
}

/// Writes a kernel that differs, and what is left of it when all that doesn't matter is gone.
fn save(folder: &Path, kernel: &Kernel, package: &Package) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join(format!("{}.rs", kernel.name)), kernel.source())?;
    let smaller = reduce::reduce(kernel, |candidates| {
        let built = Batch::new(candidates, package)?;
        let reports = built.run(&built.unit, &CPU)?;
        let names: Vec<&str> = reports.iter().filter_map(|report| report.split(':').next()).collect();
        Ok(candidates.iter().map(|candidate| names.contains(&candidate.name.as_str())).collect())
    })?;
    let path = folder.join(format!("{}_reduced.rs", kernel.name));
    std::fs::write(&path, smaller.source())?;
    println!("{}: {} of {} statements are left", path.display(), smaller.statements(), kernel.statements());
    Ok(())
}

fn find_planted(kernels: &[Kernel], arguments: &Arguments, package: &Package) -> Result<()> {
    let mut open: Vec<&Planted> = PLANTED.iter().collect();
    for (number, batch) in kernels.chunks(arguments.batch.max(1)).enumerate() {
        if open.is_empty() {
            break;
        }
        let built = Batch::new(batch, package)?;
        let clean = built.run(&built.unit, &CPU[..1])?;
        ensure!(clean.is_empty(), "these differ without a planted error: {clean:?}");
        let mut left = Vec::new();
        for planted in open {
            let reports = built.run(&planted.into(&built.unit)?, &CPU[..1])?;
            let first =
                batch.iter().position(|kernel| reports.iter().any(|it| it.starts_with(&format!("{}:", kernel.name))));
            match first {
                Some(first) => println!(
                    "| {} | {} | {} of {} |",
                    planted.name,
                    number * arguments.batch + first + 1,
                    reports.len(),
                    batch.len()
                ),
                None => left.push(planted),
            }
        }
        open = left;
    }
    let names: Vec<&str> = open.iter().map(|planted| planted.name).collect();
    ensure!(names.is_empty(), "planted and not found in {} kernels: {}", kernels.len(), names.join("; "));
    Ok(())
}

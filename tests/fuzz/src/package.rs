//! Kernels as a crate of their own, built by cargo.
//!
//! The crate depends on packages of the workspace and on what these depend on, so it is built without a network. Its
//! kernels are spread over several libraries, which are compiled at the same time.

use crate::program::Kernel;
use anyhow::{Context, Result, ensure};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Kernels of a library of the crate.
const LIBRARY: usize = 50;

/// What became of a crate.
pub enum Built {
    /// Its program.
    Program(PathBuf),
    /// Kernels that rustc does not take, each with what it says.
    Refused(Vec<(String, String)>),
}

/// A crate of kernels: its place, and how it is built.
#[derive(Clone, Debug)]
pub struct Package {
    /// Crates of different names can be built side by side.
    pub name: String,
    /// rustc's optimisation of the kernels' CPU forms.
    pub opt_level: u8,
}

/// Where cargo builds, for this program too.
fn target_directory() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace().join("target"), PathBuf::from)
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

impl Package {
    /// The folder of all that belongs to it.
    pub fn folder(&self) -> PathBuf {
        target_directory().join("fuzz").join(&self.name)
    }

    /// Writes and builds the crate; its program, or the kernels that do not compile.
    ///
    /// # Errors
    /// cargo says what is wrong, and it is with no kernel; the crate is then left in [`folder`](Package::folder).
    pub fn build(&self, kernels: &[Kernel]) -> Result<Built> {
        let folder = self.folder().join("crate");
        self.write(&folder, kernels)?;
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let run = Command::new(cargo)
            .args(["build", "--quiet", "--offline", "--keep-going"])
            .current_dir(&folder)
            .env("CARGO_TARGET_DIR", target_directory())
            .env("CARGO_INCREMENTAL", "0")
            .output()
            .context("starting cargo")?;
        if !run.status.success() {
            let text = String::from_utf8_lossy(&run.stderr);
            let refused = refused(kernels, &text);
            ensure!(!refused.is_empty(), "the crate in {} does not build:\n{text}", folder.display());
            return Ok(Built::Refused(refused));
        }
        let program = target_directory().join(format!("debug/fuzz_{}", self.name));
        ensure!(program.exists(), "cargo has not written {}", program.display());
        Ok(Built::Program(program))
    }

    fn write(&self, folder: &Path, kernels: &[Kernel]) -> Result<()> {
        let workspace = workspace().canonicalize()?;
        let dependencies = format!(
            "[dependencies]\nwarpcell-fuzz = {{ path = {:?} }}\nwarpcell-runtime = {{ path = {:?} }}\n",
            workspace.join("tests/fuzz"),
            workspace.join("runtime")
        );
        let mut manifest = format!(
            "[package]\nname = \"fuzz_{}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
             [workspace]\nresolver = \"3\"\nmembers = [\"library_*\"]\n\n\
             [profile.dev]\nopt-level = {}\ndebug = false\n\n\
             [profile.dev.package.\"*\"]\nopt-level = 2\n\n\
             [profile.dev.build-override]\nopt-level = 1\ndebug = false\n\n{dependencies}",
            self.name, self.opt_level
        );
        // Libraries of an earlier, larger crate would be members too.
        for stale in (kernels.len().div_ceil(LIBRARY)..).map(|number| folder.join(format!("library_{number}"))) {
            if !stale.exists() {
                break;
            }
            std::fs::remove_dir_all(stale)?;
        }
        let mut entries = String::new();
        for (number, chunk) in kernels.chunks(LIBRARY).enumerate() {
            let library = format!("library_{number}");
            let of_library =
                format!("[package]\nname = \"{library}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n{dependencies}");
            for kernel in chunk {
                // Writing to a string can't fail.
                let _ = writeln!(entries, "        &{library}::{}::ENTRY,", kernel.name);
            }
            write_file(&folder.join(&library).join("Cargo.toml"), &of_library)?;
            write_file(&folder.join(&library).join("src/lib.rs"), &library_source(chunk))?;
            let _ = writeln!(manifest, "{library} = {{ path = \"{library}\" }}");
        }
        write_file(&folder.join("Cargo.toml"), &manifest)?;
        write_file(
            &folder.join("src/main.rs"),
            &format!(
                "fn main() -> Result<(), impl std::fmt::Debug> {{\n    warpcell_fuzz::batch::main(&[\n{entries}    ])\n}}\n"
            ),
        )?;
        // The versions of the workspace, so that nothing is looked up.
        std::fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        Ok(())
    }
}

/// The text of a library.
fn library_source(kernels: &[Kernel]) -> String {
    let head = String::from("#![allow(warnings, arithmetic_overflow, unconditional_panic)]\n");
    kernels.iter().fold(head, |text, kernel| text + &kernel.source())
}

/// The kernels that rustc's messages point at, each with the first message.
fn refused(kernels: &[Kernel], text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut message = "";
    for line in text.lines() {
        if line.starts_with("error") {
            message = line;
        }
        let Some(name) = line.trim().strip_prefix("--> library_").and_then(|place| kernel_at(kernels, place)) else {
            continue;
        };
        if found.iter().all(|(known, _)| *known != name) {
            found.push((name, message.to_string()));
        }
    }
    found
}

/// The kernel at `NUMBER/src/lib.rs:LINE:COLUMN` of the libraries.
fn kernel_at(kernels: &[Kernel], place: &str) -> Option<String> {
    let (number, rest) = place.split_once("/src/lib.rs:")?;
    let mut line: usize = rest.split(':').next()?.parse().ok()?;
    // The first line is that of the library.
    line = line.checked_sub(2)?;
    for kernel in kernels.chunks(LIBRARY).nth(number.parse().ok()?)? {
        let length = kernel.source().lines().count();
        if line < length {
            return Some(kernel.name.clone());
        }
        line -= length;
    }
    None
}

/// Writes a file, unless it has this text: cargo goes by times.
fn write_file(path: &Path, text: &str) -> Result<()> {
    if std::fs::read_to_string(path).is_ok_and(|known| known == text) {
        return Ok(());
    }
    std::fs::create_dir_all(path.parent().context("a file is in a folder")?)?;
    std::fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}

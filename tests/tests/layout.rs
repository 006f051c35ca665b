//! What holds of the source as a whole.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// All Rust files below a folder of the workspace, with their text.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let (mut folders, mut out) = (vec![workspace().join(folder)], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                out.push((path, text));
            }
        }
    }
    out
}

/// The names of the kernels that a text declares, outside of its tests.
fn declared(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let code = code.replace("#[gpu_kernel(", "#[gpu_kernel]\n");
    let parts = code.split("#[gpu_kernel]\n").skip(1);
    let names = parts.filter_map(|part| {
        let part = part.split_once("fn ")?.1.trim_start_matches("r#");
        let name: String = part.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
        Some(name)
    });
    // A name made of a macro's parameter is that of its uses.
    names.filter(|name| !name.is_empty()).collect()
}

#[test]
fn every_kernel_is_compiled_for_all_devices_by_ci() {
    let known: BTreeSet<&str> = warpcell_tests::all_kernels().iter().map(|kernel| kernel.name()).collect();
    let mut count = 0;
    for folder in ["ops/src", "tests/src"] {
        for (path, text) in sources(folder) {
            for name in declared(&text) {
                count += 1;
                assert!(known.contains(&*name), "{}: kernel `{name}` is in no `kernels()`", path.display());
            }
        }
    }
    assert!(count > 80, "only {count} kernels were found");
}

#[test]
fn files_have_one_concept() {
    for folder in [
        "ir/src",
        "macros/src",
        "runtime/src",
        "ops/src",
        "singlecell/src",
        "tests/src",
        "tests/fuzz/src",
        "examples/src",
    ] {
        for (path, text) in sources(folder) {
            let lines = text.lines().count();
            assert!(lines <= 500, "{} has {lines} lines; split it", path.display());
        }
    }
}

#[test]
fn crates_know_what_they_may() {
    for (folder, word) in
        [("macros/src", "cudarc"), ("ops/src", "cudarc"), ("ops/src", "hdf5"), ("runtime/src", "gene ")]
    {
        for (path, text) in sources(folder) {
            assert!(!text.contains(word), "{} must not know of `{word}`", path.display());
        }
    }
    for (path, text) in sources("singlecell/src") {
        assert!(!text.contains("#[gpu_kernel]"), "{}: kernels belong into ops", path.display());
    }
}

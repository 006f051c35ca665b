//! The program, as its users meet it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/pbmc68k_reduced_counts.h5ad")
}

fn warpcell(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpcell"));
    command.args(arguments).env_remove("RUST_LOG").env_remove("WARPCELL_DEVICE").env_remove("RUST_BACKTRACE");
    command.output().expect("the program starts")
}

/// Runs on the CPU; the outcome, and where the results would be.
fn run(input: &Path, folder: &Path, more: &[&str]) -> (Output, PathBuf) {
    let output = folder.join("out");
    let (input, target) = (input.to_str().unwrap(), output.to_str().unwrap());
    let mut arguments = vec!["run", input, "-o", target, "--device", "cpu"];
    arguments.extend(more);
    (warpcell(&arguments), output)
}

/// The message of a run that must fail with nothing left behind.
#[track_caller]
fn refused(input: &Path, more: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let (result, output) = run(input, folder.path(), more);
    let message = String::from_utf8(result.stderr).unwrap();
    assert!(!result.status.success() && message.starts_with("error: "), "{message}");
    assert!(result.stdout.is_empty());
    assert!(!output.exists(), "{message}");
    message
}

#[test]
fn the_shipped_data_set_gives_data_pictures_and_a_summary() {
    let folder = tempfile::tempdir().unwrap();
    let (result, output) = run(&shipped(), folder.path(), &[]);
    let (text, errors) = (String::from_utf8(result.stdout).unwrap(), String::from_utf8(result.stderr).unwrap());
    assert!(result.status.success(), "{errors}");
    // No progress in a pipe.
    assert!(!errors.contains('\u{1b}'), "{errors}");
    for part in ["700 cells x 765 genes in, 693 x 765 out", "neighbors", "obsm/X_pca", "memory"] {
        assert!(text.contains(part), "{text}");
    }
    let mut names: Vec<String> =
        std::fs::read_dir(&output).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    let expected = [
        "highly_variable_genes.png",
        "pca.png",
        "pca_variance_ratio.png",
        "qc_violin.png",
        "result.h5ad",
        "summary.json",
    ];
    assert_eq!(names, expected);
    let result = warpcell::io::read(&output.join("result.h5ad")).unwrap();
    assert_eq!((result.n_obs(), result.n_vars(), result.obsm["X_pca"].n_cols), (693, 765, 50));
    let summary: serde_json::Value =
        serde_json::from_slice(&std::fs::read(output.join("summary.json")).unwrap()).unwrap();
    assert_eq!(summary["steps"].as_array().unwrap().len(), 8);
}

#[test]
fn bad_input_is_named_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.h5ad");
    let whole = std::fs::read(shipped()).unwrap();
    std::fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    assert!(refused(&file, &[]).contains("bad.h5ad"));
    std::fs::write(&file, "no HDF5").unwrap();
    assert!(refused(&file, &[]).contains("HDF5"));
    assert!(refused(&folder.path().join("absent.h5ad"), &[]).contains("absent.h5ad"));
}

#[test]
fn filters_that_leave_nothing_say_what_there_was() {
    let message = refused(&shipped(), &["--min-genes", "100000"]);
    assert!(message.contains("filter_cells") && message.contains("no cell of 700 has 100000 genes"), "{message}");
    let message = refused(&shipped(), &["--min-cells", "100000"]);
    assert!(message.contains("filter_genes") && message.contains("lower min_cells"), "{message}");
}

#[test]
fn a_folder_that_can_not_be_written_is_known_before_any_work() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out");
    std::fs::write(&file, "a file where the folder should be").unwrap();
    let (result, _) = run(&shipped(), folder.path(), &[]);
    let message = String::from_utf8(result.stderr).unwrap();
    assert!(!result.status.success() && message.contains("can't be written; choose another with -o"), "{message}");
}

#[test]
fn an_unknown_device_is_named_with_those_that_are() {
    let message = {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out");
        let result = warpcell(&["run", shipped().to_str().unwrap(), "-o", target.to_str().unwrap(), "--device", "tpu"]);
        assert!(!target.exists());
        String::from_utf8(result.stderr).unwrap()
    };
    assert!(message.contains("tpu") && message.contains("`cuda:1`"), "{message}");
}

//! What rustc and the macros say of kernels that are wrong: the text and where it points, in `tests/ui/`.
//!
//! After a change of the texts: `TRYBUILD=overwrite cargo test -p warpcell-tests --test compile_fail`.

use std::process::Command;

/// What the language has not is refused by name, at its place, with what to write instead.
#[test]
fn refusals_name_what_is_not_supported() {
    let cases = trybuild::TestCases::new();
    for topic in ["signature", "body", "functions"] {
        cases.compile_fail(format!("ui/{topic}/*.rs"));
    }
}

/// Errors that rustc finds stand at the user's own tokens, once. Their words are those of one version of rustc.
#[test]
fn errors_of_rustc_stand_at_the_users_tokens() {
    let words_of = env!("CARGO_PKG_RUST_VERSION");
    if !rustc_version().contains(&format!("rustc {words_of}.")) {
        println!("not compared: the texts are those of rustc {words_of}");
        return;
    }
    trybuild::TestCases::new().compile_fail("ui/rustc/*.rs");
}

fn rustc_version() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output().expect("the compiler that built this test runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

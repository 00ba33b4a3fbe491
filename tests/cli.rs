//! The commands as people type them. `TRYCMD=overwrite cargo test --test cli`
//! writes what is printed now; put `[..]` back where times stand. The README's commands are in
//! `tests/cmd/readme.trycmd`, and `tests/docs.rs` holds the README against that file.

use std::path::Path;

use trycmd::TestCases;

#[test]
fn commands() {
    TestCases::new()
        // Whatever the terminal of whoever runs the tests is like.
        .env("COLUMNS", "100")
        .env("NO_COLOR", "")
        .env("CLICOLOR_FORCE", "0")
        .case("tests/cmd/*.trycmd")
        .case("tests/cmd/*.toml");
}

#[test]
fn screens_of_80_columns() {
    TestCases::new().env("COLUMNS", "80").case("tests/screen/80.trycmd");
}

#[test]
fn screens_of_120_columns() {
    TestCases::new().env("COLUMNS", "120").case("tests/screen/120.trycmd");
}

/// A program with GPU support cannot show this. The check has its tests and the release program, which
/// is one without: it names that one in `TESUJI_WITHOUT_GPU`.
#[test]
#[cfg_attr(feature = "cuda", ignore = "needs a program without GPU support in TESUJI_WITHOUT_GPU")]
fn builds_without_a_gpu() {
    let cases = TestCases::new();
    if cfg!(feature = "cuda") {
        let program = std::env::var_os("TESUJI_WITHOUT_GPU").expect("TESUJI_WITHOUT_GPU names a program");
        let info = std::process::Command::new(&program).args(["gpu", "info"]).output().expect("it runs");
        let told = String::from_utf8_lossy(&info.stderr);
        assert!(told.contains("without GPU support"), "TESUJI_WITHOUT_GPU has GPU support: {told}");
        cases.register_bin("tesuji", Path::new(&program));
    }
    cases.env("COLUMNS", "100").case("tests/device/without.trycmd");
}

#[cfg(feature = "cuda")]
#[test]
fn games_on_an_emulated_gpu() {
    TestCases::new().env("COLUMNS", "100").case("tests/device/emulated.trycmd");
}

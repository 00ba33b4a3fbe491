//! The commands as people type them. `TRYCMD=overwrite cargo test --test cli`
//! writes what is printed now; put `[..]` back where times stand.

use trycmd::TestCases;

#[test]
fn commands() {
    TestCases::new()
        // Whatever the terminal of whoever runs the tests is like.
        .env("COLUMNS", "100")
        .env("NO_COLOR", "")
        .env("CLICOLOR_FORCE", "0")
        .case("tests/cmd/*.trycmd")
        .case("tests/cmd/*.toml")
        .case("README.md");
}

#[test]
fn screens_of_80_columns() {
    TestCases::new().env("COLUMNS", "80").case("tests/screen/80.trycmd");
}

#[test]
fn screens_of_120_columns() {
    TestCases::new().env("COLUMNS", "120").case("tests/screen/120.trycmd");
}

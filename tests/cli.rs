//! The commands as people type them. `TRYCMD=overwrite cargo test --test cli`
//! writes what is printed now; put `[..]` back where times stand. The README's commands are in
//! `tests/cmd/readme.trycmd`, and `tests/docs.rs` holds the README against that file.

#[test]
fn commands() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd").case("tests/cmd/*.toml");
}

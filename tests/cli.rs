//! The commands as people type them. `TRYCMD=overwrite cargo test --test cli`
//! writes what is printed now; put `[..]` back where times stand.

#[test]
fn commands() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd").case("tests/cmd/*.toml").case("README.md");
}

//! The program that people run is the release build; tests run another. The release build must
//! find what the tested one finds, and a program whose results are published must be made of the
//! sources that are published with them.
//!
//! Both were missed once. A release build searched Ataxx wrongly, and was not what its commit
//! compiles to. A crate compiled from an uncommitted edit and taken as fresh by its time stamp
//! reproduces every symptom; tests cannot see that, for they compile their own. The findings are in
//! `docs/reproduction.md`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use tesuji_provenance::{Sources, commit};

use crate::{gpu, shell};

/// Builds the release program and lets it make the golden searches. Tests compare the same
/// searches in their own build, which has GPU support. The release program has none, and is tested
/// for saying so.
pub(crate) fn check() -> Result<String> {
    shell::run(shell::cargo(&["build", "--quiet", "--release"]))?;
    let program = shell::built("release");
    let mut without_gpu = gpu::tests();
    without_gpu.args(["--test", "cli", "builds_without_a_gpu", "--", "--ignored", "--exact"]);
    without_gpu.env("TESUJI_WITHOUT_GPU", &program);
    shell::quietly(without_gpu)?;
    selftest(&program)
}

/// Checks that a program may make published results: its sources are those of the checkout, these
/// are committed, and it passes its self-test. Without a program one is built from nothing, for
/// nothing can be stale then.
pub(crate) fn published(program: Option<&str>) -> Result<String> {
    let root = shell::root();
    let sources = Sources::of(&root).context("cannot read the sources")?;
    check_committed(&sources)?;
    let program = program.map_or_else(build_from_nothing, |program| Ok(PathBuf::from(program)))?;
    let version = ask(&program, &["--version"])?;
    let digest = sources.digest().context("cannot read the sources")?.to_string();
    for (what, expected) in [("sources", digest), ("commit", commit(&root).short)] {
        let stamped = stamped(&version, what);
        if stamped.is_empty() {
            bail!("{} does not say which {what} it was built from: name a tesuji program", program.display());
        }
        if stamped != expected {
            bail!(
                "{} was built from {what} {stamped}, but the checkout has {what} {expected}: build it again",
                program.display()
            );
        }
    }
    Ok(format!("{}: {}", program.display(), selftest(&program)?))
}

/// Fails if a file that determines the program's answers differs from the commit.
fn check_committed(sources: &Sources) -> Result<()> {
    let mut status = shell::command("git", &["status", "--porcelain", "--"]);
    status.args(sources.watched());
    let changed = shell::output(status)?;
    if let Some(first) = changed.lines().next() {
        let n = changed.lines().count();
        bail!("{n} sources differ from the commit, '{}' among them: commit them first", first.trim());
    }
    Ok(())
}

fn build_from_nothing() -> Result<PathBuf> {
    let folder = shell::target().join("published");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    let mut build = shell::cargo(&["build", "--quiet", "--release", "--target-dir"]);
    build.arg(&folder);
    shell::run(build)?;
    Ok(folder.join("release").join("tesuji"))
}

/// A line of `tesuji --version`; empty if the program does not say it.
fn stamped<'a>(version: &'a str, what: &str) -> &'a str {
    let line = version.lines().filter_map(|line| line.split_once(':')).find(|(name, _)| *name == what);
    line.map_or("", |(_, stamp)| stamp.trim())
}

fn selftest(program: &Path) -> Result<String> {
    Ok(ask(program, &["selftest"])?.trim().to_owned())
}

fn ask(program: &Path, arguments: &[&str]) -> Result<String> {
    shell::output(shell::command(&program.to_string_lossy(), arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_are_read() {
        let version = "tesuji 0.1.0\ncommit:       0123456789ab\nsources:      00ff\n";
        assert_eq!(stamped(version, "commit"), "0123456789ab");
        assert_eq!(stamped(version, "sources"), "00ff");
        assert_eq!(stamped("tesuji 0.1.0\n", "sources"), "");
    }
}

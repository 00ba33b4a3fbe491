//! Other programs, and the terminal.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().map_or_else(|| here.to_owned(), Path::to_owned)
}

/// Where cargo builds.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into)
}

/// The program as it was built.
pub(crate) fn built(profile: &str) -> PathBuf {
    target().join(profile).join("tesuji")
}

/// A line for whoever is watching.
pub(crate) fn say(line: &str) {
    println!("{line}");
}

/// A line for whoever has to act.
pub(crate) fn complain(line: &str) {
    eprintln!("{line}");
}

/// A command that runs at the root of the repository.
pub(crate) fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// The cargo that runs us.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    command(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()), arguments)
}

/// Runs a command, its output to the terminal; fails if it does.
pub(crate) fn run(mut command: Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed: {status}");
    }
    Ok(())
}

/// Runs a command and gives its standard output; fails if it does.
pub(crate) fn output(mut command: Command) -> Result<String> {
    let output =
        command.stderr(Stdio::inherit()).output().with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} failed: {}", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("{command:?} does not print text"))
}

/// Runs a command and returns its standard output. What it printed is shown only if it fails, as
/// part of the error.
pub(crate) fn quietly(mut command: Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        let complaints = String::from_utf8_lossy(&output.stderr);
        bail!("{printed}{complaints}{command:?} failed: {}", output.status);
    }
    Ok(printed)
}

/// Whether a program is there, or a module of one, such as `python3 -m ensurepip`.
pub(crate) fn exists(program: &str) -> bool {
    let mut words = program.split(' ');
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

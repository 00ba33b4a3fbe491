//! `cargo xtask test`: everything that must hold, from a bare machine with a
//! Rust toolchain.

use std::time::Instant;

use anyhow::{Result, bail};

use crate::shell::{cargo, command, complain, exists, say};
use crate::{arrows, bench, builds, gpu, page, python, sources, training};

/// A step: its name, and what it does. It gives a line for the watcher.
type Step = (&'static str, fn() -> Result<String>);

const STEPS: &[Step] = &[
    ("tools", || {
        let found = tools()?;
        // Downloads take their time while the processor compiles. The steps that need them wait, and
        // report what went wrong.
        std::thread::spawn(page::install);
        std::thread::spawn(python::prepare);
        std::thread::spawn(gpu::prepare);
        Ok(found)
    }),
    ("sources", sources::check),
    ("arrows", arrows::check),
    ("format", || quietly(cargo(&["fmt", "--all", "--check"]))),
    ("lints", || {
        let words = ["clippy", "--quiet", "--workspace", "--all-targets", "--features", FEATURES];
        quietly(cargo(&[&words[..], &["--", "-D", "warnings"]].concat()))
    }),
    ("library without the binary", || {
        quietly(cargo(&["check", "--quiet", "--package", "tesuji", "--lib", "--no-default-features"]))
    }),
    ("documentation", documentation),
    ("tests", || quietly(gpu::tests())),
    ("GPU kernels", gpu::check),
    ("page", page::check),
    ("release build", builds::check),
    ("browser", page::browse),
    ("python", python::check),
    ("training", training::check),
    ("instruction counts", bench::gate),
];

/// Runs all steps, also after one has failed, and sums up.
pub(crate) fn run_all(steps: &[Step]) -> Vec<&'static str> {
    let mut failed = Vec::new();
    for (number, (name, step)) in (1..).zip(steps) {
        say(&format!("[{number}/{}] {name}", steps.len()));
        let start = Instant::now();
        let result = step();
        let seconds = start.elapsed().as_secs_f64();
        match result {
            Ok(summary) => {
                let summary = if summary.is_empty() { summary } else { format!(": {summary}") };
                say(&format!("      passed in {seconds:.1} s{summary}"));
            }
            Err(error) => {
                complain(&format!("{error:#}"));
                say(&format!("      FAILED in {seconds:.1} s"));
                failed.push(*name);
            }
        }
    }
    failed
}

/// What lints and tests are compiled with, so that both share their dependencies.
pub(crate) const FEATURES: &str = "tesuji/cuda,tesuji/onnx-any";

/// The whole check.
pub(crate) fn run() -> Result<()> {
    let start = Instant::now();
    let failed = run_all(STEPS);
    let (passed, seconds) = (STEPS.len() - failed.len(), start.elapsed().as_secs_f64());
    say(&format!("{passed} passed, {} failed in {seconds:.0} s", failed.len()));
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

fn quietly(command: std::process::Command) -> Result<String> {
    crate::shell::run(command).map(|()| String::new())
}

fn documentation() -> Result<String> {
    let mut doc = cargo(&["doc", "--quiet", "--workspace", "--no-deps"]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    quietly(doc)
}

/// What the check needs beside the toolchain: a program, and Debian's package that has it.
const TOOLS: &[(&str, &str)] = &[
    // Counts the instructions.
    ("valgrind", "valgrind"),
    // An engine to play with, where ours are to be tested with a real one.
    ("gnugo", "gnugo"),
    // Compiles the kernels of GPUs for the host.
    ("c++", "g++"),
    // The page is made and tested with these.
    ("node", "nodejs"),
    ("npm", "npm"),
    ("chromium", "chromium"),
    // The package for Python is built and tested with this.
    ("python3 -m ensurepip", "python3-venv"),
    // Networks are trained with these.
    ("/usr/bin/python3 -m numpy.version", "python3-numpy"),
    ("/usr/bin/python3 -m torch.version", "python3-torch"),
];

/// Debian keeps games outside of an administrator's path.
fn is_there(program: &str) -> bool {
    exists(program) || exists(&format!("/usr/games/{program}"))
}

/// Installs what is missing, all of it at once.
fn tools() -> Result<String> {
    let missing =
        || TOOLS.iter().filter(|(program, _)| !is_there(program)).map(|&(_, package)| package).collect();
    let names = TOOLS.iter().map(|&(program, _)| program).collect::<Vec<_>>().join(", ");
    let packages: Vec<&str> = missing();
    if packages.is_empty() {
        return Ok(format!("{names}: all there"));
    }
    say(&format!("      installing what is missing: {}", packages.join(", ")));
    let install = |words: &[&str]| {
        let (program, rest) = words.split_first().unwrap_or((&"false", &[]));
        let mut command = command(program, rest);
        command.env("DEBIAN_FRONTEND", "noninteractive");
        // Standard output is the check's own.
        command.stdout(std::process::Stdio::null());
        crate::shell::run(command)
    };
    for prefix in [&[][..], &["sudo", "-n"]] {
        let apt = |rest: &[&'static str]| [prefix, &["apt-get", "-qq"], rest].concat();
        let updated = install(&apt(&["update"]));
        let words = [&apt(&["install", "-y"])[..], &packages].concat();
        if updated.is_ok() && install(&words).is_ok() && missing().is_empty() {
            return Ok(format!("{} installed", packages.join(", ")));
        }
    }
    let packages = missing().join(" ");
    bail!("tools are missing and cannot be installed: 'apt-get install {packages}' as an administrator")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_step_does_not_hide_the_next() {
        let steps: &[Step] = &[
            ("good", || Ok("fine".to_owned())),
            ("bad", || bail!("as it should")),
            ("after", || Ok(String::new())),
        ];
        assert_eq!(run_all(steps), ["bad"]);
    }
}

//! The Python package: its wheel built into a venv of its own, and everything that Python
//! itself can say of it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};

use crate::shell::{self, quietly};

/// Where the package's source is.
fn source() -> PathBuf {
    shell::root().join("python")
}

/// The venv in which the package is tested.
fn venv() -> PathBuf {
    shell::target().join("python")
}

/// The least version of Python that the package is for.
const PYTHON: &str = "3.11";

/// A program of the venv, at the package's source.
fn in_venv(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(venv().join("bin").join(program));
    command.args(arguments).current_dir(source());
    // Nobody is told what is done here.
    command.env("RAY_USAGE_STATS_ENABLED", "0").env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
    command
}

/// Makes the venv with what the package's tests need, unless that was done before for the
/// same list. A second caller waits for the first.
pub(crate) fn prepare() -> Result<()> {
    static PREPARING: Mutex<()> = Mutex::new(());
    let _alone = PREPARING.lock().unwrap_or_else(PoisonError::into_inner);
    let least = format!("import sys; sys.exit(sys.version_info < ({}))", PYTHON.replace('.', ", "));
    if !shell::command("python3", &["-c", &least]).status().is_ok_and(|status| status.success()) {
        bail!("the package is for Python {PYTHON} or later, and python3 is not that here");
    }
    let list = fs::read(source().join("pyproject.toml")).context("the package has no pyproject.toml")?;
    let stamp = venv().join(".tesuji-list");
    if fs::read(&stamp).is_ok_and(|installed| installed == list) {
        return Ok(());
    }
    quietly(shell::command("python3", &["-m", "venv", "--clear", &venv().to_string_lossy()]))?;
    let needs = "import tomllib; project = tomllib.load(open('pyproject.toml', 'rb'))['project']; \
                 print(*project['dependencies'], *project['optional-dependencies']['test'], sep='\\n')";
    let needs = quietly(in_venv("python", &["-c", needs]))?;
    let words = ["install", "--quiet"].into_iter().chain(needs.lines());
    quietly(in_venv("pip", &words.collect::<Vec<_>>()))?;
    fs::write(stamp, list).context("cannot note what was installed")
}

/// Builds the wheel of the release build and installs it into the venv.
pub(crate) fn install() -> Result<()> {
    prepare()?;
    let wheels = shell::target().join("wheels");
    let _ = fs::remove_dir_all(&wheels);
    let mut build =
        in_venv("maturin", &["build", "--quiet", "--release", "--out", &wheels.to_string_lossy()]);
    build.args(["--interpreter", "python3"]).env("CARGO_TARGET_DIR", shell::target());
    quietly(build)?;
    let wheel = fs::read_dir(&wheels)?.next().context("no wheel was built")??.path();
    let wheel = wheel.to_string_lossy().into_owned();
    quietly(in_venv("pip", &["install", "--quiet", "--no-deps", "--force-reinstall", &wheel])).map(drop)
}

/// Types, stubs against the library, and all tests.
pub(crate) fn check() -> Result<String> {
    install()?;
    let mypy = |words: &[&str]| quietly(in_venv("mypy", words));
    quietly(in_venv("stubtest", &["tesuji._tesuji", "--mypy-config-file", "pyproject.toml"]))?;
    mypy(&["--package", "tesuji"])?;
    // Examples are for people: they may leave their own types out, and must not get ours wrong. Those of
    // the training use nothing of ours but the program.
    mypy(&[
        "examples",
        "--exclude",
        "examples/train/",
        "--allow-untyped-defs",
        "--allow-untyped-calls",
        "--allow-incomplete-defs",
    ])?;
    let printed = quietly(in_venv("pytest", &["--durations=5", "--color=no"]))?;
    let last = printed.lines().rev().find(|line| line.contains(" passed")).unwrap_or("all tests passed");
    Ok(format!("types and stubs are correct; {}", last.trim_matches(['=', ' '])))
}

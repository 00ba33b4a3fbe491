//! The kernels of the GPU, compiled by NVRTC. This needs no GPU: NVRTC is a library, and PyPI has
//! it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};

use crate::check::FEATURES;
use crate::shell::{self, cargo, quietly};

/// The package that has NVRTC, with the version that the check uses.
const PACKAGE: &str = "nvidia-cuda-nvrtc==13.4.92";

/// Tests of the whole workspace with all its features, so that nothing is compiled twice. Compiled kernels
/// stay out of the user's cache. What a program without GPU support says is tested with the release
/// build, see `builds.rs`.
pub(crate) fn tests() -> Command {
    let mut tests = cargo(&["test", "--quiet", "--workspace", "--features", FEATURES]);
    tests.env("TESUJI_KERNELS", shell::target().join("kernels"));
    tests
}

/// The venv that NVRTC is installed into.
fn venv() -> PathBuf {
    shell::target().join("nvrtc")
}

/// Installs NVRTC unless that was done before, and returns its folder. A second caller waits for
/// the first.
pub(crate) fn prepare() -> Result<PathBuf> {
    static PREPARING: Mutex<()> = Mutex::new(());
    let _alone = PREPARING.lock().unwrap_or_else(PoisonError::into_inner);
    let stamp = venv().join(".tesuji-list");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == PACKAGE) {
        return folder();
    }
    quietly(shell::command("python3", &["-m", "venv", "--clear", &venv().to_string_lossy()]))?;
    let pip = venv().join("bin").join("pip");
    let mut install = shell::command(&pip.to_string_lossy(), &["install", "--quiet", "--no-deps", PACKAGE]);
    install.env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
    quietly(install)?;
    fs::write(stamp, PACKAGE).context("cannot note what was installed")?;
    folder()
}

/// The folder in the venv that has the library.
fn folder() -> Result<PathBuf> {
    let code = "import glob, os, sysconfig; \
                print(os.path.dirname(glob.glob(sysconfig.get_path('purelib') + '/nvidia/*/lib/libnvrtc.so.*')[0]))";
    let python = venv().join("bin").join("python");
    let printed = quietly(shell::command(&python.to_string_lossy(), &["-c", code]))?;
    Ok(PathBuf::from(printed.trim()))
}

/// Compiles the kernels of all games and searches. The step of all tests has compared them with
/// the search in Rust.
pub(crate) fn check() -> Result<String> {
    let folder = prepare()?;
    let mut test = tests();
    test.args(["--test", "nvrtc"]).env("TESUJI_NVRTC", folder);
    quietly(test)?;
    Ok(format!("all kernels compile for sm_90 by {PACKAGE}"))
}

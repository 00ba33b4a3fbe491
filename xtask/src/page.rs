//! The page: whether its bundle is what its source makes, and whether it works in a browser.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};

use crate::shell;

/// Where the page's source is.
fn source() -> PathBuf {
    shell::root().join("crates/web/page")
}

/// The bundle that is put into the program.
fn bundle() -> PathBuf {
    shell::root().join("crates/web/dist")
}

fn npm(arguments: &[&str]) -> Command {
    let mut command = shell::command("npm", arguments);
    // What it has to say beside errors is said by us.
    command.current_dir(source()).env("npm_config_loglevel", "error");
    command
}

/// The least major version of Node that the page is made with.
const NODE: u32 = 20;

/// Installs exactly what the lock file names, unless that was done before. A second caller waits
/// for the first.
pub(crate) fn install() -> Result<()> {
    static INSTALLING: Mutex<()> = Mutex::new(());
    let _alone = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    let version = shell::output(shell::command("node", &["--version"]))?;
    let major = version.trim().trim_start_matches('v').split('.').next().and_then(|word| word.parse().ok());
    if major.is_none_or(|major: u32| major < NODE) {
        bail!("the page is made with Node {NODE} or later, and this is {}", version.trim());
    }
    let lock = fs::read(source().join("package-lock.json")).context("the page has no lock file")?;
    let stamp = source().join("node_modules/.tesuji-lock");
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    shell::quietly(npm(&["ci", "--no-audit", "--no-fund"]))?;
    fs::write(stamp, lock).context("cannot note what was installed")
}

/// Types as the source has them, without warnings; the types of the service from its
/// description; and the bundle as the source makes it.
pub(crate) fn check() -> Result<String> {
    install()?;
    shell::output(npm(&["run", "--silent", "check"]))?;
    let folder = std::env::temp_dir().join(format!("tesuji-page-{}", std::process::id()));
    let checked = check_in(&folder);
    let _ = fs::remove_dir_all(&folder);
    checked
}

fn check_in(folder: &Path) -> Result<String> {
    fs::create_dir_all(folder)?;
    let types = folder.join("openapi.d.ts");
    let description = source().join("../api/openapi.json");
    let arguments = [
        "exec",
        "--",
        "openapi-typescript",
        &description.to_string_lossy(),
        "--output",
        &types.to_string_lossy(),
    ];
    shell::output(npm(&arguments))?;
    if fs::read(&types)? != fs::read(source().join("src/lib/openapi.d.ts"))? {
        bail!(
            "the page's types are not those of crates/web/api/openapi.json: 'cargo xtask page' makes them anew"
        );
    }
    let fresh = folder.join("dist");
    build_into(&fresh)?;
    let (committed, made) = (files(&bundle())?, files(&fresh)?);
    if committed != made {
        let all = committed.keys().chain(made.keys());
        let mut differ: Vec<&str> =
            all.filter(|name| committed.get(*name) != made.get(*name)).map(String::as_str).collect();
        differ.sort_unstable();
        differ.dedup();
        bail!(
            "the bundle in crates/web/dist is not what its source makes ({}): 'cargo xtask page' makes it anew",
            differ.join(", ")
        );
    }
    Ok(format!("{} files of the bundle match their source", made.len()))
}

/// Makes the types and the bundle anew.
pub(crate) fn build() -> Result<()> {
    install()?;
    shell::run(npm(&["run", "--silent", "types"]))?;
    build_into(&bundle())
}

fn build_into(folder: &Path) -> Result<()> {
    let mut build = npm(&["run", "--silent", "build", "--", "--logLevel", "error"]);
    build.env("TESUJI_DIST", folder);
    shell::output(build).map(drop)
}

/// Every file below a folder, by its path from there.
fn files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).with_context(|| format!("cannot read {}", next.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
                found.insert(name, fs::read(&path)?);
            }
        }
    }
    Ok(found)
}

/// The page in a real browser, served by the release build.
pub(crate) fn browse() -> Result<String> {
    install()?;
    shell::run(shell::cargo(&["build", "--quiet", "--release"]))?;
    let named = files(&source().join("tests"))?.into_keys().filter(|name| name.ends_with(".test.mjs"));
    let mut tests = shell::command("node", &["--test", "--test-reporter", "spec"]);
    tests.current_dir(source().join("tests")).args(named).env("TESUJI", shell::built("release"));
    let output = tests.output().with_context(|| format!("cannot start {tests:?}"))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        shell::complain(&printed);
        bail!("the page does not work in the browser as its tests say it should");
    }
    let passed =
        printed.lines().find_map(|line| line.trim_start_matches(['ℹ', '#', ' ']).strip_prefix("pass "));
    let pictures = shell::target().join("page");
    let pictures = pictures.strip_prefix(shell::root()).unwrap_or(&pictures).display();
    Ok(format!("{} tests passed; pictures are in {pictures}", passed.unwrap_or("all")))
}

/// The README's pictures of the page.
pub(crate) fn pictures() -> Result<()> {
    install()?;
    shell::run(shell::cargo(&["build", "--quiet", "--release"]))?;
    let docs = shell::root().join("docs");
    let mut pictures = shell::command("node", &["tests/pictures.mjs", &docs.to_string_lossy()]);
    pictures.current_dir(source()).env("TESUJI", shell::built("release"));
    shell::run(pictures)?;
    shell::say("docs/page-watch.png and docs/page-phantom.png are written");
    Ok(())
}

/// A hundred clients for a minute, in the release build.
pub(crate) fn load() -> Result<()> {
    let mut test =
        shell::cargo(&["test", "--quiet", "--release", "--package", "tesuji-web", "--test", "load"]);
    test.env("TESUJI_LOAD_SECONDS", "60");
    let told = std::env::temp_dir().join("tesuji-load.txt");
    shell::run(test)?;
    shell::say(fs::read_to_string(told).context("the test told nothing")?.trim_end());
    Ok(())
}

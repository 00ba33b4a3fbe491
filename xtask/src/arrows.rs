//! Which crate may use which: data flows one way, and so do the arrows.
//!
//! A crate may use what lies below it on the line of `docs/architecture.md`,
//! and nothing else of ours; some crates are for the tests of others only.

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::shell;

/// Our crates, each with the ones that it may use.
const ALLOWED: &[(&str, &[&str])] = &[
    // Sources and commits: for the build script, for whoever names the build, and for checks.
    ("tesuji-provenance", &[]),
    ("tesuji-core", &[]),
    ("tesuji-testkit", &["tesuji-core"]),
    ("tesuji-bandit", &["tesuji-core"]),
    ("tesuji-games", &["tesuji-core"]),
    ("tesuji-net", &["tesuji-core"]),
    ("tesuji-search", &["tesuji-core", "tesuji-bandit", "tesuji-net"]),
    ("tesuji-catalog", &["tesuji-core", "tesuji-bandit", "tesuji-games", "tesuji-net", "tesuji-search"]),
    // Kernels and their host side. Games encode their positions themselves.
    ("tesuji-gpu", &["tesuji-core", "tesuji-bandit", "tesuji-search"]),
    ("tesuji-gtp", &["tesuji-core"]),
    ("tesuji-session", &["tesuji-core", "tesuji-search", "tesuji-catalog", "tesuji-gtp"]),
    ("tesuji-arena", &["tesuji-core", "tesuji-bandit", "tesuji-search", "tesuji-catalog", "tesuji-session"]),
    (
        "tesuji-portfolio",
        &["tesuji-core", "tesuji-bandit", "tesuji-search", "tesuji-catalog", "tesuji-arena"],
    ),
    (
        "tesuji-report",
        &[
            "tesuji-core",
            "tesuji-bandit",
            "tesuji-search",
            "tesuji-catalog",
            "tesuji-arena",
            "tesuji-portfolio",
        ],
    ),
    // The page shows games and results: it lies at the end of the line, before the binary.
    (
        "tesuji-web",
        &[
            "tesuji-core",
            "tesuji-bandit",
            "tesuji-search",
            "tesuji-catalog",
            "tesuji-session",
            "tesuji-arena",
            "tesuji-report",
        ],
    ),
    ("tesuji-engine", &["tesuji-core", "tesuji-search", "tesuji-catalog", "tesuji-gtp", "tesuji-session"]),
    ("tesuji", EVERYTHING),
    ("tesuji-python", FOR_PYTHON),
    ("xtask", &["tesuji-provenance"]),
];

/// What tests alone may use, beside what their crate may: the crate, and its tests' crate.
const FOR_TESTS: &[(&str, &str)] = &[
    // The search knows no game, but golden searches and plain references need some
    // that are played in earnest; the testkit's trees are too small for them.
    ("tesuji-search", "tesuji-games"),
    // Kernels are compared with the games and players that they are for.
    ("tesuji-gpu", "tesuji-catalog"),
];

/// The facade too: it has the texts of the papers' experiments and the stamp of the build.
const FOR_PYTHON: &[&str] = &[
    "tesuji",
    "tesuji-core",
    "tesuji-net",
    "tesuji-bandit",
    "tesuji-search",
    "tesuji-catalog",
    "tesuji-arena",
    "tesuji-portfolio",
    "tesuji-report",
];

const EVERYTHING: &[&str] = &[
    "tesuji-provenance",
    "tesuji-core",
    "tesuji-bandit",
    "tesuji-games",
    "tesuji-net",
    "tesuji-search",
    "tesuji-catalog",
    "tesuji-gpu",
    "tesuji-gtp",
    "tesuji-session",
    "tesuji-engine",
    "tesuji-arena",
    "tesuji-web",
    "tesuji-portfolio",
    "tesuji-report",
];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// Nothing, `dev` or `build`.
    kind: Option<String>,
}

/// Fails, with a line each, where a crate uses what it may not.
pub(crate) fn check() -> Result<String> {
    let json = shell::output(shell::cargo(&["metadata", "--format-version", "1", "--no-deps"]))?;
    let metadata: Metadata = serde_json::from_str(&json).context("cargo metadata is not as expected")?;
    let (arrows, wrong) = judge(&metadata);
    if !wrong.is_empty() {
        bail!("{}", wrong.join("\n"));
    }
    Ok(format!("{} crates, {arrows} arrows, all of them allowed", metadata.packages.len()))
}

/// The number of arrows between our crates, and a sentence for each wrong one.
fn judge(metadata: &Metadata) -> (usize, Vec<String>) {
    let ours = |name: &str| metadata.packages.iter().any(|package| package.name == name);
    let (mut arrows, mut wrong) = (0, Vec::new());
    for package in &metadata.packages {
        let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| *name == package.name) else {
            wrong.push(format!("{} has no place in the list of xtask/src/arrows.rs", package.name));
            continue;
        };
        for dependency in package.dependencies.iter().filter(|dependency| ours(&dependency.name)) {
            arrows += 1;
            let name = dependency.name.as_str();
            let for_tests = dependency.kind.as_deref() == Some("dev")
                && (name == "tesuji-testkit" || FOR_TESTS.contains(&(package.name.as_str(), name)));
            if !for_tests && !allowed.contains(&name) {
                wrong.push(format!("{} may not use {name}", package.name));
            }
        }
    }
    (arrows, wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, dependencies: &[(&str, Option<&str>)]) -> Package {
        let dependency = |&(name, kind): &(&str, Option<&str>)| Dependency {
            name: name.to_owned(),
            kind: kind.map(str::to_owned),
        };
        Package { name: name.to_owned(), dependencies: dependencies.iter().map(dependency).collect() }
    }

    #[test]
    fn wrong_arrows_are_found() {
        let packages = vec![
            package("tesuji-core", &[("tesuji-games", None), ("serde", None)]),
            package("tesuji-games", &[("tesuji-core", None), ("tesuji-testkit", Some("dev"))]),
            package("tesuji-testkit", &[("tesuji-core", None)]),
            package("tesuji-catalog", &[("tesuji-testkit", None)]),
            package("tesuji-search", &[("tesuji-games", Some("dev"))]),
            package("tesuji-bandit", &[("tesuji-games", Some("dev"))]),
            package("tesuji-attic", &[]),
        ];
        let (arrows, wrong) = judge(&Metadata { packages });
        assert_eq!(arrows, 7);
        assert_eq!(
            wrong,
            [
                "tesuji-core may not use tesuji-games",
                "tesuji-catalog may not use tesuji-testkit",
                "tesuji-bandit may not use tesuji-games",
                "tesuji-attic has no place in the list of xtask/src/arrows.rs",
            ]
        );
    }
}

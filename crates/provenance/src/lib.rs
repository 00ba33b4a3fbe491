//! Which sources a program was built from: the commit and a digest, stamped when it is compiled.
//!
//! A stored game names the program that played it, and a published number should name the sources
//! that it came from. A program cannot find that out when it runs: its checkout may have moved on,
//! and a hash of its own file says nothing about sources. So `build.rs` of the package `tesuji`
//! calls [`stamp`], and [`build!`] reads the stamp, in that package alone; the program and the
//! Python package both take it from there.
//!
//! The digest covers every file that determines the program's answers ([`Sources`]), so it also
//! tells edited checkouts apart, which the commit does not.

mod commit;
mod digest;
mod sources;

use std::path::Path;

pub use commit::commit;
pub use digest::Digest;
pub use sources::Sources;

/// What a program was built from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Build {
    /// The text that a store keeps with every game, such as
    /// `tesuji 0.1.0 cc74ad3f6a0e sources 1f3a…`. Equal texts mean equal sources.
    pub fingerprint: &'static str,
    /// The version of the package.
    pub version: &'static str,
    /// The first 12 digits of the checkout's commit, or `unknown` outside a checkout.
    pub commit: &'static str,
    /// The digest of the sources, 32 hexadecimal digits.
    pub sources: &'static str,
    /// The target, such as `x86_64-unknown-linux-gnu`.
    pub target: &'static str,
    /// The processor features that the compiler took for granted, with commas between them.
    pub features: &'static str,
}

/// The [`Build`] that [`stamp`] stamped the calling crate with.
#[macro_export]
macro_rules! build {
    () => {
        $crate::Build {
            fingerprint: concat!(
                "tesuji ",
                env!("CARGO_PKG_VERSION"),
                " ",
                env!("TESUJI_COMMIT"),
                " sources ",
                env!("TESUJI_SOURCES")
            ),
            version: env!("CARGO_PKG_VERSION"),
            commit: env!("TESUJI_COMMIT"),
            sources: env!("TESUJI_SOURCES"),
            target: env!("TESUJI_TARGET"),
            features: env!("TESUJI_FEATURES"),
        }
    };
}

/// Returns what a build script prints to stamp its crate: the lines set the variables that
/// [`build!`] reads, and ask cargo to run the script again after a change of sources or commit.
///
/// # Errors
/// If a source cannot be read.
pub fn stamp(root: &Path) -> std::io::Result<String> {
    let sources = Sources::of(root)?;
    let commit = commit(root);
    let from_cargo = |name: &str| std::env::var(name).unwrap_or_default();
    let mut lines = format!(
        "cargo::rustc-env=TESUJI_COMMIT={}\n\
         cargo::rustc-env=TESUJI_SOURCES={}\n\
         cargo::rustc-env=TESUJI_TARGET={}\n\
         cargo::rustc-env=TESUJI_FEATURES={}\n",
        commit.short,
        sources.digest()?,
        from_cargo("TARGET"),
        from_cargo("CARGO_CFG_TARGET_FEATURE"),
    );
    for path in sources.watched().iter().chain(&commit.watched) {
        lines += &format!("cargo::rerun-if-changed={}\n", path.display());
    }
    Ok(lines)
}

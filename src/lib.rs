#![doc = include_str!("../README.md")]

pub mod papers;

pub use tesuji_bandit as bandit;
pub use tesuji_catalog as catalog;
pub use tesuji_core as core;
pub use tesuji_games as games;
pub use tesuji_provenance::Build;
pub use tesuji_search as search;

/// What this library and the program were built from: the commit and a digest of the sources.
pub const BUILD: Build = tesuji_provenance::build!();

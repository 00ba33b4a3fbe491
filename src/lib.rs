#![doc = include_str!("../README.md")]

pub mod papers;

pub use tesuji_bandit as bandit;
pub use tesuji_catalog as catalog;
pub use tesuji_core as core;
pub use tesuji_games as games;
pub use tesuji_search as search;

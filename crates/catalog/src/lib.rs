//! Text in, concrete games and players out: the one place that names them all.
//!
//! A [`GameSpec`] is a game's name, board, options and whether it is the misère
//! twin, read from text such as `go:9(komi=6.5)` or `noataxx:8`. [`GameSpec::start`]
//! returns its [`Board`](tesuji_search::Board): what is generic over the game is
//! compiled behind that, here and nowhere else.
//!
//! ```
//! use tesuji_catalog::GameSpec;
//! let spec: GameSpec = "NoDomineering:6x8".parse().unwrap();
//! assert_eq!(spec.to_string(), "nodomineering:6x8");
//! let game = spec.start().unwrap();
//! assert_eq!(game.n_moves(), 6 * 7);
//! assert_eq!(
//!     "chess".parse::<GameSpec>().unwrap_err().to_string().split(':').next(),
//!     Some("'chess' is not a game"),
//! );
//! ```
//!
//! A [`PlayerSpec`] is a player, read from text such as `sh+uct` or
//! `uct(c=0.31)+prior(sh,64)@10000`: its root, its tree, its leaf and its options,
//! and perhaps how much it may think.
//!
//! ```
//! use tesuji_catalog::PlayerSpec;
//! use tesuji_search::{Budget, PlayerConfig};
//! let spec: PlayerSpec = "UCT(c=0.4) + solver @ 1000".parse().unwrap();
//! assert_eq!(spec.to_string(), "uct+solver@1000");
//! assert_eq!(spec.budget_at(0), Some(Budget::Samples(1000)));
//! assert!(matches!(spec.config(), PlayerConfig::Search(search) if search.options.solver));
//! ```
//!
//! A new game is one block in `table.rs`, a new part of players one in
//! `player/table.rs`.

mod error;
mod golden;
mod info;
mod player;
mod spec;
mod table;
#[cfg(test)]
mod tests;

pub use error::SpecError;
pub use golden::GoldenSearch;
pub use info::{BoardSizes, GameInfo, Goal, MoveNames, Shape};
pub use player::{
    BudgetSpec, ConfidenceLevel, PartInfo, PartKind, PlayerError, PlayerPart, PlayerSpec, players,
};
pub use spec::GameSpec;
pub use table::games;

//! Text in, concrete games and players out: the one place that names them all.
//!
//! A [`GameSpec`] is a game's name, board, options and whether it is the misère
//! twin, read from text such as `go:9(komi=6.5)` or `noataxx:8`. Kernels are
//! generic over the game; the border between that and text is crossed here, in
//! one of two ways:
//!
//! - [`GameSpec::visit`] hands the concrete type to a [`GameVisitor`]: for code
//!   that is to be compiled for every game, such as a search;
//! - [`GameSpec::start`] gives an [`AnyGame`], the type forgotten: for people's
//!   commands, where one virtual call for each is nothing.
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
//! assert_eq!(spec.budget(), Some(Budget::Samples(1000)));
//! assert!(matches!(spec.config(), PlayerConfig::Search(search) if search.options.solver));
//! ```
//!
//! A new game is one block in `table.rs`, a new part of players one in
//! `player/table.rs`.

mod any;
mod any_player;
mod error;
mod hidden;
mod info;
mod player;
mod spec;
mod table;
#[cfg(test)]
mod tests;

pub use any::{AnyGame, Attempt, Recording, Tally};
pub use any_player::AnyPlayer;
pub use error::SpecError;
pub use info::{Board, GameInfo, MoveNames, Shape};
pub use player::{BudgetSpec, PartInfo, PartKind, PlayerError, PlayerPart, PlayerSpec, players};
pub use spec::GameSpec;
pub use table::games;

use tesuji_core::{Game, Phantom, Referee};

/// Something to be done with a game whose type is known only once a spec was read.
pub trait GameVisitor {
    /// What comes of it.
    type Output;

    /// Does it, with the game's start position.
    fn visit<G: Game>(self, start: G) -> Self::Output;

    /// Does it with a phantom game, before its first move.
    fn visit_hidden<G: Phantom>(self, referee: Referee<G>) -> Self::Output;
}

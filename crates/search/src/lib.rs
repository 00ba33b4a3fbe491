//! Monte Carlo tree search assembled from parts.
//!
//! A search is **root × tree × leaf**. The root spends samples on the moves by
//! any allocator of `tesuji-bandit`, or as the rest of the tree does; the tree
//! is UCT, RAVE, GRAVE, PUCT, the value of information, SHOT, Hybrid MCTS or
//! none; the leaf is one playout or several spread over its moves.
//!
//! This crate knows no game. Searches are compiled once, over what a player sees of a
//! position ([`Sight`]), and every [`Game`](tesuji_core::Game) is one: your own game is
//! searched like those of `tesuji-games`. Only what runs for every simulation is compiled
//! for each game (`kernel`).
//!
//! ```
//! use tesuji_core::{Game, Seed};
//! use tesuji_games::Domineering;
//! use tesuji_search::{LeafConfig, Limits, Options, PlayerConfig, Root, SearchConfig, TreeConfig};
//!
//! // Sequential Halving at the root, UCT below: `sh+uct` in the catalog's words.
//! let config = SearchConfig {
//!     root: Root::Policy("sh".parse()?),
//!     tree: TreeConfig::Uct { c: 0.4 },
//!     leaf: LeafConfig::Playout,
//!     options: Options::default(),
//! };
//! let mut player = PlayerConfig::Search(Box::new(config)).player();
//! let game = Domineering::new(5, 5)?;
//! let report = player.search(&game, &Limits::samples(2000).on(2), Seed::new(1), None);
//! assert_eq!(report.spent, 2000);
//! // Players report moves as numbers; `typed` gives the game's own.
//! assert!(game.is_legal(report.typed().mv().unwrap()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | `config`, `player`, `limits`, `report` | what goes in and what comes out |
//! | `json` | the report as JSON, with the feature `serde` |
//! | `root_moves`, `steering` | which moves a search may choose, and which get more samples |
//! | `board`, `sight` | a game on the table, for referees; what a player sees of it |
//! | `hidden` | phantom games: what one side knows, as a game of one move |
//! | `tree_search` | the root is a node like any other |
//! | `arm_search` | an allocator at the root, a tree for each move |
//! | `kernel`, `simulator` | one simulation: down, a leaf, and back; what of it knows the game, and what does not |
//! | `tree`, `marks`, `amaf` | positions, statistics of moves, which moves were played |
//! | `policy` | UCB1, RAVE, GRAVE, PUCT, value of information |
//! | `device` | searches that are made elsewhere, many at a time |
//! | `network` | leaves that a network values, in batches |
//! | `leaf`, `shot`, `solver` | several playouts for a leaf; halving in trees; proofs |

mod amaf;
mod arm_search;
mod board;
mod config;
mod device;
mod hidden;
#[cfg(feature = "serde")]
pub mod json;
mod kernel;
mod leaf;
mod limits;
mod line;
mod marks;
mod network;
mod player;
mod policy;
mod report;
mod root_moves;
mod shot;
mod sight;
mod simulator;
mod solver;
mod standing;
mod steering;
mod tree;
mod tree_search;

pub use board::{Attempt, Board, OpenBoard, PhantomBoard, Recording, Tally, Tried, quiet_opening};
pub use config::{
    AmafMoves, Choice, Count, LeafConfig, Options, PlayerConfig, PriorPolicy, PriorSource, Root, ScoreSource,
    SearchConfig, TreeConfig,
};
pub use device::{
    DeviceError, DeviceSearch, DeviceStatus, HostHalf, LeafPlan, LeafSpread, LookAhead, MoveSamples,
    SearchDevice, SearchId, Wanted, root_of_log, sampled,
};
pub use hidden::Seen;
pub use limits::{Budget, Limits, MOST_SAMPLES};
pub use line::Lines;
pub use network::{NetworkFailure, catch_network_failure};
pub use player::{Player, TurnedPlayer};
pub use report::{Amaf, ArmReport, Event, Focused, Memory, Report, SearchStop, Watch};
pub use root_moves::RootMoves;
pub use sight::{Sight, SightRef};
pub use standing::{Candidate, Standing};
pub use steering::{Steering, SteeringError};
pub use tesuji_bandit::Until;

//! Monte Carlo tree search assembled from parts.
//!
//! A search is **root × tree × leaf**. The root spends samples on the moves by
//! any allocator of `tesuji-bandit`, or as the rest of the tree does; the tree
//! is UCT, RAVE, GRAVE, PUCT, the value of information, SHOT, Hybrid MCTS or
//! none; the leaf is one playout or several spread over its moves.
//!
//! This crate knows no game: everything is generic over
//! [`Game`](tesuji_core::Game), and a game of yours is searched like ours.

mod amaf;
mod arm_search;
mod config;
mod leaf;
mod limits;
mod marks;
mod player;
mod policy;
mod report;
mod shot;
mod simulator;
mod solver;
mod tree;
mod tree_search;

pub use config::{
    AmafMoves, Count, LeafConfig, Options, PlayerConfig, PriorPolicy, PriorSource, Root, SearchConfig,
    TreeConfig,
};
pub use limits::{Budget, Limits, MOST_SAMPLES};
pub use player::Player;
pub use report::{Amaf, ArmReport, Event, Memory, Report, SearchStop, Watch};

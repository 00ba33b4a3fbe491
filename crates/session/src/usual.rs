//! Who plays where nobody was named.

use tesuji_catalog::{BudgetSpec, GameSpec, PlayerSpec};
use tesuji_core::Seed;

use crate::session::{Manners, Settings};

/// How much a player without a budget of its own thinks about a move if no clock runs.
pub fn usual_budget() -> BudgetSpec {
    "2s".parse().expect("this is a budget")
}

/// The most trees that are grown side by side: each has to find out the same again.
const MOST_TREES: usize = 8;

/// RAVE whose AMAF statistics fade after a thousand samples of a move: with the papers' 1e-7
/// they outweigh the mean even of a hundred thousand, which is what a second has.
const TREE: &str = "rave(bias=0.001)";

/// The player that suits a game, on this number of threads.
pub fn usual_player(game: &GameSpec, threads: usize) -> PlayerSpec {
    let trees = threads.clamp(1, MOST_TREES);
    let text = match () {
        () if game.info().is_hidden => "flat(sh)".to_owned(),
        () if trees == 1 => format!("{TREE}+reuse"),
        () => format!("{TREE}+reuse+trees({trees})"),
    };
    text.parse().expect("the usual players exist")
}

impl Settings {
    /// The settings that suit a game on this number of threads: its usual player, from seed 1.
    pub fn usual(game: &GameSpec, threads: usize) -> Settings {
        Settings {
            player: usual_player(game, threads),
            seed: Seed::new(1),
            threads,
            manners: Manners::of(game),
            ponders: false,
        }
    }
}

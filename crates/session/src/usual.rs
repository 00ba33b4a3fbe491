//! Who plays where nobody was named.

use std::time::Duration;

use tesuji_catalog::{GameSpec, PlayerSpec};
use tesuji_core::Seed;
use tesuji_search::Budget;

use crate::session::{Manners, Settings, is_go};

/// What a player without a budget of its own thinks about a move where no clock runs.
pub const USUAL_BUDGET: Budget = Budget::Time(Duration::from_secs(2));

/// The player that suits a game.
pub fn usual_player(game: &GameSpec) -> PlayerSpec {
    let text = match () {
        () if game.info().is_hidden => "flat(sh)",
        () if is_go(game) => "rave+reuse",
        () => "rave",
    };
    text.parse().expect("the usual players exist")
}

impl Settings {
    /// What suits a game: its usual player, on one thread, from the first seed.
    pub fn usual(game: &GameSpec) -> Settings {
        Settings {
            player: usual_player(game),
            seed: Seed::new(1),
            threads: 1,
            manners: Manners::of(game),
            ponders: false,
        }
    }
}

//! A player whose game's type has been forgotten.

use tesuji_core::{Game, Seed};
use tesuji_search::{Limits, Player, PlayerConfig, Report, Watch};

use crate::any::Forgotten;
use crate::{AnyGame, GameVisitor};

/// A player of some game. Moves in its reports are texts.
pub trait AnyPlayer: Send {
    /// Looks at a position and chooses a move, see [`Player::search`].
    ///
    /// # Panics
    /// Where the position is of another game than the player was made for.
    fn search(
        &mut self,
        game: &dyn AnyGame,
        limits: &Limits<'_>,
        seed: Seed,
        watch: Option<&mut dyn Watch>,
    ) -> Report<String>;

    /// Forgets everything: a new game begins.
    fn forget(&mut self);
}

/// Makes a player of the game that it visits.
pub(crate) struct MakePlayer<'a>(pub(crate) &'a PlayerConfig);

impl GameVisitor for MakePlayer<'_> {
    type Output = Box<dyn AnyPlayer>;

    fn visit<G: Game>(self, _: G) -> Box<dyn AnyPlayer> {
        Box::new(PlayerOf(self.0.player::<G>()))
    }
}

struct PlayerOf<G>(Box<dyn Player<G>>);

impl<G: Game> AnyPlayer for PlayerOf<G> {
    fn search(
        &mut self,
        game: &dyn AnyGame,
        limits: &Limits<'_>,
        seed: Seed,
        watch: Option<&mut dyn Watch>,
    ) -> Report<String> {
        let position = game.as_any().downcast_ref::<Forgotten<G>>();
        let Forgotten(position) = position.expect("a player is shown positions of the game it was made for");
        self.0.search(position, limits, seed, watch).map(|mv| position.move_text(mv))
    }

    fn forget(&mut self) {
        self.0.forget();
    }
}

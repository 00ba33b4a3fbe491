//! A player whose game's type has been forgotten.

use tesuji_core::{Call, Game, Phantom, Referee, Seed, Side, Symmetry, View};
use tesuji_search::{HiddenPlayer, Limits, Player, PlayerConfig, Report, Watch};

use crate::any::Forgotten;
use crate::hidden::Veiled;
use crate::{AnyGame, GameVisitor};

/// A player of some game. Moves in its reports are texts.
pub trait AnyPlayer: Send {
    /// Looks at a position and chooses a move, see [`Player::search`]. Of a phantom game
    /// it is shown what the side to move knows.
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

    /// The first moves of a side as long as nothing happens to it: none of its attempts is
    /// refused, and it hears of no capture. `seeds` are those of its plies. In a game in
    /// which the enemy is seen there is no such thing, but for the first move of all.
    fn opening(
        &mut self,
        start: &dyn AnyGame,
        side: Side,
        moves: usize,
        limits: &Limits<'_>,
        seeds: &dyn Fn(u64) -> Seed,
    ) -> Vec<String>;

    /// Looks at positions through this symmetry of the board from now on: one of
    /// [`AnyGame::symmetries`].
    fn turn(&mut self, symmetry: Symmetry);

    /// Forgets everything: a new game begins.
    fn forget(&mut self);
}

/// Makes a player of the game that it visits, which it can play.
pub(crate) struct MakePlayer<'a>(pub(crate) &'a PlayerConfig);

impl GameVisitor for MakePlayer<'_> {
    type Output = Box<dyn AnyPlayer>;

    fn visit<G: Game>(self, _: G) -> Box<dyn AnyPlayer> {
        Box::new(PlayerOf(self.0.player::<G>(), Symmetry::IDENTITY))
    }

    fn visit_hidden<G: Phantom>(self, _: Referee<G>) -> Box<dyn AnyPlayer> {
        let player = self.0.hidden_player::<G::View>().expect("whether it can play the game was checked");
        Box::new(HiddenPlayerOf(player, Symmetry::IDENTITY))
    }
}

struct PlayerOf<G>(Box<dyn Player<G>>, Symmetry);

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
        if self.1 == Symmetry::IDENTITY {
            return self.0.search(position, limits, seed, watch).map(|mv| position.move_text(mv));
        }
        let turned = position.transformed(self.1);
        let back = |mv| position.move_text(turned.transformed_move(mv, self.1.inverse()));
        self.0.search(&turned, limits, seed, watch).map(back)
    }

    fn opening(
        &mut self,
        start: &dyn AnyGame,
        side: Side,
        moves: usize,
        limits: &Limits<'_>,
        seeds: &dyn Fn(u64) -> Seed,
    ) -> Vec<String> {
        if side != start.to_move() || moves == 0 {
            return Vec::new();
        }
        self.search(start, limits, seeds(0), None).mv().into_iter().collect()
    }

    fn turn(&mut self, symmetry: Symmetry) {
        self.1 = symmetry;
    }

    fn forget(&mut self) {
        self.0.forget();
    }
}

struct HiddenPlayerOf<V>(Box<dyn HiddenPlayer<V>>, Symmetry);

impl<V: View> AnyPlayer for HiddenPlayerOf<V> {
    fn search(
        &mut self,
        game: &dyn AnyGame,
        limits: &Limits<'_>,
        seed: Seed,
        watch: Option<&mut dyn Watch>,
    ) -> Report<String> {
        let veiled = game.as_any().downcast_ref::<Veiled<V::World>>();
        let Veiled(referee) = veiled.expect("a player is shown positions of the game it was made for");
        let view = referee.view(referee.world().to_move());
        if self.1 == Symmetry::IDENTITY {
            return self.0.choose(view, limits, seed, watch).map(|mv| view.move_text(mv));
        }
        let turned = view.transformed(self.1);
        let back = |mv| view.move_text(turned.transformed_move(mv, self.1.inverse()));
        self.0.choose(&turned, limits, seed, watch).map(back)
    }

    fn opening(
        &mut self,
        start: &dyn AnyGame,
        side: Side,
        moves: usize,
        limits: &Limits<'_>,
        seeds: &dyn Fn(u64) -> Seed,
    ) -> Vec<String> {
        let veiled = start.as_any().downcast_ref::<Veiled<V::World>>();
        let Veiled(referee) = veiled.expect("a player is shown positions of the game it was made for");
        let mut view = referee.view(side).clone();
        let mut played = Vec::new();
        let nothing = || Some(<V::World as Phantom>::News::default());
        while played.len() < moves {
            if view.to_move() != side {
                view.hear(&Call::EnemyMoved(nothing()));
                continue;
            }
            let report = self.0.choose(&view, limits, seeds(u64::from(view.ply())), None);
            let Some(mv) = report.mv() else { break };
            played.push(view.move_text(mv));
            view.hear(&Call::Stands(mv, nothing()));
        }
        played
    }

    fn turn(&mut self, symmetry: Symmetry) {
        self.1 = symmetry;
    }

    fn forget(&mut self) {
        self.0.forget();
    }
}

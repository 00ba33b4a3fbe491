//! What a player sees of a game: all that a search needs to know of a position, behind
//! one object-safe trait, so that searches are compiled once and not for every game.

use std::any::Any;
use std::ops::Deref;

use tesuji_core::{Code, Encoded, Game, MoveId, NetworkForm, Outcome, PackedMove, Rng, Side, Symmetry};

use crate::kernel::{GameKernel, KernelBox};

/// A position as a player sees it. Every [`Game`] is one; of a phantom game it is what
/// the side to move knows ([`Seen`](crate::Seen)).
///
/// What is called for every simulation is not here: the [`kernel`](Sight::kernel), which
/// is compiled for the game, makes many of them in one call.
pub trait Sight: Send + Sync {
    /// Returns the side whose turn it is.
    fn to_move(&self) -> Side;

    /// Returns how the game ended, or `None` if it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Returns the moves worth searching: the arms of a search, in their order.
    fn search_moves(&self) -> Vec<MoveId>;

    /// Returns the move's text.
    fn move_text(&self, mv: MoveId) -> String;

    /// Returns a hash of the position.
    fn hash(&self) -> u64;

    /// Returns the number of AMAF codes.
    fn n_codes(&self) -> usize;

    /// Returns the AMAF code of a move.
    fn code(&self, mv: MoveId) -> Code;

    /// Whether the enemy's pieces are hidden, so that a move may be refused.
    fn hides_pieces(&self) -> bool;

    /// Returns a copy.
    fn boxed_clone(&self) -> Box<dyn Sight>;

    /// Writes the position after a move into `after`, whose memory is used again if it
    /// holds a position of the same game.
    fn play_into(&self, mv: MoveId, after: &mut Option<Box<dyn Sight>>);

    /// Returns the position seen through a symmetry of the board.
    fn transformed(&self, symmetry: Symmetry) -> Box<dyn Sight>;

    /// Returns the move that corresponds to `mv` in the position seen through the symmetry.
    fn transformed_move(&self, mv: MoveId, symmetry: Symmetry) -> MoveId;

    /// Returns the position for the kernels of a device; `None` if there are none for it.
    fn encoded(&self) -> Option<Encoded>;

    /// Returns the form in which networks see the game's positions; `None` if they cannot.
    fn network_form(&self) -> Option<NetworkForm>;

    /// Writes the position as the side to move sees it, for a network.
    fn write_planes(&self, planes: &mut [f32]);

    /// Writes the position for a network. If pieces are hidden, the position is one that agrees with
    /// what is known, drawn anew. Returns the outcome if the game is over there.
    fn write_guessed_planes(&self, planes: &mut [f32], rng: &mut Rng) -> Option<Outcome>;

    /// Returns the number of a move among the logits of a network.
    fn logit(&self, mv: MoveId) -> usize;

    /// Returns the position with its type, for the kernel of its game.
    #[doc(hidden)]
    fn as_any(&self) -> &dyn Any;

    /// Returns the position with its type, to be written over.
    #[doc(hidden)]
    fn as_any_mut(&mut self) -> &mut dyn Any;

    /// Returns what makes simulations of the game.
    #[doc(hidden)]
    fn kernel(&self) -> KernelBox;
}

impl<G: Game> Sight for G {
    fn to_move(&self) -> Side {
        Game::to_move(self)
    }

    fn outcome(&self) -> Option<Outcome> {
        Game::outcome(self)
    }

    fn search_moves(&self) -> Vec<MoveId> {
        let mut moves = Vec::new();
        self.for_each_search_move(|mv| moves.push(mv.pack()));
        moves
    }

    fn move_text(&self, mv: MoveId) -> String {
        Game::move_text(self, G::Move::unpack(mv))
    }

    fn hash(&self) -> u64 {
        Game::hash(self)
    }

    fn n_codes(&self) -> usize {
        Game::n_codes(self)
    }

    fn code(&self, mv: MoveId) -> Code {
        Game::code(self, G::Move::unpack(mv))
    }

    fn hides_pieces(&self) -> bool {
        Game::hides_pieces(self)
    }

    fn boxed_clone(&self) -> Box<dyn Sight> {
        Box::new(self.clone())
    }

    fn play_into(&self, mv: MoveId, after: &mut Option<Box<dyn Sight>>) {
        let mv = G::Move::unpack(mv);
        if let Some(position) = after.as_mut().and_then(|after| after.as_any_mut().downcast_mut::<G>()) {
            position.clone_from(self);
            position.play_unchecked(mv);
            return;
        }
        let mut position = self.clone();
        position.play_unchecked(mv);
        *after = Some(Box::new(position));
    }

    fn transformed(&self, symmetry: Symmetry) -> Box<dyn Sight> {
        Box::new(Game::transformed(self, symmetry))
    }

    fn transformed_move(&self, mv: MoveId, symmetry: Symmetry) -> MoveId {
        Game::transformed_move(self, G::Move::unpack(mv), symmetry).pack()
    }

    fn encoded(&self) -> Option<Encoded> {
        Game::encoded(self)
    }

    fn network_form(&self) -> Option<NetworkForm> {
        Game::network_form(self)
    }

    fn write_planes(&self, planes: &mut [f32]) {
        Game::write_planes(self, planes);
    }

    fn write_guessed_planes(&self, planes: &mut [f32], rng: &mut Rng) -> Option<Outcome> {
        Game::write_guessed_planes(self, planes, rng)
    }

    fn logit(&self, mv: MoveId) -> usize {
        Game::logit(self, G::Move::unpack(mv))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn kernel(&self) -> KernelBox {
        KernelBox(Box::<GameKernel<G>>::default())
    }
}

impl dyn Sight + '_ {
    /// Returns the position after a move.
    pub fn after(&self, mv: MoveId) -> Box<dyn Sight> {
        let mut after = None;
        self.play_into(mv, &mut after);
        after.expect("play_into fills an empty place")
    }
}

/// A [`Sight`] of a board: borrowed from it, or made for the one who asked.
pub enum SightRef<'a> {
    /// Borrowed from the board.
    Lent(&'a dyn Sight),
    /// Made for the one who asked: what one side of a phantom game knows.
    Own(Box<dyn Sight>),
}

impl<'a> Deref for SightRef<'a> {
    type Target = dyn Sight + 'a;

    fn deref(&self) -> &(dyn Sight + 'a) {
        match self {
            SightRef::Lent(sight) => *sight,
            SightRef::Own(sight) => &**sight,
        }
    }
}

//! A game whose type has been forgotten, for people's commands.

use std::any::Any;

use tesuji_core::{
    Code, Game, Outcome, ParseMoveError, ParsePositionError, Phantom, Referee, Rng, Side, Silent, Symmetry,
    perft,
};

use crate::GameVisitor;
use crate::hidden::Veiled;

/// A position of some game, with moves as texts.
///
/// Whatever is called often, such as a playout, belongs inside one call.
pub trait AnyGame: Send + Sync {
    /// The position for those who know its type.
    #[doc(hidden)]
    fn as_any(&self) -> &dyn Any;

    /// The same position again.
    fn boxed_clone(&self) -> Box<dyn AnyGame>;

    /// The side whose turn it is.
    fn to_move(&self) -> Side;

    /// How the game ended, if it has.
    fn outcome(&self) -> Option<Outcome>;

    /// By how many points Black has won, see [`Game::margin`].
    fn margin(&self) -> Option<f64>;

    /// The number of legal moves.
    fn n_moves(&self) -> u64;

    /// The texts of the legal moves, in the game's order.
    fn moves(&self) -> Vec<String>;

    /// The texts of the moves worth searching, in the order in which searches number them.
    fn search_moves(&self) -> Vec<String>;

    /// Plays the move with this text, and gives the text as the game writes it.
    fn play(&mut self, text: &str) -> Result<String, ParseMoveError>;

    /// Tries a move. Where the enemy is hidden, the referee may refuse it, and the same
    /// side tries another; elsewhere a move that is not legal is an error.
    fn attempt(&mut self, text: &str) -> Result<Attempt, ParseMoveError> {
        Ok(Attempt::Stands { mv: self.play(text)?, news: None })
    }

    /// What a side sees, drawn for a terminal, where that is not the whole position.
    fn seen_by(&self, _side: Side) -> Option<String> {
        None
    }

    /// Whose piece a side takes to stand on a cell: where the enemy is hidden that is what
    /// its view has, elsewhere what [`piece_at`](AnyGame::piece_at) says.
    fn known_at(&self, _side: Side, x: usize, y: usize) -> Option<Side> {
        self.piece_at(x, y)
    }

    /// A position that a side may take for the real one, drawn as its searches draw them,
    /// where it does not see the real one.
    fn imagined(&self, _side: Side, _rng: &mut Rng) -> Option<Box<dyn AnyGame>> {
        None
    }

    /// The symmetries of the board that keep the rules and leave this position as it is,
    /// the identity first.
    fn symmetries(&self) -> Vec<Symmetry>;

    /// Plays one of the moves worth searching, each equally likely, and gives
    /// its text; nothing once the game is over.
    fn play_at_random(&mut self, rng: &mut Rng) -> Option<String>;

    /// The same position with this side to move, see [`Game::with_to_move`].
    fn with_to_move(&self, _side: Side) -> Option<Box<dyn AnyGame>> {
        None
    }

    /// The position at the end of a random game from here: the same games as playouts play,
    /// but slower. One that does not end in so many moves is left there.
    fn played_out(&self, rng: &mut Rng, most_moves: u32) -> Box<dyn AnyGame>;

    /// Goes to a position given as text.
    fn set_position(&mut self, text: &str) -> Result<(), ParsePositionError>;

    /// The position as one line of text, where the game has such a form.
    fn position_text(&self) -> Option<String>;

    /// Whose piece stands on a cell, see [`Game::piece_at`].
    fn piece_at(&self, x: usize, y: usize) -> Option<Side>;

    /// The position drawn for a terminal.
    fn drawing(&self) -> String;

    /// The number of legal move sequences of exactly `depth` plies.
    fn perft(&self, depth: u32) -> u64;

    /// The same, `depth` at least 1, apart for each first move.
    fn divide(&self, depth: u32) -> Vec<(String, u64)>;

    /// Plays `n` playouts from here and adds up how they ended.
    fn playouts(&self, n: u64, rng: &mut Rng, recording: Recording) -> Tally;
}

/// What came of trying a move, its text as the game writes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Attempt {
    /// It is played.
    Stands {
        /// The move.
        mv: String,
        /// What both sides are told that it did.
        news: Option<String>,
    },
    /// The referee says that it is not legal: the same side tries another.
    Refused {
        /// The move.
        mv: String,
    },
}

/// Whether playouts note the codes of their moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Recording {
    /// They do not.
    #[default]
    Off,
    /// They do, as a search with AMAF statistics asks.
    On,
}

/// How playouts ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Wins of Black and of White, by [`Side::index`].
    pub wins: [u64; 2],
    /// Games that nobody won.
    pub draws: u64,
    /// Moves played, all together.
    pub plies: u64,
}

impl Tally {
    /// The number of playouts.
    pub fn playouts(&self) -> u64 {
        self.wins[0] + self.wins[1] + self.draws
    }

    /// The mean number of moves.
    pub fn mean_length(&self) -> f64 {
        self.plies as f64 / self.playouts() as f64
    }

    /// The mean reward of a side, a draw being half a win, and its standard error.
    pub fn win_rate(&self, side: Side) -> (f64, f64) {
        let n = self.playouts() as f64;
        let (wins, draws) = (self.wins[side.index()] as f64, self.draws as f64);
        let mean = (wins + 0.5 * draws) / n;
        let mean_of_squares = (wins + 0.25 * draws) / n;
        (mean, ((mean_of_squares - mean * mean).max(0.0) / n).sqrt())
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.wins[0] += other.wins[0];
        self.wins[1] += other.wins[1];
        self.draws += other.draws;
        self.plies += other.plies;
    }
}

/// Forgets a game's type.
pub(crate) struct Forget;

impl GameVisitor for Forget {
    type Output = Box<dyn AnyGame>;

    fn visit<G: Game>(self, start: G) -> Box<dyn AnyGame> {
        Box::new(Forgotten(start))
    }

    fn visit_hidden<G: Phantom>(self, referee: Referee<G>) -> Box<dyn AnyGame> {
        Box::new(Veiled(referee))
    }
}

/// A game behind [`AnyGame`]; a wrapper, so that the methods of the two traits
/// are never taken for each other.
#[derive(Clone)]
pub(crate) struct Forgotten<G>(pub(crate) G);

impl<G: Game> AnyGame for Forgotten<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn boxed_clone(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }

    fn to_move(&self) -> Side {
        self.0.to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn margin(&self) -> Option<f64> {
        self.0.margin()
    }

    fn n_moves(&self) -> u64 {
        self.0.n_moves()
    }

    fn moves(&self) -> Vec<String> {
        self.0.moves().into_iter().map(|mv| self.0.move_text(mv)).collect()
    }

    fn search_moves(&self) -> Vec<String> {
        self.0.search_moves().into_iter().map(|mv| self.0.move_text(mv)).collect()
    }

    fn play(&mut self, text: &str) -> Result<String, ParseMoveError> {
        let mv = self.0.parse_move(text)?;
        let name = self.0.move_text(mv);
        self.0.play_unchecked(mv);
        Ok(name)
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        let keeps = |symmetry: &Symmetry| self.0.transformed(*symmetry).hash() == self.0.hash();
        self.0.symmetries().iter().copied().filter(keeps).collect()
    }

    fn play_at_random(&mut self, rng: &mut Rng) -> Option<String> {
        let mv = *rng.choose(&self.0.search_moves())?;
        let name = self.0.move_text(mv);
        self.0.play_unchecked(mv);
        Some(name)
    }

    fn with_to_move(&self, side: Side) -> Option<Box<dyn AnyGame>> {
        Some(Box::new(Forgotten(self.0.with_to_move(side)?)))
    }

    fn played_out(&self, rng: &mut Rng, most_moves: u32) -> Box<dyn AnyGame> {
        let mut position = self.0.clone();
        let mut moves = Vec::new();
        for _ in 0..most_moves {
            moves.clear();
            position.for_each_search_move(|mv| moves.push(mv));
            let Some(&mv) = rng.choose(&moves) else { break };
            position.play_unchecked(mv);
        }
        Box::new(Forgotten(position))
    }

    fn set_position(&mut self, text: &str) -> Result<(), ParsePositionError> {
        self.0 = self.0.parse_position(text)?;
        Ok(())
    }

    fn position_text(&self) -> Option<String> {
        self.0.position_text()
    }

    fn piece_at(&self, x: usize, y: usize) -> Option<Side> {
        self.0.piece_at(x, y)
    }

    fn drawing(&self) -> String {
        self.0.drawing()
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&self.0, depth)
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let below = |mv| {
            let mut next = self.0.clone();
            next.play_unchecked(mv);
            (self.0.move_text(mv), perft(&next, depth - 1))
        };
        self.0.moves().into_iter().map(below).collect()
    }

    fn playouts(&self, n: u64, rng: &mut Rng, recording: Recording) -> Tally {
        let mut tally = Tally::default();
        let mut add = |playout: tesuji_core::Playout| {
            match playout.outcome {
                Outcome::Win(side) => tally.wins[side.index()] += 1,
                Outcome::Draw => tally.draws += 1,
            }
            tally.plies += u64::from(playout.plies);
        };
        match recording {
            Recording::Off => (0..n).for_each(|_| add(self.0.playout(rng, &mut Silent))),
            Recording::On => {
                let mut codes: Vec<Code> = Vec::new();
                (0..n).for_each(|_| {
                    codes.clear();
                    add(self.0.playout(rng, &mut codes));
                });
            }
        }
        tally
    }
}

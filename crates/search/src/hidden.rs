//! Players of phantom games: flat Monte Carlo over determinizations (Cazenave 2006).
//!
//! Every sample of a candidate plays it on what is known, puts the hidden pieces
//! somewhere they may be, and plays at random to the end. That is an arm to be
//! sampled like any other, so all policies of `tesuji-bandit` serve here:
//! `uniform` is the program of Cazenave, Liu, Teytaud and Teytaud (2016), `sh` that
//! of Pepels, Cazenave and Winands (2015), and `shuss` takes AMAF scores.
//!
//! A player is handed a [`Sight`](crate::Sight), and of a phantom game the only one is
//! [`Seen`], what one side knows. The referee, who has the real board, is no sight, so a
//! player which is handed the referee does not compile:
//!
//! ```compile_fail,E0277
//! use tesuji_core::{Announced, Referee, Seed};
//! use tesuji_games::{Go, GoRules, goban::UpTo7};
//! use tesuji_search::{Limits, PlayerConfig};
//! let start = Go::<UpTo7>::new(GoRules { size: 5, ..GoRules::default() }).unwrap();
//! let referee = Referee::new(start, Announced::Captures);
//! let mut player = PlayerConfig::Random.player();
//! player.search(&referee, &Limits::samples(10), Seed::new(1), None);
//! ```
//!
//! What Black knows does:
//!
//! ```
//! use tesuji_core::{Announced, Referee, Seed, Side};
//! use tesuji_games::{Go, GoRules, goban::UpTo7};
//! use tesuji_search::{Limits, PlayerConfig, Seen};
//! let start = Go::<UpTo7>::new(GoRules { size: 5, ..GoRules::default() }).unwrap();
//! let referee = Referee::new(start, Announced::Captures);
//! let mut player = PlayerConfig::Random.player();
//! let seen = Seen::new(referee.view(Side::Black).clone());
//! let report = player.search(&seen, &Limits::samples(10), Seed::new(1), None);
//! assert!(report.mv().is_some());
//! ```

use std::ops::ControlFlow;

use tesuji_core::{
    Code, Encoded, Game, Guess, NetworkForm, Outcome, Playout, Record, Rng, Seed, Side, Symmetry, View,
};

/// A move of the game behind a view.
type MoveOf<V> = <<V as View>::World as Game>::Move;

/// What one side of a phantom game knows, as a game of one move: its moves are the
/// candidates (or the last resort, if there is none), and a playout after one begins with
/// a determinization. So the search that has an allocator at its root serves phantom games
/// too, as long as it has no tree below.
pub struct Seen<V: View>(State<V>);

enum State<V: View> {
    Known(V),
    After(V::Guess, Side),
}

impl<V: View> Seen<V> {
    /// Shows a view to players.
    pub fn new(view: V) -> Seen<V> {
        Seen(State::Known(view))
    }
}

impl<V: View> Clone for Seen<V> {
    #[inline]
    fn clone(&self) -> Self {
        Seen(match &self.0 {
            State::Known(view) => State::Known(view.clone()),
            State::After(guess, side) => State::After(guess.clone(), *side),
        })
    }
}

impl<V: View> Game for Seen<V> {
    type Move = MoveOf<V>;

    fn to_move(&self) -> Side {
        match &self.0 {
            State::Known(view) => view.side(),
            State::After(_, side) => *side,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn try_for_each_move<B>(&self, mut visit: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut flow = ControlFlow::Continue(());
        if let State::Known(view) = &self.0 {
            let mut has_candidate = false;
            view.for_each_candidate(|mv| {
                has_candidate = true;
                if flow.is_continue() {
                    flow = visit(mv);
                }
            });
            if let (false, Some(mv)) = (has_candidate, view.last_resort()) {
                flow = visit(mv);
            }
        }
        flow
    }

    fn play_unchecked(&mut self, mv: Self::Move) {
        if let State::Known(view) = &self.0 {
            self.0 = State::After(view.assume(Some(mv)), !view.side());
        }
    }

    fn hash(&self) -> u64 {
        0
    }

    fn n_codes(&self) -> usize {
        match &self.0 {
            State::Known(view) => view.n_codes(),
            State::After(..) => 0,
        }
    }

    fn code(&self, mv: Self::Move) -> Code {
        match &self.0 {
            State::Known(view) => view.code(mv),
            State::After(..) => 0,
        }
    }

    fn move_text(&self, mv: Self::Move) -> String {
        match &self.0 {
            State::Known(view) => view.move_text(mv),
            State::After(..) => String::new(),
        }
    }

    fn hides_pieces(&self) -> bool {
        true
    }

    fn encoded(&self) -> Option<Encoded> {
        match &self.0 {
            State::Known(view) => view.encoded(),
            State::After(..) => None,
        }
    }

    fn network_form(&self) -> Option<NetworkForm> {
        match &self.0 {
            State::Known(view) => view.network_form(),
            // All worlds have the same form.
            State::After(guess, _) => guess.world(&mut Seed::new(0).rng()).network_form(),
        }
    }

    fn logit(&self, mv: Self::Move) -> usize {
        match &self.0 {
            State::Known(view) => view.logit(mv),
            State::After(..) => 0,
        }
    }

    fn write_guessed_planes(&self, planes: &mut [f32], rng: &mut Rng) -> Option<Outcome> {
        let world = match &self.0 {
            State::Known(view) => view.assume(None).world(rng),
            State::After(guess, _) => guess.world(rng),
        };
        world.write_planes(planes);
        world.outcome()
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        match &self.0 {
            State::Known(view) => Seen::new(view.transformed(symmetry)),
            State::After(..) => self.clone(),
        }
    }

    fn transformed_move(&self, mv: Self::Move, symmetry: Symmetry) -> Self::Move {
        match &self.0 {
            State::Known(view) => view.transformed_move(mv, symmetry),
            State::After(..) => mv,
        }
    }

    #[inline]
    fn playout(&self, rng: &mut Rng, record: &mut impl Record) -> Playout {
        match &self.0 {
            State::Known(view) => view.assume(None).playout(rng, record),
            State::After(guess, _) => guess.playout(rng, record),
        }
    }
}

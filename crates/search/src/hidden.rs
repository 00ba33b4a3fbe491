//! Players of phantom games: flat Monte Carlo over determinizations (Cazenave 2006).
//!
//! Every sample of a candidate plays it on what is known, puts the hidden pieces
//! somewhere they may be, and plays at random to the end. That is an arm to be
//! sampled like any other, so all policies of `tesuji-bandit` serve here:
//! `uniform` is the program of Cazenave, Liu, Teytaud and Teytaud (2016), `sh` that
//! of Pepels, Cazenave and Winands (2015), and `shuss` takes AMAF scores.
//!
//! A player is handed a [`View`]. The world is a value of another type, so that a
//! player which is shown it does not compile:
//!
//! ```compile_fail,E0277
//! use tesuji_core::{Announced, Referee, Seed};
//! use tesuji_games::{Go, GoRules, goban::UpTo7};
//! use tesuji_search::{HiddenPlayer, Limits, PlayerConfig};
//! let start = Go::<UpTo7>::new(GoRules { size: 5, ..GoRules::default() }).unwrap();
//! let referee = Referee::new(start, Announced::Captures);
//! // `Go` is the real board, and no `View`.
//! let mut player: Box<dyn HiddenPlayer<Go<UpTo7>>> = PlayerConfig::Random.hidden_player().unwrap();
//! player.choose(referee.world(), &Limits::samples(10), Seed::new(1), None);
//! ```
//!
//! The same with what Black knows does:
//!
//! ```
//! use tesuji_core::{Announced, Referee, Seed, Side};
//! use tesuji_games::{Go, GoRules, GoView, goban::UpTo7};
//! use tesuji_search::{HiddenPlayer, Limits, PlayerConfig};
//! let start = Go::<UpTo7>::new(GoRules { size: 5, ..GoRules::default() }).unwrap();
//! let referee = Referee::new(start, Announced::Captures);
//! let mut player: Box<dyn HiddenPlayer<GoView<UpTo7>>> = PlayerConfig::Random.hidden_player().unwrap();
//! let report = player.choose(referee.view(Side::Black), &Limits::samples(10), Seed::new(1), None);
//! assert!(report.mv().is_some());
//! ```

use std::ops::ControlFlow;

use tesuji_core::{Code, Game, Guess, Outcome, Playout, Record, Rng, Seed, Side, View};

use crate::arm_search::ArmSearch;
use crate::config::{LeafConfig, PlayerConfig, TreeConfig};
use crate::limits::Limits;
use crate::player::{Player, without_samples};
use crate::report::{Report, SearchStop, Watch};

/// A move of the game behind a view.
pub type MoveOf<V> = <<V as View>::World as Game>::Move;

/// Something that chooses moves of a phantom game by what one side knows.
///
/// What it chooses depends on the view, the seed and the budget, and on nothing else.
pub trait HiddenPlayer<V: View>: Send {
    /// Which move to try. Where it is refused, the next ones are in
    /// [`Report::ranking`]; where all are, the player is asked again.
    fn choose(
        &mut self,
        view: &V,
        limits: &Limits<'_>,
        seed: Seed,
        watch: Option<&mut dyn Watch>,
    ) -> Report<MoveOf<V>>;

    /// Forgets everything: a new game begins.
    fn forget(&mut self);
}

impl PlayerConfig {
    /// Whether it can play a phantom game; a sentence if not.
    pub fn check_hidden(&self) -> Result<(), String> {
        let fits = match self {
            PlayerConfig::Random => true,
            PlayerConfig::Greedy => false,
            PlayerConfig::Search(search) => {
                search.tree == TreeConfig::Flat && search.leaf == LeafConfig::Playout
            }
        };
        match fits {
            true => self.check(),
            false => Err("only random and flat(POLICY) play games in which the enemy is hidden, such as \
                          flat(uniform) or flat(sh)"
                .to_owned()),
        }
    }

    /// The player of a phantom game, or a sentence that says why there is none.
    pub fn hidden_player<V: View>(&self) -> Result<Box<dyn HiddenPlayer<V>>, String> {
        self.check_hidden()?;
        Ok(match self {
            PlayerConfig::Search(search) => Box::new(Flat::<V>(ArmSearch::new(search))),
            _ => Box::new(Random),
        })
    }
}

/// The candidates, or what is left when there are none.
fn candidates<V: View>(view: &V) -> Vec<MoveOf<V>> {
    let mut moves = Vec::new();
    view.for_each_candidate(|mv| moves.push(mv));
    if moves.is_empty() {
        moves.extend(view.last_resort());
    }
    moves
}

/// The first of the moves, without samples.
fn first_of<M: Copy>(moves: &[M], seed: Seed) -> Report<M> {
    without_samples(moves, &vec![None; moves.len()], if moves.is_empty() { &[] } else { &[0] }, seed)
}

/// Tries candidates at random.
struct Random;

impl<V: View> HiddenPlayer<V> for Random {
    fn choose(
        &mut self,
        view: &V,
        _: &Limits<'_>,
        seed: Seed,
        _: Option<&mut dyn Watch>,
    ) -> Report<MoveOf<V>> {
        let mut moves = candidates(view);
        // In a random order, so that the next ones are as random as the first.
        seed.child("order").rng().shuffle(&mut moves);
        first_of(&moves, seed)
    }

    fn forget(&mut self) {}
}

/// Flat Monte Carlo.
struct Flat<V: View>(ArmSearch<Guessed<V>>);

impl<V: View> HiddenPlayer<V> for Flat<V> {
    fn choose(
        &mut self,
        view: &V,
        limits: &Limits<'_>,
        seed: Seed,
        watch: Option<&mut dyn Watch>,
    ) -> Report<MoveOf<V>> {
        let report = self.0.search(&Guessed::Known(view.clone()), limits, seed, watch);
        if report.chosen.is_some() {
            return report;
        }
        // No candidate: the last resort.
        Report { stop: Some(SearchStop::OneMove), ..first_of(&candidates(view), seed) }
    }

    fn forget(&mut self) {
        self.0.forget();
    }
}

/// A view as a game of one move: its moves are the candidates, and a playout after
/// one begins with a determinization. So the search that has an allocator at its root
/// serves phantom games too, as long as it has no tree below.
enum Guessed<V: View> {
    Known(V),
    After(V::Guess, Side),
}

impl<V: View> Clone for Guessed<V> {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Guessed::Known(view) => Guessed::Known(view.clone()),
            Guessed::After(guess, side) => Guessed::After(guess.clone(), *side),
        }
    }
}

impl<V: View> Game for Guessed<V> {
    type Move = MoveOf<V>;

    fn to_move(&self) -> Side {
        match self {
            Guessed::Known(view) => view.side(),
            Guessed::After(_, side) => *side,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        None
    }

    fn try_for_each_move<B>(&self, mut visit: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut flow = ControlFlow::Continue(());
        if let Guessed::Known(view) = self {
            view.for_each_candidate(|mv| {
                if flow.is_continue() {
                    flow = visit(mv);
                }
            });
        }
        flow
    }

    fn play_unchecked(&mut self, mv: Self::Move) {
        if let Guessed::Known(view) = self {
            *self = Guessed::After(view.assume(Some(mv)), !view.side());
        }
    }

    fn hash(&self) -> u64 {
        0
    }

    fn n_codes(&self) -> usize {
        match self {
            Guessed::Known(view) => view.n_codes(),
            Guessed::After(..) => 0,
        }
    }

    fn code(&self, mv: Self::Move) -> Code {
        match self {
            Guessed::Known(view) => view.code(mv),
            Guessed::After(..) => 0,
        }
    }

    fn move_text(&self, mv: Self::Move) -> String {
        match self {
            Guessed::Known(view) => view.move_text(mv),
            Guessed::After(..) => String::new(),
        }
    }

    #[inline]
    fn playout(&self, rng: &mut Rng, record: &mut impl Record) -> Playout {
        match self {
            Guessed::Known(view) => view.assume(None).playout(rng, record),
            Guessed::After(guess, _) => guess.playout(rng, record),
        }
    }
}

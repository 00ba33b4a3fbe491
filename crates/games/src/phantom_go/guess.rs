//! Boards of Go that agree with what one side knows.
//!
//! The hidden stones are put uniformly on the points where they may be, such that
//! no chain of either side is without a liberty: a draw that leaves one is drawn
//! again, up to [`TRIES`] times. After that, stones are put one after another
//! wherever they do no harm, and those for which there is no room are left out.

use tesuji_core::isa::{self, Isa, Kernel};
use tesuji_core::{Guess, Playout, Pool, Record, Rng, Side, View};

use super::GoView;
use crate::go::{Go, GoMove, GoRules, playout};
use crate::goban::PointSet;
use crate::goban::board::{Board, Effect};
use crate::goban::stones::all_alive;

/// Draws of all hidden stones before some are left out.
const TRIES: u32 = 20;

/// The boards of Go that agree with a view, to draw from.
#[derive(Clone, Debug)]
pub struct GoGuess<S> {
    rules: GoRules,
    /// The side whose view it is.
    side: Side,
    /// Its stones and its marks, the side to move and the points.
    board: Board<S>,
    /// Where hidden stones may be.
    possible: S,
    /// The number of hidden stones, at most the number of such points.
    n_hidden: u32,
    passes: u8,
}

impl<S: PointSet> GoGuess<S> {
    pub(super) fn new(view: &GoView<S>, mv: Option<GoMove>) -> Self {
        let mut board = view.board;
        let mut vacated = view.vacated;
        let passes = match mv {
            None => {
                board.to_move = view.to_move();
                view.passes
            }
            Some(GoMove::Pass) => {
                board.to_move = !board.to_move;
                view.passes + 1
            }
            Some(GoMove::Stone(vertex)) => {
                if let Some(index) = board.index(vertex) {
                    let dead = match board.effect(index) {
                        Effect::Captures(dead) => dead,
                        _ => S::none(),
                    };
                    board.put(index, dead);
                    vacated = vacated.or(dead);
                }
                0
            }
        };
        // A stone among own stones alone could not breathe.
        let others = board.points.without(board.stones(view.side));
        let possible = board.empty().without(vacated).and(others.spread());
        let n_hidden = view.n_hidden().min(possible.count());
        GoGuess { rules: view.rules, side: view.side, board, possible, n_hidden, passes }
    }

    fn stones(&self, hidden: S) -> [S; 2] {
        let mut stones = Side::BOTH.map(|side| self.board.stones(side));
        let enemy = &mut stones[(!self.side).index()];
        *enemy = enemy.or(hidden);
        stones
    }

    /// Whether every chain has a liberty with the hidden stones here.
    #[inline(always)]
    fn breathes(&self, hidden: S) -> bool {
        let empty = self.board.empty().without(hidden);
        let [black, white] = self.stones(hidden);
        all_alive(black, black, empty) && all_alive(white, white, empty)
    }

    /// The hidden stones of a board that agrees.
    fn hidden(&self, rng: &mut Rng) -> S {
        match self.n_hidden {
            0 => S::none(),
            _ => isa::dispatch(Scatter { guess: self, rng }),
        }
    }
}

impl<S: PointSet> Guess for GoGuess<S> {
    type World = Go<S>;

    fn world(&self, rng: &mut Rng) -> Go<S> {
        let board = self.board.with_stones(self.stones(self.hidden(rng)), self.board.to_move);
        Go::set_up(self.rules, board, self.passes)
    }

    #[inline]
    fn playout(&self, rng: &mut Rng, record: &mut impl Record) -> Playout {
        let stones = self.stones(self.hidden(rng));
        let board = self.board.with_stones_unhashed(stones, self.board.to_move);
        playout(&self.rules, &board, S::none(), self.passes, rng, record)
    }
}

/// Puts the hidden stones somewhere.
struct Scatter<'a, S> {
    guess: &'a GoGuess<S>,
    rng: &'a mut Rng,
}

impl<S: PointSet> Kernel for Scatter<'_, S> {
    type Output = S;

    #[inline(always)]
    fn run<I: Isa>(self) -> S {
        let Scatter { guess, rng } = self;
        let mut pool = Pool::default();
        for _ in 0..TRIES {
            let hidden = subset::<S, I>(guess.possible, guess.n_hidden, &mut pool, rng);
            if guess.breathes(hidden) {
                return hidden;
            }
        }
        let (mut hidden, mut left) = (S::none(), guess.possible);
        while hidden.count() < guess.n_hidden && !left.is_none() {
            let point = draw::<S, I>(left, &mut pool, rng);
            left = left.without(point);
            if guess.breathes(hidden.or(point)) {
                hidden = hidden.or(point);
            }
        }
        hidden
    }
}

/// One point of a set that has some, each equally likely.
#[inline(always)]
fn draw<S: PointSet, I: Isa>(set: S, pool: &mut Pool, rng: &mut Rng) -> S {
    match pool.below(rng, set.count()) {
        Some(rank) => set.select_point::<I>(rank).0,
        None => S::none(),
    }
}

/// So many points of a set, each subset equally likely. The smaller part is drawn.
#[inline(always)]
fn subset<S: PointSet, I: Isa>(set: S, size: u32, pool: &mut Pool, rng: &mut Rng) -> S {
    let all = set.count();
    let chooses_rest = 2 * size > all;
    let mut left = set;
    for _ in 0..if chooses_rest { all - size } else { size } {
        left = left.without(draw::<S, I>(left, pool, rng));
    }
    if chooses_rest { left } else { set.without(left) }
}

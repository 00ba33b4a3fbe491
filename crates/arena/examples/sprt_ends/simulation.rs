//! Simulated matches for the sequential test: what the truth may be, and what the test says of it.

use tesuji_arena::statistics::{Hypothesis, Sprt, Tally};
use tesuji_core::{Rng, Side};

/// How the games of a match depend on each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pairing {
    /// Single games, tested after each game.
    Single,
    /// Pairs of independent games, tested after each pair.
    Independent,
    /// Pairs whose games differ as much as their chances allow: openings decide.
    Opposed,
    /// Pairs of equal games.
    Equal,
}

/// All kinds of pairings.
pub(crate) const PAIRINGS: [Pairing; 4] =
    [Pairing::Single, Pairing::Independent, Pairing::Opposed, Pairing::Equal];

/// The distribution of results.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Truth {
    /// The expected points of a game, from 0 to 1.
    pub(crate) score: f64,
    /// The share of drawn games, as far as the score allows it.
    pub(crate) draws: f64,
    /// How games depend on each other.
    pub(crate) pairing: Pairing,
}

impl Truth {
    /// The points of a game with this random number: the larger the better.
    fn points(&self, number: f64) -> f64 {
        let draws = self.draws.min(2.0 * self.score).min(2.0 * (1.0 - self.score));
        let losses = 1.0 - self.score - draws / 2.0;
        // A share of 1 is certain, whatever the rounding.
        match number {
            number if number < losses => 0.0,
            number if number < losses + draws || draws == 1.0 => 0.5,
            _ => 1.0,
        }
    }

    /// Adds a result, a pair or a single game.
    fn add(&self, tally: &mut Tally, rng: &mut Rng) {
        let number = rng.unit();
        let first = self.points(number);
        tally.add(Side::Black, first);
        let second = match self.pairing {
            Pairing::Single => return,
            Pairing::Independent => self.points(rng.unit()),
            Pairing::Opposed => self.points(1.0 - number),
            Pairing::Equal => first,
        };
        tally.add(Side::White, second);
        tally.add_pair(first + second);
    }

    /// Plays until the test is over. Returns its decision, and the number of results: pairs, or
    /// single games. Panics if the test is not over when it must be.
    pub(crate) fn play(&self, test: &Sprt, rng: &mut Rng) -> (Hypothesis, u64) {
        let mut tally = Tally::default();
        for n in 1..=test.most_results() {
            self.add(&mut tally, rng);
            if let Some(decision) = test.decide(&tally) {
                return (decision, n);
            }
        }
        panic!("{test} is not over after {} results of {self:?}", test.most_results());
    }
}

/// The expected score with this Elo difference.
pub(crate) fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

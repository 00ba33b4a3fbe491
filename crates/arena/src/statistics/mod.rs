//! Statistics of matches: rates with their intervals, Elo, the test that stops a match early, and
//! how far a rate is from a published one.
//!
//! Everything here is a function of counts, from the point of view of a match's first contestant
//! ("the player"; the other one is "the opponent"). A draw is half a win for each.
//!
//! - [`Count`] and [`Tally`]: the games, and the pairs of games with one opening;
//! - [`wilson`]: a rate's interval; [`half_width_at`]: how wide it will be;
//! - [`Strength`]: Elo, normalised Elo and the likelihood of superiority;
//! - [`Sprt`]: which of two hypotheses about the Elo holds, or that neither does, as soon as it is known;
//! - [`Comparison`]: a measured rate next to a published one; [`ChiSquare`]: a whole table of them;
//! - [`MeanComparison`]: a measured mean next to a published one;
//! - [`Verdict`]: whether a measured number confirms a published one, with the rule for it.
//!
//! The two games of a pair begin alike and with the sides changed, so an opening
//! that favours one side gives a win and a loss. Such results spread less than those
//! of independent games, and their five kinds (0 to 2 points by halves, hence
//! "pentanomial") say how much less. If every game is in a pair, pairs are used; otherwise
//! the three kinds of single games ("trinomial"), as in fastchess.
//!
//! ```
//! use tesuji_arena::statistics::{Strength, Tally};
//! use tesuji_core::Side;
//! let mut tally = Tally::default();
//! for pair in [[1.0, 0.0], [1.0, 1.0], [1.0, 0.5], [0.0, 1.0]] {
//!     tally.add(Side::Black, pair[0]);
//!     tally.add(Side::White, pair[1]);
//!     tally.add_pair(pair[0] + pair[1]);
//! }
//! assert_eq!(tally.total().points(), 5.5);
//! assert_eq!(tally.pairs, [0, 0, 2, 1, 1]);
//! assert!(Strength::of(&tally).is_some_and(|strength| strength.elo > 0.0));
//! ```

mod comparison;
mod count;
pub(crate) mod distribution;
mod growth;
mod interval;
mod mean_comparison;
mod spread;
mod sprt;
mod strength;
mod verdict;

pub use comparison::{ChiSquare, Comparison};
pub use count::{Count, Tally};
pub use interval::{Interval, half_width_at, wilson};
pub use mean_comparison::MeanComparison;
pub use sprt::{Hypothesis, Sprt, SprtError};
pub use strength::Strength;
pub use verdict::Verdict;

/// Tallies for tests, the points on no side in particular.
#[cfg(test)]
mod tallies {
    use super::{Count, Tally};

    pub(super) fn games(wins: u64, losses: u64, draws: u64) -> Tally {
        Tally { by_side: [Count { wins, draws, losses }, Count::default()], pairs: [0; 5] }
    }

    /// With these pairs, by points in halves.
    pub(super) fn paired(pairs: [u64; 5]) -> Tally {
        let draws = pairs[1] + pairs[3];
        let wins = pairs[2] + pairs[3] + 2 * pairs[4];
        let losses = pairs[2] + pairs[1] + 2 * pairs[0];
        Tally { pairs, ..games(wins, losses, draws) }
    }
}

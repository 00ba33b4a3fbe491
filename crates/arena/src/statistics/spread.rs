//! Results as a distribution over points: five kinds of pairs or three of games.

use super::Tally;

/// How often each result came, and what it gave, in points a game.
pub(super) struct Spread {
    /// Points a game, rising evenly from 0 to 1, and how often they came.
    kinds: Vec<(f64, f64)>,
    /// Whether one result is that of two games.
    pub(super) in_pairs: bool,
}

impl Spread {
    /// By pairs where every game is in one, else by games; nothing without games.
    pub(super) fn of(tally: &Tally) -> Option<Spread> {
        let total = tally.total();
        if total.games() == 0 {
            return None;
        }
        let in_pairs = tally.is_paired();
        let counts =
            if in_pairs { tally.pairs.to_vec() } else { vec![total.losses, total.draws, total.wins] };
        let step = 1.0 / (counts.len() - 1) as f64;
        let kinds = counts.into_iter().enumerate().map(|(i, count)| (i as f64 * step, count as f64));
        Some(Spread { kinds: kinds.collect(), in_pairs })
    }

    /// The same with a thousandth of a result of each kind that has not come yet, so
    /// that no hypothesis is impossible: fishtest's and fastchess's regularisation.
    pub(super) fn regularised(mut self) -> Spread {
        self.kinds.iter_mut().filter(|(_, count)| *count == 0.0).for_each(|(_, count)| *count = 1e-3);
        self
    }

    /// Points a game, and how often they came.
    pub(super) fn kinds(&self) -> &[(f64, f64)] {
        &self.kinds
    }

    /// The number of results.
    pub(super) fn total(&self) -> f64 {
        self.kinds.iter().map(|(_, count)| count).sum()
    }

    /// The mean of points a game.
    pub(super) fn mean(&self) -> f64 {
        self.kinds.iter().map(|(points, count)| points * count).sum::<f64>() / self.total()
    }

    /// The variance of one result, not of the mean.
    pub(super) fn variance(&self) -> f64 {
        let mean = self.mean();
        self.kinds.iter().map(|(points, count)| count * (points - mean).powi(2)).sum::<f64>() / self.total()
    }
}

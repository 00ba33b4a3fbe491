//! Arms and what is known about them: the one table that samples go into and
//! decisions come out of.
//!
//! An arm is whatever can be sampled: a move at the root of a search, a child
//! of a new leaf, a candidate in a phantom game, a slot machine. Every sample has
//! a reward in [0, 1]. Each arm also has a *score*: a number from another source
//! (AMAF, a prior, a network) that estimates how good the arm is.

/// The rewards of a number of samples of one arm, summed.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Rewards {
    /// The number of samples.
    pub count: u64,
    /// The sum of their rewards, each in [0, 1].
    pub sum: f64,
    /// The sum of the squares of their rewards.
    pub squares: f64,
}

impl Rewards {
    /// The rewards of `count` games of which `wins` were won: 1 for a win, 0 for a
    /// loss.
    pub fn wins(count: u64, wins: u64) -> Rewards {
        debug_assert!(wins <= count, "{wins} wins in {count} samples");
        Rewards { count, sum: wins as f64, squares: wins as f64 }
    }

    /// Adds one sample with this reward.
    pub fn add(&mut self, reward: f64) {
        debug_assert!((0.0..=1.0).contains(&reward), "a reward is in [0, 1], not {reward}");
        self.count += 1;
        self.sum += reward;
        self.squares += reward * reward;
    }
}

/// What a network says of a position as a whole.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NetworkView {
    /// The reward that the side to move can expect.
    pub value: f64,
    /// exp(H), with H the entropy of its policy: the number of arms among which it is undecided. A
    /// policy that is even over n arms has n.
    pub open_arms: f64,
}

/// The statistics of all arms. An arm is an index from 0.
///
/// ```
/// use tesuji_core::{Arms, Rewards};
/// let mut arms = Arms::new(3);
/// arms.record(1, Rewards::wins(4, 3));
/// assert_eq!(arms.mean(1), 0.75);
/// assert_eq!(arms.mean(0), 0.0);
/// assert_eq!((arms.best_mean(), arms.total()), (1, 4));
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Arms {
    counts: Vec<u64>,
    sums: Vec<f64>,
    squares: Vec<f64>,
    scores: Vec<f64>,
    /// The number of samples behind a score; infinite for a prior.
    score_counts: Vec<f64>,
    /// Whether any score was ever set.
    is_scored: bool,
    /// What a network says of the position.
    network: Option<NetworkView>,
    total: u64,
}

impl Arms {
    /// `n_arms` arms without samples, with scores of 0.
    pub fn new(n_arms: usize) -> Arms {
        let mut arms = Arms::default();
        arms.clear(n_arms);
        arms
    }

    /// Resets the table to `n_arms` arms without samples. The memory is kept, so
    /// that a table that is used many times allocates once.
    pub fn clear(&mut self, n_arms: usize) {
        fn fill<T: Clone>(column: &mut Vec<T>, n_arms: usize, value: T) {
            column.clear();
            column.resize(n_arms, value);
        }
        fill(&mut self.counts, n_arms, 0);
        fill(&mut self.sums, n_arms, 0.0);
        fill(&mut self.squares, n_arms, 0.0);
        fill(&mut self.scores, n_arms, 0.0);
        fill(&mut self.score_counts, n_arms, f64::INFINITY);
        self.is_scored = false;
        self.network = None;
        self.total = 0;
    }

    /// The number of arms.
    #[inline]
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there are no arms.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Adds rewards to an arm.
    #[inline]
    pub fn record(&mut self, arm: usize, rewards: Rewards) {
        self.counts[arm] += rewards.count;
        self.sums[arm] += rewards.sum;
        self.squares[arm] += rewards.squares;
        self.total += rewards.count;
    }

    /// Sets an arm's score and the number of samples behind it, which is infinite
    /// for a prior: no sample improves a prior.
    #[inline]
    pub fn set_score(&mut self, arm: usize, score: f64, samples: f64) {
        self.scores[arm] = score;
        self.score_counts[arm] = samples;
        self.is_scored = true;
    }

    /// Sets what a network says before any sample.
    pub fn set_network(&mut self, view: NetworkView) {
        self.network = Some(view);
    }

    /// What a network says before any sample; `None` if there is no network.
    pub fn network(&self) -> Option<NetworkView> {
        self.network
    }

    /// What choosing among the arms is worth before any sample; `None` if there is no network.
    pub fn value(&self) -> Option<f64> {
        self.network.map(|view| view.value)
    }

    /// The number of samples of all arms together.
    #[inline]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The number of samples of an arm.
    #[inline]
    pub fn count(&self, arm: usize) -> u64 {
        self.counts[arm]
    }

    /// The sum of an arm's rewards.
    #[inline]
    pub fn sum(&self, arm: usize) -> f64 {
        self.sums[arm]
    }

    /// The sum of the squares of an arm's rewards.
    #[inline]
    pub fn squares(&self, arm: usize) -> f64 {
        self.squares[arm]
    }

    /// The mean of an arm's rewards; 0 if it has no samples.
    #[inline]
    pub fn mean(&self, arm: usize) -> f64 {
        match self.counts[arm] {
            0 => 0.0,
            count => self.sums[arm] / count as f64,
        }
    }

    /// The sample variance of an arm's rewards, with divisor n − 1. `None` if it
    /// has fewer than two samples.
    #[inline]
    pub fn variance(&self, arm: usize) -> Option<f64> {
        let count = self.counts[arm];
        if count < 2 {
            return None;
        }
        let sum = self.sums[arm];
        // Rounding can bring equal rewards a hair below zero.
        Some(((self.squares[arm] - sum * sum / count as f64) / (count - 1) as f64).max(0.0))
    }

    /// Whether any score was set. If not, all scores are 0.
    #[inline]
    pub fn is_scored(&self) -> bool {
        self.is_scored
    }

    /// An arm's score.
    #[inline]
    pub fn score(&self, arm: usize) -> f64 {
        self.scores[arm]
    }

    /// The number of samples behind an arm's score; infinite for a prior.
    #[inline]
    pub fn score_count(&self, arm: usize) -> f64 {
        self.score_counts[arm]
    }

    /// The arm with the best mean. Ties go to the better score, then to the lower
    /// index. An arm without samples comes after all sampled arms.
    pub fn best_mean(&self) -> usize {
        self.best_by(|arm| if self.counts[arm] == 0 { f64::NEG_INFINITY } else { self.mean(arm) })
    }

    /// The arm with the most samples. Ties go to the better mean, then to the lower
    /// index.
    pub fn most_sampled(&self) -> usize {
        let ahead = |a: usize, b: usize| {
            (self.counts[a], self.mean(a)).partial_cmp(&(self.counts[b], self.mean(b)))
                == Some(std::cmp::Ordering::Greater)
        };
        (1..self.len()).fold(0, |best, arm| if ahead(arm, best) { arm } else { best })
    }

    /// The arm for which `value` is greatest. Ties go to the better score, then to
    /// the lower index.
    pub fn best_by(&self, value: impl Fn(usize) -> f64) -> usize {
        let mut best = 0;
        let mut best_value = f64::NEG_INFINITY;
        for arm in 0..self.len() {
            let here = value(arm);
            if here > best_value || (here == best_value && self.scores[arm] > self.scores[best]) {
                (best, best_value) = (arm, here);
            }
        }
        best
    }
}

/// A source of scores. The caller asks it before the first batch and after every
/// batch, and it writes with [`Arms::set_score`].
pub trait Score {
    /// Updates the arms' scores to their samples.
    fn fill(&mut self, arms: &mut Arms);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_fractional_rewards() {
        let mut arms = Arms::new(2);
        let mut rewards = Rewards::default();
        for reward in [0.25, 0.75, 0.5, 0.5] {
            rewards.add(reward);
        }
        arms.record(0, rewards);
        assert_eq!(arms.mean(0), 0.5);
        // Deviations 1/4, 1/4, 0, 0: the sum of squares 1/8 over 3.
        assert_eq!(arms.variance(0), Some(0.125 / 3.0));
        assert_eq!(arms.variance(1), None);
    }

    #[test]
    fn ties_go_to_the_score_and_then_to_the_first() {
        let mut arms = Arms::new(4);
        for arm in 1..4 {
            arms.record(arm, Rewards::wins(2, 1));
        }
        // Arm 0 has no samples and comes last, whatever its score.
        arms.set_score(0, 9.0, f64::INFINITY);
        assert_eq!(arms.best_mean(), 1);
        arms.set_score(3, 0.1, f64::INFINITY);
        assert_eq!(arms.best_mean(), 3);
        assert_eq!(arms.most_sampled(), 1);
        arms.record(2, Rewards::wins(1, 0));
        assert_eq!(arms.most_sampled(), 2);
    }

    #[test]
    fn clearing_forgets_all() {
        let mut arms = Arms::new(2);
        arms.record(1, Rewards::wins(3, 3));
        arms.set_score(1, 0.5, 7.0);
        arms.clear(3);
        assert_eq!(arms, Arms::new(3));
    }
}

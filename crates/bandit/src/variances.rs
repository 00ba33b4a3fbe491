//! SHAdaVar (Lalitha, Kalantari, Ma, Deoras, Kveton, "Fixed-budget best-arm identification with
//! heterogeneous reward variances", 2023): halving whose rounds sample arms of greater variance
//! more often, so that all means become equally exact.
//!
//! A round gives its samples one by one to the arm with the greatest `U_i / n_i`, with U_i an
//! upper bound of its variance. The paper's U is for Gaussian rewards. Here rewards are in
//! [0, 1], so by Maurer and Pontil (2009), with probability 1 − δ,
//!
//! ```text
//! U_i = min(1/2, sqrt(v_i) + sqrt(2 ln(1/δ) / (n_i − 1)))²,  v_i the sample variance
//! ```
//!
//! No variance in [0, 1] is above 1/4, which is the bound of an arm with one sample.
//!
//! The paper's SHVar is the same with known variances. It has no name here: which variance an
//! arm has is not known before a search, and with equal variances it is `sh`.

use tesuji_core::spec::{Interval, Parameter, Values};
use tesuji_core::{Allocator, Arms, Batch, Pull, Rng};

use crate::policy::{FinalChoice, Pace, PolicyInfo};

pub(crate) const INFO: PolicyInfo = PolicyInfo {
    name: "sh-ada-var",
    meaning: "Sequential Halving whose rounds sample arms in proportion to upper bounds of their variances; \
              recommends the last arm",
    source: "Lalitha, Kalantari, Ma, Deoras, Kveton 2023",
    parameters: &[Parameter {
        name: "delta",
        meaning: "allowed probability that a bound of a variance is wrong",
        default: Some("0.05"),
        values: Values::number(Interval::FRACTION),
    }],
    anytime: |_| false,
    final_choice: FinalChoice::Own,
    pace: Pace::Steps,
    build: |arguments| {
        let delta = arguments.number("delta").expect("the table allows numbers only");
        Ok(Box::new(AdaptiveVarianceHalving::new(delta)))
    },
};

/// Halving with bounds of variances, one sample at a time, with means and variances over all
/// rounds. The first round lasts until every arm has a sample. Ties are broken by a random
/// order drawn at the start. Recommends the best mean of the last round.
#[derive(Clone, Debug)]
pub(crate) struct AdaptiveVarianceHalving {
    /// `2 ln(1/δ)`.
    width: f64,
    n_arms: usize,
    left: u64,
    /// What is left of the round, and the number of rounds, this one included.
    left_in_round: u64,
    rounds_left: u32,
    round: u32,
    /// All arms: first the best so far, which take part in the round.
    ranking: Vec<usize>,
    in_round: usize,
    /// Where an arm is in the random order.
    places: Vec<usize>,
    /// `U_i / n_i` of the arms of the round, in their order.
    indices: Vec<f64>,
    last: Option<usize>,
    pulls: Vec<Pull>,
}

impl AdaptiveVarianceHalving {
    /// A policy with this δ, between 0 and 1.
    pub(crate) fn new(delta: f64) -> AdaptiveVarianceHalving {
        AdaptiveVarianceHalving {
            width: -2.0 * libm::log(delta),
            n_arms: 0,
            left: 0,
            left_in_round: 0,
            rounds_left: 0,
            round: 0,
            ranking: Vec::new(),
            in_round: 0,
            places: Vec::new(),
            indices: Vec::new(),
            last: None,
            pulls: Vec::new(),
        }
    }

    /// `U_i / n_i`, infinite without samples.
    fn index(&self, arms: &Arms, arm: usize) -> f64 {
        let bound = match arms.variance(arm) {
            None => 0.25,
            Some(variance) => {
                let deviation = variance.sqrt() + (self.width / (arms.count(arm) - 1) as f64).sqrt();
                let deviation = deviation.min(0.5);
                deviation * deviation
            }
        };
        bound / arms.count(arm) as f64
    }

    /// Begins the next round: ranks the arms of the last one and keeps the better half.
    fn next_round(&mut self, arms: &Arms, rng: &mut Rng) {
        if self.round == 0 {
            rng.shuffle(&mut self.ranking);
            for (place, &arm) in self.ranking.iter().enumerate() {
                self.places[arm] = place;
            }
        } else {
            let places = &self.places;
            let value = |arm: usize| if arms.count(arm) == 0 { -1.0 } else { arms.mean(arm) };
            self.ranking[..self.in_round].sort_unstable_by(|&a, &b| {
                value(b).total_cmp(&value(a)).then_with(|| places[a].cmp(&places[b]))
            });
            self.in_round = self.in_round.div_ceil(2);
            self.rounds_left -= 1;
        }
        self.round += 1;
        let entrants = &self.ranking[..self.in_round];
        let unseen = entrants.iter().filter(|&&arm| arms.count(arm) == 0).count() as u64;
        self.left_in_round = (self.left / u64::from(self.rounds_left)).max(unseen).min(self.left);
        self.last = None;
    }

    /// The place in the round of the arm with the greatest index, the first of equals.
    fn choose(&mut self, arms: &Arms) -> usize {
        match self.last {
            Some(place) => self.indices[place] = self.index(arms, self.ranking[place]),
            None => {
                self.indices.clear();
                for place in 0..self.in_round {
                    let index = self.index(arms, self.ranking[place]);
                    self.indices.push(index);
                }
            }
        }
        let greatest = crate::lanes::maximum(&self.indices, |index| index);
        self.indices.iter().position(|&index| index == greatest).expect("one of them is the greatest")
    }
}

impl Allocator for AdaptiveVarianceHalving {
    fn begin(&mut self, n_arms: usize, budget: u64) {
        (self.n_arms, self.left, self.left_in_round) = (n_arms, budget, 0);
        // ceil(log2 n) rounds, and one for a single arm.
        self.rounds_left = n_arms.next_power_of_two().trailing_zeros().max(1);
        (self.round, self.in_round, self.last) = (0, n_arms, None);
        self.ranking.clear();
        self.ranking.extend(0..n_arms);
        self.places.clear();
        self.places.resize(n_arms, 0);
        self.indices.clear();
        self.indices.reserve(n_arms);
        self.pulls.clear();
        self.pulls.reserve(1);
    }

    fn next_batch(&mut self, arms: &Arms, rng: &mut Rng) -> Option<Batch<'_>> {
        if self.left == 0 {
            return None;
        }
        while self.left_in_round == 0 {
            self.next_round(arms, rng);
        }
        self.pulls.clear();
        if self.n_arms == 1 {
            self.pulls.push(Pull { arm: 0, samples: self.left });
            self.left = 0;
        } else {
            let place = self.choose(arms);
            self.last = Some(place);
            self.pulls.push(Pull { arm: self.ranking[place], samples: 1 });
            self.left -= 1;
            self.left_in_round -= 1;
        }
        Some(Batch { round: self.round - 1, pulls: &self.pulls })
    }

    fn recommend(&self, arms: &Arms) -> usize {
        let value = |arm: usize| if arms.count(arm) == 0 { -1.0 } else { arms.mean(arm) };
        let mut best = self.ranking[0];
        for &arm in &self.ranking[1..self.in_round] {
            let (here, there) = (value(arm), value(best));
            if here > there || (here == there && arms.score(arm) > arms.score(best)) {
                best = arm;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use tesuji_core::{Rewards, Seed};

    use super::*;
    use crate::test_arms::arms;

    /// Runs with arms that always give their index over their number: each round's arms and
    /// samples.
    fn rounds(n_arms: usize, budget: u64) -> Vec<Vec<(usize, u64)>> {
        let mut policy = AdaptiveVarianceHalving::new(0.05);
        let (mut state, mut rng) = (Arms::new(n_arms), Seed::new(1).rng());
        policy.begin(n_arms, budget);
        let mut rounds: Vec<Vec<(usize, u64)>> = Vec::new();
        while let Some(batch) = policy.next_batch(&state, &mut rng) {
            if rounds.len() <= batch.round as usize {
                rounds.push(Vec::new());
            }
            let samples = &mut rounds[batch.round as usize];
            for pull in batch.pulls {
                match samples.iter_mut().find(|(arm, _)| *arm == pull.arm) {
                    Some((_, count)) => *count += pull.samples,
                    None => samples.push((pull.arm, pull.samples)),
                }
                let (count, mean) = (pull.samples, pull.arm as f64 / n_arms as f64);
                let sum = count as f64 * mean;
                state.record(pull.arm, Rewards { count, sum, squares: sum * mean });
            }
        }
        rounds.iter_mut().for_each(|round| round.sort_unstable());
        rounds
    }

    #[test]
    fn bounds_by_hand() {
        // δ = e^−2, so the width is 4.
        let policy = AdaptiveVarianceHalving::new(libm::exp(-2.0));
        let index = |wins: (u64, u64)| policy.index(&arms(&[wins]), 0);
        assert_eq!(index((0, 0)), f64::INFINITY);
        assert_eq!(index((1, 1)), 0.25);
        // Ten losses: a bound of 4/9 for the variance, which is above 1/4.
        assert_eq!(index((10, 0)), 0.025);
        // 401 losses: sqrt(4/400) = 1/10.
        assert!((index((401, 0)) - 0.01 / 401.0).abs() < 1e-15);
        // 401 wins and losses: the deviation of a sample is just above 1/2 less 1/1600.
        assert_eq!(index((401, 200)), 0.25 / 401.0);
    }

    #[test]
    fn with_equal_bounds_it_is_sequential_halving() {
        // Four arms, 80 samples: 40 in the first round, and 40 for the better two. Few enough
        // samples that all bounds are 1/4.
        assert_eq!(rounds(4, 80), [vec![(0, 10), (1, 10), (2, 10), (3, 10)], vec![(2, 20), (3, 20)]]);
        // Five arms have three rounds: 5, 3 and 2.
        let sizes: Vec<usize> = rounds(5, 90).iter().map(Vec::len).collect();
        assert_eq!(sizes, [5, 3, 2]);
    }

    #[test]
    fn arms_of_greater_variance_get_more() {
        let mut policy = AdaptiveVarianceHalving::new(0.05);
        let (mut state, mut rng) = (Arms::new(2), Seed::new(1).rng());
        let mut coins = Seed::new(2).rng();
        policy.begin(2, 20_000);
        while let Some(batch) = policy.next_batch(&state, &mut rng) {
            for pull in batch.pulls {
                let p = [0.5, 0.02][pull.arm];
                state.record(pull.arm, Rewards::wins(1, u64::from(coins.chance(p))));
            }
        }
        // Without the allowance for error the shares would be as 0.25 to 0.0196. With it the
        // bound of the second is (0.14 + sqrt(5.99/n))², and n/(20000 − n) = U/0.25 has n = 1730.
        // The deviation of its sample variance, sqrt(0.0196/1730) = 0.0034, is a sixth of it, so
        // n varies by about a sixth: five of them.
        assert!(state.count(1).abs_diff(1730) < 1450, "{}", state.count(1));
    }

    #[test]
    fn small_budgets_give_one_sample_to_some() {
        for budget in 0..=6 {
            let all: Vec<(usize, u64)> = rounds(6, budget).concat();
            assert_eq!(all.len() as u64, budget, "{all:?}");
            assert!(all.iter().all(|&(_, count)| count == 1));
        }
        assert_eq!(rounds(1, 9), [[(0, 9)]]);
        // Who gets the odd one is drawn at the start.
        assert_eq!(rounds(2, 9), [[(0, 4), (1, 5)]]);
    }
}

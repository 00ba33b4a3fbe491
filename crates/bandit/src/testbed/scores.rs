//! Scores for the testbed, which has no game to provide any: the arm's value plus
//! noise.
//!
//! Fabiano and Cazenave (Sequential Halving Using Scores, 2021) distinguish two kinds.
//! A *prior*, as of a neural network, is known before the first sample and does not
//! change. An *online* score, as AMAF, is a mean of samples of its own, and every
//! sample of any arm adds some; it has a bias that no sample removes.

use rand_distr::{Distribution, StandardNormal};
use tesuji_core::{Arms, Rng, Score, Seed};
use thiserror::Error;

use super::address;

/// A model of scores: how exact they are, and whether samples improve them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ScoreModel {
    /// The standard deviation of a score's bias: scores tend to `slope` times the value of the
    /// arm plus `noise` times a standard normal number of the (run, arm).
    pub noise: f64,
    /// How much a score grows with the value of its arm: 1 for a score in the unit of rewards,
    /// less if it flattens differences, 0 if it says nothing.
    pub slope: f64,
    /// The number of samples that each score gets from each sample of any arm: for
    /// AMAF, about the probability that a playout contains the move. `None` for a
    /// prior, which no sample improves.
    pub rate: Option<f64>,
    /// The standard deviation of the logarithm of each arm's own rate: 0 if all scores get
    /// equally many samples.
    pub uneven: f64,
}

impl Default for ScoreModel {
    /// Exact priors.
    fn default() -> ScoreModel {
        ScoreModel { noise: 0.0, slope: 1.0, rate: None, uneven: 0.0 }
    }
}

/// A number of a [`ScoreModel`] is not allowed.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum ScoreModelError {
    /// The noise is negative or not finite.
    #[error("{0} is not a noise of scores: it is a number of at least 0")]
    Noise(f64),
    /// The slope is negative or not finite.
    #[error("{0} is not a slope of scores: it is a number of at least 0")]
    Slope(f64),
    /// The rate is not above 0, or not finite.
    #[error("{0} is not a rate of scores: it is a number above 0")]
    Rate(f64),
    /// The unevenness of rates is not from 0 to 5.
    #[error("{0} is not the unevenness of rates of scores: it is a number from 0 to 5")]
    Uneven(f64),
    /// Rates are uneven, but scores have none.
    #[error("scores without a rate are priors, whose rates cannot be uneven")]
    NoRate,
}

impl ScoreModel {
    /// Checks that the numbers are allowed.
    pub fn check(&self) -> Result<(), ScoreModelError> {
        if !(self.noise >= 0.0 && self.noise.is_finite()) {
            return Err(ScoreModelError::Noise(self.noise));
        }
        if !(self.slope >= 0.0 && self.slope.is_finite()) {
            return Err(ScoreModelError::Slope(self.slope));
        }
        if !(0.0..=5.0).contains(&self.uneven) {
            return Err(ScoreModelError::Uneven(self.uneven));
        }
        match self.rate {
            None if self.uneven > 0.0 => Err(ScoreModelError::NoRate),
            Some(rate) if !(rate > 0.0 && rate.is_finite()) => Err(ScoreModelError::Rate(rate)),
            _ => Ok(()),
        }
    }
}

/// The scores of the arms of one run.
///
/// An online score is the mean of `s` draws with the mean `value + noise·z` and the
/// variance of the arm's own rewards, `value·(1 − value)`; the sum of the draws
/// that a batch brings is drawn as one normal number, for any `s`, whole or not.
#[derive(Clone, Debug)]
pub(super) struct Scores {
    model: ScoreModel,
    /// What each place's score tends to.
    means: Vec<f64>,
    /// The standard deviation of a single draw.
    deviations: Vec<f64>,
    /// The sum of the draws so far.
    sums: Vec<f64>,
    /// The share of each place in the draws, about 1.
    shares: Vec<f64>,
    /// The draws that a score with a share of 1 consists of.
    draws: f64,
    /// The samples there were when scores were last asked for.
    samples: Option<u64>,
    start: Rng,
    rng: Rng,
}

impl Scores {
    /// Scores by this model, of no arms yet.
    pub(super) fn new(model: ScoreModel) -> Scores {
        let rng = Seed::new(0).rng();
        Scores {
            model,
            means: Vec::new(),
            deviations: Vec::new(),
            sums: Vec::new(),
            shares: Vec::new(),
            draws: 0.0,
            samples: None,
            start: rng.clone(),
            rng,
        }
    }

    /// The run of this address. `values` are those of the arms by their own
    /// numbers, and `order` says for each place which arm is there: a score's
    /// luck is the arm's, wherever it is.
    pub(super) fn begin(&mut self, run: Seed, values: &[f64], order: &[u32]) {
        let mut rng = run.child(address::SCORES).rng();
        self.sums.clear();
        self.sums.extend(values.iter().map(|_| {
            let standard: f64 = StandardNormal.sample(&mut rng);
            self.model.noise * standard
        }));
        self.means.clear();
        self.means.extend(
            order.iter().map(|&arm| self.model.slope * values[arm as usize] + self.sums[arm as usize]),
        );
        self.set_shares(run, order);
        self.deviations.clear();
        self.deviations.extend(order.iter().map(|&arm| {
            let value = values[arm as usize];
            (value * (1.0 - value)).sqrt()
        }));
        self.start = run.child(address::ONLINE).rng();
        self.rewind();
    }

    /// Draws how often each arm's score is sampled, where that is uneven.
    fn set_shares(&mut self, run: Seed, order: &[u32]) {
        self.shares.clear();
        self.shares.resize(order.len(), 1.0);
        if self.model.uneven > 0.0 {
            let mut rng = run.child(address::RATES).rng();
            // By arm, not by place. The sums, which nothing needs now, hold them.
            for sum in &mut self.sums {
                let standard: f64 = StandardNormal.sample(&mut rng);
                *sum = libm::exp(self.model.uneven * standard);
            }
            self.shares.clear();
            self.shares.extend(order.iter().map(|&arm| self.sums[arm as usize]));
        }
    }

    /// Whether they sharpen as samples come in.
    pub(super) fn are_online(&self) -> bool {
        self.model.rate.is_some()
    }

    /// Starts the run again, for arms that have no scores yet.
    pub(super) fn rewind(&mut self) {
        self.sums.fill(0.0);
        (self.draws, self.samples) = (0.0, None);
        self.rng.clone_from(&self.start);
    }
}

/// Asked before the first batch, and after each.
impl Score for Scores {
    fn fill(&mut self, arms: &mut Arms) {
        debug_assert_eq!(arms.len(), self.means.len());
        let before = self.samples.replace(arms.total());
        let Some(rate) = self.model.rate else {
            // A prior does not change: it is written once.
            if before.is_none() {
                for (place, &mean) in self.means.iter().enumerate() {
                    arms.set_score(place, mean, f64::INFINITY);
                }
            }
            return;
        };
        let draws = rate * (arms.total() - before.unwrap_or(arms.total())) as f64;
        if draws > 0.0 {
            self.draws += draws;
            for (place, sum) in self.sums.iter_mut().enumerate() {
                let standard: f64 = StandardNormal.sample(&mut self.rng);
                let draws = draws * self.shares[place];
                *sum += draws * self.means[place] + draws.sqrt() * self.deviations[place] * standard;
            }
        }
        for (place, sum) in self.sums.iter().enumerate() {
            let draws = self.draws * self.shares[place];
            arms.set_score(place, if draws > 0.0 { sum / draws } else { 0.0 }, draws);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::Rewards;

    const VALUES: [f64; 3] = [0.5, 0.2, 0.9];

    fn begun(model: ScoreModel, run: u64, order: &[u32]) -> (Scores, Arms) {
        let mut scores = Scores::new(model);
        scores.begin(Seed::new(1).child(run), &VALUES, order);
        let mut arms = Arms::new(3);
        scores.fill(&mut arms);
        (scores, arms)
    }

    #[test]
    fn a_prior_is_the_value_and_noise_of_the_arm_wherever_it_is() {
        let exact = ScoreModel { noise: 0.0, rate: None, ..ScoreModel::default() };
        let (mut scores, mut arms) = begun(exact, 0, &[2, 0, 1]);
        assert_eq!([0, 1, 2].map(|place| arms.score(place)), [0.9, 0.5, 0.2]);
        arms.record(0, Rewards::wins(10, 1));
        scores.fill(&mut arms);
        assert_eq!((arms.score(0), arms.score_count(0)), (0.9, f64::INFINITY));

        let noisy = ScoreModel { noise: 0.1, rate: None, ..ScoreModel::default() };
        let (_, straight) = begun(noisy, 3, &[0, 1, 2]);
        let (_, turned) = begun(noisy, 3, &[2, 0, 1]);
        assert_eq!(turned.score(0), straight.score(2));
        assert_eq!(turned.score(1), straight.score(0));
        // Published results depend on these values: they never change.
        assert_eq!([0, 1, 2].map(|place| straight.score(place)), GOLDEN_PRIOR);
    }

    const GOLDEN_PRIOR: [f64; 3] = [0.7221539845475782, 0.38051757581037526, 1.0388985291541366];

    #[test]
    fn online_scores_sharpen_to_their_biased_mean() {
        let model = ScoreModel { noise: 0.0, rate: Some(0.5), ..ScoreModel::default() };
        let runs = 2000;
        let (mut early, mut late) = (0.0, 0.0);
        for run in 0..runs {
            let (mut scores, mut arms) = begun(model, run, &[0, 1, 2]);
            assert_eq!((arms.score(0), arms.score_count(0)), (0.0, 0.0));
            arms.record(1, Rewards::wins(8, 0));
            scores.fill(&mut arms);
            assert_eq!(arms.score_count(0), 4.0);
            early += (arms.score(0) - 0.5).powi(2);
            for _ in 0..4 {
                arms.record(2, Rewards::wins(48, 0));
                scores.fill(&mut arms);
            }
            assert_eq!(arms.score_count(2), 100.0);
            late += (arms.score(0) - 0.5).powi(2);
        }
        // The variance of one draw is 1/4. The mean square of 2,000 normal numbers
        // has a relative error of √(2/2000) = 0.032; five of them.
        for (squares, variance) in [(early, 0.25 / 4.0), (late, 0.25 / 100.0)] {
            assert!((squares / runs as f64 / variance - 1.0).abs() < 0.16, "{squares} for {variance}");
        }
    }

    #[test]
    fn scores_may_be_flattened_and_sampled_unevenly() {
        let (_, arms) = begun(ScoreModel { slope: 0.1, ..ScoreModel::default() }, 0, &[0, 1, 2]);
        assert_eq!([0, 1, 2].map(|place| arms.score(place)), VALUES.map(|value| 0.1 * value));
        let (_, useless) = begun(ScoreModel { slope: 0.0, ..ScoreModel::default() }, 0, &[0, 1, 2]);
        assert_eq!(useless.score(2), 0.0);
        let model = ScoreModel { rate: Some(1.0), uneven: 1.0, ..ScoreModel::default() };
        let counts = |order: &[u32]| {
            let (mut scores, mut arms) = begun(model, 1, order);
            arms.record(0, Rewards::wins(10, 5));
            scores.fill(&mut arms);
            [0, 1, 2].map(|place| arms.score_count(place))
        };
        let [a, b, c] = counts(&[0, 1, 2]);
        assert!(a != b && b != c && a != c && [a, b, c].iter().all(|&count| count > 0.0));
        assert_eq!(counts(&[2, 0, 1]), [c, a, b]);
    }

    #[test]
    fn a_run_can_be_done_again() {
        let (mut scores, _) =
            begun(ScoreModel { noise: 0.1, rate: Some(1.0), ..ScoreModel::default() }, 5, &[1, 2, 0]);
        let again = |scores: &mut Scores| {
            scores.rewind();
            let mut arms = Arms::new(3);
            for samples in 1..5 {
                scores.fill(&mut arms);
                arms.record(0, Rewards::wins(samples, samples));
            }
            scores.fill(&mut arms);
            arms
        };
        let first = again(&mut scores);
        assert_eq!(again(&mut scores), first);
        assert!((0..3).all(|place| first.score_count(place) == 10.0));
    }

    #[test]
    fn models_are_checked() {
        let check = |noise, rate| {
            ScoreModel { noise, rate, ..ScoreModel::default() }.check().map_err(|error| error.to_string())
        };
        assert_eq!(check(0.0, None), Ok(()));
        assert_eq!(
            check(-1.0, None),
            Err("-1 is not a noise of scores: it is a number of at least 0".to_owned())
        );
        assert_eq!(
            check(f64::NAN, None),
            Err("NaN is not a noise of scores: it is a number of at least 0".to_owned())
        );
        assert_eq!(
            check(0.1, Some(0.0)),
            Err("0 is not a rate of scores: it is a number above 0".to_owned())
        );
        let refusal = |model: ScoreModel| model.check().unwrap_err().to_string();
        assert_eq!(
            refusal(ScoreModel { slope: -1.0, ..ScoreModel::default() }),
            "-1 is not a slope of scores: it is a number of at least 0"
        );
        assert_eq!(
            refusal(ScoreModel { uneven: 9.0, ..ScoreModel::default() }),
            "9 is not the unevenness of rates of scores: it is a number from 0 to 5"
        );
        assert_eq!(
            refusal(ScoreModel { uneven: 1.0, ..ScoreModel::default() }),
            "scores without a rate are priors, whose rates cannot be uneven"
        );
    }
}

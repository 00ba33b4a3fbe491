//! Sampling by the value of information: the arm whose next samples promise
//! the most.
//!
//! VCT, ECT and BCT (Tolpin, Shimony, "VOI-aware Monte-Carlo sampling in trees",
//! 2011) differ in the concentration inequality behind the [`Bound`], and each
//! comes in the [`Form`]s of the paper. The VOI policy of SR+CR (Tolpin, Shimony,
//! "MCTS based on simple regret", 2012) is VCT with the divisor n + 1.
//!
//! Let α be the best mean and β the best mean strictly below it. All arms tied
//! with α count as α: their value is in falling below β, so `h` is the mean of β
//! and the gap that to β. The value of all others is in rising above α: `h` is 1
//! less the mean of α. Where all arms are tied there is no β, and each of them
//! may turn out worse or better than the rest: the gap is 0 and `h` the larger of
//! both. (With only the first, arms that all lost would have no value at all, and
//! a policy that may stop would stop at once.)

pub mod bounds;
mod specs;
#[cfg(test)]
mod tests;

use std::f64::consts::LN_2;

use tesuji_core::{Allocator, Arms, Batch, Rng, Stop};

pub(crate) use specs::{BCT, ECT, VCT, VOI};

use crate::lanes::{greatest, maximum};
use crate::memo::Memo;
use crate::steps::{RunState, Steps};
use bounds::Gap;

/// The settings of a policy by the value of information.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct VoiConfig {
    /// The inequality.
    pub(crate) bound: Bound,
    /// What the value is of.
    pub(crate) form: Form,
    /// What a sample costs, in rewards: sampling stops when no sample is worth
    /// more. 0: it never stops.
    pub(crate) stop: f64,
}

/// The inequality that bounds the probability that another sample changes the
/// choice of an arm.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// VCT: Hoeffding's inequality.
    Hoeffding,
    /// ECT: Hoeffding's inequality with the best midpoint (Appendix 10).
    Midpoint,
    /// BCT: the empirical Bernstein inequality (eq. 3), or Hoeffding's if that is
    /// smaller or if an arm has only one sample.
    Bernstein,
}

/// The information whose value is bounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// Of a sample, whatever the budget (eq. 12): the value of perfect
    /// information over `n_i`.
    Limit,
    /// The value of perfect information over `n_i + 1`, as in SR+CR.
    LimitOfNext,
    /// Of perfect information (eq. 9).
    Perfect,
    /// Of all samples that are left, given to this arm (eqs. 6 and 8).
    Blinkered,
}

impl Form {
    /// Whether the values are those of a single sample, not of all that are left.
    fn is_per_sample(self) -> bool {
        matches!(self, Form::Limit | Form::LimitOfNext)
    }
}

/// Samples the arm with the greatest value of information, one of equals at
/// random, after every arm once. Recommends the best mean.
#[derive(Clone, Debug)]
pub(crate) struct Voi {
    config: VoiConfig,
    steps: Steps,
    stop: Option<Stop>,
    /// Whether the columns hold what the arms hold, but for the last batch.
    filled: bool,
    columns: Columns,
    leaders: Leaders,
    /// `ln n`.
    logarithms: Memo,
    /// What the last arms were chosen by: `ln Λ` of each, −∞ where it is only known
    /// to be less than another's.
    values: Vec<f64>,
    chosen: Vec<usize>,
    /// The midpoint bounds of all arms as they were last computed. Most do not
    /// change from one sample to the next.
    midpoints: Vec<Midpoint>,
}

/// A midpoint bound, and the arm that it was computed for.
#[derive(Clone, Copy, Debug)]
struct Midpoint {
    gap: Gap,
    bound: f64,
}

/// What the bounds need of each arm.
#[derive(Clone, Debug, Default)]
struct Columns {
    means: Vec<f64>,
    counts: Vec<f64>,
    /// `ln n`, or `ln (n + 1)`: what the form divides by.
    ln_divisors: Vec<f64>,
    /// `ln 2n`: the logarithm of Hoeffding's rate.
    ln_rates: Vec<f64>,
    variances: Vec<f64>,
}

/// The best mean α and the best mean below it, β. From them follow `h` and the gap
/// of every arm by its mean.
#[derive(Clone, Copy, Debug)]
pub struct Leaders {
    /// The mean of α.
    best: f64,
    /// The stake of the arms tied with α.
    top: Stake,
    /// The gap between α and β; 0 if all arms are tied.
    top_gap: f64,
    /// The stake of all other arms.
    others: Stake,
}

/// `h`, the most that a change of the choice can gain, and its logarithm.
#[derive(Clone, Copy, Debug)]
struct Stake {
    gain: f64,
    ln_gain: f64,
}

impl Leaders {
    fn new() -> Leaders {
        let nothing = Stake { gain: 0.0, ln_gain: f64::NEG_INFINITY };
        Leaders { best: 0.0, top: nothing, top_gap: 0.0, others: nothing }
    }

    /// The leaders among arms with these means, at least one.
    pub fn among(means: impl Iterator<Item = f64> + Clone) -> Leaders {
        let best = means.clone().fold(f64::NEG_INFINITY, f64::max);
        let second = means.filter(|&mean| mean < best).fold(f64::NEG_INFINITY, f64::max);
        let mut leaders = Leaders::new();
        leaders.set(best, second);
        leaders
    }

    fn update(&mut self, means: &[f64]) {
        let best = maximum(means, |mean| mean);
        let second = maximum(means, |mean| if mean < best { mean } else { f64::NEG_INFINITY });
        self.set(best, second);
    }

    fn set(&mut self, best: f64, second: f64) {
        // Sums of rewards that are not whole may be a hair above their number.
        let rise = (1.0 - best).max(0.0);
        let all_tied = second == f64::NEG_INFINITY;
        let (fall, top_gap) = if all_tied { (best.max(rise), 0.0) } else { (second, best - second) };
        // Mostly one of the two is as it was before, and its logarithm is known.
        let stake = |gain: f64, known: Stake| {
            let ln_gain = if gain == known.gain { known.ln_gain } else { libm::log(gain) };
            Stake { gain, ln_gain }
        };
        *self = Leaders { best, top: stake(fall, self.top), top_gap, others: stake(rise, self.others) };
    }

    /// The gap of an arm with this mean, for Hoeffding's bound with this rate.
    #[inline]
    pub fn gap(&self, mean: f64, rate: f64) -> Gap {
        if mean == self.best {
            let Stake { gain, ln_gain } = self.top;
            Gap { gain, ln_gain, gap: self.top_gap, rate }
        } else {
            self.behind(mean, rate)
        }
    }

    /// The gap of an arm that is not tied with α.
    #[inline]
    fn behind(&self, mean: f64, rate: f64) -> Gap {
        let Stake { gain, ln_gain } = self.others;
        Gap { gain, ln_gain, gap: self.best - mean, rate }
    }
}

impl Voi {
    /// A policy, or a sentence that says why the cost is impossible.
    pub(crate) fn new(config: VoiConfig) -> Result<Voi, String> {
        if !(config.stop.is_finite() && config.stop >= 0.0) {
            return Err(format!("stop is {}, and has to be a number of at least 0", config.stop));
        }
        Ok(Voi {
            config,
            steps: Steps::default(),
            stop: None,
            filled: false,
            columns: Columns::default(),
            leaders: Leaders::new(),
            logarithms: Memo::default(),
            values: Vec::new(),
            chosen: Vec::new(),
            midpoints: Vec::new(),
        })
    }

    #[inline]
    fn ln(&self, number: u64) -> f64 {
        self.logarithms.at(number, |number| libm::log(number as f64))
    }

    #[inline]
    fn refresh(&mut self, arms: &Arms, arm: usize) {
        let count = arms.count(arm);
        self.columns.means[arm] = arms.mean(arm);
        self.columns.counts[arm] = count as f64;
        self.columns.ln_divisors[arm] = match self.config.form {
            Form::Limit => self.ln(count),
            Form::LimitOfNext => self.ln(count + 1),
            Form::Perfect | Form::Blinkered => 0.0,
        };
        self.columns.ln_rates[arm] = LN_2 + self.ln(count);
        if self.config.bound == Bound::Bernstein {
            self.columns.variances[arm] = arms.variance(arm).unwrap_or(0.0);
        }
    }

    #[cold]
    fn fill(&mut self, arms: &Arms) {
        let n_arms = arms.len();
        let most = arms.total().saturating_add(self.steps.left()).saturating_add(1);
        self.logarithms.extend(most, |number| libm::log(number as f64));
        let Columns { means, counts, ln_divisors, ln_rates, variances } = &mut self.columns;
        for column in [means, counts, ln_divisors, ln_rates, variances, &mut self.values] {
            column.clear();
            column.resize(n_arms, 0.0);
        }
        let nothing = Gap { gain: 0.0, ln_gain: f64::NEG_INFINITY, gap: 0.0, rate: 0.0 };
        self.midpoints.clear();
        self.midpoints.resize(n_arms, Midpoint { gap: nothing, bound: f64::NEG_INFINITY });
        self.chosen.clear();
        self.chosen.reserve(n_arms);
        for arm in 0..n_arms {
            self.refresh(arms, arm);
        }
        self.filled = true;
    }

    /// Puts the arms with the greatest value into `chosen` and returns `ln Λ`.
    fn choose(&mut self) -> f64 {
        self.leaders.update(&self.columns.means);
        let leaders = self.leaders;
        match (self.config.form, self.config.bound) {
            (Form::Blinkered, _) => self.blinkered_values(&leaders),
            (_, Bound::Hoeffding) => self.hoeffding_values(&leaders),
            (_, Bound::Midpoint) => self.midpoint_values(&leaders),
            (_, Bound::Bernstein) => self.bernstein_values(&leaders),
        }
        greatest(&self.values, &mut self.chosen)
    }

    /// Both cases for every arm and then a choice between them: without a jump, so
    /// that vector instructions can do it.
    fn hoeffding_values(&mut self, leaders: &Leaders) {
        let Columns { means, counts, ln_divisors, .. } = &self.columns;
        let top = leaders.gap(leaders.best, 0.0);
        let arms = means.iter().zip(counts).zip(ln_divisors);
        for (value, ((&mean, &count), &ln_divisor)) in self.values.iter_mut().zip(arms) {
            let rate = 2.0 * count;
            let tied = bounds::hoeffding(&Gap { rate, ..top });
            let behind = bounds::hoeffding(&leaders.behind(mean, rate));
            *value = if mean == leaders.best { tied } else { behind } - ln_divisor;
        }
    }

    fn bernstein_values(&mut self, leaders: &Leaders) {
        let Columns { means, counts, ln_divisors, variances, .. } = &self.columns;
        for (arm, value) in self.values.iter_mut().enumerate() {
            let gap = leaders.gap(means[arm], 2.0 * counts[arm]);
            *value = bounds::bernstein(&gap, counts[arm], variances[arm]) - ln_divisors[arm];
        }
    }

    /// The midpoint costs some logarithms, so only arms are asked whose value
    /// without it, which is never smaller, is as great as the best so far.
    fn midpoint_values(&mut self, leaders: &Leaders) {
        let Columns { means, counts, ln_divisors, ln_rates, .. } = &self.columns;
        let mut best = f64::NEG_INFINITY;
        for (arm, value) in self.values.iter_mut().enumerate() {
            let gap = leaders.gap(means[arm], 2.0 * counts[arm]);
            *value = f64::NEG_INFINITY;
            if bounds::hoeffding(&gap) - ln_divisors[arm] >= best {
                *value =
                    remembered_midpoint(&mut self.midpoints[arm], &gap, || ln_rates[arm]) - ln_divisors[arm];
                best = best.max(*value);
            }
        }
    }

    fn blinkered_values(&mut self, leaders: &Leaders) {
        let left = self.steps.left() as f64;
        let ln_left = libm::log(left);
        let Columns { means, counts, variances, .. } = &self.columns;
        let mut best = f64::NEG_INFINITY;
        for (arm, value) in self.values.iter_mut().enumerate() {
            let (count, rate) = (counts[arm], bounds::blinkered_rate(counts[arm], left));
            let after = self.steps.left().saturating_add(count as u64);
            let ln_after = self.logarithms.at(after, |number| libm::log(number as f64));
            let mut gap = leaders.gap(means[arm], rate);
            gap.gain *= left / (left + count);
            gap.ln_gain += ln_left - ln_after;
            *value = f64::NEG_INFINITY;
            let most = bounds::hoeffding(&gap) + LN_2;
            if most >= best {
                *value = match self.config.bound {
                    Bound::Hoeffding => most,
                    Bound::Midpoint => {
                        remembered_midpoint(&mut self.midpoints[arm], &gap, || libm::log(rate)) + LN_2
                    }
                    Bound::Bernstein => bounds::blinkered_bernstein(&gap, count, variances[arm], left),
                };
                best = best.max(*value);
            }
        }
    }
}

/// The midpoint bound, computed only if this is not the arm it was computed for.
#[inline]
fn remembered_midpoint(memory: &mut Midpoint, gap: &Gap, ln_rate: impl Fn() -> f64) -> f64 {
    if memory.gap != *gap {
        *memory = Midpoint { gap: *gap, bound: bounds::midpoint(gap, ln_rate()) };
    }
    memory.bound
}

impl Allocator for Voi {
    fn begin(&mut self, n_arms: usize, budget: u64) {
        self.steps.begin(n_arms, budget);
        self.stop = None;
        self.filled = false;
    }

    fn next_batch(&mut self, arms: &Arms, rng: &mut Rng) -> Option<Batch<'_>> {
        if self.config.stop > 0.0 && self.steps.n_arms() == 1 && self.steps.left() > 0 {
            self.stop = Some(Stop::OneArm);
        }
        if self.stop.is_some() {
            return None;
        }
        // After one sample each all means may be 0 or 1, and the bounds are 0: nothing
        // seems worth a sample, before anything is known. So none stops before two.
        let opening = if self.config.stop > 0.0 { 2 } else { 1 };
        match self.steps.open(arms, opening) {
            RunState::Spent => return None,
            RunState::BatchReady => return Some(self.steps.batch()),
            RunState::ToChoose => {}
        }
        if self.filled {
            // Once the columns are filled every batch is one arm.
            let arm = self.steps.last()[0].arm;
            self.refresh(arms, arm);
        } else {
            self.fill(arms);
        }
        let ln_value = self.choose();
        if self.config.stop > 0.0 {
            let shared = if self.config.form.is_per_sample() { 1.0 } else { self.steps.left() as f64 };
            let value = libm::exp(ln_value) / shared;
            if value <= self.config.stop {
                self.stop = Some(Stop::NotWorthIt { value, cost: self.config.stop });
                return None;
            }
        }
        let arm = match self.chosen[..] {
            [only] => only,
            ref tied => *rng.choose(tied).expect("some arm has the greatest value"),
        };
        self.steps.pull(arm, 1);
        Some(self.steps.batch())
    }

    fn recommend(&self, arms: &Arms) -> usize {
        arms.best_mean()
    }

    fn stop(&self) -> Option<Stop> {
        self.stop
    }
}

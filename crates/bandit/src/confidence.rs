//! How sure a decision is: the chance that the chosen arm is the best, or within ε of the best.
//!
//! A search that looks again and again and stops when it likes what it sees deceives itself if it
//! trusts the posterior of one prior. [`Confidence::of`] is the smallest of several answers, so
//! that of the decisions that stop at a level at least as many are right:
//!
//! - **The posterior** (empirical Bayes, after Fay and Herriot 1979): values are normal with an
//!   unknown mean and spread ω, and an arm's mean is normal around its value. The chance that the
//!   chosen arm is the best is a one-dimensional integral. The answer is the smallest over the
//!   spreads that the means of all arms do not rule out. A few arms may be outliers with a
//!   spread of 0.1 or more: a good arm among many equal ones is no surprise. Arms with few samples
//!   count here.
//! - **The odds against the strongest rival**, after Bechhofer, Kiefer and Sobel ("Sequential
//!   identification and ranking procedures", 1968): if the two differ by g, the likelihoods
//!   of the two orders have the ratio `exp(2·d·g/S)` for a difference d of means with variance S.
//!   Whatever the rule that stops, the decisions that stop at odds of 19 to 1 are right in 95 % of
//!   the cases where the arms do differ by g or more. g is ε, but at least [`LEAST_GAP`], or the
//!   least difference that the means leave plausible.
//!
//! The functions are libm's: equal samples give equal bits on every machine.

use tesuji_core::{Arms, Pull};

/// When a search is sure enough to stop: at this chance that its choice is right.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Until {
    /// The chance that the choice is right.
    pub level: f64,
    /// ε: by how much the value of a right choice may be below the best.
    pub within: f64,
}

impl Until {
    /// A level that no search reaches.
    pub const NEVER: Until = Until { level: f64::INFINITY, within: 0.0 };

    /// A level above 0.5 and below 1, and ε from 0 to 0.5; else a sentence that says what is allowed.
    pub fn new(level: f64, within: f64) -> Result<Until, String> {
        if !(level > 0.5 && level < 1.0) {
            return Err(format!(
                "{level} is not a confidence to stop at: it is above 0.5 and below 1, such as 0.95"
            ));
        }
        if !(0.0..=0.5).contains(&within) {
            return Err(format!(
                "{within} is not a difference that may be ignored: it is from 0 to 0.5, such as 0.02"
            ));
        }
        Ok(Until { level, within })
    }
}

/// The least difference between two arms that counts. Decisions between arms that differ by less
/// are right half of the time whatever one does.
pub const LEAST_GAP: f64 = 0.01;

/// Differences of means are off by more than this number of standard errors so rarely that it
/// does not matter how often one looks.
const MOST_ERRORS: f64 = 4.0;
/// The spreads of values that are tried, in equal steps of their logarithm.
const SPREADS: usize = 8;
/// The smallest spread, and the logarithm of the largest, 0.4, over it.
const LEAST_SPREAD: f64 = 0.01;
const LOG_RANGE: f64 = 3.688_879_454_113_936;
/// The least spread of outliers, and how many arms are outliers on average; at most half of them.
const OUTLIER_SPREAD: f64 = 0.1;
const OUTLIERS: f64 = 6.0;
/// By how much the logarithm of a plausible spread's likelihood may be below the greatest: the
/// interval covers 95 %.
const PLAUSIBLE: f64 = 2.0;
/// Samples like those of all arms together that each arm is given for its variance, so that an arm
/// that has always won is not certain to win.
const SMOOTHING: f64 = 4.0;
/// The quadrature: nodes on either side of the middle, and standard deviations between them.
const NODES: i32 = 8;
const STEP: f64 = 0.5;
/// No samples make a choice surer than this.
const MOST_SURE: f64 = 0.9999;
/// A deviation of values that are known, and a difference that makes equal ones right.
const CERTAIN: f64 = 1e-9;
const EQUAL: f64 = 20.0 * CERTAIN;

/// Computes how sure decisions are. It keeps its memory: only the first use with so many arms
/// allocates.
#[derive(Clone, Debug, Default)]
pub struct Confidence {
    /// The variance of each arm's mean: 0 if its value is known, infinite without samples.
    variances: Vec<f64>,
    /// What is known of the arms' values if their spread is given: means and deviations.
    means: Vec<f64>,
    deviations: Vec<f64>,
    outliers: Vec<Outlier>,
}

/// What is known of an arm's value if it is an outlier, and the chance that it is one.
#[derive(Clone, Copy, Debug, Default)]
struct Outlier {
    chance: f64,
    mean: f64,
    deviation: f64,
}

/// A spread of values, and what the arms' means say of it.
#[derive(Clone, Copy, Default)]
struct Spread {
    squared: f64,
    /// The mean of all values.
    centre: f64,
    log_likelihood: f64,
}

impl Confidence {
    /// Returns the chance that the value of the arm `chosen` is at most `within` below the best.
    /// An arm without samples is chosen by guessing.
    pub fn of(&mut self, arms: &Arms, chosen: usize, within: f64) -> f64 {
        self.of_known(arms, chosen, within, |_| None)
    }

    /// Returns the same chance if the values of some arms are known, such as 0 and 1 for moves
    /// that are proved.
    pub fn of_known(
        &mut self,
        arms: &Arms,
        chosen: usize,
        within: f64,
        known: impl Fn(usize) -> Option<f64>,
    ) -> f64 {
        self.at_least(arms, chosen, Until { level: 0.0, within }, known)
    }

    /// Returns that chance if it reaches the level, else `None`, which costs less.
    pub fn reached(
        &mut self,
        arms: &Arms,
        chosen: usize,
        until: Until,
        known: impl Fn(usize) -> Option<f64>,
    ) -> Option<f64> {
        let sure = self.at_least(arms, chosen, until, known);
        (sure >= until.level).then_some(sure)
    }

    /// The chance if it is at least the level, else some greater number below the level.
    fn at_least(
        &mut self,
        arms: &Arms,
        chosen: usize,
        until: Until,
        known: impl Fn(usize) -> Option<f64>,
    ) -> f64 {
        let is_best = known(chosen).is_some_and(|value| value + until.within >= 1.0);
        if arms.len() == 1 || is_best {
            return 1.0;
        }
        if arms.count(chosen) == 0 && known(chosen).is_none() {
            return 1.0 / arms.len() as f64;
        }
        self.fill_variances(arms, &known);
        let mut spreads = [Spread::default(); SPREADS];
        for (index, spread) in spreads.iter_mut().enumerate() {
            let place = index as f64 / (SPREADS - 1) as f64;
            *spread = self.spread(arms, LEAST_SPREAD * libm::exp(LOG_RANGE * place));
        }
        let likelier = |a: &Spread, b: &Spread| a.log_likelihood.total_cmp(&b.log_likelihood);
        let Some(best) = spreads.iter().copied().max_by(likelier) else { return 0.0 };
        self.fill_values(arms, chosen, best, &known);
        let is_certain = (0..arms.len()).all(|arm| arm == chosen || known(arm).is_some());
        let most = if is_certain { 1.0 } else { MOST_SURE };
        let mut sure = self.against_rival(arms, chosen, until.within, &known).min(most);
        if sure < until.level {
            return sure;
        }
        let is_plausible = |spread: &&Spread| spread.log_likelihood >= best.log_likelihood - PLAUSIBLE;
        sure = sure.min(self.posterior(chosen, until.within));
        for &spread in spreads.iter().filter(is_plausible) {
            if sure < until.level {
                break;
            }
            if spread.squared != best.squared {
                self.fill_values(arms, chosen, spread, &known);
                sure = sure.min(self.posterior(chosen, until.within));
            }
        }
        sure
    }

    fn fill_variances(&mut self, arms: &Arms, known: impl Fn(usize) -> Option<f64>) {
        // One win and one loss more: no sample has ever lost, but the next one may.
        let (mut count, mut sum, mut squares) = (2.0, 1.0, 1.0);
        for arm in 0..arms.len() {
            count += arms.count(arm) as f64;
            sum += arms.sum(arm);
            squares += arms.squares(arm);
        }
        let (mean, square) = (sum / count, squares / count);
        let variance = |arm: usize| {
            if known(arm).is_some() {
                return 0.0;
            }
            let samples = arms.count(arm) as f64;
            let all = samples + SMOOTHING;
            let mean = (arms.sum(arm) + SMOOTHING * mean) / all;
            let square = (arms.squares(arm) + SMOOTHING * square) / all;
            // Infinite without samples.
            (square - mean * mean).max(1e-6) / samples
        };
        self.variances.clear();
        self.variances.extend((0..arms.len()).map(variance));
    }

    /// What the arms' means say of a spread of the values, whose mean may be anything.
    fn spread(&self, arms: &Arms, spread: f64) -> Spread {
        let squared = spread * spread;
        let sampled = || {
            let variances = self.variances.iter().copied().enumerate();
            variances.filter(|(_, variance)| *variance > 0.0 && variance.is_finite())
        };
        let (mut weights, mut sum, mut log) = (0.0, 0.0, 0.0);
        // Logarithms of products of a few variances: the numbers stay far from the smallest.
        let mut product = 1.0;
        for (index, (arm, variance)) in sampled().enumerate() {
            let total = squared + variance;
            weights += 1.0 / total;
            sum += arms.mean(arm) / total;
            product *= total;
            if index % 16 == 15 {
                log -= 0.5 * libm::log(product);
                product = 1.0;
            }
        }
        if weights == 0.0 {
            return Spread { squared, centre: 0.5, log_likelihood: 0.0 };
        }
        let centre = sum / weights;
        log -= 0.5 * libm::log(product * weights);
        for (arm, variance) in sampled() {
            let difference = arms.mean(arm) - centre;
            log -= 0.5 * difference * difference / (squared + variance);
        }
        Spread { squared, centre, log_likelihood: log }
    }

    /// What is known of the values if their spread is this. Outliers may be as far from the others as
    /// the chosen arm is.
    fn fill_values(
        &mut self,
        arms: &Arms,
        chosen: usize,
        spread: Spread,
        known: impl Fn(usize) -> Option<f64>,
    ) {
        let Spread { squared, centre, .. } = spread;
        let outlier_spread = OUTLIER_SPREAD.max(arms.mean(chosen) - centre);
        let share = (OUTLIERS / arms.len() as f64).min(0.5);
        self.means.clear();
        self.deviations.clear();
        self.outliers.clear();
        for (arm, &variance) in self.variances.iter().enumerate() {
            let known = known(arm);
            let (mean, deviation) = match known {
                Some(value) => (value, CERTAIN),
                None if variance.is_finite() => {
                    let weight = squared / (squared + variance);
                    (centre + weight * (arms.mean(arm) - centre), libm::sqrt(weight * variance))
                }
                None => (centre, libm::sqrt(squared)),
            };
            self.means.push(mean);
            self.deviations.push(deviation);
            self.outliers.push(match known {
                None if squared < outlier_spread * outlier_spread => {
                    let mean = if variance.is_finite() { arms.mean(arm) } else { centre };
                    Outlier::new(mean, variance, spread, outlier_spread, share)
                }
                _ => Outlier::default(),
            });
        }
    }

    /// ∫ φ(x) Π Φ(x + ε) dx: φ the density of the chosen arm's value, Φ the distributions
    /// of the others.
    fn posterior(&self, chosen: usize, within: f64) -> f64 {
        let (mean, deviation) = (self.means[chosen], self.deviations[chosen]);
        let (mut sum, mut weights) = (0.0, 0.0);
        for node in -NODES..=NODES {
            let z = f64::from(node) * STEP;
            let weight = libm::exp(-0.5 * z * z);
            weights += weight;
            let bound = mean + z * deviation + within + EQUAL;
            let mut product = weight;
            let values = self.means.iter().zip(&self.deviations).zip(&self.outliers);
            for (arm, ((&mean, &deviation), outlier)) in values.enumerate() {
                if arm != chosen {
                    let usual = below(bound, mean, deviation);
                    let rare = outlier.chance * (below(bound, outlier.mean, outlier.deviation) - usual);
                    product *= usual + rare;
                    if product < 1e-9 {
                        break;
                    }
                }
            }
            sum += product;
        }
        sum / weights
    }

    /// The chance that the chosen arm and the other one with the greatest expected value are not
    /// the other way round.
    fn against_rival(
        &self,
        arms: &Arms,
        chosen: usize,
        within: f64,
        known: impl Fn(usize) -> Option<f64>,
    ) -> f64 {
        // Two known values are compared by the posterior.
        let is_rival = |arm: &usize| {
            let variance = self.variances[*arm];
            *arm != chosen && variance.is_finite() && variance + self.variances[chosen] > 0.0
        };
        let rivals = (0..arms.len()).filter(is_rival);
        let Some(rival) = rivals.max_by(|&a, &b| self.means[a].total_cmp(&self.means[b])) else { return 1.0 };
        let value = |arm: usize| known(arm).unwrap_or_else(|| arms.mean(arm));
        let difference = value(chosen) - value(rival);
        let variance = self.variances[chosen] + self.variances[rival];
        let gap = within.max(LEAST_GAP).max(difference - MOST_ERRORS * libm::sqrt(variance));
        1.0 / (1.0 + libm::exp(-2.0 * difference * gap / variance))
    }
}

impl Outlier {
    /// An arm's mean and its variance, the spread of other arms, and spread and share of outliers.
    fn new(mean: f64, variance: f64, usual: Spread, spread: f64, share: f64) -> Outlier {
        let squared = spread * spread;
        if variance == f64::INFINITY {
            return Outlier { chance: share, mean, deviation: spread };
        }
        let difference = mean - usual.centre;
        let density = |total: f64| libm::exp(-0.5 * difference * difference / total) / libm::sqrt(total);
        let rare = density(squared + variance) * share;
        let chance = rare / (rare + density(usual.squared + variance) * (1.0 - share));
        let weight = squared / (squared + variance);
        let mean = usual.centre + weight * difference;
        // Two densities of 0, far from both.
        let chance = if chance.is_finite() { chance } else { 1.0 };
        Outlier { chance, mean, deviation: libm::sqrt(weight * variance) }
    }
}

/// The chance that a normal number is below a bound.
fn below(bound: f64, mean: f64, deviation: f64) -> f64 {
    let distance = bound - mean;
    if distance >= 5.0 * deviation { 1.0 } else { normal(distance / deviation) }
}

/// The chance that a standard normal number is below `x`.
fn normal(x: f64) -> f64 {
    0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2)
}

/// The numbers of samples after which a decision is looked at. They depend on the arms and on the
/// samples alone, so that a search stops at the same sample everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checks {
    next: u64,
    unit: u64,
}

impl Checks {
    /// Looks first after 4 samples for each arm, or after 32 in all. All numbers are multiples of
    /// `unit`.
    pub fn new(n_arms: usize, unit: u64) -> Checks {
        Checks { next: (4 * n_arms as u64).max(32).next_multiple_of(unit), unit }
    }

    /// The number of samples after which to look next.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Whether to look now, after `spent` samples. The next time is after an eighth more.
    pub fn is_due(&mut self, spent: u64) -> bool {
        if spent < self.next {
            return false;
        }
        self.next = (spent + (spent / 8).max(1)).next_multiple_of(self.unit);
        true
    }

    /// Moves those samples of a batch to `now` that are to be taken before the next look, and
    /// leaves the others in `rest`: the same part of every pull. `spent` samples were taken before.
    pub fn cut(&self, spent: u64, rest: &mut Vec<Pull>, now: &mut Vec<Pull>) {
        now.clear();
        let all: u64 = rest.iter().map(|pull| pull.samples).sum();
        let room = self.next.saturating_sub(spent).max(1);
        if room >= all {
            std::mem::swap(rest, now);
            return;
        }
        for pull in rest.iter_mut() {
            let samples = (u128::from(pull.samples) * u128::from(room)).div_ceil(u128::from(all)) as u64;
            now.push(Pull { samples, ..*pull });
            pull.samples -= samples;
        }
        rest.retain(|pull| pull.samples > 0);
    }
}

#[cfg(test)]
mod tests;

//! Calibrated SHUSS: how much the scores say about the values is learnt during the run.
//!
//! The model is that of Fay and Herriot (1979, small-area estimation), with a prior on
//! what can be known beforehand. Arm i has the value
//!
//! ```text
//! μ_i = m + ρ·ω·z_i + η_i,   η_i ~ N(0, ω²·(1 − ρ²·r_i))
//! ```
//!
//! where z_i is its score in standard units, ω the spread of the values and ρ their
//! correlation with the scores. Its mean over t_i samples has the variance s²/t_i. The
//! common value m has a flat prior; ω and ρ have the grids [`SPREADS`] and
//! [`CORRELATIONS`], whose weights are the marginal likelihoods of the means of all arms,
//! those that were cut too. Nothing here has the unit of a score: AMAF means, logits and
//! flattened scores are alike.
//!
//! **Scores that rest on few samples** (s_i of them) are worth less. With v the variance of
//! the exact scores, an observed one has the reliability `c_i = v/(v + s²/s_i)`. It is
//! shrunk towards the mean of all scores by that factor, and `r_i = c_i/c̄`, with c̄ the
//! mean reliability, is what it says about the value in proportion. Scores with the same
//! number of samples all have r_i = 1.
//!
//! **Ranking.** An arm goes on by its *promise*, the expected amount by which its value
//! exceeds the best posterior mean, averaged over the grid. It is the gain from learning
//! the arm's value exactly: an arm that one plausible (ω, ρ) considers excellent stays,
//! even if the average over all of them does not. The last round, which keeps one arm,
//! ranks by the posterior mean, whose maximum has the least expected regret.
//!
//! Arms with the same number of samples and about the same number of score samples form a
//! group, so a likelihood costs a few operations for each group, not for each arm.

use std::sync::LazyLock;

use tesuji_core::Calibration;

/// The grid of ω, the standard deviation of the arms' values: from differences that no
/// budget finds to those that a few samples show. It is for rewards of games, and is scaled for
/// samples that vary less ([`Noise`]).
const SPREADS: [f64; 8] = [0.011, 0.0176, 0.0283, 0.0453, 0.0727, 0.117, 0.187, 0.3];

/// The grid of ρ, the correlation of scores and values, with the logarithms of its weights:
/// useless scores are the likeliest single case, and almost exact ones come next.
const CORRELATIONS: [(f64, f64); 8] =
    [(0.0, 1.0), (0.25, 0.2), (0.5, 0.0), (0.7, 0.0), (0.84, 0.0), (0.92, 0.05), (0.97, 0.25), (0.993, 0.45)];

const N_CELLS: usize = SPREADS.len() * CORRELATIONS.len();

/// Cells with less weight than this do not change a ranking.
const LEAST_WEIGHT: f64 = 1e-3;

/// The share of the scores' variance that is real, at least.
const LEAST_RELIABILITY: f64 = 0.1;

/// How much samples vary.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noise {
    /// s²: the variance of one sample of an arm.
    pub(super) variance: f64,
    /// What the grid of ω is multiplied by: 1 for rewards of games.
    pub(super) scale: f64,
}

/// What is known of an arm.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evidence {
    /// The number of samples; less than a whole one if earlier rounds are discounted.
    pub(super) samples: f64,
    /// Their mean reward.
    pub(super) mean: f64,
    /// The score.
    pub(super) score: f64,
    /// The number of samples behind the score: infinite for a prior, 0 if there is none.
    pub(super) score_samples: f64,
}

/// Arms with equal variances.
#[derive(Clone, Copy, Debug)]
struct Group {
    samples: f64,
    /// The number of score samples, rounded to half an octave.
    score_level: u64,
    /// s²/t: infinite without samples.
    variance: f64,
    /// r: what a score says about the value, in proportion to a usual one.
    reliability: f64,
    /// The sums over the group: number, means, scores, squares and products.
    n: f64,
    means: f64,
    scores: f64,
    mean_squares: f64,
    products: f64,
    score_squares: f64,
    /// In the cell at hand: the weight of the mean in the posterior, and its deviation.
    gain: f64,
    deviation: f64,
}

/// A pair (ω, ρ) of the grid.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    spread: f64,
    correlation: f64,
    prior: f64,
    weight: f64,
    centre: f64,
}

/// Fits the model, and ranks by it. Keeps its memory from one fit to the next.
#[derive(Clone, Debug)]
pub(super) struct Calibrator {
    cells: [Cell; N_CELLS],
    groups: Vec<Group>,
    group_of: Vec<u32>,
    /// Means, less that of all samples together.
    means: Vec<f64>,
    /// Shrunk scores in standard units.
    scores: Vec<f64>,
    /// Posterior means in the cell at hand.
    values: Vec<f64>,
    /// Posterior means over all cells.
    posterior: Vec<f64>,
    /// The promise of each arm.
    promise: Vec<f64>,
    /// The mean of all samples.
    centre: f64,
    /// The best posterior mean of each cell, averaged.
    best: f64,
}

impl Default for Calibrator {
    fn default() -> Calibrator {
        let mut cells = [Cell::default(); N_CELLS];
        for (index, cell) in cells.iter_mut().enumerate() {
            let (correlation, prior) = CORRELATIONS[index % CORRELATIONS.len()];
            let spread = SPREADS[index / CORRELATIONS.len()];
            *cell = Cell { spread, correlation, prior, weight: 0.0, centre: 0.0 };
        }
        Calibrator {
            cells,
            groups: Vec::new(),
            group_of: Vec::new(),
            means: Vec::new(),
            scores: Vec::new(),
            values: Vec::new(),
            posterior: Vec::new(),
            promise: Vec::new(),
            centre: 0.0,
            best: 0.0,
        }
    }
}

/// The scores of all arms, summed up.
struct ScoreMoments {
    mean: f64,
    /// The variance of the exact scores, without what their samples add.
    variance: f64,
    /// The mean reliability.
    reliability: f64,
    /// The standard deviation of the observed scores.
    observed_deviation: f64,
}

impl ScoreMoments {
    fn of(evidence: impl Iterator<Item = Evidence> + Clone, sample_variance: f64) -> ScoreMoments {
        let scored = evidence.filter(|one| one.score_samples > 0.0);
        let n = scored.clone().count().max(1) as f64;
        let mean = scored.clone().map(|one| one.score).sum::<f64>() / n;
        let squares: f64 = scored.clone().map(|one| (one.score - mean) * (one.score - mean)).sum();
        let observed = squares / (n - 1.0).max(1.0);
        let noise = scored.clone().map(|one| sample_variance / rounded(one.score_samples)).sum::<f64>() / n;
        // Differences that are mere rounding are none.
        let is_flat = observed <= 1e-18 * (1.0 + mean * mean);
        let variance = if is_flat { 0.0 } else { (observed - noise).max(LEAST_RELIABILITY * observed) };
        let mut moments =
            ScoreMoments { mean, variance, reliability: 1.0, observed_deviation: observed.sqrt() };
        let reliability = |one: Evidence| moments.reliability_of(one.score_samples, sample_variance);
        let sum: f64 = scored.map(reliability).sum();
        moments.reliability = if sum > 0.0 { sum / n } else { 1.0 };
        moments
    }

    /// c_i, for a score with `score_samples` samples.
    fn reliability_of(&self, score_samples: f64, sample_variance: f64) -> f64 {
        match () {
            () if self.variance == 0.0 || score_samples <= 0.0 => 0.0,
            () if score_samples == f64::INFINITY => 1.0,
            () => self.variance / (self.variance + sample_variance / rounded(score_samples)),
        }
    }
}

/// Half octaves: arms whose scores rest on about as many samples share a group.
fn level(score_samples: f64) -> u64 {
    score_samples.to_bits() >> 51
}

/// The number of score samples in the middle of its half octave.
fn rounded(score_samples: f64) -> f64 {
    if score_samples.is_finite() && score_samples > 0.0 {
        f64::from_bits(level(score_samples) << 51 | 1 << 50)
    } else {
        score_samples
    }
}

impl Calibrator {
    /// Fits the model to the arms `0..n_arms`, of which at least one has samples or a score, and
    /// computes what they are ranked by.
    pub(super) fn fit(
        &mut self,
        n_arms: usize,
        noise: Noise,
        evidence: impl Fn(usize) -> Evidence,
    ) -> Calibration {
        let Noise { variance: sample_variance, scale } = noise;
        for (index, cell) in self.cells.iter_mut().enumerate() {
            cell.spread = scale * SPREADS[index / CORRELATIONS.len()];
        }
        let all = (0..n_arms).map(&evidence);
        let (samples, sum) =
            all.clone().fold((0.0, 0.0), |(n, sum), one| (n + one.samples, sum + one.samples * one.mean));
        self.centre = if samples > 0.0 { sum / samples } else { 0.5 };
        let moments = ScoreMoments::of(all.clone(), sample_variance);
        self.group(n_arms, all, &moments, sample_variance);
        self.weigh();
        self.rank();
        self.summary(&moments, sample_variance)
    }

    /// The posterior mean of an arm's value.
    pub(super) fn value(&self, arm: usize) -> f64 {
        self.centre + self.posterior[arm]
    }

    /// The expected value of the better of an arm and the best one, if the arm's value became
    /// known: its promise, on top of the best posterior mean.
    pub(super) fn potential(&self, arm: usize) -> f64 {
        self.centre + self.best + self.promise[arm]
    }

    /// The expected amount by which an arm exceeds the best one.
    pub(super) fn promise(&self, arm: usize) -> f64 {
        self.promise[arm]
    }

    /// Standardises means and scores, and puts the arms into groups.
    fn group(
        &mut self,
        n_arms: usize,
        evidence: impl Iterator<Item = Evidence>,
        moments: &ScoreMoments,
        sample_variance: f64,
    ) {
        self.groups.clear();
        // There are rarely as many, but a later run must not need more room.
        self.groups.reserve(n_arms);
        self.group_of.clear();
        self.means.clear();
        self.scores.clear();
        let unit =
            if moments.variance > 0.0 { 1.0 / (moments.reliability * moments.variance).sqrt() } else { 0.0 };
        for Evidence { samples, mean, score, score_samples } in evidence {
            let mean = if samples > 0.0 { mean - self.centre } else { 0.0 };
            let score_level = level(score_samples);
            let is_same = |group: &Group| group.samples == samples && group.score_level == score_level;
            let index = self.groups.iter().rposition(is_same).unwrap_or_else(|| {
                let reliability = moments.reliability_of(score_samples, sample_variance);
                self.groups.push(Group {
                    samples,
                    score_level,
                    variance: sample_variance / samples,
                    reliability: reliability / moments.reliability,
                    n: 0.0,
                    means: 0.0,
                    scores: 0.0,
                    mean_squares: 0.0,
                    products: 0.0,
                    score_squares: 0.0,
                    gain: 0.0,
                    deviation: 0.0,
                });
                self.groups.len() - 1
            });
            let group = &mut self.groups[index];
            let shrunk = group.reliability * moments.reliability * (score - moments.mean) * unit;
            group.n += 1.0;
            group.means += mean;
            group.scores += shrunk;
            group.mean_squares += mean * mean;
            group.products += mean * shrunk;
            group.score_squares += shrunk * shrunk;
            self.group_of.push(index as u32);
            self.means.push(mean);
            self.scores.push(shrunk);
        }
    }

    /// Weighs the cells of the grid by the marginal likelihood of all means.
    fn weigh(&mut self) {
        let Calibrator { cells, groups, .. } = self;
        let mut top = f64::NEG_INFINITY;
        for cell in cells.iter_mut() {
            let slope = cell.correlation * cell.spread;
            let (mut precision, mut sum, mut squares, mut log_variances) = (0.0, 0.0, 0.0, 0.0);
            for group in groups.iter().filter(|group| group.samples > 0.0) {
                let variance = cell.residual(group) + group.variance;
                let weight = 1.0 / variance;
                precision += weight * group.n;
                sum += weight * (group.means - slope * group.scores);
                squares += weight
                    * (group.mean_squares + slope * (slope * group.score_squares - 2.0 * group.products));
                log_variances += group.n * libm::log(variance);
            }
            // Without any samples the prior is all there is.
            (cell.centre, cell.weight) = match precision > 0.0 {
                true => {
                    let centre = sum / precision;
                    let exponent = log_variances + libm::log(precision) + squares - sum * centre;
                    (centre, cell.prior - 0.5 * exponent)
                }
                false => (0.0, cell.prior),
            };
            top = top.max(cell.weight);
        }
        let mut total = 0.0;
        for cell in cells.iter_mut() {
            cell.weight = libm::exp(cell.weight - top);
            total += cell.weight;
        }
        cells.iter_mut().for_each(|cell| cell.weight /= total);
    }

    /// Averages posterior means and promises over the cells.
    fn rank(&mut self) {
        let Calibrator { cells, groups, group_of, means, scores, values, posterior, promise, best, .. } =
            self;
        for column in [&mut *values, &mut *posterior, &mut *promise] {
            column.clear();
            column.resize(means.len(), 0.0);
        }
        *best = 0.0;
        for cell in cells.iter().filter(|cell| cell.weight >= LEAST_WEIGHT) {
            let slope = cell.correlation * cell.spread;
            for group in groups.iter_mut() {
                let residual = cell.residual(group);
                (group.gain, group.deviation) = match group.samples > 0.0 {
                    true => {
                        let gain = residual / (residual + group.variance);
                        (gain, (gain * group.variance).sqrt())
                    }
                    false => (0.0, residual.sqrt()),
                };
            }
            let mut top = f64::NEG_INFINITY;
            for (arm, value) in values.iter_mut().enumerate() {
                let gain = groups[group_of[arm] as usize].gain;
                *value = gain * means[arm] + (1.0 - gain) * (cell.centre + slope * scores[arm]);
                top = top.max(*value);
            }
            for (arm, &value) in values.iter().enumerate() {
                let deviation = groups[group_of[arm] as usize].deviation;
                posterior[arm] += cell.weight * value;
                promise[arm] += cell.weight * deviation * excess((value - top) / deviation);
            }
            *best += cell.weight * top;
        }
    }

    /// What was learnt, for people to watch.
    fn summary(&self, moments: &ScoreMoments, sample_variance: f64) -> Calibration {
        let over =
            |value: fn(&Cell) -> f64| self.cells.iter().map(|cell| cell.weight * value(cell)).sum::<f64>();
        let residual = over(|cell| cell.spread * cell.spread * (1.0 - cell.correlation * cell.correlation));
        let has_scores = moments.variance > 0.0;
        let slope = match has_scores {
            true => over(|cell| cell.correlation * cell.spread) / moments.observed_deviation,
            false => 0.0,
        };
        Calibration {
            slope,
            residual,
            weight: slope * sample_variance / residual,
            spread: over(|cell| cell.spread),
            correlation: if has_scores { over(|cell| cell.correlation) } else { 0.0 },
        }
    }
}

impl Cell {
    /// The variance of a value of the group, given its score: ω²·(1 − ρ²·r).
    fn residual(&self, group: &Group) -> f64 {
        let explained = (self.correlation * self.correlation * group.reliability).min(0.999);
        self.spread * self.spread * (1.0 - explained)
    }
}

/// The table of [`excess`]: from −8 to 8, 64 steps to one.
static EXCESS: LazyLock<[f64; EXCESS_SIZE]> = LazyLock::new(|| {
    std::array::from_fn(|step| {
        let u = step as f64 / EXCESS_STEPS - EXCESS_END;
        let density = libm::exp(-0.5 * u * u) / (2.0 * std::f64::consts::PI).sqrt();
        density + u * 0.5 * libm::erfc(-u * std::f64::consts::FRAC_1_SQRT_2)
    })
});

const EXCESS_SIZE: usize = (2.0 * EXCESS_END * EXCESS_STEPS) as usize + 2;
const EXCESS_END: f64 = 8.0;
const EXCESS_STEPS: f64 = 64.0;

/// E[max(0, u + Z)] with a standard normal Z, which is φ(u) + u·Φ(u), to within 2·10⁻⁵.
fn excess(u: f64) -> f64 {
    if u >= EXCESS_END {
        return u;
    }
    // u is no number if an arm without deviation is the best one.
    if u.is_nan() || u <= -EXCESS_END {
        return 0.0;
    }
    let place = (u + EXCESS_END) * EXCESS_STEPS;
    let step = place as usize;
    let (low, high) = (EXCESS[step], EXCESS[step + 1]);
    low + (place - step as f64) * (high - low)
}

#[cfg(test)]
mod tests;

//! Upper confidence bounds: sample the arm whose mean plus bonus is greatest.
//!
//! UCB, UCB1, UCB√, UCB-E and lil'UCB differ only in the [`Bonus`]; this is
//! the one loop behind them. It is the inner loop of long experiments, so it
//! keeps means and factors in columns, brings only the last arm's up to date,
//! and looks for the greatest value lane by lane, as vector instructions do.

mod bonus;
mod specs;
#[cfg(test)]
mod tests;

use tesuji_core::isa::{Isa, Kernel, dispatch};
use tesuji_core::{Allocator, Arms, Batch, Rng, Stop};

pub(crate) use bonus::Bonus;
pub(crate) use specs::{LIL_UCB, UCB, UCB_E, UCB_SQRT, UCB1};

use crate::memo::Memo;
use crate::steps::{RunState, Steps};

/// The settings of an upper confidence bound policy.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct UcbConfig {
    /// The bonus that is added to the mean.
    pub(crate) bonus: Bonus,
    /// The arm to recommend.
    pub(crate) recommend: Recommendation,
    /// When sampling ends.
    pub(crate) until: Until,
}

/// The arm that an upper confidence bound policy recommends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Recommendation {
    /// The arm with the best mean.
    #[default]
    BestMean,
    /// The arm with the most samples.
    MostSampled,
}

/// When sampling ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Until {
    /// When the budget is spent.
    #[default]
    Spent,
    /// Also when one arm has at least `1 + λm` samples, all others `m` together,
    /// λ = 1 + 10/n: the stopping rule of lil'UCB's heuristic.
    Certain,
}

/// Samples the arm with the greatest `mean + bonus`, the first of equals, after
/// every arm once.
#[derive(Clone, Debug)]
pub(crate) struct Ucb {
    config: UcbConfig,
    steps: Steps,
    stop: Option<Stop>,
    /// Whether the columns hold what the arms hold, but for the last arm sampled. That one
    /// is left out of them: so the others can be searched while its reward is still on
    /// its way.
    filled: bool,
    columns: Columns,
    by_total: Memo,
    by_count: Memo,
}

impl Ucb {
    /// A policy, or a sentence that says which constant is wrong.
    pub(crate) fn new(config: UcbConfig) -> Result<Ucb, String> {
        config.bonus.validate()?;
        Ok(Ucb {
            config,
            steps: Steps::default(),
            stop: None,
            filled: false,
            columns: Columns::default(),
            by_total: Memo::default(),
            by_count: Memo::default(),
        })
    }

    /// The mean and the factor of an arm.
    #[inline]
    fn index(&self, arms: &Arms, arm: usize) -> (f64, f64) {
        let bonus = self.config.bonus;
        (arms.mean(arm), self.by_count.at(arms.count(arm), |count| bonus.arm_factor(count)))
    }

    #[cold]
    fn fill(&mut self, arms: &Arms) {
        let bonus = self.config.bonus;
        let most = arms.total().saturating_add(self.steps.left());
        self.by_total.extend(most, |total| bonus.total_factor(total));
        self.by_count.extend(most, |count| bonus.arm_factor(count));
        self.columns.clear(arms.len());
        for arm in 0..arms.len() {
            (self.columns.means[arm], self.columns.factors[arm]) = self.index(arms, arm);
        }
        self.filled = true;
    }
}

impl Allocator for Ucb {
    fn begin(&mut self, n_arms: usize, budget: u64) {
        self.steps.begin(n_arms, budget);
        self.stop = None;
        self.filled = false;
    }

    fn next_batch(&mut self, arms: &Arms, _: &mut Rng) -> Option<Batch<'_>> {
        if self.config.until == Until::Certain && self.steps.n_arms() == 1 && self.steps.left() > 0 {
            self.stop = Some(Stop::OneArm);
        }
        if self.stop.is_some() {
            return None;
        }
        match self.steps.open(arms, 1) {
            RunState::Spent => return None,
            RunState::BatchReady => return Some(self.steps.batch()),
            RunState::ToChoose => {}
        }
        if self.config.until == Until::Certain && is_certain(arms) {
            self.stop = Some(Stop::Certain);
            return None;
        }
        let bonus = self.config.bonus;
        let weight = self.by_total.at(arms.total(), |total| bonus.total_factor(total));
        let arm = if self.filled {
            // Once the columns are filled every batch is one arm.
            let last = self.steps.last()[0].arm;
            let (rival, its_value) = self.columns.first_greatest(weight);
            let (mean, factor) = self.index(arms, last);
            let value = mean + weight * factor;
            if value > its_value || (value == its_value && last < rival) {
                last
            } else {
                (self.columns.means[last], self.columns.factors[last]) = (mean, factor);
                self.columns.means[rival] = f64::NEG_INFINITY;
                rival
            }
        } else {
            self.fill(arms);
            let (first, _) = self.columns.first_greatest(weight);
            self.columns.means[first] = f64::NEG_INFINITY;
            first
        };
        self.steps.pull(arm, 1);
        Some(self.steps.batch())
    }

    fn recommend(&self, arms: &Arms) -> usize {
        match self.config.recommend {
            Recommendation::BestMean => arms.best_mean(),
            Recommendation::MostSampled => arms.most_sampled(),
        }
    }

    fn stop(&self) -> Option<Stop> {
        self.stop
    }
}

/// Whether an arm's samples outweigh those of all others, by the rule of
/// lil'UCB: `n_i ≥ 1 + λ Σ_{j≠i} n_j`.
fn is_certain(arms: &Arms) -> bool {
    let lambda = 1.0 + 10.0 / arms.len() as f64;
    (0..arms.len()).any(|arm| {
        let (own, others) = (arms.count(arm), arms.total() - arms.count(arm));
        own as f64 >= 1.0 + lambda * others as f64
    })
}

/// How many arms are looked at together.
const LANES: usize = 4;

/// Means and arm factors, filled up to whole groups of lanes with arms that
/// are never the greatest.
#[derive(Clone, Debug, Default)]
struct Columns {
    means: Vec<f64>,
    factors: Vec<f64>,
}

impl Columns {
    fn clear(&mut self, n_arms: usize) {
        let padded = n_arms.next_multiple_of(LANES);
        self.means.clear();
        self.means.resize(padded, f64::NEG_INFINITY);
        self.factors.clear();
        self.factors.resize(padded, 0.0);
    }

    /// The first arm with the greatest `mean + weight · factor`, and that value.
    #[inline]
    fn first_greatest(&self, weight: f64) -> (usize, f64) {
        dispatch(FirstGreatest { columns: self, weight })
    }
}

/// Each lane finds its own greatest without a jump, and then the few lanes are
/// compared: which arm leads cannot be foreseen, and a wrong guess would cost more
/// than several arms. Where the processor has registers of four doubles, a
/// group of lanes is a handful of instructions.
struct FirstGreatest<'a> {
    columns: &'a Columns,
    weight: f64,
}

impl Kernel for FirstGreatest<'_> {
    type Output = (usize, f64);

    #[inline(always)]
    fn run<I: Isa>(self) -> (usize, f64) {
        let means = self.columns.means.as_chunks::<LANES>().0;
        let factors = self.columns.factors.as_chunks::<LANES>().0;
        // Everything is doubles, the numbers of groups too: so the compiler keeps
        // all lanes together.
        let mut best = [f64::NEG_INFINITY; LANES];
        let mut groups = [0.0; LANES];
        let mut group = 0.0;
        for (means, factors) in means.iter().zip(factors) {
            let mut values = [0.0; LANES];
            for lane in 0..LANES {
                values[lane] = means[lane] + self.weight * factors[lane];
            }
            for lane in 0..LANES {
                groups[lane] = if values[lane] > best[lane] { group } else { groups[lane] };
            }
            for lane in 0..LANES {
                best[lane] = if values[lane] > best[lane] { values[lane] } else { best[lane] };
            }
            group += 1.0;
        }
        let greater = |a: f64, b: f64| if a > b { a } else { b };
        let greatest = greater(greater(best[0], best[1]), greater(best[2], best[3]));
        let mut arms = [f64::INFINITY; LANES];
        for lane in 0..LANES {
            let arm = groups[lane] * LANES as f64 + lane as f64;
            arms[lane] = if best[lane] == greatest { arm } else { f64::INFINITY };
        }
        let less = |a: f64, b: f64| if a < b { a } else { b };
        (less(less(arms[0], arms[1]), less(arms[2], arms[3])) as u32 as usize, greatest)
    }
}

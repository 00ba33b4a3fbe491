//! Means and standard errors of many runs, and the rows of a laboratory's table.
//!
//! Runs are tallied in chunks, and chunks merged in order, so the sums have the
//! same bits on any number of threads. Within a chunk, differences to the chunk's first
//! number are summed: numbers that are all equal have a variance of exactly 0,
//! and large ones lose no digits. Chunks are merged by the formula of Chan, Golub and
//! LeVeque (1979).

use super::arms_spec::ArmsSpec;
use crate::PolicySpec;
use crate::confidence::Until;

/// How many, their mean, and the sum of squared differences to it.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Moments {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    /// All numbers of both.
    fn merge(&mut self, other: Moments) {
        if other.count == 0.0 {
            return;
        }
        let count = self.count + other.count;
        let difference = other.mean - self.mean;
        self.mean += difference * (other.count / count);
        self.squares += other.squares + difference * difference * (self.count * other.count / count);
        self.count = count;
    }

    /// The mean and its standard error; no number has an error alone, so that of
    /// one number is infinite.
    fn estimate(self) -> (f64, f64) {
        let error = if self.count > 1.0 {
            (self.squares / (self.count - 1.0) / self.count).sqrt()
        } else {
            f64::INFINITY
        };
        (self.mean, error)
    }
}

/// The numbers of a chunk.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Sums {
    count: u32,
    first: f64,
    sum: f64,
    squares: f64,
}

impl Sums {
    #[inline]
    fn add(&mut self, number: f64) {
        if self.count == 0 {
            self.first = number;
        }
        let difference = number - self.first;
        self.count += 1;
        self.sum += difference;
        self.squares += difference * difference;
    }

    fn moments(self) -> Moments {
        if self.count == 0 {
            return Moments::default();
        }
        let count = f64::from(self.count);
        let mean = self.sum / count;
        // Rounding can bring equal numbers a hair below zero.
        Moments { count, mean: self.first + mean, squares: (self.squares - self.sum * mean).max(0.0) }
    }
}

/// What one run of a policy came to, at one budget.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Outcome {
    /// The best value less that of the recommended arm.
    pub(super) regret: f64,
    /// 1 where that is not 0.
    pub(super) wrong: f64,
    /// The same regret summed over all samples.
    pub(super) cumulative: f64,
    /// The samples spent.
    pub(super) spent: f64,
    /// The regret of the arm with the most samples, and of that with the best
    /// mean: for policies whose readers may take either.
    pub(super) others: Option<[f64; 2]>,
    /// The regret less that of the first policy in the same run.
    pub(super) difference: Option<f64>,
    /// 1 if the run stopped because it was sure, and was right; 0 if it was wrong.
    pub(super) right: Option<f64>,
}

/// How many columns there are.
const COLUMNS: usize = 8;

/// A chunk's sums for one policy and budget.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct ChunkCell([Sums; COLUMNS]);

impl ChunkCell {
    #[inline]
    pub(super) fn add(&mut self, outcome: &Outcome) {
        let [regret, wrong, cumulative, spent, most_pulled, best_mean, difference, right] = &mut self.0;
        regret.add(outcome.regret);
        wrong.add(outcome.wrong);
        cumulative.add(outcome.cumulative);
        spent.add(outcome.spent);
        if let Some(others) = outcome.others {
            most_pulled.add(others[0]);
            best_mean.add(others[1]);
        }
        if let Some(number) = outcome.difference {
            difference.add(number);
        }
        if let Some(number) = outcome.right {
            right.add(number);
        }
    }
}

/// All runs of one policy at one budget.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Cell([Moments; COLUMNS]);

impl Cell {
    /// Takes a chunk in, in the order of chunks.
    pub(super) fn merge(&mut self, chunk: &ChunkCell) {
        for (column, sums) in self.0.iter_mut().zip(chunk.0) {
            column.merge(sums.moments());
        }
    }

    /// The runs taken in.
    pub(super) fn runs(&self) -> u64 {
        self.0[0].count as u64
    }

    /// The line of the table.
    pub(super) fn row(&self, arms: &ArmsSpec, policy: &PolicySpec, budget: u64, until: Option<Until>) -> Row {
        let [regret, wrong, cumulative, spent, most_pulled, best_mean, difference, right] = self.0;
        let optional = |moments: Moments| (moments.count > 0.0).then(|| moments.estimate()).unzip();
        let (regret_mean, se) = regret.estimate();
        let (p_wrong, p_wrong_se) = wrong.estimate();
        let (cumulative, cumulative_se) = cumulative.estimate();
        let (regret_most_pulled, regret_most_pulled_se) = optional(most_pulled);
        let (regret_best_mean, regret_best_mean_se) = optional(best_mean);
        let (difference, difference_se) = optional(difference);
        Row {
            arms: arms.clone(),
            policy: policy.clone(),
            budget,
            runs: self.runs(),
            regret: regret_mean,
            se,
            p_wrong,
            p_wrong_se,
            cumulative,
            cumulative_se,
            spent: spent.mean,
            regret_most_pulled,
            regret_most_pulled_se,
            regret_best_mean,
            regret_best_mean_se,
            difference,
            difference_se,
            stopped: until.map(|_| right.count as u64),
            right: until.map(|_| (right.mean * right.count).round() as u64),
        }
    }
}

/// A line of a laboratory's table: the results of one policy at one budget. Each mean
/// has its standard error next to it, which is infinite if there is only one run.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Row {
    /// The setting of the arms.
    #[cfg_attr(feature = "serde", serde(serialize_with = "as_text", deserialize_with = "from_text"))]
    pub arms: ArmsSpec,
    /// The policy.
    #[cfg_attr(feature = "serde", serde(serialize_with = "as_text", deserialize_with = "from_text"))]
    pub policy: PolicySpec,
    /// The number of samples that the policy may spend.
    pub budget: u64,
    /// The number of runs.
    pub runs: u64,
    /// Simple regret: the best value less that of the policy's recommendation.
    pub regret: f64,
    /// The standard error of `regret`.
    pub se: f64,
    /// Simple regret 0-1: how often the recommended arm's value is not the best.
    pub p_wrong: f64,
    /// The standard error of `p_wrong`.
    pub p_wrong_se: f64,
    /// Cumulative regret: the best value less that of the sampled arm, summed over the
    /// samples.
    pub cumulative: f64,
    /// The standard error of `cumulative`.
    pub cumulative_se: f64,
    /// The mean number of samples spent: fewer than the budget if the policy stops early.
    pub spent: f64,
    /// The simple regret of the arm with the most samples, for policies that sample the
    /// best arm most; `None` for other policies.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub regret_most_pulled: Option<f64>,
    /// The standard error of `regret_most_pulled`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub regret_most_pulled_se: Option<f64>,
    /// The simple regret of the arm with the best mean, for policies that sample the best
    /// arm most; `None` for other policies.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub regret_best_mean: Option<f64>,
    /// The standard error of `regret_best_mean`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub regret_best_mean_se: Option<f64>,
    /// `regret` minus the regret of the first policy at the same budget; `None` for the
    /// first policy.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub difference: Option<f64>,
    /// The standard error of `difference`. The runs are paired, so it is smaller
    /// than the two regrets' errors would let one think.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub difference_se: Option<f64>,
    /// The number of runs that stopped before their budget because they were sure; `None` if
    /// none may.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub stopped: Option<u64>,
    /// The number of runs that stopped and were right: the value of their choice is within the
    /// difference that may be ignored.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub right: Option<u64>,
}

/// A spec in JSON is its text.
#[cfg(feature = "serde")]
fn as_text<S: serde::Serializer>(spec: &impl std::fmt::Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(spec)
}

#[cfg(feature = "serde")]
fn from_text<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
    D: serde::Deserializer<'de>,
{
    let text = <String as serde::Deserialize>::deserialize(deserializer)?;
    text.parse().map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The moments of numbers that were tallied in chunks of these sizes.
    fn merged(numbers: &[f64], sizes: &[usize]) -> Moments {
        let (mut moments, mut rest) = (Moments::default(), numbers);
        for &size in sizes {
            let (chunk, later) = rest.split_at(size);
            let mut sums = Sums::default();
            chunk.iter().for_each(|&number| sums.add(number));
            moments.merge(sums.moments());
            rest = later;
        }
        assert!(rest.is_empty());
        moments
    }

    #[test]
    fn chunks_give_the_mean_and_error_of_all() {
        // 1, …, 10: the mean 5.5, the variance 55/6, and far from 0 the same, where sums
        // of squares alone would have lost all digits.
        for origin in [0.0, 1e9] {
            let numbers: Vec<f64> = (1..=10).map(|number| origin + f64::from(number)).collect();
            for sizes in [&[10][..], &[3, 7], &[1, 1, 0, 8]] {
                let (mean, error) = merged(&numbers, sizes).estimate();
                assert!((mean - origin - 5.5).abs() < 1e-6, "{mean}");
                assert!((error - (55.0_f64 / 60.0).sqrt()).abs() < 1e-6, "{error}");
            }
        }
    }

    #[test]
    fn equal_numbers_have_no_error_and_one_number_any() {
        assert_eq!(merged(&[0.1; 9], &[4, 5]).estimate(), (0.1, 0.0));
        assert_eq!(merged(&[0.1], &[1]).estimate(), (0.1, f64::INFINITY));
    }
}

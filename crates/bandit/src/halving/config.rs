//! The settings of a halving, and which of them are allowed.

use super::schedule::{Cut, Spread, pruned};
use super::score_weight::ScoreWeight;

/// The number of arms that enter because a network's policy has them in doubt, at most: Gumbel's m.
const MOST_IN_DOUBT: usize = 16;

/// The settings of a [`Halving`].
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct HalvingConfig {
    /// The number of arms that each round keeps.
    pub(crate) cut: Cut,
    /// How the budget is spread over the rounds.
    pub(crate) spread: Spread,
    /// The minimum number of samples of an arm in a round while the budget lasts: 0
    /// as in the papers, 1 so that a budget below the number of arms samples some.
    pub(crate) least: u64,
    /// w: the weight of earlier rounds in the means. 1 stockpiles, 0 restarts.
    pub(crate) carry: f64,
    /// t′: the weight of the scores.
    pub(crate) weight: ScoreWeight,
    /// The arms that take part.
    pub(crate) entrants: Entrants,
    /// The arms that a round ranks.
    pub(crate) ranks: Ranks,
}

/// The arms that are ranked at the end of a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Ranks {
    /// The arms that are left: whoever is cut is out.
    #[default]
    Left,
    /// All arms that entered, with what is known of each: an arm that was cut comes back if
    /// the arms that were kept turn out to be worse.
    All,
    /// All, unless samples are a network's values: then those that are left. The mean of an arm with
    /// two samples is of values at another depth than that of an arm with one, and networks often
    /// think more of whoever is to move, so only arms with equal numbers of samples compare well.
    Auto,
}

/// The arms that take part in the first round.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Entrants {
    /// All arms.
    All,
    /// The best arms by score; [`pruned`] computes their number.
    Pruned {
        /// t̃: the number of samples of each arm that the scores are worth.
        worth: f64,
    },
    /// The best `m` arms by Gumbel noise + logits, and that sum becomes their score.
    GumbelTop {
        /// The number of arms.
        m: usize,
        /// What a unit of score adds to an arm's logit.
        logits: f64,
        /// Whether there is noise: without it the best arms by logits enter.
        noise: bool,
    },
}

impl Default for HalvingConfig {
    /// Sequential Halving as in Karnin et al., with statistics kept.
    fn default() -> HalvingConfig {
        HalvingConfig {
            cut: Cut::Lambda(vec![0.5]),
            spread: Spread::Even,
            least: 0,
            carry: 1.0,
            weight: ScoreWeight::Constant(0.0),
            entrants: Entrants::All,
            ranks: Ranks::Left,
        }
    }
}

impl HalvingConfig {
    /// Checks that every field has an allowed value; the error is a sentence.
    pub(crate) fn check(&self) -> Result<(), String> {
        let fraction = |x: f64| x > 0.0 && x < 1.0;
        if let Cut::Lambda(lambdas) = &self.cut
            && (lambdas.is_empty() || !lambdas.iter().copied().all(fraction))
        {
            return Err("lambda is a number above 0 and below 1, or a list of such".to_owned());
        }
        if let Cut::Keep(keep) = &self.cut
            && (keep.contains(&0) || keep.windows(2).any(|pair| pair[0] <= pair[1]))
        {
            return Err(
                "each number of arms kept is at least 1 and below the one before it, as in keep=[10,3]"
                    .to_owned(),
            );
        }
        if !(0.0..=1.0).contains(&self.carry) {
            return Err("w is a number from 0 to 1".to_owned());
        }
        match self.weight {
            ScoreWeight::Constant(weight) if weight >= 0.0 => {}
            ScoreWeight::Adaptive { delta, sigma } if delta >= 0.0 && sigma >= 0.0 => {}
            ScoreWeight::Gumbel { visit, scale } if visit >= 0.0 && scale > 0.0 => {}
            ScoreWeight::Calibrated { .. } if self.spread == Spread::Uniforming => {
                return Err("uniforming needs rounds of known sizes, and t=calibrated decides them on \
                            the way"
                    .to_owned());
            }
            ScoreWeight::Calibrated { negligible } if (0.0..1.0).contains(&negligible) => {}
            _ => return Err("the weight of the score is at least 0".to_owned()),
        }
        match (self.entrants, &self.cut) {
            (Entrants::Pruned { .. }, Cut::Keep(_)) => {
                Err("pruning by the score needs lambda, so it does not go with keep".to_owned())
            }
            (Entrants::Pruned { worth }, _) if worth.is_nan() || worth <= 0.0 => {
                Err("the scores must be worth more than 0 samples".to_owned())
            }
            (Entrants::GumbelTop { m: 0, .. }, _) => Err("at least one arm must enter".to_owned()),
            _ => Ok(()),
        }
    }

    /// The number of arms that enter, given the budget and, if samples are a network's values, the
    /// number of arms that its policy has in doubt.
    pub(super) fn entrants(&self, n_arms: usize, budget: u64, open_arms: Option<usize>) -> usize {
        let affordable = usize::try_from(budget.max(1)).unwrap_or(usize::MAX);
        match (self.entrants, &self.cut, open_arms) {
            (Entrants::Pruned { worth }, Cut::Lambda(lambdas), _) => {
                pruned(n_arms, budget, lambdas[0], worth)
            }
            // No more than the budget can sample, as published: m = min(n, 16).
            (Entrants::GumbelTop { m, .. }, ..) => m.min(n_arms).min(affordable),
            // The first sample of an arm says most, so many get one; but a first round that uses up the
            // budget leaves nothing for a look at the answers. How many are worth a sample if samples
            // are few differs from game to game, and the policy knows: with 16 evaluations, 16 arms are
            // best in Breakthrough and 5 in Go. A larger budget can check what the policy says.
            (_, _, Some(open_arms)) if self.weight.is_calibrated() => {
                (affordable / 3).max(open_arms.clamp(2, MOST_IN_DOUBT)).min(affordable).min(n_arms)
            }
            _ => n_arms,
        }
    }
}

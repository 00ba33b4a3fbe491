//! The settings of a tuner.

use tesuji_bandit::PolicySpec;
use tesuji_core::Seed;
use tesuji_core::spec::Value;

/// How sure a tuner must be to stop before its budget is spent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sureness {
    /// The chance that its best configuration is good enough, above 0 and at most 1.
    pub level: f64,
    /// By how much the win rate of a good configuration may be below the best of the space.
    pub within: f64,
}

/// The games that a candidate's score rests on. The score is the model's expectation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scores {
    /// All games, its own too: for policies that rank by the score alone, such as `shuss(t=inf)`.
    Everything,
    /// The games of all other candidates: for policies that combine the score with the mean, such as
    /// `shuss` and `shuss(t=30)`.
    Others,
}

/// How a tuner spends its games. Equal settings and equal results of games lead to equal rounds.
#[derive(Clone, Debug)]
pub struct TunerSettings {
    /// The budget, in pairs of games.
    pub pairs: u64,
    /// The policy that spends the samples of a generation on its candidates. Their scores are what the
    /// model expects.
    pub policy: PolicySpec,
    /// The games that the scores rest on.
    pub scores: Scores,
    /// The number of generations. `None` chooses it by the budget.
    pub generations: Option<u64>,
    /// The number of candidates of a generation. `None` chooses it by the budget.
    pub candidates: Option<usize>,
    /// The seed of everything random, the games excepted.
    pub seed: Seed,
    /// When to stop before the budget is spent. `None` spends it all.
    pub until: Option<Sureness>,
}

impl TunerSettings {
    /// The default settings, with this budget in pairs of games.
    ///
    /// They were the best in the testbed: calibrated SHUSS, which learns how much the model is worth, needs
    /// no more games than a weight that was told, and fewer than policies without scores at about 1000
    /// games. The policy matters less than the points do.
    pub fn of(pairs: u64) -> TunerSettings {
        TunerSettings {
            pairs,
            policy: "shuss".parse().expect("the table has this policy"),
            scores: Scores::Others,
            generations: None,
            candidates: None,
            seed: Seed::new(1),
            until: None,
        }
    }

    /// The policy, such that a budget below the number of candidates is spread over them.
    pub(super) fn policy_at_work(&self) -> PolicySpec {
        let spread = ["sh", "shuss", "gumbel"].contains(&self.policy.info().name);
        let is_given = self.policy.to_string().contains("least=");
        let least = Value::Number(1.0);
        match spread && !is_given {
            true => self.policy.with("least", least).unwrap_or_else(|_| self.policy.clone()),
            false => self.policy.clone(),
        }
    }
}

//! Policies by name: `sh(lambda=0.7)`, `ucb(c=0.3)`.

use std::fmt;
use std::str::FromStr;

use tesuji_core::spec::{Arguments, Call, CallError, Interval, Parameter, Value, Values};
use tesuji_core::{Allocator, shortened, suggestion};
use thiserror::Error;

use crate::halving::SH;
use crate::{shot, table};

/// A line of the table of policies: name, meaning, source and options.
pub struct PolicyInfo {
    /// The policy's name in specs.
    pub name: &'static str,
    /// What the policy does, in words.
    pub meaning: &'static str,
    /// The authors and the year of its paper.
    pub source: &'static str,
    /// The policy's options, in the order in which specs print them.
    pub parameters: &'static [Parameter],
    /// Whether its choices do not depend on the budget, so that one run shows the
    /// regret at every smaller budget too.
    pub(crate) anytime: fn(&Arguments) -> bool,
    /// The arms that may be chosen at the end.
    pub(crate) final_choice: FinalChoice,
    /// How many samples it asks for at a time.
    pub(crate) pace: Pace,
    /// Makes the allocator; the error is a sentence that explains why these values are
    /// impossible together.
    pub(crate) build: fn(&Arguments) -> Result<Box<dyn Allocator>, String>,
}

/// The arms that may be chosen when a policy has spent its budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FinalChoice {
    /// The policy's recommendation only.
    Own,
    /// Also the most sampled arm: for UCB and similar policies, which sample the best
    /// arm most.
    OwnOrMostSampled,
}

/// How many samples a policy asks for at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// Many, a few times: halving and rejects.
    Rounds,
    /// One or a few, many times: UCB, value of information.
    Steps,
}

/// How scores are made of what the samples of other arms say, as AMAF does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OnlineScores {
    /// Whether an arm's own samples count in its score. A model that takes scores and means for
    /// independent wants them left out.
    pub own: bool,
    /// The weight of earlier rounds: 1 keeps everything, 0 the round alone.
    pub recall: f64,
}

/// The constant of an exploration term, under its name in the paper.
pub(crate) const fn exploration(name: &'static str, default: Option<&'static str>) -> Parameter {
    let values = Values::number(Interval::NOT_NEGATIVE);
    Parameter { name, meaning: "how much is explored", default, values }
}

/// A policy with the values of its options, usually read from text. Every spec that
/// exists is valid: [`allocator`](PolicySpec::allocator) cannot fail.
///
/// ```
/// use tesuji_bandit::PolicySpec;
/// let policy: PolicySpec = "Uniform()".parse().unwrap();
/// assert_eq!(policy.to_string(), "uniform");
/// assert_eq!(policy.to_string().parse(), Ok(policy));
/// ```
#[derive(Clone)]
pub struct PolicySpec {
    info: &'static PolicyInfo,
    arguments: Arguments,
}

/// The text is not a policy, or an option has an impossible value.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PolicyError {
    /// No policy has this name.
    #[error("'{word}' is not a policy: {policies}")]
    Unknown {
        /// The name as given.
        word: String,
        /// The policies that may have been meant, or all of them.
        policies: String,
    },
    /// An option is not allowed.
    #[error(transparent)]
    Call(#[from] CallError),
    /// Each option is allowed, but not all of them together.
    #[error("'{text}' is impossible: {reason}")]
    Impossible {
        /// The policy as given.
        text: String,
        /// Why it is impossible.
        reason: String,
    },
}

impl PolicySpec {
    /// The halving of SHOT, `shot`, which has no options.
    pub fn shot() -> PolicySpec {
        PolicySpec { info: &shot::INFO, arguments: Arguments::default() }
    }

    /// This policy with another value of one of its options.
    ///
    /// ```
    /// use tesuji_bandit::PolicySpec;
    /// use tesuji_core::spec::Value;
    /// let halving: PolicySpec = "sh(w=0)".parse()?;
    /// assert_eq!(halving.with("lambda", Value::Number(0.7))?.to_string(), "sh(lambda=0.7,w=0)");
    /// let error = halving.with("c", Value::Number(0.7)).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "sh has no option 'c': its options are lambda, keep, w, uniforming, least, ranks",
    /// );
    /// # Ok::<(), tesuji_bandit::PolicyError>(())
    /// ```
    pub fn with(&self, option: &str, value: Value) -> Result<PolicySpec, PolicyError> {
        let mut arguments = self.arguments.clone();
        arguments.set(self.info.name, option, value)?;
        let text = format!("{}{arguments}", self.info.name);
        PolicySpec::checked(self.info, arguments, &text)
    }

    /// This policy for budgets below the number of arms: `sh` becomes
    /// `sh(least=1)`, which samples every arm while the budget lasts, unless
    /// `least` is given. `sh` alone would spend such a budget on the few arms
    /// that survive a blind draw. Other policies stay as they are.
    pub fn for_small_budgets(&self) -> PolicySpec {
        let mut policy = self.clone();
        if self.info.name == SH.name && self.arguments.is_default("least") {
            let set = policy.arguments.set(SH.name, "least", Value::Number(1.0));
            set.expect("every Sequential Halving may have least=1");
        }
        policy
    }

    /// A policy whose allocator can be made; `text` stands in the error.
    fn checked(
        info: &'static PolicyInfo,
        arguments: Arguments,
        text: &str,
    ) -> Result<PolicySpec, PolicyError> {
        match (info.build)(&arguments) {
            Ok(_) => Ok(PolicySpec { info, arguments }),
            Err(reason) => Err(PolicyError::Impossible { text: shortened(text), reason }),
        }
    }

    /// The policy's line of the table.
    pub fn info(&self) -> &'static PolicyInfo {
        self.info
    }

    /// Whether the policy's choices do not depend on the budget, so that one run shows
    /// the regret at every smaller budget too.
    pub fn is_anytime(&self) -> bool {
        (self.info.anytime)(&self.arguments)
    }

    /// How many samples the policy asks for at a time.
    pub fn pace(&self) -> Pace {
        self.info.pace
    }

    /// The kind of score that the policy requires, `amaf` or `prior`; `None` if it
    /// accepts any kind, or none.
    pub fn score(&self) -> Option<&'static str> {
        let word = self.arguments.has("score").then(|| self.arguments.word("score")).flatten();
        word.filter(|word| *word != "any")
    }

    /// How the AMAF scores of a search are made for this policy.
    pub fn online_scores(&self) -> OnlineScores {
        if !self.arguments.has("own") {
            return OnlineScores { own: true, recall: 1.0 };
        }
        let own = match self.arguments.word("own") {
            Some("auto") => self.arguments.word("t") != Some("calibrated"),
            word => word == Some("on"),
        };
        OnlineScores { own, recall: self.arguments.number("recall").unwrap_or(1.0) }
    }

    /// Whether scores change what the policy does, beyond breaking ties.
    pub fn takes_scores(&self) -> bool {
        self.arguments.has("score") || self.arguments.has("logits")
    }

    /// Returns what the policy is if nothing gives it scores, in words; `None` if it uses none.
    pub fn without_scores(&self) -> Option<&'static str> {
        match (self.arguments.has("score"), self.arguments.has("logits")) {
            (true, _) if self.arguments.word("t") == Some("calibrated") => {
                Some("halving by shrunk means, in which arms may come back")
            }
            (true, _) => Some("plain Sequential Halving"),
            (_, true) => Some("Sequential Halving of random arms"),
            _ => None,
        }
    }

    /// Whether the policy may stop before its budget is spent, because no sample is
    /// worth its cost or because the leader is certain enough.
    pub fn may_stop(&self) -> bool {
        self.arguments.has("stop") && self.arguments.number("stop").is_some_and(|cost| cost > 0.0)
    }

    /// Whether the policy leaves arms out by scores known before any sample.
    pub fn prunes(&self) -> bool {
        self.arguments.has("prune") && self.arguments.number("prune").is_some()
    }

    /// A new allocator of this policy.
    pub fn allocator(&self) -> Box<dyn Allocator> {
        (self.info.build)(&self.arguments).expect("tried when the spec was made")
    }
}

impl FromStr for PolicySpec {
    type Err = PolicyError;

    fn from_str(text: &str) -> Result<PolicySpec, PolicyError> {
        let call = Call::parse(text)?;
        let names = || table::policies().iter().map(|info| info.name);
        let info = table::policies().iter().find(|info| info.name == call.name);
        let info = info.ok_or_else(|| PolicyError::Unknown {
            word: shortened(&call.name),
            policies: suggestion(&call.name, names(), || {
                format!("there are {}", names().collect::<Vec<_>>().join(", "))
            }),
        })?;
        let arguments = call.resolve(info.parameters)?;
        PolicySpec::checked(info, arguments, text)
    }
}

impl fmt::Display for PolicySpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", self.info.name, self.arguments))
    }
}

impl fmt::Debug for PolicySpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PolicySpec({self})")
    }
}

impl PartialEq for PolicySpec {
    fn eq(&self, other: &PolicySpec) -> bool {
        self.info.name == other.info.name && self.arguments == other.arguments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halving_with_a_small_budget_tries_every_arm_it_can() {
        for (text, changed) in [
            ("sh", "sh(least=1)"),
            ("sh(lambda=0.7)", "sh(lambda=0.7,least=1)"),
            ("sh(keep=[4,2,1])", "sh(keep=[4,2,1],least=1)"),
            ("sh(least=2)", "sh(least=2)"),
            ("uniform", "uniform"),
            ("shuss(t=8)", "shuss(t=8)"),
        ] {
            let policy = text.parse::<PolicySpec>().unwrap().for_small_budgets();
            assert_eq!(policy.to_string(), changed);
            assert_eq!(Ok(policy), changed.parse());
        }
    }

    #[test]
    fn policies_made_without_text_are_those_of_the_text() {
        assert_eq!(Ok(PolicySpec::shot()), "shot".parse());
        let halving: PolicySpec = "sh(keep=[4,2,1])".parse().unwrap();
        let refusal = halving.with("lambda", Value::Number(0.7)).unwrap_err().to_string();
        assert_eq!(
            refusal,
            "'sh(lambda=0.7,keep=[4,2,1])' is impossible: the cuts are given by lambda or by keep, not by both"
        );
    }
}

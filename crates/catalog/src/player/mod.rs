//! Specs of players: reading, printing, explaining.
//!
//! ```text
//! spec     = ("random" | "greedy" | search) ["@" budget]
//! search   = [root "+"] tree ["+" leaf] {"+" option}
//! root     = policy, as tesuji-bandit reads it
//! tree     = name ["(" [option {"," option}] ")"] | "flat(" policy ")", without a root
//! leaf     = "playout" | "prior(" (policy | "literal") "," number ["," option] ")"
//! option   = "reuse" | "solver" | "no-transpositions" | "nodes(" number ")" | "trees(" number ")"
//!          | "until(" level ["," "within=" number] ")"
//! level    = number "%" | number
//! budget   = {amount "x" number ","} amount
//! amount   = number | number ("ms" | "s" | "m")
//! ```
//!
//! An alias, the name that a paper gives to a root and a tree together, stands in
//! their place. Upper and lower case are the same, and blanks around parts mean
//! nothing. What is printed is canonical: lower case, aliases as what they stand
//! for, and only what differs from its default. The words themselves are in the
//! table, [`players`].

mod budget;
mod display;
mod error;
mod info;
mod parse;
mod parts;
mod table;
#[cfg(test)]
mod tests;
mod until;

pub use budget::BudgetSpec;
pub use error::PlayerError;
pub use info::{PartInfo, PartKind};
pub use parts::PlayerPart;
pub use table::players;
pub use until::ConfidenceLevel;

use tesuji_search::{Budget, PlayerConfig};

/// A player, and perhaps how much it may think. Made from text, and good: every
/// spec that exists can play.
///
/// ```
/// use tesuji_catalog::PlayerSpec;
/// let spec: PlayerSpec = "Hybrid-SHUSS(t=512) + solver @ 10000".parse().unwrap();
/// assert_eq!(spec.to_string(), "shuss(t=512,score=amaf)+rave+solver@10000");
/// assert_eq!(spec.to_string().parse(), Ok(spec));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerSpec {
    config: PlayerConfig,
    budget: Option<BudgetSpec>,
}

impl PlayerSpec {
    /// Which player: what passes [`PlayerConfig::check`].
    pub fn config(&self) -> &PlayerConfig {
        &self.config
    }

    /// Whether it searches, and so needs a budget.
    pub fn is_search(&self) -> bool {
        matches!(self.config, PlayerConfig::Search(_))
    }

    /// How much it may think about each of its moves; `None` if its spec leaves that open.
    pub fn budget(&self) -> Option<BudgetSpec> {
        self.budget
    }

    /// How much it may think at this ply of a game, from 0; `None` if its spec leaves that open.
    pub fn budget_at(&self, ply: u64) -> Option<Budget> {
        self.budget.map(|budget| budget.at_ply(ply))
    }

    /// Returns the player with this budget.
    #[must_use]
    pub fn with_budget(self, budget: BudgetSpec) -> PlayerSpec {
        PlayerSpec { budget: Some(budget), ..self }
    }

    /// Returns the player with this budget if it searches and has none of its own.
    #[must_use]
    pub fn with_default_budget(self, budget: BudgetSpec) -> PlayerSpec {
        if self.is_search() && self.budget.is_none() { self.with_budget(budget) } else { self }
    }

    /// Returns the player with its budget left open.
    #[must_use]
    pub fn without_budget(self) -> PlayerSpec {
        PlayerSpec { budget: None, ..self }
    }
}

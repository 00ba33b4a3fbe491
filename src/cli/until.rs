//! The options `--until` and `--within`, which mean the same in all verbs.

use anyhow::Result;
use tesuji::catalog::{ConfidenceLevel, PlayerSpec};
use tesuji::search::Until;

/// When searches stop before their budget is spent.
#[derive(clap::Args, Clone, Default)]
pub(super) struct UntilArgs {
    /// Stop once the choice is right with this chance, such as 95%; uct+until(95%) has its own
    #[arg(long, value_name = "LEVEL")]
    until: Option<String>,
    /// A choice is right if it is at most this far below the best
    #[arg(long, value_name = "EPSILON", requires = "until", value_parser = super::values::number(0.0..=0.5))]
    within: Option<f64>,
}

impl UntilArgs {
    /// When to stop; `None` if nothing was asked for.
    pub(super) fn until(&self) -> Result<Option<Until>> {
        let Some(text) = &self.until else { return Ok(None) };
        let level: ConfidenceLevel = text.parse()?;
        Ok(Some(Until { level: level.level(), within: self.within.unwrap_or(0.0) }))
    }

    /// The player, which stops so unless its own option says when.
    pub(super) fn apply(&self, player: PlayerSpec) -> Result<PlayerSpec> {
        Ok(match self.until()? {
            Some(until) => player.with_default_until(until),
            None => player,
        })
    }
}

//! The option `--budget`, which means the same in all verbs.

use anyhow::Result;
use tesuji::catalog::BudgetSpec;

/// The budget of players that have none of their own.
#[derive(clap::Args)]
pub(super) struct BudgetArgs {
    /// Samples (10000) or time (2s) for each move of players without a budget; rave@500 has its own
    #[arg(long = "budget", value_name = "BUDGET", default_value_t = BudgetSpec::DEFAULT.to_string())]
    text: String,
}

impl BudgetArgs {
    /// The budget, if it is one.
    pub(super) fn budget(&self) -> Result<BudgetSpec> {
        Ok(self.text.parse()?)
    }
}

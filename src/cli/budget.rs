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

/// The budget of players that have none of their own, for verbs whose file may say it instead.
#[derive(clap::Args)]
pub(super) struct BudgetOrFileArgs {
    /// Samples (10000) or time (2s) for each move of players without a budget [default: 10000]
    #[arg(long = "budget", value_name = "BUDGET")]
    text: Option<String>,
}

impl BudgetOrFileArgs {
    /// Whether the option was given.
    pub(super) fn is_given(&self) -> bool {
        self.text.is_some()
    }

    /// The budget, or the default.
    pub(super) fn budget(&self) -> Result<BudgetSpec> {
        Ok(self.text.as_ref().map_or(Ok(BudgetSpec::DEFAULT), |text| text.parse())?)
    }
}

//! The testbed: arms whose values are known, so that regret can be measured.
//!
//! | module | question |
//! |---|---|
//! | `arms_spec`, `values` | which values do the arms have? |
//! | `stream` | which samples win? |
//! | `scores` | how would a heuristic rate the arms? |
//! | `run` | what is a policy's regret in one run? |
//! | `until` | what if the run stops when it is sure? |
//! | `tally` | what are the means and errors of many runs? |
//! | `laboratory` | which policy is best, at which budget? |
//!
//! Runs are compared with *common random numbers*: run `r` has the same
//! values, the same order of arms, the same scores and the same luck for every policy
//! and budget. Its addresses, below the laboratory's seed:
//!
//! ```text
//! run / VALUES                  the values, where a setting draws them
//! run / ORDER                   which arm is at which place
//! run / STREAMS (arm, round)    the rewards
//! run / SCORES, run / ONLINE    the scores' bias and their own samples
//! run / RATES                   how often each score is sampled, where that is uneven
//! run / POLICY                  the policy's own choices
//! ```
//!
//! The setting and the policy are no part of an address: equal arms have equal luck
//! in different settings too.

/// The steps below a run, as numbers: a run is short, and words would be a tenth of it.
mod address {
    pub(super) const VALUES: u64 = 1;
    pub(super) const ORDER: u64 = 2;
    pub(super) const STREAMS: u64 = 3;
    pub(super) const SCORES: u64 = 4;
    pub(super) const ONLINE: u64 = 5;
    pub(super) const POLICY: u64 = 6;
    pub(super) const RATES: u64 = 7;
}

mod arms_spec;
mod laboratory;
mod run;
mod scores;
mod stream;
mod tally;
#[cfg(test)]
mod test_policies;
mod until;
mod values;

pub(crate) use arms_spec::MOST_ARMS;
pub use arms_spec::{ArmsError, ArmsSpec, ValueRule};
pub use laboratory::{Laboratory, LaboratoryError};
pub use scores::{ScoreModel, ScoreModelError};
pub use tally::Row;
pub use values::ArmValues;

//! Ways of spending a fixed budget of samples on arms, and a laboratory for
//! their regret. Knows no game: an arm is an index.
//!
//! Every policy is an [`Allocator`](tesuji_core::Allocator), and serves at the
//! root of a search, at a new leaf, in a phantom game and in the testbed alike.
//! By name it is a [`PolicySpec`]:
//!
//! ```
//! use tesuji_bandit::PolicySpec;
//! use tesuji_core::{Arms, Rewards, Seed, allocate};
//!
//! let policy: PolicySpec = "sh(lambda=0.7)".parse()?;
//! let mut allocator = policy.allocator();
//! let (mut arms, mut rng) = (Arms::new(3), Seed::new(1).rng());
//! // Slot machines that pay with probability 0.2, 0.5 and 0.8.
//! let mut coins = Seed::new(2).rng();
//! let decision = allocate(&mut *allocator, 300, &mut arms, &mut rng, |batch, arms| {
//!     for pull in batch.pulls {
//!         let pays = [0.2, 0.5, 0.8][pull.arm];
//!         let wins = (0..pull.samples).filter(|_| coins.chance(pays)).count() as u64;
//!         arms.record(pull.arm, Rewards::wins(pull.samples, wins));
//!     }
//! });
//! assert_eq!((decision.arm, decision.spent), (2, 300));
//! # Ok::<(), tesuji_bandit::PolicyError>(())
//! ```
//!
//! Whoever takes the samples elsewhere has a [`Trial`], which is asked and told.
//!
//! | policies | what they go by |
//! |---|---|
//! | [`Uniform`] | nothing: the yardstick |
//! | [`Halving`] | the better arms go on to the next round, by mean and score: SH, SHUSS, Gumbel |
//! | [`AnytimeHalving`], [`SuccessiveRejects`], [`ShotHalving`] | the same by mean: again and again, one arm at a time, counting earlier samples |
//! | [`Ucb`] | the mean and a [`Bonus`]: UCB, UCB1, UCB√, UCB-E, lil'UCB |
//! | [`Voi`] | the value of information by a [`Bound`]: VCT, ECT, BCT, and SR+CR's |
//! | [`HalfGreedy`], [`UGapEb`], [`TopTwoThompson`], [`Ocba`] | the leader against its rivals |

mod anytime;
mod gaps;
mod greedy;
mod halving;
mod lanes;
mod memo;
mod ocba;
mod policy;
mod rejects;
mod shot;
mod steps;
mod table;
#[cfg(test)]
mod test_arms;
pub mod testbed;
mod thompson;
mod trial;
mod ucb;
mod uniform;
mod voi;

pub use anytime::AnytimeHalving;
pub use gaps::{UGapEb, UGapEbConfig};
pub use greedy::{HalfGreedy, HalfGreedyConfig};
pub use halving::{
    Cut, Entrants, Halving, HalvingConfig, ScheduledRound, ScoreWeight, Spread, pruned, schedule, sizes,
};
pub use ocba::{Ocba, OcbaConfig};
pub use policy::{PolicyError, PolicyInfo, PolicySpec, Recommends};
pub use rejects::SuccessiveRejects;
pub use shot::ShotHalving;
pub use table::policies;
pub use thompson::{TopTwoThompson, TopTwoThompsonConfig};
pub use trial::{History, Scored, Trial, TrialError};
pub use ucb::{Bonus, Recommendation, Ucb, UcbConfig, Until};
pub use uniform::Uniform;
pub use voi::{Bound, Form, Leaders, Voi, VoiConfig, bounds};

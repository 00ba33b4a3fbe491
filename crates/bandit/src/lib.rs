//! Policies that spend a fixed budget of samples on arms, and a testbed that
//! measures their regret. Knows no game: an arm is an index.
//!
//! A [`PolicySpec`] is a policy by name. It makes an
//! [`Allocator`](tesuji_core::Allocator), which serves at the root of a search, at a
//! new leaf, in a phantom game and in the testbed alike:
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
//! If the samples are taken elsewhere, use a [`Trial`]: ask it for a batch, and report
//! the rewards.
//!
//! [`policies`] lists all of them:
//!
//! | policies | how they choose |
//! |---|---|
//! | `uniform` | every arm equally often: the yardstick |
//! | `sh`, `shuss`, `gumbel` | the better arms go on to the next round, by mean and score |
//! | `anytime-sh`, `successive-rejects`, `shot` | the better arms go on, by mean: in many passes, one arm fewer each time, or counting earlier samples |
//! | `cr-c`, `cr-a` | the worst arm is dismissed as soon as it is far enough behind |
//! | `sh-ada-var`, `bracketing-sh` | halving with more samples for arms of greater variance; halvings of random arms |
//! | `ucb`, `ucb1`, `ucb-sqrt`, `ucb-e`, `lil-ucb` | the greatest mean plus bonus |
//! | `vct`, `ect`, `bct`, `voi` | the greatest value of information, by a [`Bound`] |
//! | `half-greedy`, `ugapeb`, `ttts`, `ocba`, `eb-tc` | the leader against its rivals |

mod anytime;
mod bracketing;
mod confidence;
mod continuous;
mod eb_tc;
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
mod variances;
mod voi;

pub use confidence::{Checks, Confidence, LEAST_GAP, Until};
pub use policy::{OnlineScores, Pace, PolicyError, PolicyInfo, PolicySpec};
pub use shot::ShotHalving;
pub use table::policies;
pub use trial::{Trial, TrialError, TrialHistory, TrialScores};
pub use voi::{Bound, Leaders, bounds};

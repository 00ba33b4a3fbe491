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
//! let policy: PolicySpec = "uniform".parse()?;
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

mod policy;
mod table;
pub mod testbed;
mod uniform;

pub use policy::{PolicyError, PolicyInfo, PolicySpec, Recommends};
pub use table::policies;
pub use uniform::Uniform;

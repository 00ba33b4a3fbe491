//! Tuning: which values of a player's parameters win most against an opponent, with the games that
//! one can afford.
//!
//! A configuration is an arm of a bandit. A sample is a pair of games with the same opening and
//! exchanged sides, and its reward is the points divided by 2. So the question is the one that the
//! whole program is about: which arm is best, given a number of samples? Parameters add what moves
//! on a board lack: near configurations win about equally often. A [`Model`] learns this from all
//! games, its predictions are the scores of the arms, and any policy of `tesuji-bandit` spends the
//! samples.
//!
//! | module | what |
//! |---|---|
//! | `space` | parameters, their ranges, points of the unit cube |
//! | `usual` | the usual ranges of known parameters |
//! | `template` | a player's text with holes, such as `hybrid-shuss(t=?,lambda=?)@1000` |
//! | `design` | points that fill the unit cube evenly |
//! | `linear` | factors of matrices |
//! | `kernel` | how alike the win rates of two points are |
//! | `model` | a Gaussian process: the win rate of every point, with its uncertainty |
//! | `pool` | points of which some may be the best |
//! | `gain` | which points are worth their games |
//! | `settings` | the settings of a tuner |
//! | `tuner` | asks for games round by round, and accepts their results |
//! | `testbed` | surfaces with a known optimum, and rival methods |
//! | `experiment` | a tuning: a game, a template, opponents, numbers of games; its file |
//! | `run` | plays the games of a tuning, and reads what a store knows of it |
//!
//! A [`Tuner`] plays no games: whoever uses it plays what [`Tuner::next_round`] asks for.
//!
//! ```
//! use tesuji_arena::tuning::{Template, Tuner, TunerSettings};
//! let template: Template = "hybrid-shuss(t=?,lambda=?0.3..0.9)@1000".parse()?;
//! let mut tuner = Tuner::new(template.space(), template.start(), TunerSettings::of(64))?;
//! while let Some(round) = tuner.next_round() {
//!     for samples in round {
//!         let player = template.text_of(tuner.candidate(samples.candidate));
//!         assert!(player.ends_with("@1000"));
//!         // Play pairs of games here. These are all drawn.
//!         tuner.tell(samples.candidate, &vec![0.5; samples.pairs as usize])?;
//!     }
//! }
//! assert_eq!(tuner.spent(), 64);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod design;
mod experiment;
mod gain;
mod kernel;
mod linear;
mod model;
mod pool;
mod run;
mod settings;
mod space;
mod template;
pub mod testbed;
mod tuner;
mod usual;

pub use design::Design;
pub use experiment::{Tuning, TuningError, sureness};
pub use model::{Evidence, Model, Prediction};
pub use run::{Tuned, TuningProgress};
pub use settings::{Scores, Sureness, TunerSettings};
pub use space::{Parameter, Point, Range, RangeError, Space};
pub use template::{Start, Template, TemplateError};
pub use tuner::{Best, Candidate, CandidateId, Samples, TuneError, Tuner, TunerStop};

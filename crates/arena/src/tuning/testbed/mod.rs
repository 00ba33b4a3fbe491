//! A testbed of tuners: surfaces whose best point is known, and rival methods.
//!
//! A [`Surface`] has a win rate at every point, so the regret of a recommendation is known exactly:
//! the best win rate less that of the recommended point. Its pairs of games are random, of two games
//! that share an opening.
//!
//! [`Method`]s spend a budget of games on a surface and recommend a point. [`measure`] measures their
//! regrets over many runs.
//!
//! Games needed for a regret of 0.02, with 200 runs for each power of two from 128 to 16384 games. In
//! brackets, the share of them that the tuner needs:
//!
//! | method | peak | ridge | cliff | useless 3 | useless 4 | words |
//! |---|---|---|---|---|---|---|
//! | tuner | 243 | 856 | 197 | 335 | 997 | 762 |
//! | uniform | 647 (0.38) | 9123 (0.09) | 468 (0.42) | 1005 (0.33) | 11067 (0.09) | 4355 (0.17) |
//! | halving | 475 (0.51) | 2023 (0.42) | 215 (0.91) | 352 (0.95) | 1918 (0.52) | 1321 (0.58) |
//! | SPSA, itself | 212 (1.15) | 534 (1.60) | 197 (1.00) | 128 (2.61) | 284 (3.51) | more |
//! | SPSA, opponent | 931 (0.26) | 2033 (0.42) | 1015 (0.19) | 475 (0.70) | 1112 (0.90) | more |
//!
//! And for a regret of 0.01:
//!
//! | method | peak | ridge | cliff | useless 3 | useless 4 | words |
//! |---|---|---|---|---|---|---|
//! | tuner | 463 | 2186 | 4987 | 676 | 2024 | 1516 |
//! | uniform | 2916 (0.16) | more | 8123 (0.61) | 3515 (0.19) | more | more |
//! | halving | 1476 (0.31) | 10433 (0.21) | 3275 (1.52) | 1305 (0.52) | 8055 (0.25) | 3255 (0.47) |
//! | SPSA, itself | 971 (0.48) | 1344 (1.63) | 2934 (1.70) | 259 (2.61) | 656 (3.09) | more |
//! | SPSA, opponent | 5652 (0.08) | 6665 (0.33) | 9767 (0.51) | 1160 (0.58) | 2428 (0.83) | more |
//!
//! All rivals have the best number of candidates, or the best gains, for each surface and budget, which
//! nobody knows beforehand; the tuner has its default settings. SPSA that plays itself needs fewer
//! games on smooth symmetric hills: a duel measures a difference in strength with a quarter of the games.
//! But it assumes that strength against itself is strength against the opponent, which is exactly so on these
//! surfaces, and it cannot tune words. With the usual gains of fishtest, which are for good starts and more
//! games, it hardly moves. The cliff is hard for the tuner, because its kernel is smooth.

mod gradient;
mod measure;
mod methods;
mod surface;

pub use gradient::{Gains, Rival};
pub use measure::{Family, MeasureRuns, Measurement, Pick, families, games_needed, measure};
pub use methods::{Method, Regret, regret};
pub use surface::{Surface, surfaces};

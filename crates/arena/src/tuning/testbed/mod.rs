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
//! | tuner | 243 | 855 | 196 | 334 | 996 | 761 |
//! | uniform | 646 (0.38) | 9123 (0.09) | 468 (0.42) | 1004 (0.33) | 11067 (0.09) | 4354 (0.17) |
//! | halving | 474 (0.51) | 2022 (0.42) | 215 (0.91) | 351 (0.95) | 1917 (0.52) | 1321 (0.58) |
//! | SPSA, itself | 211 (1.15) | 534 (1.60) | 197 (1.00) | 128 (2.61) | 283 (3.51) | more |
//! | SPSA, opponent | 930 (0.26) | 2033 (0.42) | 1015 (0.19) | 475 (0.70) | 1111 (0.90) | more |
//!
//! And for a regret of 0.01:
//!
//! | method | peak | ridge | cliff | useless 3 | useless 4 | words |
//! |---|---|---|---|---|---|---|
//! | tuner | 463 | 2186 | 4986 | 676 | 2023 | 1515 |
//! | uniform | 2916 (0.16) | more | 8122 (0.61) | 3515 (0.19) | more | more |
//! | halving | 1475 (0.31) | 10432 (0.21) | 3274 (1.52) | 1305 (0.52) | 8055 (0.25) | 3255 (0.47) |
//! | SPSA, itself | 971 (0.48) | 1344 (1.63) | 2934 (1.70) | 258 (2.61) | 655 (3.09) | more |
//! | SPSA, opponent | 5652 (0.08) | 6664 (0.33) | 9766 (0.51) | 1160 (0.58) | 2427 (0.83) | more |
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

//! A testbed of tuners: surfaces whose best point is known, and rival methods.
//!
//! A [`Surface`] has a win rate at every point, so the regret of a recommendation is known exactly:
//! the best win rate less that of the recommended point. Its pairs of games are random, of two games
//! that share an opening.
//!
//! [`Method`]s spend a budget of games on a surface and recommend a point. [`measure`] measures their
//! regrets over many runs.

mod gradient;
mod measure;
mod methods;
mod surface;

pub use gradient::{Gains, Rival};
pub use measure::{Family, MeasureRuns, Measurement, Pick, families, games_needed, measure};
pub use methods::{Method, Regret, regret};
pub use surface::{Surface, surfaces};

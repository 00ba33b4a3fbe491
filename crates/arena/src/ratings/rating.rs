//! The numbers of a rating list.

use serde::Serialize;

use crate::statistics::Interval;

/// A player's rating and the results behind it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Rating {
    /// Elo. The mean of the player's group is 0, or the anchor has its given Elo.
    pub elo: f64,
    /// Half of the 95 % interval, from the likelihood and the spread of the results. It is the
    /// error of the difference from the group's mean, or from the anchor; 0 for the anchor itself.
    pub error: f64,
    /// The 95 % interval: `elo` ± `error`.
    pub interval: Interval,
    /// The 95 % interval from resampled results. `None` without resamples, and for a player with
    /// all points or none, whose resampled results are all alike.
    pub bootstrap: Option<Interval>,
    /// The number of games.
    pub games: u64,
    /// Points: 1 for each win and ½ for each draw.
    pub points: f64,
    /// Points per game.
    pub score: f64,
    /// The mean rating of the opponents, one for each game.
    pub opponents: f64,
    /// The index of the player's group in [`Ratings::groups`](super::Ratings::groups).
    pub group: usize,
    /// Whether the player has all points or none. The prior determines the size of such a rating.
    pub extreme: Option<Extreme>,
}

/// Results that no finite rating explains.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Extreme {
    /// The player won every game.
    AllWon,
    /// The player lost every game.
    AllLost,
}

/// What moving first is worth in one game, for players of any strength.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Advantage {
    /// The advantage of the side that moves first, in Elo.
    pub elo: f64,
    /// Half of the 95 % interval of `elo`.
    pub error: f64,
    /// The number of games played.
    pub games: u64,
    /// The share of drawn games.
    pub draws: f64,
    /// How much the results of pairs spread, compared with independent games without draws: the
    /// squared factor of the errors of ratings. Single games are used if there are no pairs.
    pub dispersion: f64,
}

/// How much stronger one player is than another one.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Difference {
    /// Elo.
    pub elo: f64,
    /// One standard error of `elo`.
    pub standard_error: f64,
}

/// A player whose rating is given.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Anchor {
    /// The index of the player.
    pub player: usize,
    /// Its rating.
    pub elo: f64,
}

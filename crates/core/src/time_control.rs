//! How much time a side has for its game, and what is left of it.

use std::time::Duration;

/// How much time each side has for a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TimeControl {
    /// As much as it likes.
    #[default]
    Unlimited,
    /// So much for all its moves.
    Absolute {
        /// For the whole game.
        main: Duration,
    },
    /// After the main time, so many moves within each period (Canadian overtime).
    Canadian {
        /// Before the first period.
        main: Duration,
        /// The length of a period.
        period: Duration,
        /// The moves to be made in a period, at least 1.
        stones: u32,
    },
    /// After the main time, every move within a period; a move that takes longer uses
    /// periods up (Japanese overtime).
    Byoyomi {
        /// Before the first period.
        main: Duration,
        /// The length of a period.
        period: Duration,
        /// How many periods there are, at least 1.
        periods: u32,
    },
}

/// What is left to a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeLeft {
    /// Of the main time, or of the period.
    pub time: Duration,
    /// In overtime, the moves still to be made in this period (Canadian) or the periods
    /// that are left, this one included (byo-yomi). Zero in main time.
    pub overtime: u32,
}

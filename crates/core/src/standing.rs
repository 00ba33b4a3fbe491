//! Why a move is searched, and how the candidate moves compare meanwhile.

/// Why a move is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// To play it. The search uses the clock.
    Play,
    /// To play it after the other side has passed: dead stones must be captured before
    /// the game ends.
    CleanUp,
    /// To report it only. The search ignores the clock, chooses the same move each time,
    /// and neither plays nor resigns.
    Regression,
}

/// The candidate moves of a search in progress, from the point of view of the side to
/// move.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Standing {
    /// The number of samples so far.
    pub visits: u64,
    /// The moves, the best first; moves without samples last.
    pub candidates: Vec<Candidate>,
}

/// A move that a search considers. Rates are those of the side to move, from 0 to 1.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// The text of the move.
    pub mv: String,
    /// The number of samples of the move.
    pub visits: u64,
    /// The share of wins; ½ if there are no samples.
    pub winrate: f64,
    /// A lower confidence bound on the share of wins.
    pub lcb: f64,
    /// The prior probability of the move, before its first sample.
    pub prior: f64,
    /// The moves that the search expects, this one first.
    pub line: Vec<String>,
    /// The number of samples behind each move of `line`.
    pub line_visits: Vec<u64>,
}

//! What a move is thought about for, and how the moves stand meanwhile.

/// What a move is chosen for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// To play it, on the clock.
    Play,
    /// To end a game in which the other side has passed: what is dead is to be taken first.
    CleanUp,
    /// Only to say it: the clock is not looked at, the choice is the same each time, and
    /// nothing is played or resigned.
    Regression,
}

/// How the moves stand, from the point of view of the side that thinks.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Standing {
    /// Samples so far.
    pub visits: u64,
    /// The moves, the best first; those without samples last.
    pub candidates: Vec<Candidate>,
}

/// A move that is thought about. Shares of wins are of the side that thinks, from 0 to 1.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// The move.
    pub mv: String,
    /// Its samples.
    pub visits: u64,
    /// Its share of wins; a half where there are no samples.
    pub winrate: f64,
    /// A lower bound on that.
    pub lcb: f64,
    /// The share of attention that it had before its first sample.
    pub prior: f64,
    /// The moves expected, itself the first.
    pub line: Vec<String>,
    /// The samples behind each of those.
    pub line_visits: Vec<u64>,
}

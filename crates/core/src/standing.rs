//! How the moves of a position stand while somebody thinks about it.

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

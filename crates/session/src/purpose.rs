//! Why a player chooses a move.

/// Why a move is chosen.
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

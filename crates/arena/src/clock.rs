//! The clocks of a game.

use std::time::Duration;

use tesuji_core::{TimeControl, TimeLeft, Timekeeper};

/// The delay that a move may have: the time that pipes and a busy machine take is not the engine's
/// fault.
pub const ALLOWANCE: Duration = Duration::from_millis(100);

/// How long the program waits for an engine whose time is up, to avoid restarting it for the next
/// game.
const GRACE: Duration = Duration::from_secs(2);

/// The clocks of the player and its opponent. Without a time control nobody is ever late.
pub(crate) struct Clocks {
    keepers: [Timekeeper; 2],
    /// The time that the contestant to move has used in this turn. It may move several times, if
    /// its attempts are refused.
    thought: Duration,
}

impl Clocks {
    pub(crate) fn new(control: Option<TimeControl>) -> Clocks {
        Clocks { keepers: [Timekeeper::new(control.unwrap_or_default()); 2], thought: Duration::ZERO }
    }

    /// The time that a contestant has left. `None` without a limit.
    pub(crate) fn left(&self, who: usize) -> Option<TimeLeft> {
        let left = self.keepers[who].left()?;
        Some(TimeLeft { time: left.time.saturating_sub(self.thought), ..left })
    }

    /// How long to wait for a contestant's move. `None` without a limit.
    pub(crate) fn patience(&self, who: usize) -> Option<Duration> {
        let longest = self.keepers[who].longest_move()?;
        Some(longest.saturating_sub(self.thought) + ALLOWANCE + GRACE)
    }

    /// Adds time that a contestant has used. Returns whether it is still in time.
    pub(crate) fn think(&mut self, who: usize, time: Duration) -> bool {
        self.thought += time;
        self.keepers[who].longest_move().is_none_or(|longest| self.thought <= longest + ALLOWANCE)
    }

    /// Ends the turn of a contestant that has moved in time.
    pub(crate) fn press(&mut self, who: usize) {
        let thought = std::mem::take(&mut self.thought);
        let longest = self.keepers[who].longest_move().unwrap_or(thought);
        self.keepers[who].spend(thought.min(longest));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn each_has_its_own_time() {
        let mut clocks = Clocks::new(Some("10s".parse().unwrap()));
        assert!(clocks.think(0, 6 * SECOND));
        clocks.press(0);
        assert_eq!(clocks.left(0).unwrap().time, 4 * SECOND);
        assert_eq!(clocks.left(1).unwrap().time, 10 * SECOND);
        assert!(clocks.think(1, 6 * SECOND));
        clocks.press(1);
        assert!(!clocks.think(0, 5 * SECOND));
    }

    #[test]
    fn attempts_of_one_turn_are_one_move() {
        let mut clocks = Clocks::new(Some("0s+10s/2".parse().unwrap()));
        assert!(clocks.think(0, 4 * SECOND));
        assert_eq!(clocks.left(0), Some(TimeLeft { time: 6 * SECOND, overtime: 2 }));
        assert!(clocks.think(0, 4 * SECOND));
        clocks.press(0);
        assert_eq!(clocks.left(0), Some(TimeLeft { time: 2 * SECOND, overtime: 1 }));
    }

    #[test]
    fn a_little_late_is_in_time() {
        let mut clocks = Clocks::new(Some("1s".parse().unwrap()));
        assert!(clocks.think(0, SECOND + ALLOWANCE));
        clocks.press(0);
        assert_eq!(clocks.left(0).unwrap().time, Duration::ZERO);
        assert!(!clocks.think(0, 2 * ALLOWANCE));
    }

    #[test]
    fn without_a_clock_nobody_is_late() {
        let mut clocks = Clocks::new(None);
        assert!(clocks.think(0, 100_000 * SECOND));
        clocks.press(0);
        assert_eq!((clocks.left(0), clocks.patience(0)), (None, None));
    }
}

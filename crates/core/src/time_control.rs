//! How much time a side has for its game, what is left of it, and the arithmetic between
//! the two. Nothing here reads a clock: the caller measures how long a move took.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use crate::{parse_time, shortened, time_text};

/// How much time each side has for a game.
///
/// As text, `10m` is absolute, `5m+30s/25` Canadian (25 moves in each 30 seconds) and
/// `5m+3x30s` byo-yomi (3 periods of 30 seconds); its text reads back the same.
///
/// ```
/// use std::time::Duration;
/// use tesuji_core::TimeControl;
/// let control: TimeControl = "5m + 3x30s".parse().unwrap();
/// let (main, period) = (Duration::from_secs(300), Duration::from_secs(30));
/// assert_eq!(control, TimeControl::Byoyomi { main, period, periods: 3 });
/// assert_eq!(control.to_string(), "5m+3x30s");
/// assert!("fast".parse::<TimeControl>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TimeControl {
    /// No limit.
    #[default]
    Unlimited,
    /// One amount of time for all moves.
    Absolute {
        /// The time for the whole game.
        main: Duration,
    },
    /// After the main time, `stones` moves within each period (Canadian overtime).
    Canadian {
        /// Before the first period.
        main: Duration,
        /// The length of a period.
        period: Duration,
        /// The moves to be made in a period, at least 1.
        stones: u32,
    },
    /// After the main time, every move within one period. A move that takes longer uses
    /// up periods (Japanese overtime).
    Byoyomi {
        /// Before the first period.
        main: Duration,
        /// The length of a period.
        period: Duration,
        /// The number of periods, at least 1.
        periods: u32,
    },
}

/// The time that a side has left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeLeft {
    /// What is left of the main time, or of the current period.
    pub time: Duration,
    /// In overtime, the moves still to be made in this period (Canadian) or the periods
    /// that are left, this one included (byo-yomi). Zero in main time.
    pub overtime: u32,
}

/// The text is no time control.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "'{text}' is not a clock: write 10m, 5m+30s/25 (then 25 moves in each 30 s) or 5m+3x30s (then 3 periods of \
     30 s), with times up to 24h"
)]
pub struct ParseTimeControlError {
    text: String,
}

/// More moves in a period, or more periods, than this are a slip of the keyboard.
const MOST: u32 = 1000;

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, ParseTimeControlError> {
        parse(text.trim()).ok_or_else(|| ParseTimeControlError { text: shortened(text.trim()) })
    }
}

fn parse(text: &str) -> Option<TimeControl> {
    if text.eq_ignore_ascii_case("unlimited") {
        return Some(TimeControl::Unlimited);
    }
    let period = |text: &str| parse_time(text).filter(|time| !time.is_zero());
    let count = |text: &str| text.trim().parse().ok().filter(|count| (1..=MOST).contains(count));
    let Some((main, overtime)) = text.split_once('+') else {
        return Some(TimeControl::Absolute { main: period(text)? });
    };
    let main = parse_time(main)?;
    if let Some((time, stones)) = overtime.split_once('/') {
        return Some(TimeControl::Canadian { main, period: period(time)?, stones: count(stones)? });
    }
    let (periods, time) = overtime.split_once(['x', 'X'])?;
    Some(TimeControl::Byoyomi { main, period: period(time)?, periods: count(periods)? })
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match *self {
            TimeControl::Unlimited => "unlimited".to_owned(),
            TimeControl::Absolute { main } => time_text(main),
            TimeControl::Canadian { main, period, stones } => {
                format!("{}+{}/{stones}", time_text(main), time_text(period))
            }
            TimeControl::Byoyomi { main, period, periods } => {
                format!("{}+{periods}x{}", time_text(main), time_text(period))
            }
        };
        f.pad(&text)
    }
}

impl TimeControl {
    /// The time before overtime; `None` if there is no limit.
    pub const fn main(self) -> Option<Duration> {
        match self {
            TimeControl::Unlimited => None,
            TimeControl::Absolute { main }
            | TimeControl::Canadian { main, .. }
            | TimeControl::Byoyomi { main, .. } => Some(main),
        }
    }

    /// What a side has when its overtime begins; `None` if there is no overtime.
    const fn overtime(self) -> Option<TimeLeft> {
        match self {
            TimeControl::Unlimited | TimeControl::Absolute { .. } => None,
            TimeControl::Canadian { period, stones, .. } => Some(TimeLeft { time: period, overtime: stones }),
            TimeControl::Byoyomi { period, periods, .. } => {
                Some(TimeLeft { time: period, overtime: periods })
            }
        }
    }
}

/// The clock of one side.
///
/// ```
/// use std::time::Duration;
/// use tesuji_core::{TimeLeft, Timekeeper};
/// let seconds = Duration::from_secs;
/// let mut clock = Timekeeper::new("1m+10s/2".parse().unwrap());
/// assert!(clock.spend(seconds(65)));
/// // Five seconds of the first period are gone, and one of its two moves.
/// assert_eq!(clock.left(), Some(TimeLeft { time: seconds(5), overtime: 1 }));
/// assert!(clock.spend(seconds(5)));
/// assert_eq!(clock.left(), Some(TimeLeft { time: seconds(10), overtime: 2 }));
/// assert!(!clock.spend(seconds(11)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timekeeper {
    control: TimeControl,
    /// Never an empty main time where overtime follows, unless the flag has fallen.
    left: TimeLeft,
    /// Whether the time is up.
    has_fallen: bool,
}

impl Timekeeper {
    /// A clock at the beginning of a game.
    pub fn new(control: TimeControl) -> Timekeeper {
        let left = TimeLeft { time: control.main().unwrap_or_default(), overtime: 0 };
        let mut keeper = Timekeeper { control, left, has_fallen: false };
        keeper.begin_overtime_if_due();
        keeper
    }

    /// The time control of this clock.
    pub const fn control(&self) -> TimeControl {
        self.control
    }

    /// The time left; `None` if there is no limit. A side without main time left is in
    /// overtime already.
    pub fn left(&self) -> Option<TimeLeft> {
        (self.control != TimeControl::Unlimited).then_some(self.left)
    }

    /// The longest time that the next move may take; `None` if there is no limit.
    pub fn longest_move(&self) -> Option<Duration> {
        let TimeLeft { time, overtime } = self.left;
        let more = |period: Duration, periods: u32| time.saturating_add(period.saturating_mul(periods));
        match self.control {
            TimeControl::Unlimited => None,
            _ if self.has_fallen => Some(Duration::ZERO),
            TimeControl::Canadian { period, .. } if overtime == 0 => Some(more(period, 1)),
            TimeControl::Byoyomi { period, periods, .. } if overtime == 0 => Some(more(period, periods)),
            TimeControl::Byoyomi { period, .. } => Some(more(period, overtime - 1)),
            TimeControl::Absolute { .. } | TimeControl::Canadian { .. } => Some(time),
        }
    }

    /// Subtracts the time of one move, and returns whether the move was in time. After
    /// the time has run out, no move is in time.
    pub fn spend(&mut self, used: Duration) -> bool {
        let Some(longest) = self.longest_move() else { return true };
        if self.has_fallen || used > longest {
            self.has_fallen = true;
            self.left = TimeLeft::default();
            return false;
        }
        let mut used = used;
        if self.left.overtime == 0 {
            // What the main time does not cover is taken off the first period.
            let of_main = used.min(self.left.time);
            self.left.time -= of_main;
            used -= of_main;
            let is_still_main = used.is_zero();
            self.begin_overtime_if_due();
            if is_still_main {
                return true;
            }
        }
        match self.control {
            TimeControl::Canadian { period, stones, .. } => {
                self.left.time -= used;
                self.left.overtime -= 1;
                if self.left.overtime == 0 {
                    self.left = TimeLeft { time: period, overtime: stones };
                }
            }
            TimeControl::Byoyomi { period, .. } => {
                while used > self.left.time {
                    used -= self.left.time;
                    self.left = TimeLeft { time: period, overtime: self.left.overtime - 1 };
                }
                self.left.time = period;
            }
            TimeControl::Unlimited | TimeControl::Absolute { .. } => {}
        }
        true
    }

    /// Sets the time left, for example to a controller's clock. A clock without a limit
    /// gets one: `left` is then all there is, for one period of `left.overtime` moves or,
    /// if that is 0, for the rest of the game.
    pub fn set_left(&mut self, left: TimeLeft) {
        if self.control == TimeControl::Unlimited {
            self.control = match left.overtime {
                0 => TimeControl::Absolute { main: left.time },
                stones => TimeControl::Canadian { main: Duration::ZERO, period: left.time, stones },
            };
        }
        // Some controllers send a number of moves even if there is no overtime.
        let overtime = if self.control.overtime().is_some() { left.overtime } else { 0 };
        self.left = TimeLeft { time: left.time, overtime };
        self.has_fallen = false;
        self.begin_overtime_if_due();
    }

    fn begin_overtime_if_due(&mut self) {
        if self.left == TimeLeft::default()
            && let Some(overtime) = self.control.overtime()
        {
            self.left = overtime;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn keeper(control: &str) -> Timekeeper {
        Timekeeper::new(control.parse().unwrap())
    }

    /// What is left after moves of so many seconds, or the number of the move that was late.
    fn after(control: &str, moves: &[u32]) -> Result<(u32, u32), usize> {
        let mut keeper = keeper(control);
        if let Some(late) = moves.iter().position(|seconds| !keeper.spend(SECOND * *seconds)) {
            return Err(late);
        }
        let left = keeper.left().unwrap();
        Ok((left.time.as_secs() as u32, left.overtime))
    }

    #[test]
    fn texts_are_read_as_printed() {
        for (text, canonical) in [
            ("10m", "10m"),
            ("1h", "60m"),
            (" 90 S ", "90s"),
            ("500ms", "500ms"),
            ("5m+30s/25", "5m+30s/25"),
            ("0s+0.5m/1", "0s+30s/1"),
            ("5m+3x30s", "5m+3x30s"),
            ("1h + 5 X 60s", "60m+5x1m"),
            ("Unlimited", "unlimited"),
        ] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), canonical);
            assert_eq!(canonical.parse(), Ok(control));
        }
    }

    #[test]
    fn what_is_no_clock_is_refused() {
        let bad =
            "|0s|10|m|-1m|1m+|+3x30s|1m+30s|1m+0s/2|1m+30s/0|1m+0x3s|1m+3x|1m+3x0s|25h|1m+9999x1s|1m+1s/2/3";
        for bad in bad.split('|') {
            let error = bad.parse::<TimeControl>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("'{bad}' is not a clock: write 10m, ")), "{error}");
        }
    }

    #[test]
    fn absolute_time_is_all_there_is() {
        assert_eq!(after("10s", &[]), Ok((10, 0)));
        assert_eq!(after("10s", &[3, 7]), Ok((0, 0)));
        assert_eq!(after("10s", &[3, 7, 0]), Ok((0, 0)));
        assert_eq!(after("10s", &[3, 8, 0]), Err(1));
        assert_eq!(keeper("10s").longest_move(), Some(10 * SECOND));
    }

    #[test]
    fn canadian_periods_begin_anew_when_their_moves_are_made() {
        assert_eq!(after("5s+10s/3", &[4]), Ok((1, 0)));
        // A move that ends the main time and no more is none of a period's.
        assert_eq!(after("5s+10s/3", &[5]), Ok((10, 3)));
        assert_eq!(after("5s+10s/3", &[6]), Ok((9, 2)));
        assert_eq!(after("5s+10s/3", &[6, 4, 5]), Ok((10, 3)));
        assert_eq!(after("5s+10s/3", &[6, 4, 6]), Err(2));
        assert_eq!(after("5s+10s/3", &[16]), Err(0));
        assert_eq!(after("0s+10s/1", &[]), Ok((10, 1)));
        assert_eq!(after("0s+10s/1", &[10, 10, 10]), Ok((10, 1)));
        assert_eq!(keeper("5s+10s/3").longest_move(), Some(15 * SECOND));
    }

    #[test]
    fn byoyomi_periods_are_lost_by_long_moves() {
        assert_eq!(after("5s+3x10s", &[4]), Ok((1, 0)));
        assert_eq!(after("5s+3x10s", &[15]), Ok((10, 3)));
        assert_eq!(after("5s+3x10s", &[16]), Ok((10, 2)));
        assert_eq!(after("5s+3x10s", &[35]), Ok((10, 1)));
        assert_eq!(after("5s+3x10s", &[35, 10, 10]), Ok((10, 1)));
        assert_eq!(after("5s+3x10s", &[35, 11]), Err(1));
        assert_eq!(after("5s+3x10s", &[36]), Err(0));
        let mut clock = keeper("5s+3x10s");
        assert_eq!(clock.longest_move(), Some(35 * SECOND));
        assert!(clock.spend(20 * SECOND));
        assert_eq!(clock.longest_move(), Some(20 * SECOND));
    }

    #[test]
    fn who_has_no_clock_is_in_time() {
        let mut clock = keeper("unlimited");
        assert!(clock.spend(1_000_000 * SECOND));
        assert_eq!((clock.left(), clock.longest_move()), (None, None));
    }

    #[test]
    fn a_clock_can_be_set() {
        let mut clock = keeper("5s+10s/3");
        assert!(!clock.spend(60 * SECOND));
        assert!(clock.has_fallen && !clock.spend(Duration::ZERO));
        assert_eq!(clock.longest_move(), Some(Duration::ZERO));
        clock.set_left(TimeLeft { time: 2 * SECOND, overtime: 1 });
        assert!(clock.spend(2 * SECOND));
        assert_eq!(clock.left(), Some(TimeLeft { time: 10 * SECOND, overtime: 3 }));
        // Told of a limit, one without has it.
        let mut clock = keeper("unlimited");
        clock.set_left(TimeLeft { time: 5 * SECOND, overtime: 0 });
        assert_eq!(clock.longest_move(), Some(5 * SECOND));
        let mut clock = keeper("10s");
        clock.set_left(TimeLeft { time: 5 * SECOND, overtime: 7 });
        assert_eq!(clock.left(), Some(TimeLeft { time: 5 * SECOND, overtime: 0 }));
    }
}

//! How long to think about the next move, by the clock of the game.
//!
//! A share of what is left: the main time is spread evenly over the moves that are expected
//! still, and of a period something is kept for the way between the program and the clock.

use std::time::Duration;

use tesuji_core::{TimeControl, TimeLeft, Timekeeper};

/// What the way to the clock and back may take at its worst, and for every move.
const LAG: Duration = Duration::from_millis(60);
pub(crate) const USUAL_LAG: Duration = Duration::from_millis(20);
/// The part of a period that may be used for a move.
const PART_OF_PERIOD: f64 = 0.9;
/// The part of the main time that one move may take at most.
const MOST_OF_MAIN: f64 = 0.2;
/// The part of the main time that is kept for moves that nobody expected, where it is all there is.
const RESERVE: f64 = 0.05;
/// The least: enough for a look at each move.
const LEAST: Duration = Duration::from_micros(500);
/// Moves that are expected beyond the estimate: some games go on.
const SPARE_MOVES: f64 = 4.0;

/// How long the next move may take if so many more of one's own are expected; nothing where
/// there is no limit. Where next to nothing is left, that is next to nothing.
pub(crate) fn allotment(clock: &Timekeeper, own_moves_left: f64) -> Option<Duration> {
    let TimeLeft { time, overtime } = clock.left()?;
    let moves = own_moves_left.max(0.0) + SPARE_MOVES;
    // What the way takes is gone for every move, however fast it is; and where no overtime
    // follows, something is kept for a game that goes on and on.
    let kept = match clock.control() {
        TimeControl::Absolute { main } => main.mul_f64(RESERVE).max(USUAL_LAG.mul_f64(moves)),
        _ => USUAL_LAG.mul_f64(moves),
    };
    let of_main = || time.saturating_sub(kept).mul_f64((1.0 / moves).min(MOST_OF_MAIN));
    let allotted = match clock.control() {
        TimeControl::Unlimited => return None,
        TimeControl::Absolute { .. } => of_main(),
        // In main time, what overtime gives for each move comes on top.
        TimeControl::Canadian { period, stones, .. } if overtime == 0 => {
            of_main() + within(period / stones.max(1))
        }
        TimeControl::Canadian { .. } => within(time / overtime),
        TimeControl::Byoyomi { period, .. } if overtime == 0 => of_main() + within(period),
        TimeControl::Byoyomi { .. } => within(time),
    };
    Some(allotted.min(within(clock.longest_move()?)).max(LEAST))
}

/// What may be used of a time that must not be exceeded; a tenth where there is next to none
/// of it, since a hasty move is better than none.
fn within(time: Duration) -> Duration {
    time.mul_f64(PART_OF_PERIOD).saturating_sub(LAG).max(time.mul_f64(0.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays by the allotments, each exceeded by some lag, and gives the moves made in time.
    fn moves_in_time(control: &str, expected: f64, lag: Duration) -> usize {
        let mut clock = Timekeeper::new(control.parse().unwrap());
        (0..400)
            .take_while(|&made| {
                let allotted = allotment(&clock, (expected - made as f64).max(2.0)).unwrap();
                clock.spend(allotted + lag)
            })
            .count()
    }

    #[test]
    fn no_flag_falls() {
        let lag = Duration::from_millis(10);
        // Three times as many moves as were expected: with sudden death there is an end to what can
        // be done, but it is far.
        for control in ["10m", "1m"] {
            let moves = moves_in_time(control, 130.0, lag);
            assert!(moves >= 390, "{control}: {moves}");
        }
        for control in ["10m+30s/25", "0s+30s/25", "0s+10s/25", "1m+1x2s", "0s+5x1s", "10s+3x5s"] {
            assert_eq!(moves_in_time(control, 130.0, lag), 400, "{control}");
        }
    }

    #[test]
    fn time_is_used() {
        let first = |control: &str| allotment(&Timekeeper::new(control.parse().unwrap()), 130.0).unwrap();
        let seconds = |control| first(control).as_secs_f64();
        assert!((4.0..5.0).contains(&seconds("10m")), "{}", seconds("10m"));
        assert!((5.0..6.0).contains(&seconds("10m+30s/25")), "{}", seconds("10m+30s/25"));
        assert!((0.9..1.2).contains(&seconds("0s+30s/25")), "{}", seconds("0s+30s/25"));
        assert!((26.0..30.0).contains(&seconds("0s+1x30s")), "{}", seconds("0s+1x30s"));
        assert_eq!(allotment(&Timekeeper::new(TimeControl::Unlimited), 10.0), None);
    }

    #[test]
    fn a_little_is_left_for_the_very_last() {
        let mut clock = Timekeeper::new("10m".parse().unwrap());
        clock.set_left(TimeLeft { time: Duration::from_millis(20), overtime: 0 });
        let allotted = allotment(&clock, 8.0).unwrap();
        assert!(allotted <= Duration::from_millis(1) && !allotted.is_zero(), "{allotted:?}");
    }
}

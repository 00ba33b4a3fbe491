//! Intervals that hold a true rate 95 times in a hundred.

use serde::Serialize;

use super::distribution::Z_95;

/// An interval from `low` to `high`, including both ends.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Whether the value is in the interval.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Half the distance between its ends.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// The 95 % interval of a rate, given points and games: Wilson's, which stays within
/// [0, 1] and is good for small numbers too (E. B. Wilson, "Probable inference, the
/// law of succession, and statistical inference", 1927). Without games it is [0, 1].
///
/// A draw's half point is taken for half a win and half a loss. Results with draws
/// spread less than that, so the interval is then a little wide.
///
/// ```
/// use tesuji_arena::statistics::wilson;
/// let interval = wilson(250.0, 500);
/// assert!(interval.contains(0.5));
/// assert_eq!(format!("{:.1}", 100.0 * interval.half_width()), "4.4");
/// ```
pub fn wilson(points: f64, games: u64) -> Interval {
    wilson_at(Z_95, points, games)
}

/// The same at any confidence, given as a normal quantile.
pub(super) fn wilson_at(z: f64, points: f64, games: u64) -> Interval {
    if games == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let n = games as f64;
    let rate = points / n;
    debug_assert!((0.0..=1.0).contains(&rate), "{points} points in {games} games");
    let share = z * z / n;
    let centre = (rate + share / 2.0) / (1.0 + share);
    let half = (rate * (1.0 - rate) * share + share * share / 4.0).sqrt() / (1.0 + share);
    // Rounding must not leave out a rate of 0 or 1 itself.
    Interval { low: (centre - half).clamp(0.0, rate), high: (centre + half).clamp(rate, 1.0) }
}

/// Half the width that [`wilson`]'s interval will have after this number of games if the rate
/// stays as it is.
pub fn half_width_at(rate: f64, games: u64) -> f64 {
    wilson(rate * games as f64, games).half_width()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(points: f64, games: u64, low: f64, high: f64) {
        let interval = wilson(points, games);
        let close = (interval.low - low).abs() < 5e-5 && (interval.high - high).abs() < 5e-5;
        assert!(close, "{points} of {games}: {interval:?}");
    }

    /// R. G. Newcombe, "Two-sided confidence intervals for the single proportion",
    /// 1998, table I, the score method without continuity correction.
    #[test]
    fn published_intervals() {
        check(81.0, 263, 0.2553, 0.3662);
        check(15.0, 148, 0.0624, 0.1605);
        check(0.0, 20, 0.0, 0.1611);
        check(1.0, 29, 0.0061, 0.1718);
    }

    #[test]
    fn the_ends_are_within_bounds_and_hold_the_rate() {
        assert_eq!(wilson(0.0, 0), Interval { low: 0.0, high: 1.0 });
        for games in 1..200 {
            let (none, all) = (wilson(0.0, games), wilson(games as f64, games));
            assert_eq!((none.low, all.high), (0.0, 1.0));
            assert!(none.contains(0.0) && all.contains(1.0));
            assert!((none.high + all.low - 1.0).abs() < 1e-12);
            assert!(wilson(0.5, games).contains(0.5 / games as f64));
        }
    }

    #[test]
    fn five_hundred_games_are_good_to_four_points() {
        assert!((half_width_at(0.5, 500) - 0.0437).abs() < 5e-5);
        assert!((half_width_at(0.5, 2000) - half_width_at(0.5, 500) / 2.0).abs() < 2e-4);
        assert_eq!(half_width_at(0.3, 0), 0.5);
    }
}

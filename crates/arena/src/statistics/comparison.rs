//! A measured rate compared with a published one, and a whole table of comparisons.

use serde::Serialize;

use super::distribution::{Z_95, Z_999, chi_square_above};
use super::interval::wilson_at;
use super::verdict::smallest_that_decides;
use super::{Count, Interval, Verdict};

/// A measured rate and a published one, both of the same player against the same
/// opponent.
///
/// Draws count as half a point, and their smaller spread is not made use of: papers
/// seldom say how many there were.
///
/// ```
/// use tesuji_arena::statistics::{Comparison, Count, Verdict};
/// let measured = Count { wins: 250, draws: 0, losses: 250 };
/// let comparison = Comparison::new(measured, 0.524, 500);
/// assert_eq!(format!("{:.1}", 100.0 * comparison.difference), "-2.4");
/// assert_eq!(format!("{:.1}", 100.0 * comparison.interval.half_width()), "6.2");
/// // The 500 published games alone leave 4.4 points to each side: no number of games decides.
/// assert_eq!((comparison.verdict, comparison.to_decide), (Verdict::Open, None));
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Comparison {
    /// The games measured.
    pub measured: Count,
    /// The published rate, in [0, 1].
    pub published: f64,
    /// The number of games behind it.
    pub published_games: u64,
    /// The measured rate less the published one; not a number without games.
    pub difference: f64,
    /// The difference's 95 % interval: Newcombe's, from Wilson's intervals of both
    /// rates. From −1 to 1 without games.
    pub interval: Interval,
    /// The difference in standard errors, both rates taken to be one: that of all
    /// games together. Not a number without games.
    pub z: f64,
    /// The verdict on the published rate.
    pub verdict: Verdict,
    /// The number of measured games that would decide an open verdict if the rate stays as it is.
    /// `None` if the verdict is not open or withheld, or if no number decides because too few games
    /// are behind the published rate.
    pub to_decide: Option<u64>,
}

impl Comparison {
    /// Compares. The published rate is in [0, 1].
    pub fn new(measured: Count, published: f64, published_games: u64) -> Comparison {
        debug_assert!((0.0..=1.0).contains(&published), "a rate of {published}");
        let [points, games] = [measured.points(), measured.games() as f64];
        let interval =
            |z: f64, games: u64, points: f64| newcombe(z, points, games, published, published_games);
        let verdict_of = |games: u64, points: f64| {
            let [inner, outer] = [Z_95, Z_999].map(|z| interval(z, games, points));
            Verdict::of(inner, outer, Verdict::RATE_MARGIN)
        };
        let verdict = verdict_of(measured.games(), points);
        let is_open = verdict == Verdict::Open && games > 0.0;
        let at = |number: u64| verdict_of(number, points / games * number as f64);
        Comparison {
            measured,
            published,
            published_games,
            difference: measured.rate().map_or(f64::NAN, |rate| rate - published),
            interval: interval(Z_95, measured.games(), points),
            z: pooled_z(&measured, published, published_games),
            verdict,
            to_decide: is_open.then(|| smallest_that_decides(measured.games(), at)).flatten(),
        }
    }

    /// The comparison without its verdict, because the measured games are not a fair sample: others
    /// were begun and are not over, and short games end first. The verdict is open, and no number
    /// of games decides it.
    ///
    /// It does not help to count only the games before the first one that is not over: games that
    /// were begun together and are over are all short, wherever the list is cut.
    #[must_use]
    pub fn withheld(self) -> Comparison {
        Comparison { verdict: Verdict::Open, to_decide: None, ..self }
    }
}

/// R. G. Newcombe, "Interval estimation for the difference between independent
/// proportions", 1998, method 10: the two distances of each end from its rate, as
/// Wilson has them, add up like standard errors.
fn newcombe(z: f64, points: f64, games: u64, published: f64, published_games: u64) -> Interval {
    if games == 0 {
        return Interval { low: -1.0, high: 1.0 };
    }
    let rate = points / games as f64;
    let ours = wilson_at(z, points, games);
    let theirs = wilson_at(z, published * published_games as f64, published_games);
    let difference = rate - published;
    Interval {
        low: difference - (rate - ours.low).hypot(theirs.high - published),
        high: difference + (ours.high - rate).hypot(published - theirs.low),
    }
}

/// The two-proportion z: the difference over √(p (1 − p) (1/m + 1/n)), p the rate of
/// all games together.
fn pooled_z(measured: &Count, published: f64, published_games: u64) -> f64 {
    let Some(rate) = measured.rate() else {
        return f64::NAN;
    };
    let (m, n) = (measured.games() as f64, published_games as f64);
    let pooled = (measured.points() + published * n) / (m + n);
    let variance = pooled * (1.0 - pooled) * (1.0 / m + 1.0 / n);
    // Without any variance both rates are 0, or both 1.
    if variance > 0.0 { (rate - published) / variance.sqrt() } else { 0.0 }
}

/// A whole table against the published one: in a table of 160 cells about 8 are off
/// by chance, so single cells say little.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct ChiSquare {
    /// The sum of [`Comparison::z`] squared.
    pub statistic: f64,
    /// The number of comparisons in the sum.
    pub degrees: u64,
    /// The probability of so large a sum or a larger one, were all rates the same.
    pub p: f64,
}

impl ChiSquare {
    /// Adds up the comparisons, without those of fewer than ten measured games, whose z is far
    /// from normal. `None` if none is left.
    ///
    /// The comparisons are taken for independent: each with games of its own.
    pub fn of<'a>(comparisons: impl IntoIterator<Item = &'a Comparison>) -> Option<ChiSquare> {
        const FEWEST_GAMES: u64 = 10;
        let is_normal = |comparison: &&Comparison| comparison.measured.games() >= FEWEST_GAMES;
        let (statistic, degrees) = comparisons
            .into_iter()
            .filter(is_normal)
            .fold((0.0, 0), |(sum, degrees), comparison| (sum + comparison.z * comparison.z, degrees + 1));
        (degrees > 0).then(|| ChiSquare { statistic, degrees, p: chi_square_above(statistic, degrees) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::Seed;

    fn won(wins: u64, games: u64) -> Count {
        Count { wins, draws: 0, losses: games - wins }
    }

    /// Newcombe 1998, table II, method 10: 56 of 70 less 48 of 80, and others.
    #[test]
    fn published_intervals_of_differences() {
        for (ours, theirs, low, high) in [
            ((56, 70), (48.0, 80), 0.0524, 0.3339),
            ((9, 10), (3.0, 10), 0.1705, 0.8090),
            ((10, 10), (0.0, 20), 0.6791, 1.0),
        ] {
            let comparison = Comparison::new(won(ours.0, ours.1), theirs.0 / theirs.1 as f64, theirs.1);
            let Interval { low: from, high: to } = comparison.interval;
            assert!((from - low).abs() < 6e-5 && (to - high).abs() < 6e-5, "{comparison:?}");
        }
    }

    #[test]
    fn five_hundred_games_against_five_hundred() {
        let comparison = Comparison::new(won(250, 500), 0.5, 500);
        assert_eq!((comparison.difference, comparison.z), (0.0, 0.0));
        assert!((comparison.interval.half_width() - 0.0617).abs() < 5e-5);
        // Both halves of 1000 games: the standard error is √(0.25 / 250).
        let comparison = Comparison::new(won(270, 500), 0.46, 500);
        assert!((comparison.z - 0.08 / (0.25_f64 / 250.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn verdicts() {
        let verdict = |wins, games| Comparison::new(won(wins, games), 0.5, 500).verdict;
        assert_eq!(verdict(280, 500), Verdict::Open);
        assert_eq!(verdict(281, 500), Verdict::Off);
        assert_eq!(verdict(200, 500), Verdict::Off);
        assert_eq!(verdict(301, 500), Verdict::Off);
        assert_eq!(verdict(302, 500), Verdict::Differs);
        assert_eq!(verdict(1, 1), Verdict::Open);
        assert_eq!(verdict(10, 10), Verdict::Off);
    }

    /// Ten games have intervals of some 26 points on each side: they confirm nothing.
    #[test]
    fn few_games_leave_a_verdict_open_and_say_how_many_decide() {
        let ten = Comparison::new(won(5, 10), 0.5, 10_000);
        assert_eq!(ten.verdict, Verdict::Open);
        let needed = ten.to_decide.unwrap();
        let rate_at = |games: u64| Comparison::new(won(games / 2, games), 0.5, 10_000).verdict;
        assert_eq!(rate_at(needed + needed % 2), Verdict::Agrees);
        assert_eq!(rate_at((needed - 1) / 2 * 2), Verdict::Open);
        // 100 published games near a half leave almost 10 points on each side by themselves.
        let published_few = Comparison::new(won(250, 500), 0.5, 100);
        assert_eq!((published_few.verdict, published_few.to_decide), (Verdict::Open, None));
        // A difference that chance can still explain is decided by showing it again.
        let apart = Comparison::new(won(6, 10), 0.5, 500);
        assert!(apart.to_decide.is_some_and(|games| (100..400).contains(&games)), "{apart:?}");
    }

    #[test]
    fn nothing_measured_and_nothing_published() {
        let nothing = Comparison::new(Count::default(), 0.5, 500);
        assert!(nothing.difference.is_nan() && nothing.z.is_nan());
        assert_eq!((nothing.interval, nothing.verdict), (Interval { low: -1.0, high: 1.0 }, Verdict::Open));
        assert_eq!(nothing.to_decide, None);
        assert_eq!(ChiSquare::of([&nothing]), None);
        let rumour = Comparison::new(won(20, 20), 0.5, 0);
        assert_eq!((rumour.z, rumour.verdict), (0.0, Verdict::Open));
        let all = Comparison::new(won(20, 20), 1.0, 20);
        assert_eq!((all.z, all.verdict), (0.0, Verdict::Open));
    }

    #[test]
    fn a_table_is_the_sum_of_its_cells() {
        let cells = [
            Comparison::new(won(300, 500), 0.55, 500),
            Comparison::new(won(9, 9), 0.1, 500),
            Comparison::new(won(40, 100), 0.45, 1000),
        ];
        let chi = ChiSquare::of(&cells).unwrap();
        assert_eq!(chi.degrees, 2);
        assert!((chi.statistic - (cells[0].z.powi(2) + cells[2].z.powi(2))).abs() < 1e-12);
        // With two degrees of freedom the tail is e to minus half the statistic.
        assert!((chi.p - (-chi.statistic / 2.0).exp()).abs() < 1e-12);
    }

    /// Tables of 40 cells whose rates are the same: one cell in twenty is off, and
    /// one table in twenty has p below 0.05.
    #[test]
    fn chance_is_off_as_often_as_it_says() {
        const TABLES: usize = 400;
        const CELLS: usize = 40;
        let mut rng = Seed::new(1).child("comparison").rng();
        let (mut off, mut unlikely) = (0, 0);
        for _ in 0..TABLES {
            let cells: Vec<Comparison> = (0..CELLS)
                .map(|cell| {
                    let rate = 0.2 + 0.6 * cell as f64 / CELLS as f64;
                    let mut wins = || (0..200).filter(|_| rng.chance(rate)).count() as u64;
                    Comparison::new(won(wins(), 200), wins() as f64 / 200.0, 200)
                })
                .collect();
            off += cells.iter().filter(|cell| !cell.interval.contains(0.0)).count();
            unlikely += usize::from(ChiSquare::of(&cells).unwrap().p < 0.05);
        }
        // Five standard errors of a share of 0.05.
        let close = |found: usize, of: usize| {
            let share = found as f64 / of as f64;
            assert!((share - 0.05).abs() < 5.0 * (0.05 * 0.95 / of as f64).sqrt(), "{found} of {of}");
        };
        close(off, TABLES * CELLS);
        close(unlikely, TABLES);
    }
}

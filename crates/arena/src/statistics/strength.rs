//! How much stronger the player is than the opponent, in Elo.
//!
//! As fastchess computes it. Logistic Elo is the number that makes the expected
//! score 1 / (1 + 10^(−Elo/400)) the measured one. Normalised Elo is the distance of
//! the score from a half in standard deviations of one game's result, times
//! 800 / ln 10; it says how many games it takes to see a difference, and compares
//! between games with many draws and with few (M. Van den Bergh, "Normalized Elo",
//! 2021). The standard deviation of one game is √2 times that of the mean of a pair.

use serde::Serialize;

use super::distribution::{Z_95, normal_below};
use super::spread::Spread;
use super::{Interval, Tally};

/// Normalised Elo of a score that is one standard deviation from a half: 800 / ln 10.
const NELO_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// The player's strength relative to the opponent's. Errors are halves of 95 %
/// intervals.
///
/// A number may be infinite or not a number; as JSON both are null.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Strength {
    /// Logistic Elo; infinite if one of the two has all points.
    pub elo: f64,
    /// The error of `elo`; infinite if the interval of the score goes beyond 0 or 1. Not a number
    /// if all results were equal, which says nothing about their spread.
    pub elo_error: f64,
    /// The 95 % interval of `elo`. Its ends are infinite or not a number as `elo_error` is.
    pub elo_interval: Interval,
    /// Normalised Elo; infinite if all results were equal and not even.
    pub nelo: f64,
    /// The error of `nelo`; not a number if all results were equal.
    pub nelo_error: f64,
    /// The 95 % interval of `nelo`; its ends are not a number if all results were equal.
    pub nelo_interval: Interval,
    /// The likelihood of superiority: the probability that the player is the
    /// stronger one, given the results and no opinion beforehand.
    pub los: f64,
    /// The share of even results: of pairs with one point for each contestant if every game is in
    /// a pair, otherwise of drawn games.
    pub draw_ratio: f64,
    /// The ratio of pairs that the player won to pairs that the opponent won; infinite if the
    /// opponent won none. `None` if some game is in no pair, or every pair was even.
    pub pairs_ratio: Option<f64>,
}

impl Strength {
    /// The strength from the pairs if every game is in a pair, otherwise from single games. `None`
    /// without games.
    pub fn of(tally: &Tally) -> Option<Strength> {
        let spread = Spread::of(tally)?;
        let (score, variance) = (spread.mean(), spread.variance());
        let above = score - 0.5;
        let error = (variance / spread.total()).sqrt();
        let per_game = (variance * if spread.in_pairs { 2.0 } else { 1.0 }).sqrt();
        let spreads = variance > 0.0;
        let (low, high) = (score - Z_95 * error, score + Z_95 * error);
        let known = |value: f64| if spreads { value } else { f64::NAN };
        let nelo = if above == 0.0 { 0.0 } else { NELO_UNIT * above / per_game };
        let nelo_error = known(NELO_UNIT * Z_95 * error / per_game);
        Some(Strength {
            elo: elo(score),
            elo_error: known((elo(high) - elo(low)) / 2.0),
            elo_interval: Interval { low: known(elo(low)), high: known(elo(high)) },
            nelo,
            nelo_error,
            nelo_interval: Interval { low: nelo - nelo_error, high: nelo + nelo_error },
            los: if above == 0.0 { 0.5 } else { normal_below(above / error) },
            draw_ratio: even(&spread) / spread.total(),
            pairs_ratio: spread.in_pairs.then(|| pairs_ratio(&tally.pairs)).flatten(),
        })
    }
}

/// The Elo difference with this expected score; infinite at 0 and 1 and beyond.
fn elo(score: f64) -> f64 {
    match score {
        ..=0.0 => f64::NEG_INFINITY,
        1.0.. => f64::INFINITY,
        _ => -400.0 * libm::log10(1.0 / score - 1.0),
    }
}

/// The expected score with this Elo difference.
pub(super) fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + libm::pow(10.0, -elo / 400.0))
}

fn even(spread: &Spread) -> f64 {
    spread.kinds().iter().filter(|(points, _)| *points == 0.5).map(|(_, count)| count).sum()
}

fn pairs_ratio(&[none, half, _, more, both]: &[u64; 5]) -> Option<f64> {
    let (won, lost) = (both + more, none + half);
    (won + lost > 0).then(|| won as f64 / lost as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::tallies::{games, paired};

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 0.0051, "{found} and {expected}");
    }

    /// The numbers of fastchess's own tests (`elo_test.cpp`), to its two decimals.
    #[test]
    fn as_fastchess_does_with_single_games() {
        let strength = Strength::of(&games(76, 89, 123)).unwrap();
        near(strength.nelo, -20.76);
        near(strength.nelo_error, 40.13);
        near(100.0 * strength.los, 15.53);
        let strength = Strength::of(&games(136, 96, 111)).unwrap();
        near(strength.nelo, 49.77);
        near(strength.nelo_error, 36.77);
        near(strength.elo, 40.70);
        near(strength.elo_error, 30.43);
        near(100.0 * strength.los, 99.60);
        near(100.0 * strength.draw_ratio, 32.36);
        assert_eq!(strength.pairs_ratio, None);
    }

    #[test]
    fn as_fastchess_does_with_pairs() {
        let strength = Strength::of(&paired([34, 54, 31 + 32, 64, 75])).unwrap();
        near(strength.nelo, 57.94);
        near(strength.nelo_error, 28.28);
        near(strength.elo, 55.58);
        near(strength.elo_error, 27.65);
        let strength = Strength::of(&paired([332, 433, 457 + 41, 333, 334])).unwrap();
        near(strength.nelo, -9.17);
        near(strength.nelo_error, 10.96);
        near(strength.elo, -8.64);
        near(strength.elo_error, 10.33);
        near(100.0 * strength.los, 5.05);
    }

    /// By hand: ten pairs with ½·1 + 1·5 + 1½·2 + 2·2 points, 12½ of 20, a score of
    /// 0.625. Squared distances: 1·0.375² + 5·0.125² + 2·0.125² + 2·0.375², together
    /// 0.53125, so a pair's variance is 0.053125 and a game's twice that.
    #[test]
    fn a_pentanomial_example() {
        let strength = Strength::of(&paired([0, 1, 5, 2, 2])).unwrap();
        near(strength.elo, 400.0 * (0.625_f64 / 0.375).log10());
        near(strength.nelo, 347.4356 * 0.125 / 0.10625_f64.sqrt());
        // 0.125 is 1.715 standard errors of √(0.053125 / 10); the table says 0.9568.
        near(strength.los, 0.9568);
        near(strength.draw_ratio, 0.5);
        assert_eq!(strength.pairs_ratio, Some(4.0));
    }

    #[test]
    fn known_scores() {
        assert!((elo(0.64) - 99.95).abs() < 0.01);
        assert!((expected_score(100.0) - 0.640_065).abs() < 1e-6);
        for difference in [-300.0, 0.0, 12.5] {
            assert!((elo(expected_score(difference)) - difference).abs() < 1e-9);
        }
        let even = Strength::of(&games(40, 40, 3)).unwrap();
        assert_eq!((even.elo, even.nelo, even.los), (0.0, 0.0, 0.5));
    }

    /// An opening that decides the game says nothing, and pairs know that.
    #[test]
    fn pairs_are_surer_than_games_where_openings_decide() {
        let tally = paired([0, 0, 90, 0, 10]);
        let by_games = Strength::of(&Tally { pairs: [0; 5], ..tally }).unwrap();
        let by_pairs = Strength::of(&tally).unwrap();
        assert_eq!(by_games.elo, by_pairs.elo);
        assert!(by_pairs.elo_error < by_games.elo_error / 2.0);
        assert_eq!(by_pairs.pairs_ratio, Some(f64::INFINITY));
    }

    #[test]
    fn results_that_are_all_alike() {
        assert_eq!(Strength::of(&Tally::default()), None);
        let all = Strength::of(&games(5, 0, 0)).unwrap();
        assert_eq!((all.elo, all.nelo, all.los), (f64::INFINITY, f64::INFINITY, 1.0));
        assert!(all.elo_error.is_nan() && all.nelo_error.is_nan());
        let none = Strength::of(&games(0, 5, 0)).unwrap();
        assert_eq!((none.elo, none.nelo, none.los), (f64::NEG_INFINITY, f64::NEG_INFINITY, 0.0));
        let even = Strength::of(&paired([0, 0, 7, 0, 0])).unwrap();
        assert_eq!((even.elo, even.nelo, even.los, even.pairs_ratio), (0.0, 0.0, 0.5, None));
        let near_all = Strength::of(&games(19, 1, 0)).unwrap();
        assert_eq!(near_all.elo_error, f64::INFINITY);
        let json = serde_json::to_string(&all).unwrap();
        assert!(
            json.starts_with(
                r#"{"elo":null,"elo_error":null,"elo_interval":{"low":null,"high":null},"nelo":null"#
            ),
            "{json}"
        );
    }
}

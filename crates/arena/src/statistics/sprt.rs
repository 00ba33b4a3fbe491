//! The sequential probability ratio test: a match that stops as soon as it has said
//! which of two hypotheses about the Elo holds, or that neither does.
//!
//! Wald's test ("Sequential analysis", 1945) goes on while the logarithm of the
//! likelihood ratio (the LLR) is between two bounds. The expected score says nothing
//! of how often each result comes, so either hypothesis is represented by its most
//! likely distribution given the results: the *generalised* test. That distribution
//! is exact here, as in fastchess, not the normal approximation: M. Van den Bergh,
//! "Comments on Normalized Elo", proposition 1.1. Elo is the logistic one.
//!
//! Wald's test alone need not end: if all games are drawn, the LLR of elo0=-10 elo1=10
//! is 0 after any number of them. So there is a third ending, as in M. Sobel and A. Wald,
//! "A sequential decision procedure for choosing one of three hypotheses" (1949): the results
//! contradict both a difference of at most `elo0` and one of at least `elo1`. Each is
//! contradicted if its growth (`growth.rs`) reaches a bound that the truth reaches with a
//! probability of at most `alpha` or `beta`, however long the match. The third ending
//! is rare unless nearly all results are equal: otherwise the LLR reaches a bound earlier.
//!
//! Every match ends, whatever its results. After n results the growth at `elo0` or at `elo1` is
//! at least n times `least_growth`. If both growths reach their bound, that is the third ending.
//! If only one does, they differ, and the difference is the LLR. [`Sprt::most_results`] is the
//! number of results after which one of the two is certain.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use tesuji_core::shortened;
use thiserror::Error;

use super::Tally;
use super::growth::{bound, growth, least_growth};
use super::spread::Spread;
use super::strength::expected_score;

/// A test whether the player is `elo0` Elo stronger than the opponent or `elo1`.
///
/// ```
/// use tesuji_arena::statistics::Sprt;
/// let sprt: Sprt = "elo1=10, alpha=0.01".parse().unwrap();
/// assert_eq!(sprt.to_string(), "elo0=0 elo1=10 alpha=0.01 beta=0.05");
/// assert_eq!(
///     "elo1=0".parse::<Sprt>().unwrap_err().to_string(),
///     "elo0=0 is not below elo1=0: the test is between a smaller and a larger Elo"
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Sprt {
    /// The Elo difference of the null hypothesis, from −2000 to 2000.
    pub elo0: f64,
    /// The Elo difference of the alternative, larger than `elo0` and at most 2000.
    pub elo1: f64,
    /// The probability of rejecting the null hypothesis although it holds.
    pub alpha: f64,
    /// The probability of rejecting the alternative although it holds.
    pub beta: f64,
}

/// The hypothesis that a test accepts. [`Display`](fmt::Display) writes H0, H1 or "neither".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Hypothesis {
    /// H0: the difference is `elo0` rather than `elo1`.
    Null,
    /// H1: the difference is `elo1` rather than `elo0`.
    Alternative,
    /// Neither: the difference is more than `elo0` and less than `elo1`.
    Between,
}

impl fmt::Display for Hypothesis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Hypothesis::Null => "H0",
            Hypothesis::Alternative => "H1",
            Hypothesis::Between => "neither",
        })
    }
}

/// A text is not a test, or its numbers are not allowed.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum SprtError {
    /// A word is not of the form name=number.
    #[error("'{0}' is not understood: a test is written like elo0=0 elo1=10 alpha=0.05 beta=0.05")]
    Form(String),
    /// Nothing has this name.
    #[error("a test has no '{0}': there are elo0, elo1, alpha and beta, as in elo0=0 elo1=10")]
    Unknown(String),
    /// A name comes twice.
    #[error("{0} is given twice")]
    Twice(&'static str),
    /// The alternative is not given.
    #[error("elo1 is missing: give the Elo difference worth finding, as in elo1=10")]
    Missing,
    /// An Elo difference is out of range.
    #[error("{name}={value} is not an Elo difference for a test: it is a number from -2000 to 2000")]
    Elo {
        /// Which of them.
        name: &'static str,
        /// The number given.
        value: f64,
    },
    /// The two are in the wrong order, or the same.
    #[error("elo0={elo0} is not below elo1={elo1}: the test is between a smaller and a larger Elo")]
    Order {
        /// The null hypothesis.
        elo0: f64,
        /// The alternative.
        elo1: f64,
    },
    /// An error probability is out of range.
    #[error("{name}={value} is not a probability of error: it is more than 0 and less than 0.5")]
    Probability {
        /// Which of them.
        name: &'static str,
        /// The number given.
        value: f64,
    },
}

impl Sprt {
    /// The test itself, if its numbers are allowed.
    pub fn checked(self) -> Result<Sprt, SprtError> {
        for (name, value) in [("elo0", self.elo0), ("elo1", self.elo1)] {
            if !(-2000.0..=2000.0).contains(&value) {
                return Err(SprtError::Elo { name, value });
            }
        }
        if self.elo0 >= self.elo1 {
            return Err(SprtError::Order { elo0: self.elo0, elo1: self.elo1 });
        }
        for (name, value) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::Probability { name, value });
            }
        }
        Ok(self)
    }

    /// The expected scores of the two hypotheses.
    fn scores(&self) -> (f64, f64) {
        (expected_score(self.elo0), expected_score(self.elo1))
    }

    /// The logarithm of the likelihood ratio: how much more likely the results are
    /// with `elo1` than with `elo0`. From pairs if every game is in one, otherwise from
    /// games; 0 without games.
    pub fn llr(&self, tally: &Tally) -> f64 {
        let Some(spread) = Spread::of(tally).map(Spread::regularised) else {
            return 0.0;
        };
        let (null, alternative) = self.scores();
        growth(spread.kinds(), null) - growth(spread.kinds(), alternative)
    }

    /// The values of the LLR, a lower and an upper one, at which the test is over:
    /// ln(β / (1 − α)) and ln((1 − β) / α), Wald's approximation.
    pub fn bounds(&self) -> (f64, f64) {
        (libm::log(self.beta / (1.0 - self.alpha)), libm::log((1.0 - self.beta) / self.alpha))
    }

    /// The accepted hypothesis, if the test is over. Call it after every pair of games, or after
    /// every game if they are not paired, until it returns a hypothesis.
    pub fn decide(&self, tally: &Tally) -> Option<Hypothesis> {
        let (lower, upper) = self.bounds();
        match self.llr(tally) {
            llr if llr >= upper => Some(Hypothesis::Alternative),
            llr if llr <= lower => Some(Hypothesis::Null),
            _ => self.is_between(tally).then_some(Hypothesis::Between),
        }
    }

    /// Whether the results contradict both a difference of at most `elo0` and one of at least
    /// `elo1`. Growth rises on either side of the measured mean, so if the results contradict a
    /// score below the mean, they contradict all smaller ones too.
    fn is_between(&self, tally: &Tally) -> bool {
        let Some(spread) = Spread::of(tally) else {
            return false;
        };
        let ((null, alternative), (mean, n)) = (self.scores(), (spread.mean(), spread.total()));
        null < mean
            && mean < alternative
            && growth(spread.kinds(), null) >= bound(self.alpha, n)
            && growth(spread.kinds(), alternative) >= bound(self.beta, n)
    }

    /// The number of results, pairs or single games, after which the test is over, whatever they
    /// are. The test usually ends much earlier.
    pub fn most_results(&self) -> u64 {
        // The LLR counts a thousandth of a result of each kind that has not come. That changes
        // each growth by less than 0.004 (1 + ln(n / 0.004)) < 0.2.
        const REGULARISED: f64 = 0.5;
        let (null, alternative) = self.scores();
        let (lower, upper) = self.bounds();
        let widest = upper.max(-lower) + REGULARISED;
        let least = least_growth(null, alternative);
        let mut most = 1.0_f64;
        // It rises towards the solution by a smaller step each time.
        for _ in 0..100 {
            most = ((bound(self.alpha.min(self.beta), most) + widest) / least).ceil();
        }
        most as u64
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, alpha, beta } = self;
        write!(f, "elo0={elo0} elo1={elo1} alpha={alpha} beta={beta}")
    }
}

/// Words like `elo1=10` with blanks or commas between, in any order. `elo0` is 0 and
/// the probabilities of error are 0.05 where they are not given.
impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        const NAMES: [&str; 4] = ["elo0", "elo1", "alpha", "beta"];
        let mut values = [None; 4];
        for word in text.split([',', ' ', '\t', '\n']).filter(|word| !word.is_empty()) {
            let form = || SprtError::Form(shortened(word));
            let (name, value) = word.split_once('=').ok_or_else(form)?;
            let place = NAMES.iter().position(|known| known.eq_ignore_ascii_case(name));
            let place = place.ok_or_else(|| SprtError::Unknown(shortened(name)))?;
            // Adding zero turns −0 into 0, which is what is printed.
            let value = value.parse::<f64>().map_err(|_| form())? + 0.0;
            if values[place].replace(value).is_some() {
                return Err(SprtError::Twice(NAMES[place]));
            }
        }
        let [elo0, elo1, alpha, beta] = values;
        let elo1 = elo1.ok_or(SprtError::Missing)?;
        let (alpha, beta) = (alpha.unwrap_or(0.05), beta.unwrap_or(0.05));
        Sprt { elo0: elo0.unwrap_or(0.0), elo1, alpha, beta }.checked()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::tallies::{games, paired};

    fn sprt(text: &str) -> Sprt {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// The numbers of fastchess's own tests (`sprt_test.cpp`), which it takes from
    /// fishtest, to two decimals.
    #[test]
    fn as_fastchess_does() {
        for (text, tally, expected) in [
            ("elo0=0.5 elo1=2.5", games(21404, 21184, 40708), -1.57),
            ("elo0=0 elo1=2", games(57433, 57030, 106593), -2.59),
            ("elo0=0.5 elo1=2.5", paired([223, 9863, 20279 + 1000, 10037, 246]), -3.07),
            ("elo0=0 elo1=2", paired([871, 26175, 55003 + 980, 26678, 821]), -4.98),
        ] {
            let llr = sprt(text).llr(&tally);
            assert!((llr - expected).abs() < 0.0051, "{text}: {llr} and {expected}");
        }
    }

    /// Without draws a distribution is its score, and the ratio is that of two coins.
    #[test]
    fn wins_and_losses_only_are_a_coin() {
        let test = sprt("elo0=-20 elo1=35");
        let coin = |score: f64| 60.0 * score.ln() + 45.0 * (1.0 - score).ln();
        let expected = coin(expected_score(35.0)) - coin(expected_score(-20.0));
        // The thousandth of a draw changes the fourth decimal or so.
        assert!((test.llr(&games(60, 45, 0)) - expected).abs() < 1e-3);
    }

    #[test]
    fn bounds_and_decisions() {
        let test = sprt("elo1=10");
        let (lower, upper) = test.bounds();
        assert!((upper - 2.944_439).abs() < 1e-6 && (lower + upper).abs() < 1e-12);
        let (lower, upper) = sprt("elo1=10 alpha=0.01 beta=0.1").bounds();
        assert!((lower + 2.292_535).abs() < 1e-6 && (upper - 4.499_810).abs() < 1e-6);
        assert_eq!((test.llr(&Tally::default()), test.decide(&Tally::default())), (0.0, None));
        assert_eq!(test.decide(&games(1, 0, 0)), None);
        assert_eq!(test.decide(&paired([0, 0, 0, 0, 1])), None);
        assert_eq!(test.decide(&games(6000, 5000, 0)), Some(Hypothesis::Alternative));
        assert_eq!(test.decide(&games(5000, 5000, 9000)), Some(Hypothesis::Null));
        assert_eq!(Hypothesis::Alternative.to_string(), "H1");
    }

    /// Wald's test alone goes on for ever here.
    #[test]
    fn drawn_games_are_between() {
        let test = sprt("elo0=-10 elo1=10");
        let after = |tally: &dyn Fn(u64) -> Tally| {
            let end = (1..10_000).find_map(|n| test.decide(&tally(n)).map(|decision| (decision, n)));
            assert!(end.is_some_and(|(_, n)| n <= test.most_results()));
            end.unwrap()
        };
        // ln(2 √220 / 0.05) = 6.386 is reached by 219 ln(0.5 / 0.48561) = 6.394.
        assert_eq!(after(&|n| games(0, 0, n)), (Hypothesis::Between, 219));
        assert_eq!(after(&|n| paired([0, 0, n, 0, 0])), (Hypothesis::Between, 219));
        // With one-sided bounds, even results are the null hypothesis.
        assert_eq!(sprt("elo0=0 elo1=10").decide(&games(0, 0, 102)), Some(Hypothesis::Null));
        assert_eq!(Hypothesis::Between.to_string(), "neither");
    }

    /// Issue 877 of fastchess: bounds that far out, and a player that wins or loses every game.
    #[test]
    fn extreme_hypotheses_have_a_ratio() {
        for text in
            ["elo0=-1500 elo1=-500", "elo0=-2000 elo1=2000", "elo0=1999 elo1=2000", "elo0=0 elo1=2000"]
        {
            let test = sprt(text);
            for n in [1, 10, 1_000_000_000] {
                for tally in [games(n, 0, 0), games(0, n, 0), games(0, 0, n), paired([0, 0, n, 0, 0])] {
                    assert!(test.llr(&tally).is_finite(), "{text}: {tally:?}");
                }
            }
            assert!((1..1_000_000_000_000).contains(&test.most_results()), "{text}: {}", test.most_results());
        }
        // A loss is as likely with either Elo, a win 293 times as likely with the larger one.
        let test = sprt("elo0=-1500 elo1=-500");
        assert_eq!(test.decide(&games(1, 0, 0)), Some(Hypothesis::Alternative));
        assert_eq!(test.decide(&games(0, 53, 0)), None);
        assert_eq!(test.decide(&games(0, 56, 0)), Some(Hypothesis::Null));
    }

    #[test]
    fn the_ratio_changes_its_sign_with_the_sides() {
        let llr = sprt("elo0=-8 elo1=8").llr(&paired([3, 10, 40, 12, 9]));
        let other = sprt("elo0=-8 elo1=8").llr(&paired([9, 12, 40, 10, 3]));
        assert!(llr > 0.5 && (llr + other).abs() < 1e-9, "{llr} and {other}");
    }

    #[test]
    fn texts() {
        let test = Sprt { elo0: -2.5, elo1: 10.0, alpha: 0.05, beta: 0.1 };
        assert_eq!(sprt("ELO1=10,beta=.1   elo0=-2.5"), test);
        assert_eq!(sprt(&test.to_string()), test);
        assert_eq!(sprt("elo1=10 elo0=-0").to_string(), "elo0=0 elo1=10 alpha=0.05 beta=0.05");
        for (text, start) in [
            ("", "elo1 is missing"),
            ("elo0=3", "elo1 is missing"),
            ("elo1", "'elo1' is not understood"),
            ("elo1=ten", "'elo1=ten' is not understood"),
            ("elo1=10 gamma=1", "a test has no 'gamma'"),
            ("elo1=10 elo1=10", "elo1 is given twice"),
            ("elo1=nan", "elo1=NaN is not an Elo difference"),
            ("elo1=10 elo0=-2001", "elo0=-2001 is not an Elo difference"),
            ("elo0=5 elo1=5", "elo0=5 is not below elo1=5"),
            ("elo1=5 alpha=0", "alpha=0 is not a probability of error"),
            ("elo1=5 beta=0.5", "beta=0.5 is not a probability of error"),
        ] {
            let error = text.parse::<Sprt>().unwrap_err().to_string();
            assert!(error.starts_with(start), "{text}: {error}");
        }
    }
}

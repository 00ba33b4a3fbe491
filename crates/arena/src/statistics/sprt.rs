//! The sequential probability ratio test: a match that stops as soon as it has said
//! which of two hypotheses about the Elo holds.
//!
//! Wald's test ("Sequential analysis", 1945) goes on while the logarithm of the
//! likelihood ratio (the LLR) is between two bounds. The expected score says nothing
//! of how often each result comes, so either hypothesis is represented by its most
//! likely distribution given the results: the *generalised* test. That distribution
//! is exact here, as in fastchess, not the normal approximation: M. Van den Bergh,
//! "Comments on Normalized Elo", proposition 1.1. Elo is the logistic one.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use tesuji_core::shortened;
use thiserror::Error;

use super::Tally;
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
    /// The Elo difference of the null hypothesis, from −1000 to 1000.
    pub elo0: f64,
    /// The Elo difference of the alternative, larger than `elo0` and at most 1000.
    pub elo1: f64,
    /// The probability of accepting the alternative although the null hypothesis holds.
    pub alpha: f64,
    /// The probability of accepting the null hypothesis although the alternative holds.
    pub beta: f64,
}

/// The hypothesis that a test accepts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Hypothesis {
    /// H0: the difference is `elo0` rather than `elo1`.
    Null,
    /// H1: the difference is `elo1` rather than `elo0`.
    Alternative,
}

/// H0 or H1.
impl fmt::Display for Hypothesis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Hypothesis::Null => "H0",
            Hypothesis::Alternative => "H1",
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
    #[error("{name}={value} is not an Elo difference for a test: it is a number from -1000 to 1000")]
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
            if !(-1000.0..=1000.0).contains(&value) {
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

    /// The logarithm of the likelihood ratio: how much more likely the results are
    /// with `elo1` than with `elo0`. By pairs where every game is in one, else by
    /// games; 0 without games.
    pub fn llr(&self, tally: &Tally) -> f64 {
        let Some(spread) = Spread::of(tally).map(Spread::regularised) else {
            return 0.0;
        };
        ln_likelihood(&spread, expected_score(self.elo1)) - ln_likelihood(&spread, expected_score(self.elo0))
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
            _ => None,
        }
    }
}

/// The log-likelihood of the results under the most likely distribution with this
/// expected score, less a constant that does not depend on it.
///
/// With q the measured share of a result and a its points, the distribution is
/// q / (1 + θ (a − score)) with the one θ that makes its mean the score (equations
/// 1.2 and 1.3), so what depends on the score is the sum of −ln(1 + θ (a − score)).
fn ln_likelihood(spread: &Spread, score: f64) -> f64 {
    let kinds = spread.kinds();
    // The derivative falls from +∞ to −∞ while θ goes from one end to the other.
    let derivative =
        |theta: f64| kinds.iter().map(|(a, n)| n * (a - score) / (1.0 + theta * (a - score))).sum::<f64>();
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    let mut theta = 0.0;
    // A bisection that ends when there is no number left between the two.
    while low < theta && theta < high {
        *(if derivative(theta) > 0.0 { &mut low } else { &mut high }) = theta;
        theta = low + (high - low) / 2.0;
    }
    -kinds.iter().map(|(a, n)| n * libm::log1p(theta * (a - score))).sum::<f64>()
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
    use tesuji_core::{Rng, Seed, Side};

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
            ("elo1=10 elo0=-1001", "elo0=-1001 is not an Elo difference"),
            ("elo0=5 elo1=5", "elo0=5 is not below elo1=5"),
            ("elo1=5 alpha=0", "alpha=0 is not a probability of error"),
            ("elo1=5 beta=0.5", "beta=0.5 is not a probability of error"),
        ] {
            let error = text.parse::<Sprt>().unwrap_err().to_string();
            assert!(error.starts_with(start), "{text}: {error}");
        }
    }

    /// Plays pairs until the test is over. Openings favour one side or the other, and
    /// one game in ten is drawn.
    fn outcome(test: &Sprt, score: f64, rng: &mut Rng) -> Hypothesis {
        let mut tally = Tally::default();
        loop {
            let favour = if rng.chance(0.5) { 0.2 } else { -0.2 };
            let mut pair = 0.0;
            for (side, favour) in [(Side::Black, favour), (Side::White, -favour)] {
                let win = (score - 0.05) + favour;
                let points = match rng.unit() {
                    number if number < win => 1.0,
                    number if number < win + 0.1 => 0.5,
                    _ => 0.0,
                };
                tally.add(side, points);
                pair += points;
            }
            tally.add_pair(pair);
            if let Some(hypothesis) = test.decide(&tally) {
                return hypothesis;
            }
        }
    }

    #[test]
    fn errors_are_as_frequent_as_promised() {
        const MATCHES: usize = 1000;
        let test = sprt("elo0=0 elo1=40 alpha=0.05 beta=0.1");
        let mut rng = Seed::new(1).child("sprt").rng();
        for (elo, wrong, promised) in [(0.0, Hypothesis::Alternative, 0.05), (40.0, Hypothesis::Null, 0.1)] {
            let score = expected_score(elo);
            let errors = (0..MATCHES).filter(|_| outcome(&test, score, &mut rng) == wrong).count();
            let share = errors as f64 / MATCHES as f64;
            // Five standard errors. Wald's bounds promise a little more than they cost,
            // since the last pair oversteps them.
            let close = 5.0 * (promised * (1.0 - promised) / MATCHES as f64).sqrt();
            assert!((share - promised).abs() < close, "{errors} of {MATCHES} with {elo} Elo");
        }
    }
}

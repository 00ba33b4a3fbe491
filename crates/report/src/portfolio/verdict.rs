//! When a measured rate agrees with a published one. The rule is here and nowhere else.
//!
//! | verdict | rule |
//! |---|---|
//! | agrees | within four standard errors of the difference, or within 5 points |
//! | near | within 10 points |
//! | differs | neither |
//!
//! Points are per cent of games. They are there because the printed errors are only
//! those of drawing seeds from one matrix that was played once: they leave out that
//! another matrix would have other games, and that the published one was played by
//! another program, whose seeds differ in strength as that program's openings do. With
//! errors of 0.2 points alone, any two programs would differ. How many points are few
//! is a choice, and no statistics.
//!
//! A portfolio that was learnt from another number of seeds than the published one is
//! not judged at all: its rates are those of another experiment.

use tesuji_portfolio::Estimate;

use super::PublishedSeedRate;

/// Within so many standard errors of the difference, numbers agree.
const ERRORS: f64 = 4.0;
/// Within such a share of games too.
const CLOSE: f64 = 0.05;
/// Within this they are near each other.
const NEAR: f64 = 0.10;
/// Shares in per cent have few digits, and their differences more: 5.0 points are 5 points.
const ROUNDING: f64 = 1e-9;

/// What comes of comparing a measured rate with a published one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeedVerdict {
    /// Within four standard errors of the difference, or within 5 points.
    Agrees,
    /// Not that, but within 10 points.
    Near,
    /// Neither.
    Differs,
}

impl SeedVerdict {
    /// The rule in words, for a reader.
    pub const RULE: &str = "Within 4 standard errors of the difference, or 5 points, rates agree; within 10 points they are near.";

    /// Compares. Where no error was published, there is none.
    pub fn of(measured: Estimate, published: PublishedSeedRate) -> SeedVerdict {
        let difference = (measured.mean - published.mean).abs() - ROUNDING;
        let error = measured.standard_error.hypot(published.standard_error.unwrap_or(0.0));
        if difference <= CLOSE.max(ERRORS * error) {
            SeedVerdict::Agrees
        } else if difference <= NEAR {
            SeedVerdict::Near
        } else {
            SeedVerdict::Differs
        }
    }

    /// The verdict in a word.
    pub fn word(self) -> &'static str {
        match self {
            SeedVerdict::Agrees => "agrees",
            SeedVerdict::Near => "near",
            SeedVerdict::Differs => "DIFFERS",
        }
    }

    /// What stands before a number in a table without colours.
    pub fn mark(self) -> &'static str {
        match self {
            SeedVerdict::Agrees => "",
            SeedVerdict::Near => "≈",
            SeedVerdict::Differs => "≠",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_errors_decide() {
        let verdict = |mean: f64, standard_error: f64, published: f64, theirs: Option<f64>| {
            let published = PublishedSeedRate { mean: published, standard_error: theirs };
            SeedVerdict::of(Estimate { mean, standard_error }, published)
        };
        assert_eq!(verdict(0.55, 0.0, 0.50, None), SeedVerdict::Agrees);
        assert_eq!(verdict(0.551, 0.0, 0.50, None), SeedVerdict::Near);
        assert_eq!(verdict(0.40, 0.0, 0.50, Some(0.0)), SeedVerdict::Near);
        assert_eq!(verdict(0.399, 0.0, 0.50, Some(0.0)), SeedVerdict::Differs);
        // The error of the difference is 0.05.
        assert_eq!(verdict(0.30, 0.03, 0.50, Some(0.04)), SeedVerdict::Agrees);
        assert_eq!(verdict(0.29, 0.03, 0.50, Some(0.04)), SeedVerdict::Differs);
    }
}

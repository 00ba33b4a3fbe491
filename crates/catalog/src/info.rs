//! What there is to know of a game before one is played.

use std::fmt;
use std::ops::RangeInclusive;

/// A line of the table of games.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct GameInfo {
    /// The name in specs: lower case, no blanks.
    pub name: &'static str,
    /// The papers' name of the misère twin. Where there is none, the twin is
    /// `misere(name)`.
    pub misere: Option<&'static str>,
    /// The rules in one sentence.
    pub rules: &'static str,
    /// The boards it is played on.
    pub board: Board,
    /// The sizes of the papers and of the peers, for measurements.
    pub measured: &'static [&'static str],
    /// The options, in the order in which specs print them.
    pub options: &'static [OptionInfo],
    /// Counts of move sequences, in the format of [`tesuji_core::perft_file`].
    pub perft: &'static str,
}

/// The boards a game is played on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Board {
    /// Square boards only.
    Square {
        /// The size without a size in the spec.
        default: usize,
        /// The sizes there are.
        sizes: RangeInclusive<usize>,
    },
    /// Rectangles too.
    Rectangle {
        /// Width and height without a size in the spec.
        default: (usize, usize),
        /// The widths there are.
        widths: RangeInclusive<usize>,
        /// The heights there are.
        heights: RangeInclusive<usize>,
    },
}

impl Board {
    /// Width and height without a size in the spec.
    pub const fn default(&self) -> (usize, usize) {
        match self {
            Board::Square { default, .. } => (*default, *default),
            Board::Rectangle { default, .. } => *default,
        }
    }

    /// Whether there is a board of this width and height. (A game may refuse
    /// some of them still, for the sake of both together.)
    pub fn contains(&self, (width, height): (usize, usize)) -> bool {
        match self {
            Board::Square { sizes, .. } => width == height && sizes.contains(&width),
            Board::Rectangle { widths, heights, .. } => widths.contains(&width) && heights.contains(&height),
        }
    }
}

/// What is allowed, in words: "sizes go from 2 to 19".
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = |range: &RangeInclusive<usize>| format!("{} to {}", range.start(), range.end());
        match self {
            Board::Square { sizes, .. } => write!(f, "the board is square and its size {}", range(sizes)),
            Board::Rectangle { widths, heights, .. } => {
                write!(f, "the width is {} and the height {}", range(widths), range(heights))
            }
        }
    }
}

/// An option of a game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct OptionInfo {
    /// The name in specs.
    pub name: &'static str,
    /// What it does, in a few words.
    pub meaning: &'static str,
    /// The value without the option in the spec.
    pub default: &'static str,
    /// What it can be.
    pub values: Values,
}

/// The values an option can have.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Values {
    /// One of these words.
    Words(&'static [&'static str]),
    /// A multiple of one half; the bounds are given in halves.
    Halves(RangeInclusive<i32>),
    /// A whole number.
    Whole(RangeInclusive<u32>),
}

/// A value that an option has in a spec.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Value {
    Word(&'static str),
    Halves(i32),
    Whole(u32),
}

impl Values {
    /// Reads a value, or nothing where the text is none that is allowed.
    pub(crate) fn parse(&self, text: &str) -> Option<Value> {
        // `parse` would take a plus sign.
        let digits = text.strip_prefix('-').unwrap_or(text);
        let number = digits.starts_with(|c: char| c.is_ascii_digit());
        match self {
            Values::Words(words) => words.iter().find(|word| **word == text).map(|word| Value::Word(word)),
            Values::Halves(range) => {
                let halves = text.parse::<f64>().ok().filter(|_| number)? * 2.0;
                // The bounds are small, so whatever is within them is exact.
                let within = halves.fract() == 0.0
                    && (f64::from(*range.start())..=f64::from(*range.end())).contains(&halves);
                within.then_some(Value::Halves(halves as i32))
            }
            Values::Whole(range) => {
                let whole = text.parse().ok().filter(|_| number)?;
                range.contains(&whole).then_some(Value::Whole(whole))
            }
        }
    }
}

/// What is allowed, in words.
impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Values::Words(words) => f.write_str(&words.join(" or ")),
            Values::Halves(range) => {
                let (least, most) = (Value::Halves(*range.start()), Value::Halves(*range.end()));
                write!(f, "{least} to {most} in steps of 0.5")
            }
            Values::Whole(range) => write!(f, "{} to {}", range.start(), range.end()),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Word(word) => f.write_str(word),
            Value::Halves(halves) => write!(f, "{}", f64::from(*halves) / 2.0),
            Value::Whole(whole) => write!(f, "{whole}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_strictly() {
        let komi = Values::Halves(-20..=20);
        assert_eq!(komi.parse("7.50"), Some(Value::Halves(15)));
        assert_eq!(komi.parse("-0.5"), Some(Value::Halves(-1)));
        assert_eq!(Value::Halves(-1).to_string(), "-0.5");
        assert_eq!(Value::Halves(14).to_string(), "7");
        for bad in ["", "+1", "1.25", "10.5", "nan", "inf", "-inf", "1e99", "--1", "-", ".", "seven"] {
            assert_eq!(komi.parse(bad), None, "{bad}");
        }
        let cap = Values::Whole(1..=500);
        assert_eq!(cap.parse("500"), Some(Value::Whole(500)));
        for bad in ["", "0", "501", "-1", "+5", "1.0", "99999999999999"] {
            assert_eq!(cap.parse(bad), None, "{bad}");
        }
    }
}

//! Settings of arms as text: `1:20`, `S:80`, `[0.5,0.4,0.3]`, `file:values.txt`.
//!
//! The letters are those of Fabiano and Cazenave's Figure 2 (Sequential Halving
//! Using Scores, 2021); `twelfths` is the setting of Figure 1 of Tolpin and
//! Shimony (VOI-aware MCTS, 2012) as its data have it, and `uniform` the one that its
//! text says.

use std::fmt;
use std::str::FromStr;

use tesuji_core::spec::{Interval, Value, Values};
use tesuji_core::{shortened, suggestion};
use thiserror::Error;

/// The greatest number of arms of a setting.
pub(crate) const MOST_ARMS: usize = 1_000_000;

/// A setting of the testbed: which values the arms have. Reading ignores case, and the
/// printed text reads back as the same setting.
///
/// Parsing a spec reads no file: it only keeps the path, and [`ArmsSpec::load`] reads
/// the values.
///
/// ```
/// use tesuji_bandit::testbed::ArmsSpec;
/// let arms: ArmsSpec = "s:80".parse()?;
/// assert_eq!(arms.to_string(), "S:80");
/// assert_eq!("[.5, 0.40]".parse::<ArmsSpec>()?.to_string(), "[0.5,0.4]");
/// # Ok::<(), tesuji_bandit::testbed::ArmsError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum ArmsSpec {
    /// A number of arms with values by a rule.
    Rule(ValueRule, usize),
    /// These values, each in [0, 1].
    Values(Vec<f64>),
    /// The values in the file with this path.
    File(String),
}

/// A rule for the values of any number of arms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueRule {
    /// (1): one arm 0.5, all others 0.4.
    OneGood,
    /// (A): an arithmetic sequence from 0.5 down to 0.25.
    Arithmetic,
    /// (S): the best 0.5, and arm i = 2, …, n less by 0.25·√(i/n), so that i/δᵢ² is
    /// constant as in the bounds for Sequential Halving.
    SquareRoot,
    /// (N): the sigmoid of a normal number of mean 0.5 and standard deviation
    /// 0.1, drawn anew in every run.
    Normal,
    /// The sigmoid of a normal number of mean 0 and standard deviation 0.4, drawn anew
    /// in every run: gaps about as wide as those between the moves of a game.
    Wide,
    /// A normal number of mean 0.5 and standard deviation 0.1, clipped to [0, 1],
    /// drawn anew in every run.
    Clipped,
    /// Uniform on [0, 1), drawn anew in every run.
    Uniform,
    /// Uniform, rounded to the nearest twelfth, drawn anew in every run.
    Twelfths,
}

impl ValueRule {
    /// All rules, in the order in which people read about them.
    pub const ALL: [ValueRule; 8] = [
        ValueRule::OneGood,
        ValueRule::Arithmetic,
        ValueRule::SquareRoot,
        ValueRule::Normal,
        ValueRule::Wide,
        ValueRule::Clipped,
        ValueRule::Uniform,
        ValueRule::Twelfths,
    ];

    /// The rule's name in specs.
    pub const fn name(self) -> &'static str {
        match self {
            ValueRule::OneGood => "1",
            ValueRule::Arithmetic => "A",
            ValueRule::SquareRoot => "S",
            ValueRule::Normal => "N",
            ValueRule::Wide => "wide",
            ValueRule::Clipped => "clipped",
            ValueRule::Uniform => "uniform",
            ValueRule::Twelfths => "twelfths",
        }
    }

    /// A description of the values, in a few words.
    pub const fn meaning(self) -> &'static str {
        match self {
            ValueRule::OneGood => "one arm 0.5, the others 0.4",
            ValueRule::Arithmetic => "an arithmetic sequence from 0.5 to 0.25",
            ValueRule::SquareRoot => "0.5, and gaps 0.25·sqrt(i/n) for i = 2 to n",
            ValueRule::Normal => "the sigmoid of a normal of mean 0.5 and sd 0.1, anew in every run",
            ValueRule::Wide => "the sigmoid of a normal of mean 0 and sd 0.4, anew in every run",
            ValueRule::Clipped => "a normal of mean 0.5 and sd 0.1 clipped to [0, 1], anew in every run",
            ValueRule::Uniform => "uniform on [0, 1], anew in every run",
            ValueRule::Twelfths => "uniform, rounded to twelfths, anew in every run",
        }
    }
}

/// The text is not a setting of arms, or its file cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ArmsError {
    /// No rule has this name.
    #[error("'{word}' is not a setting of arms: {settings}")]
    Unknown {
        /// The word as given.
        word: String,
        /// The rules that may have been meant, or everything that is allowed.
        settings: String,
    },
    /// The number of arms is missing or not allowed.
    #[error("'{word}' is not a number of arms: it is a whole number from 1 to {MOST_ARMS}, as in {rule}:20")]
    Count {
        /// The number as given.
        word: String,
        /// The name of the rule.
        rule: &'static str,
    },
    /// The list is not closed.
    #[error("'{text}' is not a list of values: it ends with ']', as in [0.5,0.4]")]
    NotClosed {
        /// The list as given.
        text: String,
    },
    /// The list is empty.
    #[error("'[]' has no values: give at least one arm's, as in [0.5,0.4]")]
    Empty,
    /// A value of the list is not allowed.
    #[error("'{word}' is not the value of an arm: it is {}", Interval::UNIT)]
    Value {
        /// The value as given.
        word: String,
    },
    /// The list is longer than a setting allows.
    #[error("{n_arms} values are too many: there are at most {MOST_ARMS} arms")]
    TooMany {
        /// The number of values.
        n_arms: usize,
    },
    /// The path after `file:` is missing.
    #[error("'file:' needs the path of a file with one value a line, as in file:values.txt")]
    NoPath,
    /// The file cannot be read.
    #[error("the values in '{path}' cannot be read: {reason}")]
    Unreadable {
        /// The path as given.
        path: String,
        /// The error message of the system.
        reason: String,
    },
    /// A value in the file is not allowed.
    #[error("'{path}', line {line}: '{word}' is not the value of an arm: it is {}", Interval::UNIT)]
    Line {
        /// The path as given.
        path: String,
        /// The line, from 1.
        line: usize,
        /// The value in the file.
        word: String,
    },
    /// The file has no values, or too many.
    #[error(
        "'{path}' holds {n_values} values: it must hold 1 to {MOST_ARMS}, on lines or with commas between them"
    )]
    Amount {
        /// The path as given.
        path: String,
        /// The number of values.
        n_values: usize,
    },
}

impl FromStr for ArmsSpec {
    type Err = ArmsError;

    fn from_str(text: &str) -> Result<ArmsSpec, ArmsError> {
        let text = text.trim();
        if let Some(rest) = text.strip_prefix('[') {
            return list(rest, text);
        }
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name.trim(), rest.trim()),
            None => (text, ""),
        };
        if name.eq_ignore_ascii_case("file") {
            return if rest.is_empty() {
                Err(ArmsError::NoPath)
            } else {
                Ok(ArmsSpec::File(rest.to_owned()))
            };
        }
        let rule = ValueRule::ALL.into_iter().find(|rule| rule.name().eq_ignore_ascii_case(name));
        let rule = rule.ok_or_else(|| ArmsError::Unknown {
            word: shortened(name),
            settings: suggestion(name, ValueRule::ALL.iter().map(|rule| rule.name()), || {
                let rules = ValueRule::ALL.map(|rule| format!("{}:N", rule.name())).join(", ");
                format!("there are {rules}, a list [0.5,0.4,…], and file:PATH")
            }),
        })?;
        // `parse` would accept a plus sign.
        let digits = rest.bytes().all(|byte| byte.is_ascii_digit());
        let n_arms = rest.parse().ok().filter(|n_arms| digits && (1..=MOST_ARMS).contains(n_arms));
        let n_arms = n_arms.ok_or_else(|| ArmsError::Count { word: shortened(rest), rule: rule.name() })?;
        Ok(ArmsSpec::Rule(rule, n_arms))
    }
}

fn list(rest: &str, text: &str) -> Result<ArmsSpec, ArmsError> {
    let inner = rest.strip_suffix(']').ok_or_else(|| ArmsError::NotClosed { text: shortened(text) })?;
    if inner.trim().is_empty() {
        return Err(ArmsError::Empty);
    }
    let value = |word: &str| parse_value(word).ok_or_else(|| ArmsError::Value { word: shortened(word) });
    let values = inner.split(',').map(|word| value(word.trim())).collect::<Result<Vec<f64>, _>>()?;
    if values.len() > MOST_ARMS {
        return Err(ArmsError::TooMany { n_arms: values.len() });
    }
    Ok(ArmsSpec::Values(values))
}

/// Reads the value of an arm: a number from 0 to 1.
pub(super) fn parse_value(word: &str) -> Option<f64> {
    match Values::number(Interval::UNIT).parse(&word.to_ascii_lowercase()) {
        Some(Value::Number(number)) => Some(number),
        _ => None,
    }
}

impl fmt::Display for ArmsSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArmsSpec::Rule(rule, n_arms) => f.pad(&format!("{}:{n_arms}", rule.name())),
            ArmsSpec::Values(values) => f.pad(&Value::List(values.clone()).to_string()),
            ArmsSpec::File(path) => f.pad(&format!("file:{path}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn printed(text: &str) -> Result<String, String> {
        text.parse::<ArmsSpec>().map(|arms| arms.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn what_is_printed_is_canonical() {
        for (text, canonical) in [
            ("1:20", "1:20"),
            (" a:020 ", "A:20"),
            ("s: 80", "S:80"),
            ("n:1", "N:1"),
            ("WIDE:5", "wide:5"),
            ("Clipped:5", "clipped:5"),
            ("UNIFORM:1000000", "uniform:1000000"),
            ("twelfths:32", "twelfths:32"),
            ("[0.50, .4,1E-6,1]", "[0.5,0.4,1e-6,1]"),
            ("FILE: Some Dir/Values.txt", "file:Some Dir/Values.txt"),
            ("file:c:/values", "file:c:/values"),
        ] {
            assert_eq!(printed(text).as_deref(), Ok(canonical), "{text}");
            assert_eq!(printed(canonical).as_deref(), Ok(canonical));
        }
        assert_eq!(format!("{:>6}", ArmsSpec::Rule(ValueRule::OneGood, 20)), "  1:20");
    }

    #[test]
    fn refusals_are_sentences() {
        let refusal = |text| printed(text).unwrap_err();
        let settings =
            "1:N, A:N, S:N, N:N, wide:N, clipped:N, uniform:N, twelfths:N, a list [0.5,0.4,…], and file:PATH";
        assert_eq!(refusal("B:20"), format!("'B' is not a setting of arms: there are {settings}"));
        assert_eq!(refusal(""), format!("'' is not a setting of arms: there are {settings}"));
        assert_eq!(refusal("20"), format!("'20' is not a setting of arms: there are {settings}"));
        for (text, word) in [("A", ""), ("A:0", "0"), ("A:+2", "+2"), ("A:1000001", "1000001"), ("A:x", "x")]
        {
            let sentence = "is not a number of arms: it is a whole number from 1 to 1000000, as in A:20";
            assert_eq!(refusal(text), format!("'{word}' {sentence}"));
        }
        assert_eq!(refusal("[0.5,2]"), "'2' is not the value of an arm: it is a number from 0 to 1");
        assert_eq!(refusal("[]"), "'[]' has no values: give at least one arm's, as in [0.5,0.4]");
        assert_eq!(refusal("[nan]"), "'nan' is not the value of an arm: it is a number from 0 to 1");
        assert_eq!(refusal("[0.5"), "'[0.5' is not a list of values: it ends with ']', as in [0.5,0.4]");
        assert_eq!(
            refusal("file:"),
            "'file:' needs the path of a file with one value a line, as in file:values.txt"
        );
        let too_long = format!("[{}]", vec!["0"; MOST_ARMS + 1].join(","));
        assert_eq!(refusal(&too_long), "1000001 values are too many: there are at most 1000000 arms");
    }

    proptest! {
        #[test]
        fn specs_are_read_back(text in "\\PC{0,12}", values in prop::collection::vec(0.0..=1.0_f64, 1..9)) {
            // Garbage does not panic, and what is no garbage has one way to print.
            if let Ok(canonical) = printed(&text) {
                prop_assert_eq!(printed(&canonical), Ok(canonical));
            }
            let arms = ArmsSpec::Values(values);
            prop_assert_eq!(arms.to_string().parse(), Ok(arms));
        }
    }
}

//! Arguments of commands.
//!
//! One rule holds for all commands: words after the last argument of a command are ignored,
//! as in GNU Go. A word in the place of an argument, even of an optional one, must be right.

use std::time::Duration;

use tesuji_core::{Side, shortened};

use crate::exchange::Failure;

/// The longest time that is accepted, in seconds: thirty years.
const LONGEST_TIME: f64 = 1e9;

/// The arguments of a command, read one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Arguments<'a> {
    words: &'a [String],
}

impl<'a> Arguments<'a> {
    /// All arguments of a command.
    pub(crate) fn new(words: &'a [String]) -> Arguments<'a> {
        Arguments { words }
    }

    /// Whether no argument is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The next word, which stays the next one.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.words.first().map(String::as_str)
    }

    /// The next word; `None` if no argument is left.
    pub(crate) fn next(&mut self) -> Option<&'a str> {
        let (first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }

    /// All arguments that are left.
    pub(crate) fn rest(&mut self) -> &'a [String] {
        std::mem::take(&mut self.words)
    }

    /// The next word, which must exist. `what` names it in the failure: `a colour`.
    pub(crate) fn word(&mut self, what: &str) -> Result<&'a str, Failure> {
        self.next().ok_or_else(|| syntax_error(format!("{what} is missing")))
    }

    /// A colour.
    pub(crate) fn side(&mut self) -> Result<Side, Failure> {
        let word = self.word("a colour")?;
        side(word)
            .ok_or_else(|| syntax_error(format!("a colour is black or white, not '{}'", shortened(word))))
    }

    /// A whole number.
    pub(crate) fn whole_number(&mut self, what: &str) -> Result<u32, Failure> {
        let word = self.word(what)?;
        whole_number(word)
            .ok_or_else(|| syntax_error(format!("{what} is a whole number, not '{}'", shortened(word))))
    }

    /// A whole number; `None` if no argument is left.
    pub(crate) fn maybe_whole_number(&mut self, what: &str) -> Result<Option<u32>, Failure> {
        if self.is_empty() { Ok(None) } else { self.whole_number(what).map(Some) }
    }

    /// A finite number.
    pub(crate) fn number(&mut self, what: &str) -> Result<f64, Failure> {
        let word = self.word(what)?;
        let number = word.parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| syntax_error(format!("{what} is a number, not '{}'", shortened(word))))
    }

    /// A time in seconds, whole or not.
    pub(crate) fn seconds(&mut self, what: &str) -> Result<Duration, Failure> {
        let seconds = self.number(what)?;
        if !(0.0..=LONGEST_TIME).contains(&seconds) {
            let problem = format!("{what} is from 0 to {LONGEST_TIME} seconds, not {seconds}");
            return Err(syntax_error(problem));
        }
        Ok(Duration::from_secs_f64(seconds))
    }

    /// The time left on a clock, in seconds. Some controllers count below zero, which is 0 here.
    pub(crate) fn seconds_left(&mut self) -> Result<Duration, Failure> {
        if self.peek().is_some_and(|word| word.starts_with('-')) {
            let left = self.number("the time left")?;
            return if left >= -LONGEST_TIME {
                Ok(Duration::ZERO)
            } else {
                Err(syntax_error(format!("the time left is not {left} seconds")))
            };
        }
        self.seconds("the time left")
    }

    /// `true` or `false`.
    pub(crate) fn truth(&mut self, what: &str) -> Result<bool, Failure> {
        match self.word(&format!("true or false for '{what}'"))? {
            "true" => Ok(true),
            "false" => Ok(false),
            word => Err(syntax_error(format!("'{what}' is true or false, not '{}'", shortened(word)))),
        }
    }
}

/// A colour, as the specification writes it, in any case.
pub(crate) fn side(word: &str) -> Option<Side> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Side::Black),
        "w" | "white" => Some(Side::White),
        _ => None,
    }
}

/// A whole number; unlike `parse`, it accepts no sign.
pub(crate) fn whole_number(word: &str) -> Option<u32> {
    word.bytes().all(|byte| byte.is_ascii_digit()).then(|| word.parse().ok())?
}

/// The failure of a command that cannot be understood.
pub(crate) fn syntax_error(problem: impl AsRef<str>) -> Failure {
    Failure::new(format!("syntax error: {}", problem.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: std::fmt::Debug + PartialEq>(
        text: &str,
        read: impl Fn(&mut Arguments<'_>) -> Result<T, Failure>,
        wanted: Result<T, &str>,
    ) {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let read = read(&mut Arguments::new(&words)).map_err(|failure| failure.to_string());
        assert_eq!(read, wanted.map_err(|problem| format!("syntax error: {problem}")), "{text}");
    }

    #[test]
    fn colours() {
        let colour = |words: &mut Arguments<'_>| words.side();
        for word in ["b", "B", "black", "BLACK"] {
            check(word, colour, Ok(Side::Black));
        }
        check("White b", colour, Ok(Side::White));
        check("", colour, Err("a colour is missing"));
        check("q", colour, Err("a colour is black or white, not 'q'"));
    }

    #[test]
    fn numbers() {
        check("9", |words| words.whole_number("a size"), Ok(9));
        for word in ["-9", "+9", "9.5", "99999999999", "٣"] {
            let problem = format!("a size is a whole number, not '{word}'");
            check(word, |words| words.whole_number("a size"), Err(problem.as_str()));
        }
        check("-7.5", |words| words.number("a komi"), Ok(-7.5));
        for word in ["nan", "inf", "1e999", "7,5"] {
            let problem = format!("a komi is a number, not '{word}'");
            check(word, |words| words.number("a komi"), Err(problem.as_str()));
        }
    }

    #[test]
    fn times() {
        let left = |words: &mut Arguments<'_>| words.seconds_left();
        let main = |words: &mut Arguments<'_>| words.seconds("the main time");
        check("0.25", main, Ok(Duration::from_millis(250)));
        check("-1", main, Err("the main time is from 0 to 1000000000 seconds, not -1"));
        check("1e10", main, Err("the main time is from 0 to 1000000000 seconds, not 10000000000"));
        check("NaN", main, Err("the main time is a number, not 'NaN'"));
        check("-0.5", left, Ok(Duration::ZERO));
        check("-0", main, Ok(Duration::ZERO));
        check("-1e30", left, Err("the time left is not -1000000000000000000000000000000 seconds"));
    }
}

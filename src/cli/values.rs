//! Values of options: how they are read, and a sentence about one that is wrong.

use std::error::Error;
use std::fmt::{self, Display};
use std::net::IpAddr;
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use tesuji::core::shortened;

/// What an option accepts: `a whole number from 1 to 1024`.
#[derive(Debug)]
pub(super) struct Accepted(String);

impl Display for Accepted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Accepted {}

/// Reads a whole number of this range.
pub(super) fn whole<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, Accepted> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let (first, last) = (range.start(), range.end());
        number.ok_or_else(|| Accepted(format!("a whole number from {first} to {last}")))
    }
}

/// Reads a number of this range, whole or not.
pub(super) fn number(range: RangeInclusive<f64>) -> impl Fn(&str) -> Result<f64, Accepted> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number: &f64| range.contains(number));
        let allowed = match (*range.start(), *range.end()) {
            (f64::MIN, f64::MAX) => "a number".to_owned(),
            (first, f64::MAX) => format!("a number of at least {first}"),
            (first, last) => format!("a number from {first} to {last}"),
        };
        number.ok_or(Accepted(allowed))
    }
}

/// The smallest limit of a store's file. An empty store has more than half of it.
const SMALLEST_FILE: f64 = 100_000.0;

/// Reads the size of a file in bytes: 500kB, 15MB, 1.5 GB, 64MiB, or a number of bytes.
pub(super) fn file_size(text: &str) -> Result<u64, Accepted> {
    let number = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match text[number.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => Some(1.0),
        "k" | "kb" => Some(1e3),
        "m" | "mb" => Some(1e6),
        "g" | "gb" => Some(1e9),
        "kib" => Some(1024.0),
        "mib" => Some(1_048_576.0),
        "gib" => Some(1_073_741_824.0),
        _ => None,
    };
    let bytes = number.trim().parse().ok().zip(unit).map(|(number, unit): (f64, f64)| number * unit);
    let bytes = bytes.filter(|bytes| (SMALLEST_FILE..1e18).contains(bytes));
    let accepted = || Accepted("a size of at least 100kB, such as 500kB, 15MB or 1GB".to_owned());
    bytes.map(|bytes| bytes as u64).ok_or_else(accepted)
}

/// Reads the address of a network interface.
pub(super) fn address(text: &str) -> Result<IpAddr, Accepted> {
    let accepted = || "an IP address, 127.0.0.1 for this machine only or 0.0.0.0 for all networks".to_owned();
    text.parse().map_err(|_| Accepted(accepted()))
}

/// The sentence about the value of an option that clap has refused; `None` for other errors.
pub(super) fn problem(error: &clap::Error) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    if error.kind() == ErrorKind::MissingRequiredArgument {
        return missing(error);
    }
    let option = named(text(ContextKind::InvalidArg)?);
    match (error.kind(), error.source()) {
        (ErrorKind::ValueValidation, Some(source)) => Some(match source.downcast_ref() {
            Some(Accepted(accepted)) => {
                format!("{option} is {accepted}, not '{}'", shortened(text(ContextKind::InvalidValue)?))
            }
            None => format!("{option}: {source}"),
        }),
        (ErrorKind::InvalidValue, _) => {
            let Some(ContextValue::Strings(allowed)) = error.get(ContextKind::ValidValue) else {
                return None;
            };
            let given = text(ContextKind::InvalidValue).filter(|given| !given.is_empty())?;
            Some(format!("{option} is {}, not '{}'", listed(allowed, "or"), shortened(given)))
        }
        _ => None,
    }
}

/// Values that go by another name: the word that people write, and the value.
const OTHER_NAMES: &[(&str, &str)] = &[("gpu", "cuda"), ("nvidia", "cuda")];

/// The argument or value that was probably meant; empty if nothing is near.
pub(super) fn suggested(error: &clap::Error) -> String {
    let known_otherwise =
        match [ContextKind::InvalidValue, ContextKind::ValidValue].map(|kind| error.get(kind)) {
            [Some(ContextValue::String(given)), Some(ContextValue::Strings(allowed))] => {
                OTHER_NAMES.iter().find(|(word, value)| {
                    given.eq_ignore_ascii_case(word) && allowed.iter().any(|name| name == value)
                })
            }
            _ => None,
        };
    match known_otherwise {
        // The letters of gpu are nearest to cpu.
        Some((_, value)) => (*value).to_owned(),
        None => [ContextKind::SuggestedArg, ContextKind::SuggestedValue]
            .into_iter()
            .find_map(|kind| error.get(kind))
            .map_or_else(String::new, ContextValue::to_string),
    }
}

/// The name of an argument without its value: `--seed` of `--seed <N>` and of `--seed[=<N>]`.
fn named(argument: &str) -> &str {
    let end = [" ", "[="].into_iter().filter_map(|begin| argument.find(begin)).min();
    &argument[..end.unwrap_or(argument.len())]
}

/// The sentence about arguments that are missing.
fn missing(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::Strings(arguments)) = error.get(ContextKind::InvalidArg) else { return None };
    let name = |argument: &String| {
        let name = named(argument);
        name.trim_matches(['<', '>', '.']).to_owned()
    };
    let names: Vec<String> = arguments.iter().map(name).collect();
    Some(match (needy_option(), &names[..]) {
        (Some(option), names) => format!("{option} needs {}", listed(names, "and")),
        (None, [one]) => format!("{one} is missing"),
        (None, several) => format!("{} are missing", listed(several, "and")),
    })
}

/// The option of the command line that needs another one: without it nothing is missing. `None`
/// if the missing arguments are always needed.
fn needy_option() -> Option<String> {
    let command = super::command();
    let words: Vec<String> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let mut verb = &command;
    for word in &words[1..] {
        verb = verb.find_subcommand(word).unwrap_or(verb);
    }
    (1..words.len()).find_map(|place| {
        let word = words[place].strip_prefix("--")?;
        let name = word.split('=').next()?;
        let option = verb.get_arguments().find(|argument| argument.get_long() == Some(name))?;
        let has_value_behind = option.get_action().takes_values() && name == word;
        let option_words = place..=place + usize::from(has_value_behind);
        let rest = words.iter().enumerate().filter(|(index, _)| !option_words.contains(index));
        let is_needy = command.clone().try_get_matches_from(rest.map(|(_, word)| word)).is_ok();
        is_needy.then(|| format!("--{name}"))
    })
}

/// A list in words: `a, b or c`.
fn listed(words: &[String], last: &str) -> String {
    match words {
        [first @ .., end] if !first.is_empty() => format!("{} {last} {end}", first.join(", ")),
        other => other.join(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        let size = |text: &str| file_size(text).ok();
        for (text, bytes) in [
            ("15MB", 15_000_000),
            ("15 mb", 15_000_000),
            ("500kB", 500_000),
            ("1.5G", 1_500_000_000),
            ("1MiB", 1 << 20),
            ("100000", 100_000),
            ("200000B", 200_000),
        ] {
            assert_eq!(size(text), Some(bytes), "{text}");
        }
        for text in ["", "MB", "15", "99kB", "-15MB", "15 elephants", "infMB", "nanMB", "1e30GB", "15MBMB"] {
            assert_eq!(size(text), None, "{text}");
        }
        assert_eq!(
            file_size("1kB").unwrap_err().to_string(),
            "a size of at least 100kB, such as 500kB, 15MB or 1GB"
        );
    }
}

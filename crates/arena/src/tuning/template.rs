//! Players with holes: `hybrid-shuss(t=?,lambda=?)@1000`.
//!
//! ```text
//! hole  = name "=?" [range]
//! range = number ".." number [":log"] [":int"] | word "|" word {"|" word}
//! ```
//!
//! A hole stands in place of an option of a part. Without a range it has the usual one of its
//! parameter, if there is one.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use tesuji_bandit::policies;
use tesuji_catalog::players;
use tesuji_core::spec::{self, Interval};
use tesuji_session::Contestant;
use thiserror::Error;

use super::usual::usual;
use super::{Candidate, Parameter, Point, Range, RangeError, Space};

/// The most combinations of words that are checked to be players.
const MOST_COMBINATIONS: usize = 256;

/// The place of the default configuration in the space. The default configuration fills no hole.
#[derive(Clone, PartialEq, Debug)]
pub enum Start {
    /// There is none, because a parameter has no default.
    None,
    /// Not in the space: the default of a parameter is a word, say, and its range has numbers.
    Outside,
    /// At this point.
    At(Point),
}

/// A player's text with holes.
///
/// ```
/// use tesuji_arena::tuning::{Point, Template};
/// let template: Template = "hybrid-shuss(t=?, bias=1e-5, lambda=?0.3..0.9)@1000".parse()?;
/// assert_eq!(template.fill(&Point(vec![0.5, 0.5])), "hybrid-shuss(t=100, bias=1e-5, lambda=0.6)@1000");
/// assert_eq!(template.default_text(), "hybrid-shuss(bias=1e-5)@1000");
/// assert_eq!(
///     template.to_string(),
///     "hybrid-shuss(t=?1..10000:log, bias=1e-5, lambda=?0.3..0.9)@1000",
/// );
/// # Ok::<(), tesuji_arena::tuning::TemplateError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Template {
    pieces: Vec<Piece>,
    parameters: Vec<Parameter>,
    /// What stands for each hole in the default configuration.
    defaults: Vec<Fallback>,
}

#[derive(Clone, PartialEq, Debug)]
enum Piece {
    Text(String),
    /// A hole, and its name in the text.
    Hole(String),
}

/// What an option is if the text does not give it.
#[derive(Clone, PartialEq, Debug)]
enum Fallback {
    /// This value.
    Value(&'static str),
    /// The option is required.
    Required,
}

/// The text is not a player with holes.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum TemplateError {
    /// A range is for no hole.
    #[error("there is a range of {name}, and no hole of this name: the holes are {holes}")]
    NoSuchHole {
        /// The name of the range.
        name: String,
        /// The names of all holes.
        holes: String,
    },
    /// There is no hole.
    #[error("'{0}' has no hole: write an option to tune as name=? or name=?1..100")]
    NoHole(String),
    /// A question mark is not the value of an option.
    #[error("a hole is the value of an option, as in rave(bias=?): '{0}' is not")]
    Place(String),
    /// No part has this name.
    #[error("no part of players has the name '{0}', so it has no options to tune")]
    UnknownPart(String),
    /// The part has no such option.
    #[error("{part} has no option '{name}': {allowed}")]
    UnknownOption {
        /// The part.
        part: String,
        /// The option as given.
        name: String,
        /// The options that it has.
        allowed: String,
    },
    /// The option has no usual range.
    #[error("{part}'s option {name} has no usual range: write one, as in {name}=?1..100:log or {name}=?a|b")]
    NoUsualRange {
        /// The part.
        part: String,
        /// The option.
        name: String,
    },
    /// The range is not understood.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// The option does not allow a value of the range.
    #[error("'{value}' is not a value of {part}'s option {name}: it is {allowed}")]
    Value {
        /// The value.
        value: String,
        /// The part.
        part: String,
        /// The option.
        name: String,
        /// A description of the allowed values.
        allowed: String,
    },
    /// There is no such player even if the holes are filled.
    #[error("'{text}' is not a player: {reason}")]
    Player {
        /// The text with filled holes.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// A hole as it stands in the text.
struct Found {
    part: String,
    name: String,
    range: String,
}

impl Template {
    /// Reads a text with holes. A hole has the range of `ranges` under its name, or under its part's and
    /// its own (`rave.bias`), else its own range, else the usual one.
    pub fn with_ranges(text: &str, ranges: &BTreeMap<String, Range>) -> Result<Template, TemplateError> {
        let (pieces, found) = split(text)?;
        if found.is_empty() {
            return Err(TemplateError::NoHole(text.trim().to_owned()));
        }
        let is_of = |name: &String, found: &Found| {
            *name == found.name || *name == format!("{}.{}", found.part, found.name)
        };
        if let Some(name) = ranges.keys().find(|name| !found.iter().any(|found| is_of(name, found))) {
            let holes = found.iter().map(|found| found.name.as_str()).collect::<Vec<_>>().join(", ");
            return Err(TemplateError::NoSuchHole { name: name.clone(), holes });
        }
        let (mut parameters, mut defaults) = (Vec::new(), Vec::new());
        for (index, Found { part, name, range }) in found.iter().enumerate() {
            let option = option(part, name)?;
            let given = || ranges.get(&format!("{part}.{name}")).or_else(|| ranges.get(name)).cloned();
            let missing = || TemplateError::NoUsualRange { part: part.clone(), name: name.clone() };
            let range = match (given(), range.as_str()) {
                (Some(given), _) => given,
                (None, "") => usual(part, option).ok_or_else(missing)?,
                (None, text) => text.parse()?,
            };
            let range = allowed(range, part, option)?;
            let is_same = |other: &&Found| other.name == *name;
            let is_twin = |other: &&Found| other.name == *name && other.part == *part;
            let name = match (found.iter().filter(is_same).count(), found.iter().filter(is_twin).count()) {
                (1, _) => name.clone(),
                (_, 1) => format!("{part}.{name}"),
                _ => format!("{part}.{name}.{}", found[..=index].iter().filter(is_twin).count()),
            };
            parameters.push(Parameter { name, range });
            defaults.push(option.default.map_or(Fallback::Required, Fallback::Value));
        }
        let template = Template { pieces, parameters, defaults };
        let filled = template.word_points().into_iter().map(|point| template.fill(&point));
        for text in std::iter::once(template.default_text()).chain(filled) {
            if let Err(error) = text.parse::<Contestant>() {
                return Err(TemplateError::Player { text, reason: error.to_string() });
            }
        }
        Ok(template)
    }

    /// Points with every combination of words, or with many of them, and numbers in the middle.
    fn word_points(&self) -> Vec<Point> {
        let mut points = vec![Point(Vec::new())];
        for Parameter { range, .. } in &self.parameters {
            let values = match range {
                Range::Words(words) if points.len() * words.len() <= MOST_COMBINATIONS => words.len(),
                _ => 1,
            };
            let with = |Point(point): &Point, index: usize| {
                let mut point = point.clone();
                point.push((index as f64 + 0.5) / values as f64);
                Point(point)
            };
            points =
                points.iter().flat_map(|point| (0..values).map(move |index| with(point, index))).collect();
        }
        points
    }

    /// The parameters to tune, in the order of their holes.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The space of the parameters.
    pub fn space(&self) -> Space {
        Space { parameters: self.parameters.clone() }
    }

    /// The text with the values of a point. Numbers are rounded to about three digits, so that near
    /// points have equal texts.
    pub fn fill(&self, point: &Point) -> String {
        let values = self.parameters.iter().zip(&point.0).map(|(one, &at)| one.range.value(at));
        self.with_values(values.map(Some))
    }

    /// The text without its holes: the default configuration. Options that are required have the value
    /// in the middle of their range.
    pub fn default_text(&self) -> String {
        let value = |(parameter, default): (&Parameter, &Fallback)| match default {
            Fallback::Value(_) => None,
            Fallback::Required => Some(parameter.range.value(0.5)),
        };
        self.with_values(self.parameters.iter().zip(&self.defaults).map(value))
    }

    /// The text of a candidate.
    pub fn text_of(&self, candidate: &Candidate) -> String {
        match &candidate.point {
            Some(point) if !candidate.is_default => self.fill(point),
            _ => self.default_text(),
        }
    }

    /// The place of the default configuration.
    pub fn start(&self) -> Start {
        let mut coordinates = Vec::new();
        let mut is_outside = false;
        for (Parameter { range, .. }, default) in self.parameters.iter().zip(&self.defaults) {
            let Fallback::Value(default) = default else { return Start::None };
            let same = |at: &f64| range.value(*at).parse::<f64>().ok() == default.parse::<f64>().ok();
            match range.coordinate(default).filter(same) {
                Some(coordinate) => coordinates.push(range.snap(coordinate)),
                None => is_outside = true,
            }
        }
        if is_outside { Start::Outside } else { Start::At(Point(coordinates)) }
    }

    /// The text with a value for each hole; the options of holes without one are left out.
    fn with_values(&self, values: impl Iterator<Item = Option<String>>) -> String {
        let mut values = values;
        let mut text = String::new();
        // Whether an option was left out at the beginning of its brackets.
        let mut is_first = false;
        for piece in &self.pieces {
            match piece {
                Piece::Text(piece) => {
                    let mut rest = piece.as_str();
                    if is_first {
                        rest = rest.trim_start();
                        rest = rest.strip_prefix(',').map_or(rest, str::trim_start);
                        if let Some(after) = rest.strip_prefix(')') {
                            text.truncate(text.trim_end().len() - 1);
                            rest = after;
                        }
                        is_first = rest.is_empty() && text.trim_end().ends_with('(');
                    }
                    text.push_str(rest);
                }
                Piece::Hole(name) => match values.next().flatten() {
                    Some(value) => {
                        text.push_str(&format!("{name}={value}"));
                        is_first = false;
                    }
                    None => {
                        text.truncate(text.trim_end().len());
                        if text.ends_with(',') {
                            text.pop();
                        } else {
                            is_first = true;
                        }
                    }
                },
            }
        }
        text
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranges = self.parameters.iter().map(|parameter| Some(format!("?{}", parameter.range)));
        f.write_str(&self.with_values(ranges))
    }
}

impl FromStr for Template {
    type Err = TemplateError;

    fn from_str(text: &str) -> Result<Template, TemplateError> {
        Template::with_ranges(text, &BTreeMap::new())
    }
}

/// Splits a text into its holes and what is between them.
fn split(text: &str) -> Result<(Vec<Piece>, Vec<Found>), TemplateError> {
    let text = text.trim();
    let (mut pieces, mut found) = (Vec::new(), Vec::new());
    let mut parts: Vec<String> = Vec::new();
    // The next text begins at `start`.
    let (mut start, mut is_quoted) = (0, false);
    for (at, character) in text.char_indices() {
        if at < start {
            continue;
        }
        match character {
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' => parts.push(last_word(&text[..at]).to_lowercase()),
            ')' => drop(parts.pop()),
            '?' => {
                let before = &text[start..at];
                let place = || TemplateError::Place(text[start..=at].trim().to_owned());
                let before = before.trim_end().strip_suffix('=').ok_or_else(place)?.trim_end();
                let name = last_word(before);
                let part = parts.last().filter(|part| !part.is_empty()).ok_or_else(place)?.clone();
                if name.is_empty() {
                    return Err(place());
                }
                pieces.push(Piece::Text(before[..before.len() - name.len()].to_owned()));
                pieces.push(Piece::Hole(name.to_lowercase()));
                let rest = &text[at + 1..];
                let range = &rest[..rest.find([',', '(', ')', '"', '@']).unwrap_or(rest.len())];
                found.push(Found { part, name: name.to_lowercase(), range: range.trim().to_owned() });
                start = at + 1 + range.len();
            }
            _ => {}
        }
    }
    pieces.push(Piece::Text(text[start..].to_owned()));
    Ok((pieces, found))
}

/// The word at the end of a text, blanks after it excepted.
fn last_word(text: &str) -> &str {
    let text = text.trim_end();
    let is_other = |character: char| !(character.is_ascii_alphanumeric() || "-_".contains(character));
    &text[text.rfind(is_other).map_or(0, |at| at + 1)..]
}

/// The option of a part of players: of a policy too, if the part may be one.
fn option(part: &str, name: &str) -> Result<&'static spec::Parameter, TemplateError> {
    let parts = players().iter().filter(|info| info.name == part).map(|info| info.parameters);
    let policies = policies().iter().filter(|info| info.name == part).map(|info| info.parameters);
    let mut tables = parts.chain(policies).peekable();
    if tables.peek().is_none() {
        return Err(TemplateError::UnknownPart(part.to_owned()));
    }
    let options: Vec<&'static spec::Parameter> = tables.flatten().collect();
    let found = options.iter().find(|option| option.name == name).copied();
    found.ok_or_else(|| {
        let names: Vec<&str> = options.iter().map(|option| option.name).collect();
        let allowed = match names.len() {
            0 => "it has none".to_owned(),
            _ => format!("it has {}", names.join(", ")),
        };
        TemplateError::UnknownOption { part: part.to_owned(), name: name.to_owned(), allowed }
    })
}

/// The range as its option allows it: of whole numbers if the option is one.
fn allowed(range: Range, part: &str, option: &spec::Parameter) -> Result<Range, TemplateError> {
    let is_whole = option.values.number.is_some_and(|Interval { step, .. }| step == 1.0);
    let range = match range {
        Range::Numbers { least, most, log, .. }
            if is_whole && least.fract() == 0.0 && most.fract() == 0.0 =>
        {
            Range::Numbers { least, most, log, int: true }
        }
        other => other,
    };
    let samples: Vec<String> = match &range {
        Range::Words(words) => words.clone(),
        Range::Numbers { .. } => [0.0, 1.0, 0.3, 0.7].map(|at| range.value(at)).to_vec(),
    };
    let wrong = samples.into_iter().find(|value| option.values.parse(value).is_none());
    wrong.map_or(Ok(range), |value| {
        let (part, name, allowed) = (part.to_owned(), option.name.to_owned(), option.values.to_string());
        Err(TemplateError::Value { value, part, name, allowed })
    })
}

#[cfg(test)]
mod tests;

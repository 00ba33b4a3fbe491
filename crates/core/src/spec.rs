//! Names with parameters, as text: `sh(lambda=0.7)`, `shuss(t=inf,lambda=[0.3,0.7])`.
//!
//! ```text
//! call      = name ["(" [argument {"," argument}] ")"]
//! argument  = word "=" value
//! value     = word | number | "[" number {"," number} "]"
//! ```
//!
//! Case and blanks do not matter. A table of [`Parameter`]s lists the options of a
//! name; [`Call::resolve`] returns the value of each, or an error sentence with the
//! wrong word and what is allowed.

use std::fmt;
use std::hash::{Hash, Hasher};

use thiserror::Error;

use crate::{shortened, suggestion};

/// An option of a named thing: of a game, a policy, or a part of a player.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// The name in specs.
    pub name: &'static str,
    /// What it does, in a few words.
    pub meaning: &'static str,
    /// The text of the default value; `None` if the parameter is required.
    pub default: Option<&'static str>,
    /// The values that are allowed.
    pub values: Values,
}

impl Parameter {
    fn is_default(&self, value: &Value) -> bool {
        self.default.is_some_and(|text| self.values.parse(text).as_ref() == Some(value))
    }
}

/// The values that a parameter allows. A parameter may allow several kinds.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Values {
    /// The allowed words.
    pub words: &'static [&'static str],
    /// The interval of allowed numbers; `None` if numbers are not allowed.
    pub number: Option<Interval>,
    /// The interval of the numbers in a list; `None` if lists are not allowed.
    pub list: Option<Interval>,
}

/// An interval of numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The lower end.
    pub least: f64,
    /// The upper end. Infinity is written "inf".
    pub most: f64,
    /// Which ends are excluded.
    pub open: OpenEnds,
    /// Only multiples of `step` are allowed: 1 for whole numbers, 0 for all numbers.
    pub step: f64,
}

/// Which ends of an [`Interval`] are excluded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpenEnds {
    /// Neither end.
    Neither,
    /// The upper end only.
    Upper,
    /// Both ends.
    Both,
}

impl Interval {
    /// Numbers above 0.
    pub const POSITIVE: Interval = Interval { open: OpenEnds::Both, ..Interval::NOT_NEGATIVE };
    /// Numbers from 0.
    pub const NOT_NEGATIVE: Interval =
        Interval { least: 0.0, most: f64::INFINITY, open: OpenEnds::Upper, step: 0.0 };
    /// Numbers from 0, infinity included.
    pub const UP_TO_INFINITY: Interval = Interval { open: OpenEnds::Neither, ..Interval::NOT_NEGATIVE };
    /// Whole numbers from 1 to 10⁹.
    pub const COUNT: Interval = Interval { least: 1.0, most: 1e9, open: OpenEnds::Neither, step: 1.0 };
    /// Numbers from 0 to 1.
    pub const UNIT: Interval = Interval { least: 0.0, most: 1.0, open: OpenEnds::Neither, step: 0.0 };
    /// Numbers above 0 and below 1.
    pub const FRACTION: Interval = Interval { open: OpenEnds::Both, ..Interval::UNIT };

    /// Whether the interval contains a number.
    pub fn contains(&self, number: f64) -> bool {
        let above = if self.open == OpenEnds::Both { number > self.least } else { number >= self.least };
        let below = if self.open == OpenEnds::Neither { number <= self.most } else { number < self.most };
        // Doubles hold whole numbers up to 2⁵³ exactly.
        let is_multiple = (number / self.step).fract() == 0.0 && number.abs() <= (1_u64 << 53) as f64;
        above && below && (self.step == 0.0 || is_multiple)
    }

    fn parse(&self, text: &str) -> Option<f64> {
        // `parse` would accept a plus sign, "nan" and "infinity".
        let digits = text.strip_prefix('-').unwrap_or(text);
        let plain = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') || digits == "inf";
        let number = text.parse::<f64>().ok().filter(|_| plain)?;
        // "1e999" is no way to write infinity, and "-0" none to write 0.
        let number = if number == 0.0 { 0.0 } else { number };
        (self.contains(number) && number.is_finite() == (digits != "inf")).then_some(number)
    }
}

/// Describes the interval: "a number above 0 and below 1".
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.step == 1.0 { "a whole number " } else { "a number " })?;
        let lower = match (self.open, self.most == f64::INFINITY) {
            (OpenEnds::Both, _) => "above",
            (OpenEnds::Neither, _) | (_, false) => "from",
            (_, true) => "of at least",
        };
        write!(f, "{lower} {}", self.least)?;
        match (self.most == f64::INFINITY, self.open) {
            (true, OpenEnds::Neither) => f.write_str(" to inf")?,
            (true, _) => {}
            (false, OpenEnds::Neither) => write!(f, " to {}", self.most)?,
            (false, _) => write!(f, " and below {}", self.most)?,
        }
        let is_common = self.step == 0.0 || self.step == 1.0;
        if is_common { Ok(()) } else { write!(f, " in steps of {}", self.step) }
    }
}

impl Values {
    /// Allows these words only.
    pub const fn words(words: &'static [&'static str]) -> Values {
        Values { words, number: None, list: None }
    }

    /// Allows whole numbers from `least` to `most`.
    pub const fn whole(least: u32, most: u32) -> Values {
        Values::number(Interval {
            least: least as f64,
            most: most as f64,
            open: OpenEnds::Neither,
            step: 1.0,
        })
    }

    /// Allows the numbers of an interval only.
    pub const fn number(interval: Interval) -> Values {
        Values { words: &[], number: Some(interval), list: None }
    }

    /// Reads a value; `None` if the text is not an allowed value.
    pub fn parse(&self, text: &str) -> Option<Value> {
        if let Some(word) = self.words.iter().find(|word| **word == text) {
            return Some(Value::Word(word));
        }
        if let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let interval = self.list?;
            let numbers: Option<Vec<f64>> =
                inner.split(',').map(|number| interval.parse(number.trim())).collect();
            return numbers.map(Value::List);
        }
        self.number?.parse(text).map(Value::Number)
    }

    /// Whether a value is allowed.
    fn contains(&self, value: &Value) -> bool {
        let within = |interval: Option<Interval>, number: &f64| {
            interval.is_some_and(|interval| interval.contains(*number))
        };
        match value {
            Value::Word(word) => self.words.contains(word),
            Value::Number(number) => within(self.number, number),
            Value::List(numbers) => {
                !numbers.is_empty() && numbers.iter().all(|number| within(self.list, number))
            }
        }
    }
}

/// Describes the allowed values.
impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut kinds: Vec<String> = self.words.iter().map(|word| (*word).to_owned()).collect();
        kinds.extend(self.number.map(|interval| interval.to_string()));
        kinds.extend(self.list.map(|interval| format!("a list [a,b,…], each {interval}")));
        f.write_str(&kinds.join(" or "))
    }
}

/// The value of a parameter.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// One of the parameter's words.
    Word(&'static str),
    /// A number of the parameter's interval.
    Number(f64),
    /// A list of numbers of the parameter's interval for lists.
    List(Vec<f64>),
}

/// Numbers are never NaN, and 0 has one sign only.
impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.to_string().hash(state);
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Word(word) => f.write_str(word),
            Value::Number(number) => write!(f, "{}", Plain(*number)),
            Value::List(numbers) => {
                let numbers: Vec<String> = numbers.iter().map(|number| Plain(*number).to_string()).collect();
                write!(f, "[{}]", numbers.join(","))
            }
        }
    }
}

/// A number as short as it can be read back: 0.3, 1e-6, inf.
struct Plain(f64);

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Plain(number) = *self;
        let size = number.abs();
        if size != 0.0 && size.is_finite() && !(1e-3..1e7).contains(&size) {
            write!(f, "{number:e}")
        } else {
            write!(f, "{number}")
        }
    }
}

/// The values of all parameters of one thing, in the order of its table. Two
/// `Arguments` of the same thing are equal if their values are.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    parameters: &'static [Parameter],
    values: Vec<Value>,
}

impl PartialEq for Arguments {
    fn eq(&self, other: &Arguments) -> bool {
        self.values == other.values
    }
}

impl Eq for Arguments {}

impl Hash for Arguments {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.values.hash(state);
    }
}

impl Arguments {
    /// Whether the thing has a parameter of this name.
    pub fn has(&self, name: &str) -> bool {
        self.parameters.iter().any(|parameter| parameter.name == name)
    }

    /// The value of a parameter if it is a number; `None` if it is a word or a list.
    ///
    /// # Panics
    ///
    /// If there is no such parameter.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.value(name) {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The value of a parameter if it is a word; `None` if it is a number or a list.
    ///
    /// # Panics
    ///
    /// If there is no such parameter.
    pub fn word(&self, name: &str) -> Option<&'static str> {
        match self.value(name) {
            Value::Word(word) => Some(word),
            _ => None,
        }
    }

    /// The value of a parameter if it is a list; `None` if it is a word or a number.
    ///
    /// # Panics
    ///
    /// If there is no such parameter.
    pub fn list(&self, name: &str) -> Option<&[f64]> {
        match self.value(name) {
            Value::List(numbers) => Some(numbers),
            _ => None,
        }
    }

    /// The value of a parameter, of any kind.
    ///
    /// # Panics
    ///
    /// If there is no such parameter.
    pub fn value(&self, name: &str) -> &Value {
        match self.iter().find(|(parameter, _)| parameter.name == name) {
            Some((_, value)) => value,
            None => panic!("the table has no parameter {name}"),
        }
    }

    /// Changes the value of one parameter. Errors name `owner` as the thing that the
    /// parameter belongs to.
    pub fn set(&mut self, owner: &str, parameter: &str, value: Value) -> Result<(), CallError> {
        let index = index_of(self.parameters, owner, parameter)?;
        let Parameter { name, values, .. } = &self.parameters[index];
        if !values.contains(&value) {
            return Err(unacceptable(owner, name, &value.to_string(), values));
        }
        // Adding 0 makes 0 of −0 and changes nothing else.
        self.values[index] = match value {
            Value::Number(number) => Value::Number(number + 0.0),
            Value::List(numbers) => Value::List(numbers.into_iter().map(|number| number + 0.0).collect()),
            Value::Word(word) => Value::Word(word),
        };
        Ok(())
    }

    /// Whether a parameter has its default value. `false` if there is no such
    /// parameter.
    pub fn is_default(&self, name: &str) -> bool {
        let found = self.iter().find(|(parameter, _)| parameter.name == name);
        found.is_some_and(|(parameter, value)| parameter.is_default(value))
    }

    /// The parameters with their values, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Parameter, &Value)> {
        self.parameters.iter().zip(&self.values)
    }
}

/// Prints the values that differ from their defaults: `(lambda=0.7)`, or nothing if
/// none does.
impl fmt::Display for Arguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set: Vec<String> = (self.iter())
            .filter(|(parameter, value)| !parameter.is_default(value))
            .map(|(parameter, value)| format!("{}={value}", parameter.name))
            .collect();
        if set.is_empty() { Ok(()) } else { write!(f, "({})", set.join(",")) }
    }
}

/// A name and the options in brackets after it, as text: `sh(lambda=0.7)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The name, in lower case.
    pub name: String,
    /// Names and values, in lower case and without blanks around them.
    pub arguments: Vec<(String, String)>,
}

/// The text is not a name with options, or an option is not allowed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CallError {
    /// Brackets or commas are in the wrong place.
    #[error("'{text}' is not understood: {reason}")]
    Form {
        /// The text as given.
        text: String,
        /// What is wrong.
        reason: &'static str,
    },
    /// The name has no such parameter.
    #[error("{name} has no option '{word}': {allowed}")]
    UnknownParameter {
        /// The name before the brackets.
        name: String,
        /// The parameter as given.
        word: String,
        /// The parameters that may have been meant, or all of them.
        allowed: String,
    },
    /// A required parameter is missing.
    #[error("{name} needs {parameter}, {meaning}: {allowed}, as in {name}({parameter}=…)")]
    Missing {
        /// The name before the brackets.
        name: String,
        /// The parameter's name.
        parameter: &'static str,
        /// What the parameter does.
        meaning: &'static str,
        /// A description of the allowed values.
        allowed: String,
    },
    /// The parameter does not allow this value.
    #[error("'{word}' is not a value of {name}'s option {parameter}: it is {allowed}")]
    Value {
        /// The name before the brackets.
        name: String,
        /// The parameter's name.
        parameter: &'static str,
        /// The value as given.
        word: String,
        /// A description of the allowed values.
        allowed: String,
    },
    /// The parameter is given more than once.
    #[error("{name}'s option {parameter} is given twice")]
    Twice {
        /// The name before the brackets.
        name: String,
        /// The parameter's name.
        parameter: &'static str,
    },
}

impl Call {
    /// Splits the text into the name and its options, without checking them.
    ///
    /// ```
    /// use tesuji_core::spec::Call;
    /// let call = Call::parse("SH( lambda = [0.3, 0.7], w=1 )").unwrap();
    /// assert_eq!(call.name, "sh");
    /// assert_eq!(call.arguments[0], ("lambda".to_owned(), "[0.3, 0.7]".to_owned()));
    /// ```
    pub fn parse(text: &str) -> Result<Call, CallError> {
        let form = |reason| CallError::Form { text: shortened(text), reason };
        let lower = text.trim().to_lowercase();
        let Some((name, rest)) = lower.split_once('(') else {
            return Ok(Call { name: lower, arguments: Vec::new() });
        };
        let inner = rest.strip_suffix(')').ok_or_else(|| form("the bracket is not closed at the end"))?;
        let mut arguments = Vec::new();
        if !inner.trim().is_empty() {
            let pieces = split_outside_brackets(inner, ',').ok_or_else(|| form("brackets do not match"))?;
            for argument in pieces {
                let (key, value) = argument
                    .split_once('=')
                    .ok_or_else(|| form("options are written name=value, with commas between them"))?;
                arguments.push((key.trim().to_owned(), value.trim().to_owned()));
            }
        }
        Ok(Call { name: name.trim().to_owned(), arguments })
    }

    /// Returns the value of each parameter, from the text or by default.
    pub fn resolve(&self, parameters: &'static [Parameter]) -> Result<Arguments, CallError> {
        let name = || self.name.clone();
        let mut values: Vec<Option<Value>> = vec![None; parameters.len()];
        for (word, text) in &self.arguments {
            let index = index_of(parameters, &self.name, word)?;
            let parameter = &parameters[index];
            let value = (parameter.values.parse(text))
                .ok_or_else(|| unacceptable(&self.name, parameter.name, text, &parameter.values))?;
            if values[index].replace(value).is_some() {
                return Err(CallError::Twice { name: name(), parameter: parameter.name });
            }
        }
        let given = |(value, parameter): (Option<Value>, &'static Parameter)| {
            let default = || parameter.default.and_then(|text| parameter.values.parse(text));
            value.or_else(default).ok_or_else(|| CallError::Missing {
                name: name(),
                parameter: parameter.name,
                meaning: parameter.meaning,
                allowed: parameter.values.to_string(),
            })
        };
        let values = values.into_iter().zip(parameters).map(given).collect::<Result<_, _>>()?;
        Ok(Arguments { parameters, values })
    }
}

fn index_of(parameters: &[Parameter], owner: &str, name: &str) -> Result<usize, CallError> {
    let index = parameters.iter().position(|parameter| parameter.name == name);
    index.ok_or_else(|| CallError::UnknownParameter {
        name: owner.to_owned(),
        word: shortened(name),
        allowed: suggestion(name, parameters.iter().map(|parameter| parameter.name), || in_words(parameters)),
    })
}

fn unacceptable(owner: &str, parameter: &'static str, value: &str, values: &Values) -> CallError {
    CallError::Value {
        name: owner.to_owned(),
        parameter,
        word: shortened(value),
        allowed: values.to_string(),
    }
}

/// Splits `head(inner)` at its first bracket. `inner` is `None` if the text does not end with
/// the closing bracket; the result is `None` if there is no bracket.
///
/// ```
/// use tesuji_core::spec::bracketed;
/// assert_eq!(bracketed(" misere (go:9) "), Some(("misere", Some("go:9"))));
/// assert_eq!(bracketed("misere(go:9"), Some(("misere", None)));
/// assert_eq!(bracketed("go:9"), None);
/// ```
pub fn bracketed(text: &str) -> Option<(&str, Option<&str>)> {
    let (head, rest) = text.split_once('(')?;
    Some((head.trim(), rest.trim_end().strip_suffix(')')))
}

fn in_words(parameters: &[Parameter]) -> String {
    match parameters {
        [] => "it has none".to_owned(),
        [only] => format!("its only option is {}", only.name),
        several => {
            let names: Vec<&str> = several.iter().map(|parameter| parameter.name).collect();
            format!("its options are {}", names.join(", "))
        }
    }
}

/// Splits a text at the separators outside of brackets and double quotes; `None` if brackets or
/// quotes do not match. Between quotes brackets mean nothing.
///
/// ```
/// use tesuji_core::spec::split_outside_brackets;
/// assert_eq!(split_outside_brackets("sh(w=1,least=1),64", ','), Some(vec!["sh(w=1,least=1)", "64"]));
/// assert_eq!(split_outside_brackets("\"a,(b\",64", ','), Some(vec!["\"a,(b\"", "64"]));
/// assert_eq!(split_outside_brackets("sh(w=1", ','), None);
/// ```
pub fn split_outside_brackets(text: &str, separator: char) -> Option<Vec<&str>> {
    let mut pieces = Vec::new();
    let (mut depth, mut start, mut is_quoted) = (0_usize, 0, false);
    for (at, character) in text.char_indices() {
        match character {
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.checked_sub(1)?,
            _ if character == separator && depth == 0 => {
                pieces.push(&text[start..at]);
                start = at + separator.len_utf8();
            }
            _ => {}
        }
    }
    pieces.push(&text[start..]);
    (depth == 0 && !is_quoted).then_some(pieces)
}

#[cfg(test)]
mod tests;

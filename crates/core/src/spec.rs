//! Names with parameters, as text: `sh(lambda=0.7)`, `shuss(t=inf,lambda=[0.3,0.7])`.
//!
//! ```text
//! call      = name ["(" [argument {"," argument}] ")"]
//! argument  = word "=" value
//! value     = word | number | "[" number {"," number} "]"
//! ```
//!
//! Upper and lower case are the same, blanks mean nothing. What a thing's
//! parameters are is said in a table of [`Parameter`]s; [`Call::resolve`] gives
//! each its value, or a sentence that names the wrong word and what is allowed.

use std::fmt;
use std::hash::{Hash, Hasher};

use thiserror::Error;

use crate::shortened;

/// A parameter of something that has a name.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// The name in specs.
    pub name: &'static str,
    /// What it does, in a few words.
    pub meaning: &'static str,
    /// The value without the parameter; nothing where it must be given.
    pub default: Option<&'static str>,
    /// What it can be.
    pub values: Values,
}

impl Parameter {
    fn is_default(&self, value: &Value) -> bool {
        self.default.is_some_and(|text| self.values.parse(text).as_ref() == Some(value))
    }
}

/// The values a parameter can have.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Values {
    /// These words.
    pub words: &'static [&'static str],
    /// A number of this interval.
    pub number: Option<Interval>,
    /// A list of numbers of this interval.
    pub list: Option<Interval>,
}

/// An interval of numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The lower end.
    pub least: f64,
    /// The upper end; infinity, as "inf", is within where it is the end and not open.
    pub most: f64,
    /// Whether the ends are left out, the lower and the upper.
    pub open: (bool, bool),
    /// Only multiples of this are meant: 1 for whole numbers. 0 for all numbers.
    pub step: f64,
}

impl Interval {
    /// Numbers above 0.
    pub const POSITIVE: Interval = Interval { open: (true, true), ..Interval::NOT_NEGATIVE };
    /// Numbers from 0.
    pub const NOT_NEGATIVE: Interval =
        Interval { least: 0.0, most: f64::INFINITY, open: (false, true), step: 0.0 };
    /// Numbers from 0, and infinity.
    pub const UP_TO_INFINITY: Interval = Interval { open: (false, false), ..Interval::NOT_NEGATIVE };
    /// Whole numbers from 1 to a thousand million.
    pub const COUNT: Interval = Interval { least: 1.0, most: 1e9, open: (false, false), step: 1.0 };
    /// Numbers from 0 to 1.
    pub const UNIT: Interval = Interval { least: 0.0, most: 1.0, open: (false, false), step: 0.0 };
    /// Numbers between 0 and 1.
    pub const FRACTION: Interval = Interval { open: (true, true), ..Interval::UNIT };

    /// Whether a number is within.
    pub fn contains(&self, number: f64) -> bool {
        let above = if self.open.0 { number > self.least } else { number >= self.least };
        let below = if self.open.1 { number < self.most } else { number <= self.most };
        // Doubles hold whole numbers up to 2⁵³ exactly.
        let is_multiple = (number / self.step).fract() == 0.0 && number.abs() <= (1_u64 << 53) as f64;
        above && below && (self.step == 0.0 || is_multiple)
    }

    fn parse(&self, text: &str) -> Option<f64> {
        // `parse` would take a plus sign, "nan" and "infinity".
        let digits = text.strip_prefix('-').unwrap_or(text);
        let plain = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') || digits == "inf";
        let number = text.parse::<f64>().ok().filter(|_| plain)?;
        // "1e999" is no way to write infinity, and "-0" none to write 0.
        let number = if number == 0.0 { 0.0 } else { number };
        (self.contains(number) && number.is_finite() == (digits != "inf")).then_some(number)
    }
}

/// What is allowed, in words: "a number above 0 and below 1".
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.step == 1.0 { "a whole number " } else { "a number " })?;
        let lower = if self.open.0 { "above" } else { "from" };
        write!(f, "{lower} {}", self.least)?;
        match (self.most == f64::INFINITY, self.open.1) {
            (true, true) => {}
            (true, false) => f.write_str(" to inf")?,
            (false, true) => write!(f, " and below {}", self.most)?,
            (false, false) => write!(f, " to {}", self.most)?,
        }
        let is_common = self.step == 0.0 || self.step == 1.0;
        if is_common { Ok(()) } else { write!(f, " in steps of {}", self.step) }
    }
}

impl Values {
    /// One of these words.
    pub const fn words(words: &'static [&'static str]) -> Values {
        Values { words, number: None, list: None }
    }

    /// A whole number within these bounds, ends included.
    pub const fn whole(least: u32, most: u32) -> Values {
        Values::number(Interval { least: least as f64, most: most as f64, open: (false, false), step: 1.0 })
    }

    /// A number.
    pub const fn number(interval: Interval) -> Values {
        Values { words: &[], number: Some(interval), list: None }
    }

    /// Reads a value; nothing where the text is none that is allowed.
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

/// What is allowed, in words.
impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut kinds: Vec<String> = self.words.iter().map(|word| (*word).to_owned()).collect();
        kinds.extend(self.number.map(|interval| interval.to_string()));
        kinds.extend(self.list.map(|interval| format!("a list [a,b,…], each {interval}")));
        f.write_str(&kinds.join(" or "))
    }
}

/// A value that a parameter has.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// One of the parameter's words.
    Word(&'static str),
    /// A number of its interval.
    Number(f64),
    /// Numbers of its interval for lists.
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

/// Values for the parameters of one thing, in the order of its table. Two of
/// the same thing are equal where their values are.
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
    /// Whether there is such a parameter.
    pub fn has(&self, name: &str) -> bool {
        self.parameters.iter().any(|parameter| parameter.name == name)
    }

    /// The number that a parameter is; nothing where it is a word or a list.
    /// This and its kin panic where there is no such parameter.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.value(name) {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The word that a parameter is.
    pub fn word(&self, name: &str) -> Option<&'static str> {
        match self.value(name) {
            Value::Word(word) => Some(word),
            _ => None,
        }
    }

    /// The list that a parameter is.
    pub fn list(&self, name: &str) -> Option<&[f64]> {
        match self.value(name) {
            Value::List(numbers) => Some(numbers),
            _ => None,
        }
    }

    /// The value that a parameter has, whatever its kind.
    pub fn value(&self, name: &str) -> &Value {
        let found = self.iter().find(|(parameter, _)| parameter.name == name);
        found.unwrap_or_else(|| panic!("the table has no parameter {name}")).1
    }

    /// Changes the value of one parameter of `owner`, whose name stands in the errors.
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

    /// Whether a parameter has the value that it has without being given.
    /// `false` if there is no such parameter.
    pub fn is_default(&self, name: &str) -> bool {
        let found = self.iter().find(|(parameter, _)| parameter.name == name);
        found.is_some_and(|(parameter, value)| parameter.is_default(value))
    }

    /// The parameters with their values, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Parameter, &Value)> {
        self.parameters.iter().zip(&self.values)
    }
}

/// Only what differs from its default: `(lambda=0.7)`, or nothing.
impl fmt::Display for Arguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set: Vec<String> = (self.iter())
            .filter(|(parameter, value)| !parameter.is_default(value))
            .map(|(parameter, value)| format!("{}={value}", parameter.name))
            .collect();
        if set.is_empty() { Ok(()) } else { write!(f, "({})", set.join(",")) }
    }
}

/// A name with what is said in brackets after it, not yet understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The name, in lower case.
    pub name: String,
    /// Names and values, in lower case and without blanks around them.
    pub arguments: Vec<(String, String)>,
}

/// The text is no name with parameters, or they are not what the name allows.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CallError {
    /// Brackets or commas are not where they belong.
    #[error("'{text}' is not understood: {reason}")]
    Form {
        /// The text as given.
        text: String,
        /// What is wrong.
        reason: &'static str,
    },
    /// There is no such parameter.
    #[error("{name} has no option '{word}': {allowed}")]
    UnknownParameter {
        /// Whose parameter.
        name: String,
        /// The parameter as given.
        word: String,
        /// The parameters there are.
        allowed: String,
    },
    /// A parameter without a default is not given.
    #[error("{name} needs {parameter}, {meaning}: {allowed}, as in {name}({parameter}=…)")]
    Missing {
        /// Whose parameter.
        name: String,
        /// Its name.
        parameter: &'static str,
        /// What it is.
        meaning: &'static str,
        /// What it can be.
        allowed: String,
    },
    /// The parameter cannot have this value.
    #[error("'{word}' is not a value of {name}'s option {parameter}: it is {allowed}")]
    Value {
        /// Whose parameter.
        name: String,
        /// The parameter's name.
        parameter: &'static str,
        /// The value as given.
        word: String,
        /// The values there are.
        allowed: String,
    },
    /// The parameter is given more than once.
    #[error("{name}'s option {parameter} is given twice")]
    Twice {
        /// Whose parameter.
        name: String,
        /// The parameter's name.
        parameter: &'static str,
    },
}

impl Call {
    /// Takes the text apart.
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

    /// Gives each of the parameters its value, from the text or by default.
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
        allowed: in_words(parameters),
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

/// Splits at the separators that no bracket holds; nothing where brackets do not match.
///
/// ```
/// use tesuji_core::spec::split_outside_brackets;
/// assert_eq!(split_outside_brackets("sh(w=1,least=1),64", ','), Some(vec!["sh(w=1,least=1)", "64"]));
/// assert_eq!(split_outside_brackets("sh(w=1", ','), None);
/// ```
pub fn split_outside_brackets(text: &str, separator: char) -> Option<Vec<&str>> {
    let mut pieces = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, character) in text.char_indices() {
        match character {
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
    (depth == 0).then_some(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMETERS: &[Parameter] = &[
        Parameter {
            name: "lambda",
            meaning: "the share kept",
            default: Some("0.5"),
            values: Values { words: &[], number: Some(Interval::FRACTION), list: Some(Interval::FRACTION) },
        },
        Parameter {
            name: "t",
            meaning: "the weight of the score",
            default: None,
            values: Values { words: &["adaptive"], number: Some(Interval::UP_TO_INFINITY), list: None },
        },
    ];

    fn printed(text: &str) -> Result<String, String> {
        let call = Call::parse(text).map_err(|error| error.to_string())?;
        let arguments = call.resolve(PARAMETERS).map_err(|error| error.to_string())?;
        Ok(format!("{}{arguments}", call.name))
    }

    #[test]
    fn what_is_printed_is_canonical() {
        assert_eq!(printed("X(t=0512.0)").as_deref(), Ok("x(t=512)"));
        assert_eq!(printed("x( T = inf , lambda=.5)").as_deref(), Ok("x(t=inf)"));
        assert_eq!(printed("x(t=inf,lambda=0.50)").as_deref(), Ok("x(t=inf)"));
        assert_eq!(
            printed("x(lambda=[0.3, 0.7],t=adaptive)").as_deref(),
            Ok("x(lambda=[0.3,0.7],t=adaptive)")
        );
        assert_eq!(printed("x(t=0.000001)").as_deref(), Ok("x(t=1e-6)"));
        assert_eq!(printed("x(t=-0)").as_deref(), Ok("x(t=0)"));
    }

    #[test]
    fn values_are_set_without_text() {
        let mut arguments = Call::parse("x(t=512)").unwrap().resolve(PARAMETERS).unwrap();
        assert!(arguments.is_default("lambda") && !arguments.is_default("t") && !arguments.is_default("u"));
        for (name, value) in [("t", Value::Word("adaptive")), ("lambda", Value::List(vec![0.3, 0.7]))] {
            assert_eq!(arguments.set("x", name, value), Ok(()));
        }
        assert_eq!(arguments.to_string(), "(lambda=[0.3,0.7],t=adaptive)");
        let mut zero = arguments.clone();
        assert_eq!(zero.set("x", "t", Value::Number(-0.0)), Ok(()));
        assert_eq!(zero.to_string(), "(lambda=[0.3,0.7],t=0)");
        let mut refusal = |name, value| arguments.set("x", name, value).unwrap_err().to_string();
        assert_eq!(refusal("u", Value::Number(1.0)), "x has no option 'u': its options are lambda, t");
        assert_eq!(
            refusal("t", Value::Number(-1.0)),
            "'-1' is not a value of x's option t: it is adaptive or a number from 0 to inf"
        );
        for (name, value) in [
            ("t", Value::Word("off")),
            ("t", Value::Number(f64::NAN)),
            ("t", Value::List(vec![1.0])),
            ("lambda", Value::List(vec![])),
            ("lambda", Value::Number(1.0)),
        ] {
            assert!(!refusal(name, value.clone()).is_empty(), "{name}={value}");
        }
        assert_eq!(arguments.to_string(), "(lambda=[0.3,0.7],t=adaptive)", "a refusal changes nothing");
    }

    #[test]
    fn refusals_are_sentences() {
        let refusal = |text| printed(text).unwrap_err();
        assert_eq!(
            refusal("x"),
            "x needs t, the weight of the score: adaptive or a number from 0 to inf, as in x(t=…)"
        );
        assert_eq!(refusal("x(t=1,u=2)"), "x has no option 'u': its options are lambda, t");
        assert_eq!(refusal("x(t=1,t=2)"), "x's option t is given twice");
        assert_eq!(refusal("x(t=1"), "'x(t=1' is not understood: the bracket is not closed at the end");
        assert_eq!(
            refusal("x(1)"),
            "'x(1)' is not understood: options are written name=value, with commas between them"
        );
        assert_eq!(refusal("x(t=[1)"), "'x(t=[1)' is not understood: brackets do not match");
        for bad in ["nan", "1e999", "+1", "-1", "", "infinity", "-inf", "[1]", "1 2"] {
            assert!(printed(&format!("x(t={bad})")).is_err(), "{bad}");
        }
    }
}

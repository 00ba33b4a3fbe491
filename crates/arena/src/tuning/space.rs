//! Parameters, their ranges, and points: a configuration is a point of the unit cube.
//!
//! Models and designs know only the cube. A [`Range`] maps a coordinate to the text of a value:
//! evenly, evenly in the logarithm, to whole numbers, or to words.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The most values of a range of words.
const MOST_WORDS: usize = 64;

/// The values that a parameter may have.
///
/// ```
/// use tesuji_arena::tuning::Range;
/// let range: Range = "1..10000:log".parse()?;
/// assert_eq!([range.value(0.0), range.value(0.5), range.value(0.9)], ["1", "100", "3980"]);
/// let words: Range = "after|whole|playout".parse()?;
/// assert_eq!(words.value(0.5), "whole");
/// assert_eq!(words.to_string().parse(), Ok(words));
/// # Ok::<(), tesuji_arena::tuning::RangeError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Range {
    /// The numbers from `least` to `most`.
    Numbers {
        /// The lower end.
        least: f64,
        /// The upper end.
        most: f64,
        /// Whether equal ratios are equal distances. If so, both ends are above 0.
        log: bool,
        /// Whether only whole numbers are allowed. If so, both ends are whole.
        int: bool,
    },
    /// Texts that have no order: at least two, all different.
    Words(Vec<String>),
}

/// The text is not a range of values.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RangeError {
    /// It is neither an interval nor a list of words.
    #[error(
        "'{0}' is not a range: write least..most, least..most:log, least..most:int, least..most:log:int, or \
         words such as a|b|c"
    )]
    Form(String),
    /// The ends are not in order, or not finite.
    #[error("'{0}' is not a range: the first number must be less than the second, and both must be finite")]
    Ends(String),
    /// A logarithmic range reaches 0.
    #[error("'{0}' is not a range: the numbers of a logarithmic range are above 0")]
    Log(String),
    /// A range of whole numbers has other ends.
    #[error("'{0}' is not a range: a range of whole numbers has whole ends of at most 15 digits")]
    Int(String),
    /// The words cannot be values.
    #[error(
        "'{0}' is not a range: words differ, are from 2 to 64, and have no comma, bracket, quote or \
         question mark"
    )]
    Words(String),
}

impl Range {
    /// The coordinate of the centre of the value at this coordinate: coordinates with the same value
    /// have the same centre.
    pub fn snap(&self, coordinate: f64) -> f64 {
        match self {
            Range::Words(words) => (self.index(coordinate) as f64 + 0.5) / words.len() as f64,
            Range::Numbers { .. } => self.coordinate(&self.value(coordinate)).unwrap_or(coordinate),
        }
    }

    /// The text of the value at a coordinate. Coordinates below 0 count as 0, those above 1 as 1.
    pub fn value(&self, coordinate: f64) -> String {
        match *self {
            Range::Words(ref words) => words[self.index(coordinate)].clone(),
            Range::Numbers { least, most, log, int } => {
                let unit = if coordinate.is_nan() { 0.5 } else { coordinate.clamp(0.0, 1.0) };
                let number = match log {
                    true => libm::exp(libm::log(least) + unit * (libm::log(most) - libm::log(least))),
                    false => least + unit * (most - least),
                };
                let rounded = if int { number.round() } else { number };
                written(round(rounded, least, most, log, int).clamp(least, most))
            }
        }
    }

    /// The coordinate of a value; `None` if the range does not contain it.
    pub fn coordinate(&self, value: &str) -> Option<f64> {
        match *self {
            Range::Words(ref words) => {
                let index = words.iter().position(|word| word == value)?;
                Some((index as f64 + 0.5) / words.len() as f64)
            }
            Range::Numbers { least, most, log, int } => {
                let number: f64 = value.parse().ok()?;
                if !(least..=most).contains(&number) || int && number.fract() != 0.0 {
                    return None;
                }
                let unit = match log {
                    true => (libm::log(number) - libm::log(least)) / (libm::log(most) - libm::log(least)),
                    false => (number - least) / (most - least),
                };
                Some(unit.clamp(0.0, 1.0))
            }
        }
    }

    /// Whether the values are words, which have no order.
    pub fn is_words(&self) -> bool {
        matches!(self, Range::Words(_))
    }

    /// The number of values; `None` if they are numbers that are not whole.
    pub fn count(&self) -> Option<u64> {
        match self {
            Range::Words(words) => Some(words.len() as u64),
            Range::Numbers { least, most, int: true, .. } => Some((most - least) as u64 + 1),
            Range::Numbers { .. } => None,
        }
    }

    fn index(&self, coordinate: f64) -> usize {
        let Range::Words(words) = self else { return 0 };
        // A coordinate that is no number becomes 0, and one above 1 the last word.
        ((coordinate * words.len() as f64) as usize).min(words.len() - 1)
    }
}

/// Rounds a number of a range such that texts are short and still differ: three digits in
/// logarithmic ranges, and at least 200 steps in others.
fn round(number: f64, least: f64, most: f64, log: bool, int: bool) -> f64 {
    let read = |text: String| text.parse().unwrap_or(number);
    if log {
        let digits = if most / least >= 2.0 { 2 } else { 6 };
        return read(format!("{number:.digits$e}"));
    }
    if int {
        return number;
    }
    let exponent = libm::floor(libm::log10((most - least) / 200.0));
    match exponent < 0.0 {
        true => read(format!("{number:.0$}", (-exponent).min(300.0) as usize)),
        false => number.round(),
    }
}

/// A number as short as it can be read back.
fn written(number: f64) -> String {
    // Adding 0 makes 0 of −0.
    let number = number + 0.0;
    let size = number.abs();
    if size != 0.0 && !(1e-3..1e7).contains(&size) { format!("{number:e}") } else { format!("{number}") }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::Words(words) => f.write_str(&words.join("|")),
            Range::Numbers { least, most, log, int } => {
                write!(f, "{}..{}", written(*least), written(*most))?;
                f.write_str(if *log { ":log" } else { "" })?;
                f.write_str(if *int { ":int" } else { "" })
            }
        }
    }
}

impl FromStr for Range {
    type Err = RangeError;

    fn from_str(text: &str) -> Result<Range, RangeError> {
        let text = text.trim();
        let wrong = |error: fn(String) -> RangeError| error(text.to_owned());
        if text.contains('|') {
            let words: Vec<String> = text.split('|').map(|word| word.trim().to_owned()).collect();
            let is_word = |word: &String| {
                !word.is_empty() && !word.contains([',', '(', ')', '"', '?', '=', '@']) && word != ".."
            };
            let differ = (1..words.len()).all(|at| !words[..at].contains(&words[at]));
            return match words.iter().all(is_word) && differ && words.len() <= MOST_WORDS {
                true => Ok(Range::Words(words)),
                false => Err(wrong(RangeError::Words)),
            };
        }
        let mut pieces = text.split(':').map(str::trim);
        let ends = pieces.next().and_then(|ends| ends.split_once(".."));
        let number = |text: &str| text.trim().parse::<f64>().ok().map(|number| number + 0.0);
        let ends = ends.and_then(|(least, most)| Some((number(least)?, number(most)?)));
        let (least, most) = ends.ok_or_else(|| wrong(RangeError::Form))?;
        let (mut log, mut int) = (false, false);
        for piece in pieces {
            let flag = match piece {
                "log" => &mut log,
                "int" => &mut int,
                _ => return Err(wrong(RangeError::Form)),
            };
            if std::mem::replace(flag, true) {
                return Err(wrong(RangeError::Form));
            }
        }
        if !(least.is_finite() && most.is_finite() && least < most && (most - least).is_finite()) {
            return Err(wrong(RangeError::Ends));
        }
        if log && least <= 0.0 {
            return Err(wrong(RangeError::Log));
        }
        let is_whole = |number: f64| number.fract() == 0.0 && number.abs() < 1e15;
        if int && !(is_whole(least) && is_whole(most)) {
            return Err(wrong(RangeError::Int));
        }
        Ok(Range::Numbers { least, most, log, int })
    }
}

/// A parameter to tune.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// The name, which no other parameter of the space has.
    pub name: String,
    /// The values that it may have.
    pub range: Range,
}

/// A configuration: a coordinate in [0, 1] for each parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Point(pub Vec<f64>);

/// The parameters to tune, with their ranges.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Space {
    /// The parameters, in the order of the coordinates of a point.
    pub parameters: Vec<Parameter>,
}

impl Space {
    /// The number of parameters.
    pub fn dimensions(&self) -> usize {
        self.parameters.len()
    }

    /// The values of all parameters at a point.
    pub fn values(&self, point: &Point) -> Vec<String> {
        self.ranges().zip(&point.0).map(|(range, &coordinate)| range.value(coordinate)).collect()
    }

    /// The point at the centre of the values of `point`: two points with the same values become the
    /// same point.
    pub fn snap(&self, point: &Point) -> Point {
        Point(self.ranges().zip(&point.0).map(|(range, &coordinate)| range.snap(coordinate)).collect())
    }

    /// The point with these values; `None` if a range does not contain its value.
    pub fn point(&self, values: &[&str]) -> Option<Point> {
        let coordinates = self.ranges().zip(values).map(|(range, value)| range.coordinate(value));
        let point = coordinates.collect::<Option<Vec<f64>>>().map(Point)?;
        (point.0.len() == self.dimensions()).then(|| self.snap(&point))
    }

    /// The number of different points; `None` if a parameter is continuous.
    pub fn count(&self) -> Option<u64> {
        self.ranges().try_fold(1_u64, |product, range| Some(product.saturating_mul(range.count()?)))
    }

    fn ranges(&self) -> impl Iterator<Item = &Range> {
        self.parameters.iter().map(|parameter| &parameter.range)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn range(text: &str) -> Range {
        text.parse().unwrap()
    }

    fn ranges() -> impl Strategy<Value = Range> {
        let numbers =
            (-1000_i32..1000, 1_i32..2000, 0_u8..4, 0.01_f64..1e4).prop_map(|(a, width, kind, scale)| {
                match kind {
                    0 => range(&format!(
                        "{}..{}",
                        f64::from(a) * scale,
                        (f64::from(a) + f64::from(width)) * scale
                    )),
                    1 => range(&format!("{a}..{}:int", a + width)),
                    2 => range(&format!("{scale}..{}:log", scale * (1.0 + f64::from(width)))),
                    _ => range(&format!("{}..{}:log:int", a.abs() + 1, a.abs() + 1 + width)),
                }
            });
        let words = (2_usize..9).prop_map(|n| Range::Words((0..n).map(|k| format!("w{k}")).collect()));
        prop_oneof![numbers, words]
    }

    proptest! {
        #[test]
        fn ranges_are_read_back_and_snapping_twice_is_snapping_once(range in ranges(), coordinate in -0.1_f64..1.1) {
            prop_assert_eq!(range.to_string().parse(), Ok(range.clone()));
            let value = range.value(coordinate);
            let snapped = range.snap(coordinate);
            prop_assert!((0.0..=1.0).contains(&snapped));
            prop_assert_eq!(range.value(snapped), value.clone());
            prop_assert_eq!(range.snap(snapped), snapped);
            prop_assert_eq!(range.coordinate(&value), Some(snapped));
            // Rounding moves a number a little: whole numbers by half a step of theirs.
            let step = range.count().map_or(0.01, |count| 1.0 / (count - 1).max(1) as f64 + 0.01);
            let is_log_int = matches!(range, Range::Numbers { log: true, int: true, .. });
            prop_assert!(is_log_int || (snapped - coordinate.clamp(0.0, 1.0)).abs() <= step);
        }
    }

    #[test]
    fn values_are_readable() {
        let values = |text: &str, at: [f64; 3]| at.map(|coordinate| range(text).value(coordinate)).join(" ");
        assert_eq!(values("0..1", [0.0, 0.123456, 1.0]), "0 0.123 1");
        assert_eq!(values("1e-9..0.1:log", [0.0, 0.5, 1.0]), "1e-9 1e-5 0.1");
        assert_eq!(values("4..64:int", [0.0, 0.51, 1.0]), "4 35 64");
        assert_eq!(values("1..256:log:int", [0.0, 0.5, 0.99]), "1 16 242");
        assert_eq!(values("1000..1010", [0.0, 0.4567, 1.0]), "1000 1004.57 1010");
        assert_eq!(values("on|off", [0.0, 0.49, 0.5]), "on on off");
        assert_eq!(values("-1e6..1e6", [0.0, 0.50001, f64::NAN]), "-1000000 20 0");
    }

    #[test]
    fn what_is_no_range_is_explained() {
        for (text, reason) in [
            ("", "'' is not a range: write least..most"),
            ("1", "'1' is not a range: write least..most"),
            ("1..x", "write least..most"),
            ("1..2:lin", "write least..most"),
            ("1..2:log:log", "write least..most"),
            ("2..1", "the first number must be less"),
            ("1..inf", "both must be finite"),
            ("nan..1", "both must be finite"),
            ("-1e308..1.7e308", "both must be finite"),
            ("0..1:log", "above 0"),
            ("0.5..2:int", "whole ends"),
            ("a|a", "words differ"),
            ("a|", "words differ"),
            ("a|b(", "words differ"),
        ] {
            let error = text.parse::<Range>().unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn a_space_has_points_and_values() {
        let parameter = |name: &str, text: &str| Parameter { name: name.to_owned(), range: range(text) };
        let space = Space { parameters: vec![parameter("a", "1..5:int"), parameter("b", "x|y")] };
        assert_eq!((space.dimensions(), space.count()), (2, Some(10)));
        let point = space.point(&["3", "y"]).unwrap();
        assert_eq!(point, Point(vec![0.5, 0.75]));
        assert_eq!(space.values(&point), ["3", "y"]);
        assert_eq!(space.point(&["6", "y"]), None);
        assert_eq!(space.point(&["3"]), None);
    }
}

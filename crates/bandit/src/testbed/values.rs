//! The values of a setting's arms: read or computed once, or drawn again in every
//! run.

use std::path::Path;

use rand_distr::{Distribution, StandardNormal};
use tesuji_core::{Rng, file_problem, shortened};

use super::arms_spec::{ArmsError, ArmsSpec, MOST_ARMS, ValueRule, parse_value};

/// The values of a setting's arms, ready for runs: its file is read, its rule is
/// computed.
#[derive(Clone, PartialEq, Debug)]
pub struct ArmValues(Source);

#[derive(Clone, PartialEq, Debug)]
enum Source {
    Fixed(Vec<f64>),
    Drawn(Draw, usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Draw {
    Normal,
    Wide,
    Clipped,
    Uniform,
    Twelfths,
}

impl ArmsSpec {
    /// Computes the values, or reads them if they are in a file. Only reading can fail.
    pub fn load(&self) -> Result<ArmValues, ArmsError> {
        Ok(ArmValues(match self {
            &ArmsSpec::Rule(rule, n_arms) => rule_source(rule, n_arms),
            ArmsSpec::Values(values) => Source::Fixed(values.clone()),
            ArmsSpec::File(path) => Source::Fixed(read_file(path)?),
        }))
    }
}

impl ArmValues {
    /// The number of arms, at least 1.
    pub(super) fn n_arms(&self) -> usize {
        match &self.0 {
            Source::Fixed(values) => values.len(),
            Source::Drawn(_, n_arms) => *n_arms,
        }
    }

    /// Whether the values are the same in every run.
    pub(super) fn are_fixed(&self) -> bool {
        matches!(self.0, Source::Fixed(_))
    }

    /// Replaces `values` with those of a new run. The random numbers are drawn arm by
    /// arm, so that settings of 20 and of 80 arms have the first 20 in common.
    pub fn draw(&self, rng: &mut Rng, values: &mut Vec<f64>) {
        values.clear();
        match &self.0 {
            Source::Fixed(fixed) => values.extend_from_slice(fixed),
            Source::Drawn(draw, n_arms) => values.extend((0..*n_arms).map(|_| draw.value(rng))),
        }
    }
}

impl Draw {
    fn value(self, rng: &mut Rng) -> f64 {
        let mut normal = |mean: f64, deviation: f64| {
            let standard: f64 = StandardNormal.sample(rng);
            mean + deviation * standard
        };
        // libm's exponential has the same bits on all machines.
        let sigmoid = |x: f64| 1.0 / (1.0 + libm::exp(-x));
        match self {
            Draw::Normal => sigmoid(normal(0.5, 0.1)),
            Draw::Wide => sigmoid(normal(0.0, 0.4)),
            Draw::Clipped => normal(0.5, 0.1).clamp(0.0, 1.0),
            Draw::Uniform => rng.unit(),
            Draw::Twelfths => (12.0 * rng.unit()).round() / 12.0,
        }
    }
}

fn rule_source(rule: ValueRule, n_arms: usize) -> Source {
    const BEST: f64 = 0.5;
    // The best arm comes first, and `value` gives the others for i = 2, …, n.
    let fixed = |value: &dyn Fn(f64) -> f64| {
        Source::Fixed((1..=n_arms).map(|i| if i == 1 { BEST } else { value(i as f64) }).collect())
    };
    let n = n_arms as f64;
    match rule {
        ValueRule::OneGood => fixed(&|_| 0.4),
        ValueRule::Arithmetic => fixed(&|i| BEST - 0.25 * (i - 1.0) / (n - 1.0)),
        ValueRule::SquareRoot => fixed(&|i| BEST - 0.25 * (i / n).sqrt()),
        ValueRule::Normal => Source::Drawn(Draw::Normal, n_arms),
        ValueRule::Wide => Source::Drawn(Draw::Wide, n_arms),
        ValueRule::Clipped => Source::Drawn(Draw::Clipped, n_arms),
        ValueRule::Uniform => Source::Drawn(Draw::Uniform, n_arms),
        ValueRule::Twelfths => Source::Drawn(Draw::Twelfths, n_arms),
    }
}

fn read_file(path: &str) -> Result<Vec<f64>, ArmsError> {
    let text = std::fs::read_to_string(Path::new(path))
        .map_err(|error| ArmsError::Unreadable { path: path.to_owned(), reason: file_problem(&error) })?;
    parse_file(path, &text)
}

/// Values on lines, or with commas or blanks between them; `#` starts a comment.
fn parse_file(path: &str, text: &str) -> Result<Vec<f64>, ArmsError> {
    let mut values = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let data = line.split_once('#').map_or(line, |(data, _)| data);
        for word in data.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty()) {
            values.push(parse_value(word).ok_or_else(|| ArmsError::Line {
                path: path.to_owned(),
                line: index + 1,
                word: shortened(word),
            })?);
        }
    }
    if values.is_empty() || values.len() > MOST_ARMS {
        return Err(ArmsError::Amount { path: path.to_owned(), n_values: values.len() });
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::Seed;

    fn drawn(text: &str, run: u64) -> Vec<f64> {
        let values = text.parse::<ArmsSpec>().unwrap().load().unwrap();
        let mut drawn = Vec::new();
        values.draw(&mut Seed::new(1).child(run).rng(), &mut drawn);
        assert_eq!(drawn.len(), values.n_arms());
        drawn
    }

    #[test]
    fn the_settings_of_the_papers() {
        assert_eq!(drawn("1:4", 0), [0.5, 0.4, 0.4, 0.4]);
        assert_eq!(drawn("A:6", 0), [0.5, 0.45, 0.4, 0.35, 0.3, 0.25]);
        assert_eq!(drawn("S:4", 0), [0.5, 0.5 - 0.25 * 0.5_f64.sqrt(), 0.5 - 0.25 * 0.75_f64.sqrt(), 0.25]);
        // The gap of arm 2 of 80 is 0.25·√(2/80).
        assert!((drawn("S:80", 0)[1] - 0.460_471_529).abs() < 1e-9);
        for one in ["1:1", "A:1", "S:1"] {
            assert_eq!(drawn(one, 0), [0.5]);
        }
        assert_eq!(drawn("[0.1,1,0]", 0), [0.1, 1.0, 0.0]);
    }

    #[test]
    fn random_settings_are_stable_and_differ_between_runs() {
        // Published results depend on these values: they never change.
        assert_eq!(drawn("N:3", 0), GOLDEN_NORMAL);
        assert_eq!(drawn("wide:3", 0), GOLDEN_WIDE);
        assert_eq!(drawn("clipped:3", 0), GOLDEN_CLIPPED);
        assert_eq!(drawn("uniform:3", 0), GOLDEN_UNIFORM);
        assert_eq!(drawn("twelfths:3", 0), GOLDEN_TWELFTHS.map(|twelfths| twelfths / 12.0));
        for setting in ["N:3", "wide:3", "clipped:3", "uniform:3"] {
            assert_ne!(drawn(setting, 0), drawn(setting, 1));
            assert_eq!(drawn(setting, 7), drawn(&setting.replace('3', "50"), 7)[..3]);
        }
    }

    const GOLDEN_NORMAL: [f64; 3] = [0.6099461252242551, 0.5937761062738419, 0.6312274536629122];
    const GOLDEN_WIDE: [f64; 3] = [0.44728242354852665, 0.3818723524818923, 0.5374161371566515];
    const GOLDEN_CLIPPED: [f64; 3] = [0.4470857639286707, 0.3795978528615408, 0.5374862145881114];
    const GOLDEN_UNIFORM: [f64; 3] = [0.2887925426759459, 0.08421503774354677, 0.5976428624285843];
    const GOLDEN_TWELFTHS: [f64; 3] = [3.0, 1.0, 7.0];

    #[test]
    fn random_settings_have_the_moments_they_should() {
        // The mean of 40,000 numbers of standard deviation `sd`: five errors are `sd / 40`.
        let mean = |setting: &str| drawn(&format!("{setting}:40000"), 0).iter().sum::<f64>() / 40_000.0;
        assert!((mean("clipped") - 0.5).abs() < 0.1 / 40.0);
        assert!((mean("uniform") - 0.5).abs() < 0.289 / 40.0);
        assert!((mean("twelfths") - 0.5).abs() < 0.292 / 40.0);
        // The sigmoid of 0.5 is 0.62246 and its slope 0.235; half its second
        // derivative times the variance takes off 0.00029.
        assert!((mean("N") - 0.62217).abs() < 0.0235 / 40.0);
        // The sigmoid is symmetric about 0, where it is 1/2 with a slope of 1/4.
        assert!((mean("wide") - 0.5).abs() < 0.1 / 40.0);
        let wide = drawn("wide:40000", 0);
        let variance = wide.iter().map(|value| (value - 0.5) * (value - 0.5)).sum::<f64>() / 40_000.0;
        // σ(x)(1 − σ(x)) = 1/4 − x²/16 + …, so the variance is sd²/16·(1 − sd²/2 + …) = 0.0093
        // for sd = 0.4, and the squares of nearly normal numbers have a deviation of √2 times it:
        // 5 · √2 · 0.0093 / 200 = 0.00033. The next term of the series is below 0.0002.
        assert!((variance - 0.0093).abs() < 0.000_53, "{variance}");
        // The values 0 and 1 get half of what the other twelfths get.
        let zeros = drawn("twelfths:40000", 0).iter().filter(|&&value| value == 0.0).count() as f64;
        assert!((zeros - 40_000.0 / 24.0).abs() < 5.0 * 40.0, "{zeros}");
    }

    #[test]
    fn files_are_lists_with_comments() {
        let parse = |text| parse_file("values.txt", text).map_err(|error| error.to_string());
        assert_eq!(
            parse("# two arms\n0.5\n\n 0.4, 1 # and more\r\n0 .25\n"),
            Ok(vec![0.5, 0.4, 1.0, 0.0, 0.25])
        );
        assert_eq!(
            parse("0.5\n0.4 1.5"),
            Err("'values.txt', line 2: '1.5' is not the value of an arm: it is a number from 0 to 1"
                .to_owned())
        );
        assert_eq!(
            parse("# nothing\n"),
            Err("'values.txt' holds 0 values: it must hold 1 to 1000000, on lines or with commas between them"
                .to_owned())
        );
        let missing = "file:no/such/file".parse::<ArmsSpec>().unwrap().load().unwrap_err().to_string();
        assert!(missing.starts_with("the values in 'no/such/file' cannot be read: "), "{missing}");
    }
}

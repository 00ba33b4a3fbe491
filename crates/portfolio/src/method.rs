//! Ways to make a portfolio of seeds from a matrix of games (Cazenave, Liu, Teytaud,
//! Teytaud, "Learning opening books in partially observable games: using random seeds
//! in Phantom Go", 2016, Algorithms 1 to 3).
//!
//! | method | Black's probabilities, and White's likewise |
//! |---|---|
//! | `baseline` | one seed, drawn uniformly: the program as it is, with a seed fixed |
//! | `uniform` | all seeds alike: the program as it is, with a seed drawn for each game |
//! | `best-seed` | the seed with the greatest row sum, one of equals at random |
//! | `nash` | an equilibrium of the matrix |
//! | `sparse-nash(α)` | of that, what is at least α times the greatest probability |
//!
//! The paper's baseline falls from 50% to 0 against an opponent with ever more seeds to
//! choose from (Table I), as one seed does and a mixture of many does not. So
//! `baseline` is one seed here, and `uniform` is offered beside it.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tesuji_core::spec::Interval;
use tesuji_core::{Rng, nearest_names, shortened};
use thiserror::Error;

use crate::{Equilibrium, Matrix, solve, solve_watched};

/// A way to make a portfolio. As text: `baseline`, `uniform`, `best-seed`, `nash`,
/// `sparse-nash(0.75)`.
///
/// ```
/// use tesuji_portfolio::Method;
/// let method: Method = "sparse-nash(0.75)".parse()?;
/// assert_eq!(method, Method::SparseNash(0.75));
/// assert_eq!(method.to_string(), "sparse-nash(0.75)");
/// # Ok::<(), tesuji_portfolio::ParseMethodError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Method {
    /// One seed a side, drawn uniformly.
    Baseline,
    /// The uniform mixture of all seeds.
    Uniform,
    /// The seed with the best mean.
    BestSeed,
    /// An equilibrium.
    Nash,
    /// An equilibrium without what is less probable than this part, in [0, 1], of the
    /// most probable.
    SparseNash(f64),
}

/// The text is no method.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{word}' is not a method: {methods}")]
pub struct ParseMethodError {
    word: String,
    /// The methods that may have been meant, or all that make a book.
    methods: String,
}

/// The probability of each seed, for both colours.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Portfolio {
    /// Black's probability of each row; their sum is 1.
    pub black: Vec<f64>,
    /// White's probability of each column; their sum is 1.
    pub white: Vec<f64>,
}

impl Portfolio {
    /// The mean of its win rates as Black and as White against all seeds alike.
    pub fn rate(&self, matrix: &Matrix) -> f64 {
        let dot = |means: Vec<f64>, weights: &[f64]| -> f64 {
            means.iter().zip(weights).map(|(mean, weight)| mean * weight).sum()
        };
        let as_black = dot(matrix.row_means(), &self.black);
        let as_white = 1.0 - dot(matrix.column_means(), &self.white);
        0.5 * (as_black + as_white)
    }

    /// The same against the best answer to each of its mixtures.
    pub fn worst_rate(&self, matrix: &Matrix) -> f64 {
        let as_black = matrix.against_columns(&self.black).into_iter().fold(1.0, f64::min);
        let as_white = 1.0 - matrix.against_rows(&self.white).into_iter().fold(0.0, f64::max);
        0.5 * (as_black + as_white)
    }
}

impl Method {
    /// The methods of the paper's table, and the uniform mixture.
    pub const TABLE: [Method; 7] = [
        Method::Baseline,
        Method::Uniform,
        Method::BestSeed,
        Method::Nash,
        Method::SparseNash(0.5),
        Method::SparseNash(0.75),
        Method::SparseNash(1.0),
    ];

    /// A portfolio made by this method. Random numbers are drawn by `baseline`, always
    /// two, and by `best-seed`, one for each side.
    pub fn learn(&self, matrix: &Matrix, rng: &mut Rng) -> Portfolio {
        self.learn_with(matrix, rng, &mut None)
    }

    /// Learns as [`learn`](Method::learn) does, and calls `watch` as
    /// [`solve_watched`] does if an equilibrium is needed. Returns `None` if `watch` breaks off.
    pub fn learn_watched(
        &self,
        matrix: &Matrix,
        rng: &mut Rng,
        watch: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Option<Portfolio> {
        let mut solved = match self {
            Method::Nash | Method::SparseNash(_) => Some(solve_watched(matrix, watch)?),
            Method::Baseline | Method::Uniform | Method::BestSeed => None,
        };
        Some(self.learn_with(matrix, rng, &mut solved))
    }

    /// The portfolios of several methods, in their order: as [`learn`](Method::learn)
    /// one by one would give, but one linear program serves them all.
    pub fn learn_all(methods: &[Method], matrix: &Matrix, rng: &mut Rng) -> Vec<Portfolio> {
        let mut equilibrium = None;
        methods.iter().map(|method| method.learn_with(matrix, rng, &mut equilibrium)).collect()
    }

    pub(crate) fn learn_with(
        &self,
        matrix: &Matrix,
        rng: &mut Rng,
        solved: &mut Option<Equilibrium>,
    ) -> Portfolio {
        let (rows, columns) = (matrix.rows(), matrix.columns());
        match *self {
            Method::Baseline => Portfolio {
                black: one_of(rows, rng.below(rows as u32) as usize),
                white: one_of(columns, rng.below(columns as u32) as usize),
            },
            Method::Uniform => {
                Portfolio { black: vec![1.0 / rows as f64; rows], white: vec![1.0 / columns as f64; columns] }
            }
            Method::BestSeed => {
                let losses: Vec<f64> = matrix.column_means().iter().map(|mean| -mean).collect();
                Portfolio {
                    black: one_of(rows, greatest(&matrix.row_means(), rng)),
                    white: one_of(columns, greatest(&losses, rng)),
                }
            }
            Method::Nash => {
                let equilibrium = solved.get_or_insert_with(|| solve(matrix));
                Portfolio { black: equilibrium.black.clone(), white: equilibrium.white.clone() }
            }
            Method::SparseNash(alpha) => {
                let equilibrium = solved.get_or_insert_with(|| solve(matrix));
                Portfolio {
                    black: sparse(&equilibrium.black, alpha),
                    white: sparse(&equilibrium.white, alpha),
                }
            }
        }
    }
}

/// All on one.
fn one_of(size: usize, chosen: usize) -> Vec<f64> {
    let mut weights = vec![0.0; size];
    weights[chosen] = 1.0;
    weights
}

/// The index of the greatest number, one of equals at random.
fn greatest(numbers: &[f64], rng: &mut Rng) -> usize {
    let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let best: Vec<usize> = (0..numbers.len()).filter(|&index| numbers[index] == most).collect();
    *rng.choose(&best).expect("one of the numbers is the greatest")
}

/// What is at least alpha times the greatest, with a sum of 1 again. Probabilities that
/// are equal in exact numbers may differ in their last digits, and both count as the
/// greatest.
fn sparse(weights: &[f64], alpha: f64) -> Vec<f64> {
    debug_assert!((0.0..=1.0).contains(&alpha));
    let most = weights.iter().copied().fold(0.0, f64::max);
    let least = alpha * most * (1.0 - 1e-9);
    let kept: Vec<f64> = weights.iter().map(|&weight| if weight < least { 0.0 } else { weight }).collect();
    let sum: f64 = kept.iter().sum();
    kept.iter().map(|weight| weight / sum).collect()
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Baseline => f.pad("baseline"),
            Method::Uniform => f.pad("uniform"),
            Method::BestSeed => f.pad("best-seed"),
            Method::Nash => f.pad("nash"),
            Method::SparseNash(alpha) => f.pad(&format!("sparse-nash({alpha})")),
        }
    }
}

impl FromStr for Method {
    type Err = ParseMethodError;

    fn from_str(text: &str) -> Result<Method, ParseMethodError> {
        let word = text.trim().to_ascii_lowercase();
        let wrong = || {
            let names = ["uniform", "best-seed", "nash", "sparse-nash"];
            let name = word.split('(').next().unwrap_or_default();
            // The name of a method whose ALPHA is wrong is no suggestion.
            let near = if names.contains(&name) { Vec::new() } else { nearest_names(name, names) };
            let methods = match near[..] {
                [] => {
                    "the methods are uniform, best-seed, nash and sparse-nash(ALPHA) with ALPHA from 0 to 1"
                        .to_owned()
                }
                [name, ..] => format!("did you mean {name}?"),
            };
            ParseMethodError { word: shortened(text), methods }
        };
        Ok(match word.as_str() {
            "baseline" => Method::Baseline,
            "uniform" => Method::Uniform,
            "best-seed" => Method::BestSeed,
            "nash" => Method::Nash,
            _ => {
                let inner = word.strip_prefix("sparse-nash(").and_then(|rest| rest.strip_suffix(')'));
                let alpha = inner.and_then(|inner| inner.trim().parse::<f64>().ok());
                // Adding 0 makes 0 of -0.
                let alpha = alpha.filter(|alpha| Interval::UNIT.contains(*alpha)).ok_or_else(wrong)?;
                Method::SparseNash(alpha + 0.0)
            }
        })
    }
}

/// As text.
impl Serialize for Method {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// From text.
impl<'de> Deserialize<'de> for Method {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Method, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use tesuji_core::Seed;

    use super::*;

    const ALL: [Method; 5] =
        [Method::Baseline, Method::Uniform, Method::BestSeed, Method::Nash, Method::SparseNash(0.75)];

    fn rock_paper_scissors() -> Matrix {
        Matrix::from_rows(&[[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]]).unwrap()
    }

    #[test]
    fn methods_are_read_back_from_their_text() {
        for method in ALL {
            assert_eq!(method.to_string().parse(), Ok(method));
            let json = serde_json::to_string(&method).unwrap();
            assert_eq!(serde_json::from_str::<Method>(&json).unwrap(), method);
        }
        assert_eq!(serde_json::to_string(&Method::SparseNash(0.5)).unwrap(), "\"sparse-nash(0.5)\"");
        assert_eq!(" Best-Seed ".parse(), Ok(Method::BestSeed));
        for wrong in ["", "nash(1)", "sparse-nash", "sparse-nash(1.5)", "sparse-nash(nan)", "sparse-nash(0.5"]
        {
            let error = wrong.parse::<Method>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("'{wrong}' is not a method: ")), "{error}");
        }
    }

    #[test]
    fn one_program_serves_all_methods() {
        let mut values = Seed::new(1).rng();
        let matrix = Matrix::from_function(9, 7, |_, _| f64::from(values.below(2))).unwrap();
        let (mut rng, mut same) = (Seed::new(2).rng(), Seed::new(2).rng());
        let together = Method::learn_all(&ALL, &matrix, &mut rng);
        let apart: Vec<Portfolio> = ALL.iter().map(|method| method.learn(&matrix, &mut same)).collect();
        assert_eq!(together, apart);
        for portfolio in together {
            assert_eq!((portfolio.black.len(), portfolio.white.len()), (9, 7));
            assert!((portfolio.black.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!((portfolio.white.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn rates_by_hand() {
        let matrix = Matrix::from_rows(&[[1.0, 0.0], [1.0, 0.5]]).unwrap();
        let portfolio = Portfolio { black: vec![0.5, 0.5], white: vec![0.0, 1.0] };
        // As Black 1 and ¼ against the columns, as White 1 and ½ against the rows.
        assert_eq!(portfolio.rate(&matrix), 0.5 * (0.625 + 0.75));
        assert_eq!(portfolio.worst_rate(&matrix), 0.5 * (0.25 + 0.5));
    }

    #[test]
    fn best_seeds_by_hand() {
        let matrix = Matrix::from_rows(&[[1.0, 0.0, 0.0], [1.0, 1.0, 0.0]]).unwrap();
        let portfolio = Method::BestSeed.learn(&matrix, &mut Seed::new(1).rng());
        assert_eq!(portfolio, Portfolio { black: vec![0.0, 1.0], white: vec![0.0, 0.0, 1.0] });
    }

    #[test]
    fn equals_are_chosen_at_random() {
        let mut counts = [0; 3];
        let mut rng = Seed::new(1).rng();
        for _ in 0..3000 {
            let portfolio = Method::BestSeed.learn(&rock_paper_scissors(), &mut rng);
            counts[portfolio.black.iter().position(|&weight| weight == 1.0).unwrap()] += 1;
        }
        // Binomial(3000, 1/3): standard deviation 25.8; five of them.
        assert!(counts.iter().all(|&count: &i32| (count - 1000).abs() < 130), "{counts:?}");
    }

    #[test]
    fn sparse_mixtures_keep_what_is_probable() {
        assert_eq!(sparse(&[0.5, 0.25, 0.2, 0.05], 0.5), [0.5 / 0.75, 0.25 / 0.75, 0.0, 0.0]);
        assert_eq!(sparse(&[0.5, 0.5], 1.0), [0.5, 0.5]);
        assert_eq!(sparse(&[0.5, 0.3, 0.2], 0.0), [0.5, 0.3, 0.2]);
        // Thirds that differ in a last digit are all the greatest.
        let thirds = Method::SparseNash(1.0).learn(&rock_paper_scissors(), &mut Seed::new(1).rng());
        assert!(thirds.black.iter().chain(&thirds.white).all(|weight| (weight - 1.0 / 3.0).abs() < 1e-12));
    }
}

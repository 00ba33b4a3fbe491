//! What upper confidence bounds add to a mean: the bonus of each paper, as a
//! product of a factor of all samples and a factor of the arm's own.
//!
//! Both factors are functions of one whole number, so that tables of them can
//! be kept, and the value of an arm is one multiplication and one addition.

/// A bonus: `total_factor(N) · arm_factor(n_i)`, with `N` the samples of all
/// arms and `n_i` those of the arm.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Bonus {
    /// `c · sqrt(ln N / n_i)`: the form used in game programs.
    Ucb {
        /// How much is explored, from 0.
        c: f64,
    },
    /// `sqrt(2 ln N / n_i)` (Auer, Cesa-Bianchi, Fischer 2002).
    Ucb1,
    /// `sqrt(c · sqrt(N) / n_i)` (Tolpin, Shimony 2012): more exploration than
    /// UCB1, for simple regret.
    UcbSqrt {
        /// How much is explored, from 0.
        c: f64,
    },
    /// `sqrt(a / n_i)` (Audibert, Bubeck, Munos 2010). The paper's `a` is
    /// `25/36 · (T − n) / H₁`, which needs the gaps between the means.
    UcbE {
        /// How much is explored, from 0.
        a: f64,
    },
    /// `(1 + β)(1 + √ε) · sqrt(2σ²(1 + ε) · ln(ln((1 + ε) n_i) / δ) / n_i)` with
    /// the constants of the paper's heuristic, ε = 0 and β = 1/2, and σ = 1/2 for
    /// rewards in [0, 1] (Jamieson, Malloy, Nowak, Bubeck 2014).
    ///
    /// The inner logarithm is not positive at `n_i` = 1 and below 1 at 2: there 1
    /// is taken for it, so that the bonus falls with every sample.
    LilUcb {
        /// The chance of error that is allowed, between 0 and 1.
        delta: f64,
    },
}

impl Bonus {
    /// Checks the constants; the error is a sentence.
    pub(crate) fn validate(&self) -> Result<(), String> {
        let from_zero = |name: &str, value: f64| match value.is_finite() && value >= 0.0 {
            true => Ok(()),
            false => Err(format!("{name} is {value}, and has to be a number of at least 0")),
        };
        match *self {
            Bonus::Ucb { c } | Bonus::UcbSqrt { c } => from_zero("c", c),
            Bonus::UcbE { a } => from_zero("a", a),
            Bonus::LilUcb { delta } if !(delta > 0.0 && delta < 1.0) => {
                Err(format!("delta is {delta}, and has to be a number above 0 and below 1"))
            }
            Bonus::LilUcb { .. } | Bonus::Ucb1 => Ok(()),
        }
    }

    /// The factor of `total` ≥ 1 samples of all arms.
    pub(crate) fn total_factor(&self, total: u64) -> f64 {
        match *self {
            Bonus::Ucb { c } => c * libm::log(total as f64).sqrt(),
            Bonus::Ucb1 => (2.0 * libm::log(total as f64)).sqrt(),
            Bonus::UcbSqrt { c } => (c * (total as f64).sqrt()).sqrt(),
            Bonus::UcbE { a } => a.sqrt(),
            Bonus::LilUcb { .. } => 1.0,
        }
    }

    /// The factor of `count` ≥ 1 samples of the arm.
    pub(crate) fn arm_factor(&self, count: u64) -> f64 {
        let n = count as f64;
        match *self {
            Bonus::Ucb { .. } | Bonus::Ucb1 | Bonus::UcbSqrt { .. } | Bonus::UcbE { .. } => 1.0 / n.sqrt(),
            Bonus::LilUcb { delta } => {
                const BETA: f64 = 0.5;
                const SIGMA: f64 = 0.5;
                let inner = libm::log(n).max(1.0);
                (1.0 + BETA) * (2.0 * SIGMA * SIGMA * libm::log(inner / delta) / n).sqrt()
            }
        }
    }
}

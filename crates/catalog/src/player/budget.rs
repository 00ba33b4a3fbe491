//! Budgets as text: `10000` samples, `500ms`, `1.5s`, `2m`; by move number `20000x10,5000`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use tesuji_core::{parse_time, shortened, time_text};
use tesuji_search::{Budget, MOST_SAMPLES};

use super::error::PlayerError;

/// How much a player may think about each of its moves. Made from text, and good: from one sample
/// or nanosecond to [`MOST_SAMPLES`] or a day. It may change with the number of the move, in steps.
///
/// ```
/// use tesuji_catalog::BudgetSpec;
/// use tesuji_search::Budget;
/// let budget: BudgetSpec = "0.5 s".parse().unwrap();
/// assert_eq!(budget.to_string(), "500ms");
/// assert_eq!(budget.to_string().parse(), Ok(budget));
/// // The first ten moves have 20,000 samples each, the others 5,000.
/// let steps: BudgetSpec = "20000 x 10, 5000".parse().unwrap();
/// assert_eq!(steps.to_string(), "20000x10,5000");
/// assert_eq!((steps.of_move(9), steps.of_move(10)), (Budget::Samples(20_000), Budget::Samples(5000)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BudgetSpec {
    /// The steps before the last. Those that are not there are [`Step::NONE`].
    steps: [Step; MOST_STEPS - 1],
    /// The budget of all moves after the steps.
    last: Budget,
}

/// The budget of some moves, in eight bytes, so that specs are small: 48 bits have the samples or
/// the nanoseconds, which are fewer than 2⁴⁷ a day, the next 15 the number of moves, and the last
/// whether it is a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step(u64);

impl Step {
    /// No step: it is for no moves.
    const NONE: Step = Step(0);

    fn new(budget: Budget, moves: u32) -> Step {
        let (is_time, amount) = match budget {
            Budget::Samples(samples) => (0, samples),
            Budget::Time(time) => (1, time.as_nanos() as u64),
        };
        Step(is_time << 63 | u64::from(moves) << 48 | amount)
    }

    /// How many moves it is for.
    fn moves(self) -> u32 {
        (self.0 >> 48 & 0x7fff) as u32
    }

    fn budget(self) -> Budget {
        let amount = self.0 & ((1 << 48) - 1);
        if self.0 >> 63 == 1 { Budget::Time(Duration::from_nanos(amount)) } else { Budget::Samples(amount) }
    }
}

/// The most budgets of a player, with the last one.
pub(super) const MOST_STEPS: usize = 8;
/// The most moves of a step.
pub(super) const MOST_MOVES: u32 = 10_000;

impl BudgetSpec {
    /// The budget of a player that has none of its own, if nobody gives another: 10,000 samples.
    pub const DEFAULT: BudgetSpec = BudgetSpec::constant(Budget::Samples(10_000));

    /// The same budget for all moves.
    const fn constant(budget: Budget) -> BudgetSpec {
        BudgetSpec { steps: [Step::NONE; MOST_STEPS - 1], last: budget }
    }

    fn steps(self) -> impl Iterator<Item = Step> {
        self.steps.into_iter().filter(|step| *step != Step::NONE)
    }

    /// The budget of a player's own move with this number, from 0.
    pub fn of_move(self, number: u64) -> Budget {
        let mut first = 0;
        for step in self.steps() {
            first += u64::from(step.moves());
            if number < first {
                return step.budget();
            }
        }
        self.last
    }

    /// The budget of the move at this ply of a game, from 0: each side has every second ply, so
    /// both have their first move at plies 0 and 1.
    pub fn at_ply(self, ply: u64) -> Budget {
        self.of_move(ply / 2)
    }

    /// The budget of the move at this ply of a game, for all moves.
    #[must_use]
    pub fn fixed_at_ply(self, ply: u64) -> BudgetSpec {
        BudgetSpec::constant(self.at_ply(ply))
    }

    /// All budgets that it has for some move, in their order.
    pub fn all(self) -> impl Iterator<Item = Budget> {
        self.steps().map(Step::budget).chain([self.last])
    }

    /// Whether the budget changes with the number of the move.
    pub fn has_steps(self) -> bool {
        self.steps[0] != Step::NONE
    }

    /// Whether some moves have a time, so that what they come to depends on the machine.
    pub fn is_timed(self) -> bool {
        self.all().any(|budget| matches!(budget, Budget::Time(_)))
    }

    /// The most samples of a move; `None` if some moves have a time.
    pub fn most_samples(self) -> Option<u64> {
        let samples = self.all().map(|budget| match budget {
            Budget::Samples(samples) => Some(samples),
            Budget::Time(_) => None,
        });
        samples.collect::<Option<Vec<u64>>>()?.into_iter().max()
    }
}

impl FromStr for BudgetSpec {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<BudgetSpec, PlayerError> {
        let wrong = |reason: String| PlayerError::BudgetSteps { word: shortened(text.trim()), reason };
        let pieces: Vec<&str> = text.split(',').collect();
        let (last, steps) = pieces.split_last().expect("a split has at least one piece");
        if steps.len() >= MOST_STEPS {
            return Err(wrong(format!("it has more than {MOST_STEPS} steps")));
        }
        if last.contains(['x', 'X']) {
            let last = shortened(last.trim());
            let reason = format!("the last step, '{last}', is for all other moves and has no number of them");
            return Err(wrong(reason));
        }
        let mut steps_read: Vec<(Budget, u32)> = Vec::new();
        for step in steps {
            let Some((budget, moves)) = step.rsplit_once(['x', 'X']) else {
                let step = shortened(step.trim());
                return Err(wrong(format!("'{step}' does not say how many moves it is for")));
            };
            let (budget, moves) = (one(budget)?, moves.trim());
            let plain = moves.bytes().all(|byte| byte.is_ascii_digit());
            let number = moves.parse().ok().filter(|number| plain && (1..=MOST_MOVES).contains(number));
            let Some(number) = number else {
                let moves = shortened(moves);
                return Err(wrong(format!("a step is for 1 to {MOST_MOVES} moves, not for '{moves}'")));
            };
            steps_read.push((budget, number));
        }
        let last = one(last)?;
        Ok(BudgetSpec { steps: canonical(steps_read, last), last })
    }
}

/// Steps as short as they can be: two with the same budget are one, and one before the last that
/// equals it says nothing.
fn canonical(steps: Vec<(Budget, u32)>, last: Budget) -> [Step; MOST_STEPS - 1] {
    let mut short: Vec<(Budget, u32)> = Vec::new();
    for (budget, moves) in steps {
        match short.last_mut() {
            Some((before, many)) if *before == budget && *many + moves <= MOST_MOVES => *many += moves,
            _ => short.push((budget, moves)),
        }
    }
    while short.last().is_some_and(|(budget, _)| *budget == last) {
        short.pop();
    }
    let mut steps = [Step::NONE; MOST_STEPS - 1];
    for (step, (budget, moves)) in steps.iter_mut().zip(short) {
        *step = Step::new(budget, moves);
    }
    steps
}

/// A budget without steps.
fn one(text: &str) -> Result<Budget, PlayerError> {
    let word = text.trim().to_lowercase();
    let budget = samples(&word).or_else(|| time(&word));
    budget.ok_or_else(|| PlayerError::Budget { word: shortened(text.trim()) })
}

fn samples(word: &str) -> Option<Budget> {
    let plain = word.bytes().all(|byte| byte.is_ascii_digit());
    let samples = word.parse().ok().filter(|samples| plain && (1..=MOST_SAMPLES).contains(samples))?;
    Some(Budget::Samples(samples))
}

fn time(word: &str) -> Option<Budget> {
    parse_time(word).filter(|time| !time.is_zero()).map(Budget::Time)
}

/// Samples as digits; whole minutes in minutes, else seconds where there is one,
/// else milliseconds. Steps with their moves, as in `20000x10,5000`.
impl fmt::Display for BudgetSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |budget: Budget| match budget {
            Budget::Samples(samples) => samples.to_string(),
            Budget::Time(time) => time_text(time),
        };
        let steps = self.steps().map(|step| format!("{}x{},", text(step.budget()), step.moves()));
        f.pad(&(steps.collect::<String>() + &text(self.last)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DAY: Duration = Duration::from_secs(24 * 60 * 60);

    #[test]
    fn canonical_texts_are_read_as_printed() {
        for (text, canonical) in [
            ("1", "1"),
            (" 0010000 ", "10000"),
            ("16777216", "16777216"),
            ("500ms", "500ms"),
            ("0.5s", "500ms"),
            ("1500 MS", "1.5s"),
            (".25s", "250ms"),
            ("0.1ms", "0.1ms"),
            ("0.000000001s", "0.000001ms"),
            ("60s", "1m"),
            ("90s", "90s"),
            ("1.5m", "90s"),
            ("2M", "2m"),
            ("1440m", "1440m"),
        ] {
            let budget: BudgetSpec = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(budget.to_string(), canonical);
            assert_eq!(canonical.parse(), Ok(budget));
        }
    }

    #[test]
    fn what_is_no_budget_is_refused() {
        for bad in
            ["", "0", "-1", "+1", "16777217", "1e4", "10k", "1.5", "s", ".s", "0s", "1441m", "1 2s", "infs"]
        {
            let error = bad.parse::<BudgetSpec>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("'{bad}' is not a budget: ")), "{error}");
        }
    }

    #[test]
    fn steps_are_read_as_printed() {
        for (text, canonical) in [
            ("20000x10,5000", "20000x10,5000"),
            (" 20000 X 010 , 8000x20,2000 ", "20000x10,8000x20,2000"),
            ("2s x10,500ms", "2sx10,500ms"),
            ("2mx1,100", "2mx1,100"),
            ("5x2,5x3,7", "5x5,7"),
            ("5x2,7x3,7", "5x2,7"),
            ("7x3,7", "7"),
            ("1x1,2x1,3x1,4x1,5x1,6x1,7x1,8", "1x1,2x1,3x1,4x1,5x1,6x1,7x1,8"),
        ] {
            let budget: BudgetSpec = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(budget.to_string(), canonical);
            assert_eq!(canonical.parse(), Ok(budget));
        }
    }

    #[test]
    fn each_move_has_the_budget_of_its_step() {
        let budget: BudgetSpec = "20x2,8x1,100".parse().unwrap();
        let samples: Vec<Budget> = (0..5).map(|number| budget.of_move(number)).collect();
        assert_eq!(samples, [20, 20, 8, 100, 100].map(Budget::Samples));
        assert_eq!((budget.at_ply(3), budget.at_ply(4)), (Budget::Samples(20), Budget::Samples(8)));
        assert_eq!((budget.most_samples(), budget.is_timed(), budget.has_steps()), (Some(100), false, true));
        let timed: BudgetSpec = "20x2,1s".parse().unwrap();
        assert_eq!((timed.most_samples(), timed.is_timed()), (None, true));
    }

    #[test]
    fn wrong_steps_are_refused_in_a_sentence() {
        for (bad, reason) in [
            ("20,000", "'20' does not say how many moves it is for"),
            ("5x10", "the last step, '5x10', is for all other moves and has no number of them"),
            ("5x0,7", "a step is for 1 to 10000 moves, not for '0'"),
            ("5x,7", "a step is for 1 to 10000 moves, not for ''"),
            ("5x+1,7", "a step is for 1 to 10000 moves, not for '+1'"),
            ("5x10001,7", "a step is for 1 to 10000 moves, not for '10001'"),
            ("1x1,2x1,3x1,4x1,5x1,6x1,7x1,8x1,9", "it has more than 8 steps"),
        ] {
            let error = bad.parse::<BudgetSpec>().unwrap_err().to_string();
            let sentence =
                format!("'{bad}' is not a budget: {reason}; steps are written as in 20000x10,5000");
            assert_eq!(error, sentence);
        }
        for bad in ["10kx10,5", "5x10,", ",5", "x3,5"] {
            let error = bad.parse::<BudgetSpec>().unwrap_err().to_string();
            assert!(error.contains("is not a budget: "), "{error}");
        }
    }

    proptest! {
        #[test]
        fn every_time_is_read_back(nanoseconds in 1..=DAY.as_nanos() as u64, zeros in 0..14_u32) {
            let nanoseconds = (nanoseconds / 10_u64.pow(zeros) * 10_u64.pow(zeros)).max(1);
            let budget = BudgetSpec::constant(Budget::Time(Duration::from_nanos(nanoseconds)));
            prop_assert_eq!(budget.to_string().parse(), Ok(budget));
        }
    }
}

//! The verdicts on many published numbers, in one sentence.

use std::fmt;
use std::iter::Sum;

use serde::Serialize;
use tesuji_arena::MeasuredCell;
use tesuji_arena::statistics::Verdict;

use crate::numbers::{about, grouped};

/// What the column `decides` says, below tables of matches.
pub(crate) const DECIDES_GAMES: &str = "Decides: the games after which an open verdict is decided, if the rate stays as it is; never: the published games are too few.";

/// What the column `decides` says, below tables of regrets.
pub(crate) const DECIDES_RUNS: &str = "Decides: the runs after which an open verdict is decided, if the regret stays as it is; never: the published runs are too few; unknown: no run was wrong.";

/// Returns how many games or runs decide an open verdict, as a cell of a table. It is empty for
/// other verdicts.
pub(crate) fn decides(verdict: Verdict, to_decide: Option<u64>) -> String {
    match (verdict, to_decide) {
        (Verdict::Open, Some(number)) => about(number),
        (Verdict::Open, None) => "never".to_owned(),
        _ => String::new(),
    }
}

/// Returns how many runs decide an open verdict on a regret, as a cell of a table.
pub(crate) fn decides_regret(cell: &MeasuredCell) -> String {
    match cell.comparison {
        Some(it) if it.verdict == Verdict::Open && cell.row.p_wrong == 0.0 => "unknown".to_owned(),
        Some(it) => decides(it.verdict, it.to_decide),
        None => String::new(),
    }
}

/// How many published numbers have each verdict. It is displayed as a sentence.
///
/// ```
/// use tesuji_arena::statistics::Verdict;
/// use tesuji_report::VerdictCount;
///
/// let verdicts = [Verdict::Agrees, Verdict::Open, Verdict::Open, Verdict::OtherBudget];
/// let count: VerdictCount = verdicts.into_iter().collect();
/// assert_eq!(
///     count.to_string(),
///     "Of 3 published numbers 1 agrees, 0 are off, 0 differ and 2 are open; 1 more was measured with another budget or number of seeds and is not judged."
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct VerdictCount {
    /// The numbers that agree.
    pub agrees: usize,
    /// The numbers that are off.
    pub off: usize,
    /// The numbers that differ.
    pub differs: usize,
    /// The numbers on which the verdict is open.
    pub open: usize,
    /// The numbers that are shown and not judged, because they were measured in another way.
    pub not_judged: usize,
}

impl VerdictCount {
    /// Returns the number of published numbers that were judged.
    pub fn judged(&self) -> usize {
        self.agrees + self.off + self.differs + self.open
    }

    /// Returns the counts and the rule of verdicts in sentences. `None` if no number was judged.
    pub fn headline(&self) -> Option<String> {
        (self.judged() > 0).then(|| format!("{self} {}", Verdict::RULE))
    }

    /// Returns the four counts in words, such as "1 agrees, 0 are off, 0 differ and 2 are open".
    pub(crate) fn words(&self) -> String {
        let one_or_many = |count: usize, one: &str, many: &str| {
            format!("{} {}", grouped(count as u64), if count == 1 { one } else { many })
        };
        format!(
            "{}, {}, {} and {}",
            one_or_many(self.agrees, "agrees", "agree"),
            one_or_many(self.off, "is off", "are off"),
            one_or_many(self.differs, "differs", "differ"),
            one_or_many(self.open, "is open", "are open"),
        )
    }
}

impl FromIterator<Verdict> for VerdictCount {
    fn from_iter<I: IntoIterator<Item = Verdict>>(verdicts: I) -> VerdictCount {
        let mut count = VerdictCount::default();
        for verdict in verdicts {
            *match verdict {
                Verdict::Agrees => &mut count.agrees,
                Verdict::Off => &mut count.off,
                Verdict::Differs => &mut count.differs,
                Verdict::Open => &mut count.open,
                Verdict::OtherBudget | Verdict::OtherK => &mut count.not_judged,
            } += 1;
        }
        count
    }
}

impl Sum for VerdictCount {
    fn sum<I: Iterator<Item = VerdictCount>>(counts: I) -> VerdictCount {
        counts.fold(VerdictCount::default(), |sum, count| VerdictCount {
            agrees: sum.agrees + count.agrees,
            off: sum.off + count.off,
            differs: sum.differs + count.differs,
            open: sum.open + count.open,
            not_judged: sum.not_judged + count.not_judged,
        })
    }
}

impl fmt::Display for VerdictCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let others = match self.not_judged {
            0 => String::new(),
            1 => "; 1 more was measured with another budget or number of seeds and is not judged".to_owned(),
            many => format!(
                "; {} more were measured with another budget or number of seeds and are not judged",
                grouped(many as u64)
            ),
        };
        let numbers = if self.judged() == 1 { "number" } else { "numbers" };
        write!(f, "Of {} published {numbers} {}{others}.", grouped(self.judged() as u64), self.words())
    }
}

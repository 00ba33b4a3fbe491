//! The verdicts on many published numbers, in one sentence.

use std::fmt;
use std::iter::Sum;

use tesuji_arena::statistics::Verdict;

/// The number of published numbers that were judged, and the number of those that differ from
/// what was measured. It is displayed as a sentence.
///
/// ```
/// use tesuji_arena::statistics::Verdict;
/// use tesuji_report::VerdictCount;
///
/// let verdicts = [Verdict::Agrees, Verdict::TooFew, Verdict::Differs];
/// let count: VerdictCount = verdicts.into_iter().collect();
/// assert_eq!(
///     count.to_string(),
///     "Of 2 published numbers that can be compared with what was measured, 1 differs."
/// );
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct VerdictCount {
    /// The published numbers that were judged.
    pub judged: usize,
    /// The published numbers that differ from what was measured.
    pub differing: usize,
}

impl FromIterator<Verdict> for VerdictCount {
    fn from_iter<I: IntoIterator<Item = Verdict>>(verdicts: I) -> VerdictCount {
        let count = |verdict: Verdict| VerdictCount {
            judged: usize::from(verdict.is_judged()),
            differing: usize::from(verdict == Verdict::Differs),
        };
        verdicts.into_iter().map(count).sum()
    }
}

impl Sum for VerdictCount {
    fn sum<I: Iterator<Item = VerdictCount>>(counts: I) -> VerdictCount {
        counts.fold(VerdictCount::default(), |sum, count| VerdictCount {
            judged: sum.judged + count.judged,
            differing: sum.differing + count.differing,
        })
    }
}

impl fmt::Display for VerdictCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let VerdictCount { judged, differing } = self;
        let differ = if *differing == 1 { "differs" } else { "differ" };
        write!(
            f,
            "Of {judged} published numbers that can be compared with what was measured, {differing} {differ}."
        )
    }
}

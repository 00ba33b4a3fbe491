//! Win rates of portfolios against seeds that they were not learnt from, as Table I of the paper
//! shows them: methods against the number of seeds that the opponent chooses from.
//!
//! The published rate is below the measured one, as in tables of matches, because five columns
//! with both rates and their errors do not fit a terminal.

use serde::Serialize;
use tesuji_arena::statistics::{MeanComparison, Verdict};
use tesuji_portfolio::{Estimate, Method, Rates};

use super::{PublishedSeedRate, PublishedSeeds};
use crate::matches::percent;
use crate::numbers::{grouped, readable};
use crate::{Screen, Table, VerdictCount};

/// Why a difference between two tables of portfolios is not all that it seems.
const ERRORS_LEAVE_OUT: &str = "The errors are those of drawing seeds from one matrix of games. Another matrix of the \
    same program would differ by more.";

/// The win rates of portfolios in one matrix of games. All rates are shares, from 0 to 1, and
/// means of both colours.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SeedTable {
    /// The game, as its spec.
    pub game: String,
    /// The board in the published table, such as `5x5`. `None` if the game is not Phantom Go on a
    /// square board.
    pub board: Option<String>,
    /// The randomised player that plays the seeds.
    pub player: String,
    /// The number of Black seeds in the whole matrix, which equals that of White seeds.
    pub seeds: usize,
    /// The share of all games that Black won.
    pub black_wins: f64,
    /// The value of the equilibrium of the whole matrix for Black.
    pub value: f64,
    /// The gap of the equilibrium: the sum of what both sides could still gain.
    pub gap: f64,
    /// The rates in the table, all with the same K.
    pub rates: Vec<Rates>,
    /// The rates in the figures, with several K. May be empty.
    pub curve: Vec<Rates>,
}

/// One measured rate next to the published one.
pub(super) struct Cell {
    pub(super) measured: Estimate,
    pub(super) published: Option<PublishedSeedRate>,
    /// `None` if nothing was published.
    pub(super) verdict: Option<Verdict>,
}

/// One method with a cell for each K' of the table.
pub(super) struct Line {
    pub(super) method: Method,
    pub(super) training_rate: Estimate,
    pub(super) cells: Vec<Option<Cell>>,
}

impl SeedTable {
    /// Returns the table for a terminal: for each method the rate against the seeds it was
    /// learnt from, then for every K' the rate against the best of K' others, in per cent with
    /// its standard error and the sign of the verdict. The next row has the published rates.
    pub(crate) fn table(&self, published: &PublishedSeeds) -> Table {
        let seeds = opponent_seeds(&self.rates);
        let mut columns = vec!["method".to_owned(), "#training".to_owned()];
        columns.extend(seeds.iter().map(|seeds| format!("#K' = {seeds}")));
        let title = format!("{}, seeds of {}: won, %{}", self.game, self.player, self.learnt_from());
        let mut table = Table::new(title, columns);
        for line in self.lines(published) {
            let shown =
                |sign: &str, mean: f64, error: f64| format!("{sign}{} ± {}", percent(mean), percent(error));
            let rate = line.training_rate;
            let mut row = vec![name(line.method), shown("", rate.mean, rate.standard_error)];
            row.extend(line.cells.iter().map(|cell| {
                cell.as_ref().map_or_else(String::new, |cell| {
                    let sign = cell.verdict.filter(|verdict| verdict.is_judged()).map_or("", Verdict::sign);
                    shown(sign, cell.measured.mean, cell.measured.standard_error)
                })
            }));
            table.row(row);
            let theirs: Vec<Option<PublishedSeedRate>> =
                line.cells.iter().map(|cell| cell.as_ref().and_then(|cell| cell.published)).collect();
            if theirs.iter().any(Option::is_some) {
                let mut row = vec!["  published".to_owned(), String::new()];
                row.extend(theirs.into_iter().map(|rate| match rate {
                    Some(PublishedSeedRate { mean, standard_error: Some(error) }) => shown("", mean, error),
                    Some(PublishedSeedRate { mean, standard_error: None }) => percent(mean),
                    None => String::new(),
                }));
                table.row(row);
            }
        }
        table
    }

    /// Returns the table for a terminal, with the meaning of its marks, the comparison with the
    /// published table, and the equilibrium of the whole matrix.
    pub fn text(&self, published: &PublishedSeeds, screen: &Screen) -> String {
        let mut text = self.table(published).text(screen);
        for sentence in self.comparison(published).iter().chain(&self.equilibrium()) {
            text += sentence;
            text.push('\n');
        }
        text
    }

    /// Returns how many published rates have each verdict. Rates of another K than the published
    /// one are not judged.
    pub(crate) fn verdicts(&self, published: &PublishedSeeds) -> VerdictCount {
        let lines = self.lines(published);
        lines.iter().flat_map(Line::verdicts).collect()
    }

    /// Returns the comparison with the published table in sentences, none if nothing was
    /// published.
    pub(super) fn comparison(&self, published: &PublishedSeeds) -> Vec<String> {
        let count = self.verdicts(published);
        let mut sentences = Vec::new();
        if count.judged() > 0 {
            let signs = Verdict::ALL.map(|verdict| format!("{} {verdict}", verdict.sign()))[..4].join(", ");
            sentences.push(format!("{count} Signs: {signs}."));
            sentences.push(ERRORS_LEAVE_OUT.to_owned());
        } else if count.not_judged > 0 {
            sentences.push(format!(
                "Published rates are of portfolios learnt from K = {} seeds and are not compared.",
                PublishedSeeds::TRAINING
            ));
        }
        sentences
    }

    /// Returns what is known of the whole matrix, in sentences.
    pub(super) fn equilibrium(&self) -> [String; 3] {
        let seeds = grouped(self.seeds as u64);
        let gap = gap_words(self.gap);
        [
            format!("In all {seeds} × {seeds} games Black won {} %.", percent(self.black_wins)),
            format!(
                "With the best mixtures of all these seeds on both sides, Black wins {} %.",
                percent(self.value)
            ),
            format!("The gap, what both sides together could gain by leaving these mixtures, is {gap}."),
        ]
    }

    /// Returns from how many seeds portfolios were learnt, as the end of a sentence.
    pub(super) fn learnt_from(&self) -> String {
        let trainings = ascending(self.rates.iter().map(|rates| rates.training));
        match trainings[..] {
            [training] => format!(", learnt from K = {training} of {} seeds", grouped(self.seeds as u64)),
            _ => String::new(),
        }
    }

    /// Returns the rates in the paper's order of methods.
    pub(super) fn lines(&self, published: &PublishedSeeds) -> Vec<Line> {
        let seeds = opponent_seeds(&self.rates);
        let mut rates: Vec<&Rates> = self.rates.iter().collect();
        rates.sort_by(|a, b| {
            place(a.method).partial_cmp(&place(b.method)).unwrap_or(std::cmp::Ordering::Equal)
        });
        let cell = |rates: &Rates, seeds: usize| {
            let (_, measured) = *rates.held_out.iter().find(|(number, _)| *number == seeds)?;
            let theirs = self.board.as_ref().and_then(|board| published.rate(board, rates.method, seeds));
            let verdict = theirs.map(|theirs| match rates.training {
                PublishedSeeds::TRAINING => {
                    // The errors that were not published are taken to be 0.
                    let error = measured.standard_error.hypot(theirs.standard_error.unwrap_or(0.0));
                    MeanComparison::of_rate(measured.mean, theirs.mean, error).verdict
                }
                _ => Verdict::OtherK,
            });
            Some(Cell { measured, published: theirs, verdict })
        };
        let line = |rates: &Rates| Line {
            method: rates.method,
            training_rate: rates.training_rate,
            cells: seeds.iter().map(|&seeds| cell(rates, seeds)).collect(),
        };
        rates.into_iter().map(line).collect()
    }
}

impl Line {
    fn verdicts(&self) -> impl Iterator<Item = Verdict> {
        self.cells.iter().flatten().filter_map(|cell| cell.verdict)
    }
}

/// Returns the gap of an equilibrium in words. A very small gap is rounding, whose digits say nothing.
pub fn gap_words(gap: f64) -> String {
    if gap < 1e-9 { "below 10⁻⁹".to_owned() } else { readable(gap) }
}

/// Returns every K' of the rates, in ascending order.
pub(super) fn opponent_seeds(rates: &[Rates]) -> Vec<usize> {
    ascending(rates.iter().flat_map(|rates| rates.held_out.iter().map(|(seeds, _)| *seeds)))
}

/// Returns each number once, in ascending order.
fn ascending(numbers: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut numbers: Vec<usize> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// A method as the paper calls it.
pub(super) fn name(method: Method) -> String {
    match method {
        Method::Baseline => "Baseline".to_owned(),
        Method::Uniform => "Uniform mixture".to_owned(),
        Method::BestSeed => "BestSeed".to_owned(),
        Method::Nash => "Nash".to_owned(),
        Method::SparseNash(alpha) => format!("Sparse, α={alpha}"),
    }
}

/// Returns the place of a method in the paper's order. The uniform mixture, which the paper does
/// not have, follows the baseline.
fn place(method: Method) -> (u8, f64) {
    match method {
        Method::Baseline => (0, 0.0),
        Method::Uniform => (1, 0.0),
        Method::BestSeed => (2, 0.0),
        Method::Nash => (3, 0.0),
        Method::SparseNash(alpha) => (4, alpha),
    }
}

//! The results of an experiment by matches, read from a store: data for tables, figures and
//! pages, and the JSON that programs read.

use serde::Serialize;
use tesuji_arena::statistics::{ChiSquare, Comparison, Count, Interval, Strength, Tally, Verdict, wilson};
use tesuji_arena::{
    CellTotals, Disagreement, GridEntry, MatchExperiment, PublishedRate, Store, StoreError, StoredCell,
};

use crate::VerdictCount;
use crate::distinct;
use crate::numbers::{decimal, range, with_interval};
use crate::tournament::{self, TournamentResults};

/// The results of an experiment, as far as it was played.
#[derive(Clone, Debug, Serialize)]
pub struct MatchResults {
    /// The experiment's name.
    pub name: String,
    /// The title of the experiment for people.
    pub title: String,
    /// Authors, title, year and table of the paper that is reproduced. May be empty.
    pub paper: String,
    /// What a reader must know about the experiment.
    pub text: String,
    /// How games begin and end.
    pub rules: String,
    /// The command that plays the match. `None` if the experiment is defined by a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The number of games that were asked for in each cell.
    pub games: u64,
    /// The tables of the experiment.
    pub grids: Vec<GridResults>,
    /// The rating lists, if the experiment is a tournament.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tournament: Option<Box<TournamentResults>>,
}

/// One table of an experiment.
#[derive(Clone, Debug, Default, Serialize)]
pub struct GridResults {
    /// The title of the table.
    pub title: String,
    /// What the columns vary.
    pub label: String,
    /// The budget of a move, if all cells of the table have the same.
    pub budget: Option<String>,
    /// The cells, row by row.
    pub cells: Vec<CellResults>,
    /// How many of the published rates have each verdict.
    pub verdicts: VerdictCount,
    /// How the whole table agrees with what was published. `None` if no cell can be judged.
    pub chi_square: Option<ChiSquare>,
    /// How each row agrees with what was published, without the rows that have nothing to judge.
    pub by_row: Vec<RowVerdicts>,
    /// The verdicts of the table in sentences. `None` if nothing was published.
    pub summary: Option<String>,
}

/// How one row of a table agrees with the published one.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RowVerdicts {
    /// The name of the row.
    pub row: String,
    /// How many of the row's published rates have each verdict.
    pub verdicts: VerdictCount,
    /// How the whole row agrees with what was published. `None` if no cell can be judged.
    pub chi_square: Option<ChiSquare>,
}

/// One cell of a table: the games of one player against one opponent.
#[derive(Clone, Debug, Serialize)]
pub struct CellResults {
    /// A short name of the cell for people to type.
    pub id: String,
    /// The name of the row.
    pub row: String,
    /// The name of the column.
    pub column: String,
    /// The panel of the figure in which the cell is drawn.
    pub panel: String,
    /// The game, as its spec.
    pub game: String,
    /// The player whose wins are counted.
    pub player: String,
    /// The player's opponent.
    pub opponent: String,
    /// How games begin and end, as in [`MatchResults::rules`].
    #[serde(skip)]
    pub rules: String,
    /// The player's wins, draws and losses.
    pub count: Count,
    /// The player's wins, draws and losses by side, and the results of pairs of games.
    pub tally: Tally,
    /// The player's points per game, from 0 to 1. `None` without games.
    pub rate: Option<f64>,
    /// The 95 % interval of the rate: Wilson's, or if games share seeds, that of the seeds.
    pub interval: Interval,
    /// The difference in Elo. `None` without games, or if games share seeds.
    pub strength: Option<Strength>,
    /// The number of games with different moves.
    pub distinct: u64,
    /// The mean number of moves in a game.
    pub mean_plies: Option<f64>,
    /// The mean number of samples in a game, of the player and of the opponent. An external
    /// engine's is unknown.
    pub mean_samples: Option<[Option<f64>; 2]>,
    /// The mean number of samples for a move, of the player and of the opponent. An external
    /// engine's is unknown.
    pub mean_samples_a_move: Option<[Option<f64>; 2]>,
    /// The mean duration of a game in seconds.
    pub mean_seconds: Option<f64>,
    /// The mean time that the player and the opponent used in a game, in seconds.
    pub mean_used: Option<[f64; 2]>,
    /// The reasons for which games ended, each with its number of games.
    pub reasons: Vec<(String, u64)>,
    /// The programs that played.
    pub builds: Vec<String>,
    /// The names and versions of external engines, of the player and of the opponent.
    pub engines: [Vec<String>; 2],
    /// The number of void games.
    pub voids: u64,
    /// The number of games that were begun and are not over. While there are any, the verdict is
    /// open, because short games end first.
    pub in_flight: u64,
    /// The engines whose scores disagree with the rules.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disagreements: Vec<Disagreement>,
    /// The published rate.
    pub published: Option<PublishedRate>,
    /// The measured rate next to the published one. `None` if they cannot be compared.
    pub comparison: Option<Comparison>,
}

impl MatchResults {
    /// Returns the cells of all tables.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &CellResults> {
        self.grids.iter().flat_map(|grid| &grid.cells)
    }

    /// Returns the cells of all tables as one table. If there are several tables, the names of rows
    /// begin with the game.
    pub(crate) fn all_cells(&self) -> GridResults {
        let named = |cell: &CellResults| match self.grids.len() {
            1 => cell.clone(),
            _ => CellResults { row: format!("{}: {}", cell.game, cell.row), ..cell.clone() },
        };
        let mut cells: Vec<CellResults> = self.cells().map(named).collect();
        cells.sort_by_key(|cell| !cell.has_games());
        GridResults { label: "opponent".to_owned(), cells, ..GridResults::default() }
    }
}

impl GridResults {
    /// Returns the names of the rows, in their order.
    pub(crate) fn rows(&self) -> Vec<&str> {
        distinct(self.cells.iter().map(|cell| cell.row.as_str()))
    }

    /// Returns the names of the columns, in their order.
    pub(crate) fn columns(&self) -> Vec<&str> {
        distinct(self.cells.iter().map(|cell| cell.column.as_str()))
    }

    /// Returns the table with what its cells say about the published one.
    pub(crate) fn judged(self) -> GridResults {
        let row = |name: &str| {
            let here = || self.cells.iter().filter(|cell| cell.row == name);
            let (verdicts, chi_square) = (count(here()), chi_square(here()));
            let row = RowVerdicts { row: name.to_owned(), verdicts, chi_square };
            (verdicts.judged() > 0).then_some(row)
        };
        let by_row = self.rows().into_iter().filter_map(row).collect();
        let (verdicts, chi_square) = (count(&self.cells), chi_square(&self.cells));
        let judged = GridResults { verdicts, chi_square, by_row, ..self };
        GridResults { summary: super::verdicts(&judged), ..judged }
    }

    /// Returns the table with the cells that have games first.
    pub(crate) fn begun_first(&self) -> GridResults {
        let mut cells = self.cells.clone();
        cells.sort_by_key(|cell| !cell.has_games());
        GridResults { cells, ..self.clone() }
    }

    /// Returns the table without the cells that have no games.
    pub(crate) fn played(&self) -> GridResults {
        let cells = self.cells.iter().filter(|cell| cell.has_games()).cloned().collect();
        GridResults { cells, ..self.clone() }
    }
}

/// Returns how many cells have each verdict.
fn count<'a>(cells: impl IntoIterator<Item = &'a CellResults>) -> VerdictCount {
    cells.into_iter().filter_map(CellResults::verdict).collect()
}

/// Returns χ² of cells. Those with games in flight are no fair sample and are left out.
fn chi_square<'a>(cells: impl IntoIterator<Item = &'a CellResults>) -> Option<ChiSquare> {
    let judged = cells.into_iter().filter(|cell| cell.in_flight == 0);
    ChiSquare::of(judged.filter_map(|cell| cell.comparison.as_ref()))
}

impl CellResults {
    /// Returns whether the cell has games that are over.
    pub(crate) fn has_games(&self) -> bool {
        self.count.games() > 0
    }

    /// Returns whether games of the cell were begun.
    pub(crate) fn is_begun(&self) -> bool {
        self.has_games() || self.in_flight > 0
    }

    /// Returns the verdict on the published rate. `None` if nothing was published or played.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        match (&self.comparison, &self.published) {
            (Some(comparison), _) => Some(comparison.verdict),
            (None, Some(published)) if self.has_games() && !published.is_comparable => {
                Some(Verdict::OtherBudget)
            }
            _ => None,
        }
    }

    /// Returns the rate of the games with Black, and of those with White.
    pub(crate) fn rates_by_side(&self) -> [Option<f64>; 2] {
        self.tally.by_side.map(|count| count.rate())
    }
}

/// Returns a share in per cent: 0.442 is 44.2.
pub(crate) fn percent(share: f64) -> String {
    decimal(100.0 * share, 1)
}

/// Returns an interval of shares in per cent: 1.8 to 40.4.
pub(crate) fn percent_range(interval: Interval) -> String {
    range(in_percent(interval), 1)
}

/// Returns a share with its 95 % interval in per cent: 10.0 (1.8 to 40.4).
pub(crate) fn percent_with_interval(share: f64, interval: Interval) -> String {
    with_interval(100.0 * share, in_percent(interval), 1)
}

fn in_percent(interval: Interval) -> Interval {
    Interval { low: 100.0 * interval.low, high: 100.0 * interval.high }
}

/// Reads the results of an experiment from a store.
pub fn results(experiment: &MatchExperiment, store: &Store) -> Result<MatchResults, StoreError> {
    let played = experiment.played(store)?;
    let tournament = tournament::results(experiment, store, &played)?;
    Ok(MatchResults { tournament: tournament.map(Box::new), ..of(experiment, &played) })
}

/// Reads the results of the games with an index below `first` in each cell, for example those
/// that decided a test.
pub fn results_of_first(
    experiment: &MatchExperiment,
    store: &Store,
    first: u64,
) -> Result<MatchResults, StoreError> {
    Ok(of(experiment, &experiment.played_of_first(store, first)?))
}

fn of(experiment: &MatchExperiment, played: &[CellTotals]) -> MatchResults {
    let grids = experiment.grids.iter().map(|grid| {
        let cells: Vec<CellResults> =
            grid.entries.iter().map(|entry| cell(experiment, entry, &played[entry.cell])).collect();
        let budget = grid.budget().map(|budget| budget.to_string());
        let (title, label) = (grid.title(), grid.label.clone());
        GridResults { title, label, budget, cells, ..GridResults::default() }.judged()
    });
    MatchResults {
        name: experiment.name().to_owned(),
        title: experiment.title.clone(),
        paper: experiment.paper.clone(),
        text: experiment.text(),
        rules: experiment.rules.to_string(),
        command: experiment.command.clone(),
        games: experiment.games,
        grids: grids.collect(),
        tournament: None,
    }
}

/// Returns the results of a cell that the experiment's file does not have any more.
pub(crate) fn cell_of_no_file(stored: &StoredCell, rules: &str, played: &CellTotals) -> CellResults {
    CellResults {
        id: stored.id.clone(),
        row: stored.game.clone(),
        column: format!("{} against {}", stored.player, stored.opponent),
        panel: stored.game.clone(),
        game: stored.game.clone(),
        player: stored.player.clone(),
        opponent: stored.opponent.clone(),
        ..measured(played, rules, [&stored.player, &stored.opponent])
    }
}

fn cell(experiment: &MatchExperiment, entry: &GridEntry, played: &CellTotals) -> CellResults {
    let cell = &experiment.cells[entry.cell];
    let count = played.tally.total();
    let comparison = entry
        .published
        .filter(|published| published.is_comparable && count.games() > 0)
        .map(|published| Comparison::new(count, published.rate, published.games))
        .map(|comparison| if played.in_flight > 0 { comparison.withheld() } else { comparison });
    CellResults {
        id: cell.id.clone(),
        row: entry.row(),
        column: entry.column(),
        panel: entry.panel(),
        game: cell.game.to_string(),
        player: cell.player.to_string(),
        opponent: cell.opponent.to_string(),
        published: entry.published,
        comparison,
        ..measured(
            played,
            &experiment.rules.to_string(),
            [&cell.player, &cell.opponent].map(|it| it.to_string()),
        )
    }
}

/// Returns the results of a cell of these contestants that has no names yet.
fn measured(played: &CellTotals, rules: &str, contestants: [impl AsRef<str>; 2]) -> CellResults {
    let is_external = contestants.map(|contestant| is_external(contestant.as_ref()));
    let count = played.tally.total();
    let games = count.games();
    let mean = |sum: f64| (games > 0).then(|| sum / games as f64);
    CellResults {
        id: String::new(),
        row: String::new(),
        column: String::new(),
        panel: String::new(),
        game: String::new(),
        player: String::new(),
        opponent: String::new(),
        rules: rules.to_owned(),
        count,
        tally: played.tally,
        rate: count.rate(),
        interval: match (played.shared_error, count.rate()) {
            (Some(error), Some(rate)) => {
                let half = 1.96 * error;
                Interval { low: (rate - half).max(0.0), high: (rate + half).min(1.0) }
            }
            _ => wilson(count.points(), games),
        },
        // Elo is of games that are independent.
        strength: Strength::of(&played.tally).filter(|_| played.shared_error.is_none()),
        distinct: played.distinct,
        mean_plies: mean(played.plies as f64),
        mean_samples: mean(1.0)
            .map(|_| known(played.samples.map(|samples| samples as f64 / games as f64), is_external)),
        mean_samples_a_move: samples_a_move(played).map(|means| known(means, is_external)),
        mean_seconds: mean(played.seconds),
        mean_used: mean(1.0).map(|_| played.used.map(|used| used / games as f64)),
        reasons: played.reasons.iter().map(|(reason, games)| (reason.to_string(), *games)).collect(),
        builds: played.builds.clone(),
        engines: played.engines.clone(),
        voids: played.voids,
        in_flight: played.in_flight,
        disagreements: played.disagreements.clone(),
        published: None,
        comparison: None,
    }
}

/// Whether a contestant is an external engine: nobody knows how many samples it takes.
pub(crate) fn is_external(contestant: &str) -> bool {
    contestant.starts_with("gtp(")
}

/// The numbers of two contestants, without those of external engines.
pub(crate) fn known<T: Copy>(numbers: [T; 2], is_external: [bool; 2]) -> [Option<T>; 2] {
    [0, 1].map(|who| (!is_external[who]).then_some(numbers[who]))
}

fn samples_a_move(played: &CellTotals) -> Option<[f64; 2]> {
    let [player, opponent] = played.chosen;
    let mean = |samples: u64, moves: u64| samples as f64 / moves as f64;
    (player > 0 && opponent > 0).then(|| [mean(played.samples[0], player), mean(played.samples[1], opponent)])
}

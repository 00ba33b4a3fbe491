//! What a store has of an experiment by matches: data for tables, figures and pages,
//! and the JSON that programs read.

use serde::Serialize;
use tesuji_arena::statistics::{ChiSquare, Comparison, Count, Interval, Strength, Tally, wilson};
use tesuji_arena::{
    CellTotals, Disagreement, GridEntry, MatchExperiment, PublishedRate, Store, StoreError, StoredCell,
};

use crate::numbers::decimal;

/// An experiment as far as it was played.
#[derive(Clone, Debug, Serialize)]
pub struct MatchResults {
    /// The experiment's name.
    pub name: String,
    /// What is shown.
    pub title: String,
    /// Authors, work, year and table.
    pub paper: String,
    /// What a reader must know.
    pub text: String,
    /// How games begin and end.
    pub rules: String,
    /// The command that plays it, where it was asked for on the command line and not in a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Games of each cell that were asked for.
    pub games: u64,
    /// Its tables.
    pub grids: Vec<GridResults>,
}

/// A table.
#[derive(Clone, Debug, Serialize)]
pub struct GridResults {
    /// Above it.
    pub title: String,
    /// What the columns are.
    pub label: String,
    /// Row by row.
    pub cells: Vec<CellResults>,
    /// How the whole table agrees with what was published, where enough was played.
    pub chi_square: Option<ChiSquare>,
}

/// A cell.
#[derive(Clone, Debug, Serialize)]
pub struct CellResults {
    /// A name for people to type.
    pub id: String,
    /// The row's name.
    pub row: String,
    /// The column's name.
    pub column: String,
    /// The panel of the figure.
    pub panel: String,
    /// What is played.
    pub game: String,
    /// Whose wins are counted.
    pub player: String,
    /// The other one.
    pub opponent: String,
    /// How games begin and end, as [`MatchResults::rules`].
    #[serde(skip)]
    pub rules: String,
    /// The player's games.
    pub count: Count,
    /// The same when it had Black and White, and in pairs.
    pub tally: Tally,
    /// Its rate of points; nothing without games.
    pub rate: Option<f64>,
    /// The 95 % interval of the rate: Wilson's, or where games share seeds that of their seeds.
    pub interval: Interval,
    /// The rate as a difference in Elo.
    pub strength: Option<Strength>,
    /// How many games differ in their moves.
    pub distinct: u64,
    /// Moves a game, on average.
    pub mean_plies: Option<f64>,
    /// Samples a game of the player and its opponent, on average.
    pub mean_samples: Option<[f64; 2]>,
    /// The same for a move of theirs.
    pub mean_samples_a_move: Option<[f64; 2]>,
    /// Seconds a game by the clock, on average.
    pub mean_seconds: Option<f64>,
    /// Seconds a game that the player and its opponent used, on average.
    pub mean_used: Option<[f64; 2]>,
    /// How many games ended for which reason.
    pub reasons: Vec<(String, u64)>,
    /// The programs that played.
    pub builds: Vec<String>,
    /// The engines' names and versions.
    pub engines: [Vec<String>; 2],
    /// Games that came to nothing.
    pub voids: u64,
    /// Engines that count games otherwise than the rules do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disagreements: Vec<Disagreement>,
    /// What was published.
    pub published: Option<PublishedRate>,
    /// Measured beside published, where the two can be compared.
    pub comparison: Option<Comparison>,
}

impl MatchResults {
    /// All cells of all tables.
    pub fn cells(&self) -> impl Iterator<Item = &CellResults> {
        self.grids.iter().flat_map(|grid| &grid.cells)
    }
}

impl GridResults {
    /// Whether anything was played.
    pub fn has_games(&self) -> bool {
        self.cells.iter().any(CellResults::has_games)
    }

    /// The rows' names, in their order.
    pub fn rows(&self) -> Vec<&str> {
        distinct(self.cells.iter().map(|cell| cell.row.as_str()))
    }

    /// The columns' names, in their order.
    pub fn columns(&self) -> Vec<&str> {
        distinct(self.cells.iter().map(|cell| cell.column.as_str()))
    }

    /// The cells that have games.
    pub(crate) fn played(&self) -> GridResults {
        let cells = self.cells.iter().filter(|cell| cell.has_games()).cloned().collect();
        GridResults { cells, ..self.clone() }
    }
}

impl CellResults {
    /// Whether anything was played.
    pub fn has_games(&self) -> bool {
        self.count.games() > 0
    }

    /// The rate when the player had Black, and White.
    pub fn rates_by_side(&self) -> [Option<f64>; 2] {
        self.tally.by_side.map(|count| count.rate())
    }
}

/// Each name once, in the order in which they first come.
pub(crate) fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut all: Vec<&str> = Vec::new();
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

/// A share as people read it: 0.442 is 44.2.
pub(crate) fn percent(share: f64) -> String {
    decimal(100.0 * share, 1)
}

/// What the store has of an experiment.
pub fn results(experiment: &MatchExperiment, store: &Store) -> Result<MatchResults, StoreError> {
    Ok(of(experiment, &experiment.played(store)?))
}

/// What the store has of the games of each cell with an index below `first`: those that
/// decided a test, say.
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
        let chi_square = ChiSquare::of(cells.iter().filter_map(|cell| cell.comparison.as_ref()));
        GridResults { title: grid.title.clone(), label: grid.label.clone(), cells, chi_square }
    });
    MatchResults {
        name: experiment.name().to_owned(),
        title: experiment.title.clone(),
        paper: experiment.paper.clone(),
        text: experiment.text.clone(),
        rules: experiment.rules.to_string(),
        command: experiment.command.clone(),
        games: experiment.games,
        grids: grids.collect(),
    }
}

/// What is known of a cell that its experiment's file no longer has.
pub(crate) fn other_cell(stored: &StoredCell, rules: &str, played: &CellTotals) -> CellResults {
    CellResults {
        id: stored.id.clone(),
        row: stored.game.clone(),
        column: stored.player.clone(),
        panel: stored.game.clone(),
        game: stored.game.clone(),
        player: stored.player.clone(),
        opponent: stored.opponent.clone(),
        ..measured(played, rules)
    }
}

fn cell(experiment: &MatchExperiment, entry: &GridEntry, played: &CellTotals) -> CellResults {
    let cell = &experiment.cells[entry.cell];
    let count = played.tally.total();
    let comparison = entry
        .published
        .filter(|published| published.is_comparable && count.games() > 0)
        .map(|published| Comparison::new(count, published.rate, published.games));
    CellResults {
        id: cell.id.clone(),
        row: entry.row.clone(),
        column: entry.column.clone(),
        panel: entry.panel.clone(),
        game: cell.game.to_string(),
        player: cell.player.to_string(),
        opponent: cell.opponent.to_string(),
        published: entry.published,
        comparison,
        ..measured(played, &experiment.rules.to_string())
    }
}

/// What was played of a cell that has no names yet.
fn measured(played: &CellTotals, rules: &str) -> CellResults {
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
        mean_samples: mean(1.0).map(|_| played.samples.map(|samples| samples as f64 / games as f64)),
        mean_samples_a_move: samples_a_move(played),
        mean_seconds: mean(played.seconds),
        mean_used: mean(1.0).map(|_| played.used.map(|used| used / games as f64)),
        reasons: played.reasons.iter().map(|(reason, games)| (reason.to_string(), *games)).collect(),
        builds: played.builds.clone(),
        engines: played.engines.clone(),
        voids: played.voids,
        disagreements: played.disagreements.clone(),
        published: None,
        comparison: None,
    }
}

fn samples_a_move(played: &CellTotals) -> Option<[f64; 2]> {
    let [player, opponent] = played.chosen;
    let mean = |samples: u64, moves: u64| samples as f64 / moves as f64;
    (player > 0 && opponent > 0).then(|| [mean(played.samples[0], player), mean(played.samples[1], opponent)])
}
